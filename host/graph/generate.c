/* The table of generators, and what is the same for all of them. */
#include "regal/generate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "graph/generator.h"

static const regal_generator *const generators[] = {
    &regal_erdos_renyi, &regal_watts_strogatz, &regal_barabasi_albert, &regal_stochastic_block,
    &regal_layered,     &regal_banded,         &regal_layered_large,   &regal_transformer_step,
#define ZOO_FAMILY(family) &regal_zoo_##family,
#include "graph/zoo_families.def"
};
enum {
    GENERATOR_COUNT = sizeof generators / sizeof *generators,
    VALUES_MAX = 64,
    LIST_SIZE = 1024
};

int regal_generator_describe(int64_t index, regal_generator_info *info) {
    if (index < 0 || index >= GENERATOR_COUNT)
        return 0;
    *info = generators[index]->info;
    return 1;
}

static void list_append(char *list, const char *word) {
    const size_t used = strlen(list);
    snprintf(list + used, LIST_SIZE - used, "%s%s", used > 0 ? ", " : "", word);
}

static const char *generator_word(size_t index, void *context) {
    (void)context;
    return index < GENERATOR_COUNT ? generators[index]->info.name : NULL;
}

static const char *parameter_word(size_t index, void *context) {
    const regal_generator *generator = context;
    return (int64_t)index < generator->info.parameter_count ? generator->info.parameters[index].name
                                                            : NULL;
}

static regal_status find_generator(const char *name, const regal_generator **generator) {
    char known[LIST_SIZE] = "";
    for (int64_t i = 0; i < GENERATOR_COUNT; ++i) {
        *generator = generators[i];
        if (strcmp(name, generators[i]->info.name) == 0)
            return REGAL_OK;
        list_append(known, generators[i]->info.name);
    }
    char near[REGAL_DID_YOU_MEAN_SIZE];
    REGAL_FAIL(REGAL_INVALID_ARGUMENT, "there is no generator '%s'; there are: %s%s", name, known,
               regal_did_you_mean(name, generator_word, NULL, near));
}

/* The parameter's index, or -1 with the error set. */
static int64_t find_parameter(const regal_generator *generator, const char *name) {
    char known[LIST_SIZE] = "";
    for (int64_t i = 0; i < generator->info.parameter_count; ++i) {
        if (strcmp(name, generator->info.parameters[i].name) == 0)
            return i;
        list_append(known, generator->info.parameters[i].name);
    }
    char near[REGAL_DID_YOU_MEAN_SIZE];
    regal_error_set(REGAL_INVALID_ARGUMENT, __FILE__, __LINE__,
                    "generator '%s' has no parameter '%s'; it has: %s%s", generator->info.name,
                    name, known, regal_did_you_mean(name, parameter_word, (void *)generator, near));
    return -1;
}

static regal_status check_value(const regal_generator *generator, int64_t index, double value) {
    const regal_generator_parameter *parameter = &generator->info.parameters[index];
    const bool whole = generator->whole >> index & 1;
    REGAL_FAIL_IF(!(value >= parameter->least && value <= parameter->greatest) ||
                      (whole && value != floor(value)),
                  REGAL_INVALID_ARGUMENT, "%s: %s is %.15g; it must be a %s in %.15g..%.15g",
                  generator->info.name, parameter->name, value, whole ? "whole number" : "number",
                  parameter->least, parameter->greatest);
    return REGAL_OK;
}

regal_status regal_generator_values(const regal_generator *generator,
                                    const regal_parameter_value *given, int64_t count,
                                    double *values) {
    for (int64_t i = 0; i < generator->info.parameter_count; ++i)
        values[i] = generator->info.parameters[i].standard;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t index = find_parameter(generator, given[i].name);
        if (index < 0)
            return REGAL_INVALID_ARGUMENT;
        REGAL_FORWARD(check_value(generator, index, given[i].value));
        values[index] = given[i].value;
    }
    return REGAL_OK;
}

regal_status regal_generator_check(const char *generator_name, const regal_parameter_value *values,
                                   int64_t value_count) {
    const regal_generator *generator;
    REGAL_FORWARD(find_generator(generator_name, &generator));
    double settings[VALUES_MAX];
    return regal_generator_values(generator, values, value_count, settings);
}

/* "transformer layers=2 batch=8", "layered ops=90 seed=7": the graph's name. */
static void describe(const regal_generator *generator, const double *values, uint64_t seed,
                     char *name, size_t size) {
    size_t used = (size_t)snprintf(name, size, "%s", generator->info.name);
    for (int64_t i = 0; i < generator->info.parameter_count && used < size; ++i)
        if (values[i] != generator->info.parameters[i].standard)
            used += (size_t)snprintf(name + used, size - used, " %s=%.15g",
                                     generator->info.parameters[i].name, values[i]);
    if (generator->seeded && used < size)
        snprintf(name + used, size - used, " seed=%" PRIu64, seed);
}

regal_status regal_graph_generate(const char *generator_name, const regal_parameter_value *values,
                                  int64_t value_count, uint64_t seed,
                                  const regal_read_options *options, regal_graph **graph) {
    static const regal_read_options standard = {0};
    *graph = NULL;
    const regal_generator *generator;
    REGAL_FORWARD(find_generator(generator_name, &generator));
    double settings[VALUES_MAX];
    REGAL_FORWARD(regal_generator_values(generator, values, value_count, settings));
    char name[LIST_SIZE];
    describe(generator, settings, seed, name, sizeof name);
    regal_status status =
        generator->make(name, settings, seed, options != NULL ? options : &standard, graph);
    if (status == REGAL_OK)
        status = regal_graph_validate(*graph);
    if (status == REGAL_OK)
        return status;
    regal_graph_destroy(*graph);
    *graph = NULL;
    /* The recipe is at fault, not a file. */
    return regal_error_prefix(status == REGAL_INVALID_INPUT ? REGAL_INVALID_ARGUMENT : status, "%s",
                              generator->info.name);
}
