/* Cuts a graph into parts of about equal weight with METIS, by recursive bisection. */
#ifndef REGAL_BASELINES_BISECTION_H
#define REGAL_BASELINES_BISECTION_H

#include <stdint.h>

#include "regal/status.h"

typedef struct regal_bisection {
    /* In: an undirected graph; each edge stands at both its ends. */
    int64_t vertex_count, weight_count;   /* weights of a vertex: 1 or 2 */
    int64_t *weight;                      /* [vertex][weight], room for 2 each; zeroed */
    int64_t *begin;                       /* [vertex + 1] */
    int64_t *neighbour, *neighbour_bytes; /* [edge] */
    /* Out. */
    int32_t *part; /* [vertex] */
} regal_bisection;

/* Room for that much. REGAL_UNAVAILABLE where this build has no METIS, or it is too much for it.
 * The bisection must be destroyed whatever comes back. */
regal_status regal_bisection_create(int64_t vertices, int64_t edges, regal_bisection *graph);
void regal_bisection_destroy(regal_bisection *graph);

/* Numbers the parts from 0 on. The same parts every time. */
regal_status regal_bisection_run(regal_bisection *graph, int32_t parts);

#endif
