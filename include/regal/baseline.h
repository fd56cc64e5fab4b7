#ifndef REGAL_BASELINE_H
#define REGAL_BASELINE_H

#include <stdbool.h>

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Classical methods, each with its source:
 *
 *     X(name, function, word on the command line, name in tables, shown, one line)
 *
 * To add one: a line here and a file in host/baselines with `regal_make_FUNCTION`. Those shown
 * stand in the summary of a search, and are among its seeds. */
#define REGAL_BASELINE_LIST(X)                                                                  \
    X(REGAL_ONE_DEVICE, one_device, "one-device", "one device", true,                           \
      "every op on the device that finishes soonest")                                           \
    X(REGAL_HEFT, heft, "heft", "HEFT", true,                                                   \
      "earliest finish by upward rank, with insertion, on contended links (Topcuoglu, Hariri, " \
      "Wu 2002, section 4.1)")                                                                  \
    X(REGAL_DEPTH_FIRST, depth_first, "depth-first", "depth first", true,                       \
      "one device, ops in depth-first order (Liu 1987)")                                        \
    X(REGAL_GREEDY_MEMORY, greedy_memory, "greedy-memory", "greedy memory", true,               \
      "one device, always the op that frees most bytes")

typedef enum regal_baseline {
#define REGAL_BASELINE_ENUM(name, function, word, title, shown, line) name,
    REGAL_BASELINE_LIST(REGAL_BASELINE_ENUM)
#undef REGAL_BASELINE_ENUM
        REGAL_BASELINE_COUNT
} regal_baseline;

/* Of no baseline: "", and false. */
const char *regal_baseline_name(regal_baseline baseline); /* in tables: "one device" */
const char *regal_baseline_word(regal_baseline baseline); /* on the command line: "one-device" */
const char *regal_baseline_line(regal_baseline baseline);
bool regal_baseline_is_shown(regal_baseline baseline);

/* By its word. REGAL_INVALID_ARGUMENT (the message lists the words) where there is none such. */
regal_status regal_baseline_find(const char *word, regal_baseline *baseline);

/* The method's plan, attached to its graph and cluster. Few methods heed the objective; the seed is
 * for those that draw. REGAL_INFEASIBLE where the method cannot serve the problem (one-device
 * methods where allowed sets or groups leave no common device), REGAL_UNAVAILABLE where this build
 * lacks it. */
regal_status regal_baseline_plan(const regal_problem *problem, regal_baseline baseline,
                                 regal_objective objective, uint64_t seed, regal_plan **plan);

#ifdef __cplusplus
}
#endif
#endif
