#include "search/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/heuristic.h"
#include "io/file.h"
#include "io/seed_file.h"
#include "regal/check.h"
#include "search/encode.h"

void regal_seeds_destroy(regal_seed_list *seeds) {
    for (int64_t i = 0; i < seeds->count; ++i) {
        free(seeds->items[i].genes);
        regal_plan_destroy(seeds->items[i].plan);
    }
    free(seeds->items);
    *seeds = (regal_seed_list){0};
}

static regal_status reserve(regal_seed_list *seeds, int64_t count) {
    seeds->items = regal_allocate_zeroed(count, sizeof *seeds->items);
    REGAL_FAIL_IF_NULL(seeds->items);
    return REGAL_OK;
}

static regal_status add_heuristics(const regal_problem *problem, regal_objective objective,
                                   regal_encoding encoding, int64_t window,
                                   regal_heuristic_stop *stop, void *context,
                                   regal_seed_list *seeds) {
    regal_heuristic *list;
    int64_t count;
    REGAL_FORWARD(regal_heuristics_create(problem, objective, stop, context, &list, &count));
    regal_status status = reserve(seeds, count + 1);
    for (int64_t i = 0; status == REGAL_OK && i < count; ++i) {
        regal_seed *seed = &seeds->items[seeds->count++];
        seed->name = list[i].name;
        seed->window = window;
        seed->plan = list[i].plan;
        list[i].plan = NULL;
        seed->genes = regal_allocate(seeds->gene_count, sizeof *seed->genes);
        if (seed->genes != NULL)
            regal_encode_genes(regal_problem_get_view(problem), encoding, list[i].device,
                               list[i].sequence, seed->genes);
        else
            status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    }
    regal_heuristics_destroy(list, count);
    return status;
}

/* A plan must be valid for the problem; what it claims does not count, what it is worth does. */
static regal_status measure_plan(const regal_problem *problem, regal_plan *plan) {
    regal_measure measure;
    REGAL_FORWARD(regal_plan_measure(problem->graph, problem->cluster, plan, &measure));
    plan->makespan = measure.makespan;
    plan->time = measure.time;
    plan->memory = measure.memory;
    plan->bound_time = problem->bounds.time;
    plan->bound_memory = problem->bounds.memory;
    memcpy(plan->peak, measure.peak, (size_t)plan->device_count * sizeof *plan->peak);
    return regal_plan_attach(plan, problem->graph, problem->cluster);
}

/* Takes over keys of the right encoding, or those that stand for the same plan. */
static regal_status take_keys(const regal_problem *problem, regal_encoding encoding, int64_t window,
                              const regal_chromosome *given, regal_seed_list *seeds,
                              regal_seed *seed) {
    regal_chromosome *encoded = NULL;
    if (given == NULL || given->encoding != encoding) {
        REGAL_FORWARD(regal_chromosome_encode(problem, seed->plan, encoding, window, &encoded));
        given = encoded;
    }
    const size_t size = (size_t)seeds->gene_count * sizeof *seed->genes;
    seed->window = given->window;
    seed->genes = regal_allocate(1, size);
    if (seed->genes != NULL)
        memcpy(seed->genes, given->genes, size);
    regal_chromosome_destroy(encoded);
    REGAL_FAIL_IF_NULL(seed->genes);
    return REGAL_OK;
}

static regal_status take_file(const regal_problem *problem, const char *path,
                              regal_encoding encoding, int64_t window, regal_seed_list *seeds) {
    regal_seed *seed = &seeds->items[seeds->count++];
    regal_chromosome *keys = NULL;
    seed->name = "seed file";
    REGAL_FORWARD(regal_seed_file_read(path, &seed->plan, &keys)); /* which names the file */
    regal_status status = keys != NULL ? regal_chromosome_decode(problem, keys, &seed->plan)
                                       : measure_plan(problem, seed->plan);
    if (status == REGAL_OK)
        status = take_keys(problem, encoding, window, keys, seeds, seed);
    regal_chromosome_destroy(keys);
    return status == REGAL_OK ? status : regal_error_prefix(status, "%s", regal_file_label(path));
}

regal_status regal_seeds_create(const regal_problem *problem, const regal_options *options,
                                regal_encoding encoding, int64_t window, regal_heuristic_stop *stop,
                                void *context, regal_seed_list *seeds) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    *seeds = (regal_seed_list){.gene_count =
                                   regal_gene_count(encoding, view->op_count, view->device_count)};
    const regal_objective objective =
        strcmp(options->objective, "time") == 0 ? REGAL_TIME : REGAL_MEMORY;
    regal_status status = REGAL_OK;
    if (strcmp(options->seeds, "none") == 0)
        return status;
    status = add_heuristics(problem, objective, encoding, window, stop, context, seeds);
    if (status == REGAL_OK && strcmp(options->seeds, "heuristic") != 0)
        status = take_file(problem, options->seeds, encoding, window, seeds);
    if (status != REGAL_OK)
        regal_seeds_destroy(seeds);
    return status;
}

regal_status regal_seeds_add_policy(regal_seed_list *seeds, const uint16_t *genes, int64_t window) {
    const size_t size = (size_t)seeds->gene_count * sizeof *genes;
    regal_seed *items = reallocarray(seeds->items, (size_t)seeds->count + 1, sizeof *items);
    REGAL_FAIL_IF_NULL(items);
    seeds->items = items;
    uint16_t *copy = regal_allocate(1, size);
    REGAL_FAIL_IF_NULL(copy);
    memcpy(copy, genes, size);
    items[seeds->count++] =
        (regal_seed){.name = "policy", .genes = copy, .window = window, .is_of_policy = true};
    return REGAL_OK;
}
