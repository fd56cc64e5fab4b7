/* Ranks of ops by mean costs (Topcuoglu, Hariri, Wu 2002, section 3). Also features of the policy.
 */
#ifndef REGAL_BASELINES_UPWARD_RANK_H
#define REGAL_BASELINES_UPWARD_RANK_H

#include "graph/problem_data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Means, rounded down. */
typedef struct regal_mean_ticks {
    int64_t *op;     /* [op] over the devices that its group may run on; at least 1 */
    int64_t *tensor; /* [tensor] over all ordered pairs of devices; 0 without consumers or pairs */
} regal_mean_ticks;

/* The mean of one op. */
int64_t regal_mean_op_ticks(const regal_problem_view *view, regal_id op);

regal_status regal_mean_ticks_create(const regal_problem_view *view, regal_mean_ticks *mean);
void regal_mean_ticks_destroy(regal_mean_ticks *mean);

/* rank [op]: the longest way from the start of the op to the end of the graph, over ops, tensors
 * and control edges (which take no time). Falls along every edge. */
void regal_upward_rank(const regal_problem_view *view, const regal_mean_ticks *mean, int64_t *rank);

/* rank [op]: the longest way from the beginning of the graph to the start of the op. */
void regal_downward_rank(const regal_problem_view *view, const regal_mean_ticks *mean,
                         int64_t *rank);

/* level [op]: the longest way to the end of the graph over ops alone; each counts its mean ticks,
 * or one. */
regal_status regal_levels(const regal_problem_view *view, bool by_ticks, int64_t *level);

/* Ops by (rank descending, id ascending) to order [op]. */
regal_status regal_order_by_rank(const int64_t *rank, int64_t count, regal_id *order);

/* Always the ready op of greatest rank, then of smallest id, to order [op]: for ranks that do not
 * fall along every edge. */
regal_status regal_order_ready_by_rank(const regal_problem_view *view, const int64_t *rank,
                                       regal_id *order);

#ifdef __cplusplus
}
#endif
#endif
