#ifndef REGAL_CHECK_H
#define REGAL_CHECK_H

#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the checker found, computed from graph, cluster, placement and starts alone. */
typedef struct regal_measure {
    int64_t makespan;
    int64_t peak[REGAL_MAX_DEVICES];
    regal_fitness time, memory;
    int64_t transfer_bytes; /* moved over links in all */
} regal_measure;

/* The independent judge (DESIGN 2, Plan): reads placement, op starts and transfers of the plan and
 * nothing that the solver built. REGAL_INVALID_INPUT, with the op, tensor or device at fault, where
 * the plan breaks a rule. *measure then holds nothing. */
regal_status regal_plan_measure(const regal_graph *graph, const regal_cluster *cluster,
                                const regal_plan *plan, regal_measure *measure);

/* The same, and then that every figure that the plan claims (finishes, makespan, peaks, fitness,
 * digest, names, where present) is right. */
regal_status regal_plan_check(const regal_graph *graph, const regal_cluster *cluster,
                              const regal_plan *plan, regal_measure *measure);

#ifdef __cplusplus
}
#endif
#endif
