/* Successors of ops over data and control edges, and orders along them. */
#ifndef REGAL_GRAPH_OP_ORDER_H
#define REGAL_GRAPH_OP_ORDER_H

#include "regal/graph.h"

/* The successors of op v are successor[begin[v] .. begin[v + 1]); an edge that stands several times
 * in the graph stands several times here, and counts as often in predecessor_count. */
typedef struct regal_op_edges {
    int64_t op_count;
    int64_t *begin;             /* [op_count + 1] */
    int64_t *successor;         /* [begin[op_count]] */
    int64_t *predecessor_count; /* [op_count] */
} regal_op_edges;

/* References must be in range. */
regal_status regal_op_edges_create(const regal_graph *graph, regal_op_edges *edges);
void regal_op_edges_destroy(regal_op_edges *edges);

/* The canonical order (DESIGN 3): Kahn's with the smallest ready op first. Writes the ops that can
 * be ordered to order [op_count] and their number to *ordered: fewer than op_count where there is a
 * cycle. */
regal_status regal_canonical_order(const regal_op_edges *edges, int64_t *order, int64_t *ordered);

#endif
