/* A graph anew, with some of it changed. */
#ifndef REGAL_POLICY_GRAPH_CHANGE_H
#define REGAL_POLICY_GRAPH_CHANGE_H

#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is NULL stays as it is. Amounts above 0 stay at least 1, and at most the limit of a number.
 */
typedef struct regal_graph_change {
    const char *name;
    const int64_t *number; /* [op] its number in the new graph, each from 0 once; -1: left out */
    const double *cost_factor;   /* [op] */
    const double *bytes_factor;  /* [op] of its workspace and what it produces */
    const bool *keep_edge;       /* [consumer], tensor by tensor */
    const bool *keep_control;    /* [control edge] */
    double all_costs, all_bytes; /* factors of everything; 0: 1 */
} regal_graph_change;

/* Tensors come in the order of their producers' new numbers. What concerns ops left out is left
 * out too; a tensor is no alias where its producer no longer reads what it was an alias of. */
regal_status regal_graph_apply_change(const regal_graph *graph, const regal_graph_change *change,
                                      regal_graph **changed);

#ifdef __cplusplus
}
#endif
#endif
