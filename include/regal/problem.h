#ifndef REGAL_PROBLEM_H
#define REGAL_PROBLEM_H

#include <stdint.h>

#include "regal/cluster.h"
#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph and a cluster that fit together, in the flat form that the search works on. The graph and
 * the cluster must outlive it. */
typedef struct regal_problem regal_problem;

typedef struct regal_bounds {
    int64_t time;   /* no plan has a smaller makespan (ticks) */
    int64_t memory; /* no plan has a smaller greatest peak (bytes) */
} regal_bounds;

/* REGAL_INVALID_INPUT where the two do not fit (a class the graph lacks, an allowed device the
 * cluster lacks, worst-case sums above 2^62); REGAL_INFEASIBLE where a colocation group has no
 * device in common (its members and their devices are named). */
regal_status regal_problem_create(const regal_graph *graph, const regal_cluster *cluster,
                                  regal_problem **problem);
void regal_problem_destroy(regal_problem *problem);

const regal_graph *regal_problem_graph(const regal_problem *problem);
const regal_cluster *regal_problem_cluster(const regal_problem *problem);
regal_bounds regal_problem_bounds(const regal_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
