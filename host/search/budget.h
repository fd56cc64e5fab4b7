/* When a search ends. */
#ifndef REGAL_SEARCH_BUDGET_H
#define REGAL_SEARCH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/optimize.h"

typedef struct regal_budget {
    int64_t evaluations, generations; /* INT64_MAX: no limit */
    double seconds;                   /* < 0: no limit */
    int64_t target;                   /* -1: none */
    regal_fitness bound;              /* nothing can be better */
    double started;                   /* regal_clock() */
    bool by_generations;              /* the limit of evaluations stands for one of generations */
} regal_budget;

regal_budget regal_budget_make(const regal_options *options, int64_t op_count, regal_bounds bounds);

/* Turns a limit of generations into one of evaluations, for stages that have no generations. */
void regal_budget_count_generations(regal_budget *budget, int64_t islands, int64_t population,
                                    int64_t elites);

/* The greatest used share of any limit, 0..1. */
double regal_budget_share(const regal_budget *budget, int64_t evaluations, int64_t generations);

/* Why the search should end now ("evaluations", "generations", "time-limit", "target", "bound"), or
 * NULL. best: the best fitness so far, or NULL. */
const char *regal_budget_spent(const regal_budget *budget, int64_t evaluations, int64_t generations,
                               const regal_fitness *best);

#endif
