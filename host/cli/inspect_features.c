#include "cli/inspect_features.h"

#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/json_values.h"
#include "cli/plain_text.h"

static const char *name_of(int64_t feature) {
    const char *name, *text;
    regal_feature_describe(feature, &name, &text);
    return name;
}

static const char *text_of(int64_t feature) {
    const char *name, *text;
    regal_feature_describe(feature, &name, &text);
    return text;
}

static int print_json(const char *name, const float *features) {
    json_t *object = json_object();
    json_add_words(object, "op", name);
    for (int64_t i = 0; i < regal_feature_count(); i++)
        json_object_set_new(object, name_of(i), json_real((double)features[i]));
    return json_print_line(object);
}

static const char LEGEND[] =
    "log: half the logarithm of a ratio, to the mean op's where nothing else is said; ranks and "
    "positions: from -1 to 1; a storage: a tensor with all its aliases";

static int print_json_legend(void) {
    json_t *object = json_object();
    for (int64_t i = 0; i < regal_feature_count(); i++)
        json_add_words(object, name_of(i), text_of(i));
    return json_print_line(
        json_pack("{s:o,s:o}", "legend", json_words(LEGEND), "features", object));
}

static void print_head(void) {
    printf("# %s\n", LEGEND);
    for (int64_t i = 0; i < regal_feature_count(); i++)
        printf("# %s: %s\n", name_of(i), text_of(i));
    fputs("op", stdout);
    for (int64_t i = 0; i < regal_feature_count(); i++)
        printf("\t%s", name_of(i));
    putchar('\n');
}

static int print_row(const char *name, const float *features) {
    char *plain = strdup(name);
    if (!plain)
        return report_failure(NULL, own_memory_failure());
    plain_text_make(plain);
    fputs(plain, stdout);
    free(plain);
    for (int64_t i = 0; i < regal_feature_count(); i++)
        printf("\t%.6g", (double)features[i]);
    putchar('\n');
    return 0;
}

static int print_all(const regal_graph *graph, bool json, const float *features) {
    int code = json ? print_json_legend() : 0;
    if (!json)
        print_head();
    for (int64_t op = 0; op < regal_graph_op_count(graph) && code == 0; op++) {
        const char *name = regal_graph_op(graph, op).name;
        const float *row = features + op * regal_feature_count();
        code = json ? print_json(name, row) : print_row(name, row);
    }
    return code;
}

static regal_status compute(const regal_graph *graph, const regal_cluster *cluster,
                            regal_objective objective, float *features) {
    regal_problem *problem = NULL;
    regal_status status = regal_problem_create(graph, cluster, &problem);
    if (status == REGAL_OK)
        status = regal_problem_features(problem, objective, features);
    regal_problem_destroy(problem);
    return status;
}

int features_print(const cli_options *options, const regal_graph *graph,
                   const regal_cluster *cluster) {
    const bool memory =
        options->objective && strcmp(options->objective, regal_objective_name(REGAL_MEMORY)) == 0;
    const size_t ops = (size_t)regal_graph_op_count(graph);
    float *features = calloc(ops + 1, (size_t)regal_feature_count() * sizeof *features);
    if (!features)
        return report_failure(options->arguments[0], own_memory_failure());
    const regal_status status =
        compute(graph, cluster, memory ? REGAL_MEMORY : REGAL_TIME, features);
    const int code = status == REGAL_OK ? print_all(graph, options->json, features)
                                        : report_failure(options->arguments[0], status);
    free(features);
    return code;
}
