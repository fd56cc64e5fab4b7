/* The checker's own view of a graph, a cluster and a plan. It shares nothing with the solver: it
 * reads the three through the public API, and distrusts every number of the plan. */
#ifndef REGAL_CHECK_JUDGE_H
#define REGAL_CHECK_JUDGE_H

#include "regal/check.h"

typedef struct regal_judge {
    const regal_graph *graph;
    const regal_cluster *cluster;
    const regal_plan *plan;
    int64_t op_count, tensor_count, device_count;
    regal_device devices[REGAL_MAX_DEVICES];
    int64_t classes[REGAL_MAX_DEVICES]; /* the graph's device class of each device */

    /* Filled by regal_judge_schedule. */
    int64_t *finish;  /* [op_count] */
    uint64_t *needed; /* [tensor_count] bit b: must be transferred to device b */
    int64_t *slot;    /* [tensor_count] its transfers are slots slot[t].., by device */
    int64_t *sent;    /* [slot_count] start of a transfer */
    int64_t *arrived; /* [slot_count] its finish */
    int64_t slot_count;
    int64_t makespan;
} regal_judge;

/* The graph and the cluster are sound, and fit each other and the plan's sizes. */
regal_status regal_judge_create(regal_judge *judge, const regal_graph *graph,
                                const regal_cluster *cluster, const regal_plan *plan);
void regal_judge_destroy(regal_judge *judge);

/* Rule 1 of DESIGN 2, Plan: devices, allowed sets, groups. */
regal_status regal_judge_placement(const regal_judge *judge);

/* Rules 2 to 4: transfers, order, overlaps. Only after regal_judge_placement. */
regal_status regal_judge_schedule(regal_judge *judge);

/* Memory, peaks and fitness. Only after regal_judge_schedule. */
regal_status regal_judge_memory(const regal_judge *judge, regal_measure *measure);

static inline const char *regal_judge_op_name(const regal_judge *judge, int64_t op) {
    return regal_graph_op(judge->graph, op).name;
}

/* Where the transfer of a tensor to a device that needs it stands in sent and arrived. */
static inline int64_t regal_judge_slot(const regal_judge *judge, int64_t tensor, int64_t device) {
    const uint64_t before = judge->needed[tensor] & (((uint64_t)1 << device) - 1);
    return judge->slot[tensor] + __builtin_popcountll(before);
}

#endif
