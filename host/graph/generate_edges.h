/* Graphs from pairs of ops: every op has one output tensor, and an edge says who consumes it. */
#ifndef REGAL_GRAPH_GENERATE_EDGES_H
#define REGAL_GRAPH_GENERATE_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_edge {
    int64_t from, to;
} regal_edge;

typedef struct regal_edge_list {
    regal_edge *items;
    int64_t count, capacity;
} regal_edge_list;

regal_status regal_edge_list_add(regal_edge_list *list, int64_t from, int64_t to);
void regal_edge_list_free(regal_edge_list *list);

/* Sorts by from, then to, both in 0..op_count-1, and keeps one of each. */
regal_status regal_edge_list_sort(regal_edge_list *list, int64_t op_count);

/* Turns each edge so that it leads from the smaller to the greater position[op]. */
void regal_edge_list_orient(regal_edge_list *list, const int64_t *position);

/* Adds, for each of the graph's ops, a tensor of bytes[op] for the consumers that the edges name.
 * Sorts the list. */
regal_status regal_edge_list_add_tensors(regal_edge_list *list, const int64_t *bytes,
                                         regal_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
