#ifndef REGAL_BASELINE_H
#define REGAL_BASELINE_H

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Classical methods: X(name, word, one line). */
#define REGAL_BASELINE_LIST(X)                                                                  \
    X(REGAL_ONE_DEVICE, "one device", "every op on the device that finishes soonest")           \
    X(REGAL_HEFT, "HEFT", "earliest finish by upward rank, with insertion, on contended links") \
    X(REGAL_DEPTH_FIRST, "depth first", "one device, ops in depth-first order")                 \
    X(REGAL_GREEDY_MEMORY, "greedy memory", "one device, always the op that frees most bytes")

typedef enum regal_baseline {
#define REGAL_BASELINE_ENUM(name, word, line) name,
    REGAL_BASELINE_LIST(REGAL_BASELINE_ENUM)
#undef REGAL_BASELINE_ENUM
        REGAL_BASELINE_COUNT
} regal_baseline;

const char *regal_baseline_name(regal_baseline baseline);

/* The method's plan, attached to its graph and cluster. REGAL_INFEASIBLE where the method cannot
 * serve the problem (one-device methods where allowed sets or groups leave no common device). */
regal_status regal_baseline_plan(const regal_problem *problem, regal_baseline baseline,
                                 regal_plan **plan);

#ifdef __cplusplus
}
#endif
#endif
