/* Start individuals: heuristics, a plan or chromosome from a file, a policy's best roll-outs. */
#ifndef REGAL_SEARCH_SEEDS_H
#define REGAL_SEARCH_SEEDS_H

#include "baselines/heuristic.h"
#include "graph/problem_data.h"
#include "regal/optimize.h"

typedef struct regal_seed {
    const char *name;
    uint16_t *genes; /* [gene_count] */
    int64_t window;
    regal_plan *plan; /* its own plan, or NULL */
    bool is_of_policy;
    bool is_placed; /* it has been in the population */
} regal_seed;

typedef struct regal_seed_list {
    regal_seed *items;
    int64_t count, gene_count;
} regal_seed_list;

/* As options->seeds says, for options->objective, in the given encoding and window; where stop (or
 * NULL) says so, not all of the heuristics. */
regal_status regal_seeds_create(const regal_problem *problem, const regal_options *options,
                                regal_encoding encoding, int64_t window, regal_heuristic_stop *stop,
                                void *context, regal_seed_list *seeds);

/* Adds a roll-out by its keys [gene_count], which are copied. */
regal_status regal_seeds_add_policy(regal_seed_list *seeds, const uint16_t *genes, int64_t window);

void regal_seeds_destroy(regal_seed_list *seeds);

#endif
