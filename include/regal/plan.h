#ifndef REGAL_PLAN_H
#define REGAL_PLAN_H

#include <stdint.h>

#include "regal/cluster.h"
#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum regal_objective { REGAL_TIME, REGAL_MEMORY } regal_objective;

/* "time", "memory". */
const char *regal_objective_name(regal_objective objective);

/* Compared left to right, smaller is better. time: excess, makespan, max peak; memory: excess, max
 * peak, makespan; excess is the sum over capped devices of max(0, peak - capacity). */
typedef struct regal_fitness {
    int64_t value[3];
} regal_fitness;

typedef struct regal_transfer {
    int64_t tensor;
    int64_t to; /* device */
    int64_t start;
} regal_transfer;

/* How a plan came about; strings are owned by the plan, NULL or -1 where unknown. search: what ran,
 * "brkga", "anneal" and "local" (chains from its first population), "brkga+anneal", "none" (stopped before
 * the first population: a seed's plan). policy: "none", "proposals" (from a file), else name and
 * digest, "time 0123456789abcdef".
 */
typedef struct regal_made {
    const char *version, *origin, *search, *encoding, *backend, *policy, *stopped;
    const char *proposals; /* a digest of the Beta proposals */
    const char *options;   /* the settings that made it, as one JSON object */
    int64_t window;
    uint64_t seed;
    int64_t evaluations;
    int64_t generations; /* of the genetic algorithm, after its first population */
    int64_t rounds;      /* of the annealing chains; in each every chain makes one move */
    int64_t threads;
    double seconds;
} regal_made;

/* A placement and schedule, and what they cost. The struct is open to read; made, filled and freed
 * by the library only. */
typedef struct regal_plan {
    int64_t op_count;
    int64_t *placement; /* [op_count] device */
    int64_t *start;     /* [op_count] tick */
    int64_t *finish;    /* [op_count] tick; NULL where a file did not say */
    int64_t transfer_count;
    regal_transfer *transfers; /* [transfer_count] by tensor, then destination */
    int64_t makespan;
    int64_t device_count;
    int64_t *peak;              /* [device_count] bytes */
    regal_fitness time, memory; /* all -1 where a file did not say */

    regal_objective objective;        /* what it was optimized for */
    int64_t bound_time, bound_memory; /* lower bounds; -1 where unknown */
    char graph_digest[17];            /* "" where unknown */
    regal_cluster *cluster;           /* NULL where a file did not carry it */
    char **op_names;                  /* [op_count], or NULL */
    int64_t option_count;             /* the graph's options */
    char **option_keys, **option_values;
    regal_made made;
} regal_plan;

/* An empty plan of these sizes: arrays zeroed, except that finish, cluster and names are NULL. */
regal_status regal_plan_create(int64_t op_count, int64_t device_count, int64_t transfer_count,
                               regal_plan **plan);
void regal_plan_destroy(regal_plan *plan);

/* Makes the plan self-contained: copies the cluster, the digest, the graph's options and the op
 * names into it and fills finish. */
regal_status regal_plan_attach(regal_plan *plan, const regal_graph *graph,
                               const regal_cluster *cluster);

/* Copies *made and its strings into the plan. */
regal_status regal_plan_set_made(regal_plan *plan, const regal_made *made);

/* The plan's fitness for an objective. */
regal_fitness regal_plan_fitness(const regal_plan *plan, regal_objective objective);

/* < 0, 0, > 0: a is better, equal, worse. */
int regal_fitness_compare(regal_fitness a, regal_fitness b);

#ifdef __cplusplus
}
#endif
#endif
