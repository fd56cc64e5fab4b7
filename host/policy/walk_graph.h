/* A problem in the units of the placement head: times over the mean op's, bytes over the mean
 * tensor's, so that they mean the same on any graph. */
#ifndef REGAL_POLICY_WALK_GRAPH_H
#define REGAL_POLICY_WALK_GRAPH_H

#include "graph/problem_data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_walk_graph {
    const regal_problem_view *view;
    int64_t op_count, tensor_count;
    int32_t device_count;
    float *ticks;     /* [op][device] */
    float *rank;      /* [op] upward rank, transfers counted at their mean */
    float *workspace; /* [op] */
    float *bytes;     /* [tensor] */
    float *stored;    /* [tensor] its bytes where it is produced; 0 for aliases */
    float *latency,
        *pace;       /* [from][to]: a transfer takes latency + pace x bytes; 0 within a device */
    float *capacity; /* [device] 0: unlimited */
    int64_t *weight_begin; /* [op + 1] parameters of an op */
    regal_id *weight;      /* ids of parameters */
    float *weight_bytes;   /* [parameter] */
    void *memory;
} regal_walk_graph;

regal_status regal_walk_graph_create(const regal_problem_view *view, regal_walk_graph *graph);
void regal_walk_graph_destroy(regal_walk_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
