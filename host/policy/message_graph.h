/* The graph that messages are passed on: one edge for each pair of ops that a tensor or a control
 * edge joins. Several problems lie side by side, so that one pass of the network serves them all.
 */
#ifndef REGAL_POLICY_MESSAGE_GRAPH_H
#define REGAL_POLICY_MESSAGE_GRAPH_H

#include "policy/features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of an edge: half the log of its bytes over the problem's mean, within -3..3 (-3 without data),
 * whether it is a control edge alone. */
enum { REGAL_EDGE_FEATURE_COUNT = 2 };

/* Ops and edges of all problems in a row. Edges are ordered by (target, source): those into an op
 * are neighbours. Indices are int32_t, as regal_math has them. */
typedef struct regal_message_graph {
    int64_t graph_count, op_count, edge_count;
    int32_t *graph_begin; /* [graph + 1] ops */
    int32_t *graph_of;    /* [op] */
    float *features;      /* [op][REGAL_FEATURE_COUNT] */
    int32_t *source;      /* [edge] */
    int32_t *target;      /* [edge] */
    float *edge_features; /* [edge][REGAL_EDGE_FEATURE_COUNT] */
    int32_t *in_begin;    /* [op + 1] edges into an op */
    int32_t *out_begin;   /* [op + 1] places in out_edge of edges out of an op */
    int32_t *out_edge;    /* [edge] edges ordered by (source, target) */
    float *inverse_in;    /* [op] 1 / edges into it; 0 without */
    float *inverse_out;   /* [op] */
    float *inverse_size;  /* [graph] 1 / ops; 0 without */
    void *memory;         /* of all of them */
} regal_message_graph;

/* Of `count` problems, with their features (as regal_features_compute gives them).
 * REGAL_INVALID_ARGUMENT beyond 2^31 - 1 ops or edges. */
regal_status regal_message_graph_create(const regal_problem_view *const *views, int64_t count,
                                        regal_objective objective, regal_message_graph *graph);
void regal_message_graph_destroy(regal_message_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
