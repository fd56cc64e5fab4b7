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
 * stand in the summary of a search and are always among its seeds; the others where they are better. */
#define REGAL_BASELINE_LIST(X)                                                                     \
    X(REGAL_ONE_DEVICE, one_device, "one-device", "one device", true,                              \
      "every op on the device that finishes soonest")                                              \
    X(REGAL_HEFT, heft, "heft", "HEFT", true,                                                      \
      "earliest finish by upward rank, with insertion, on contended links (Topcuoglu, Hariri, "    \
      "Wu 2002, section 4.1)")                                                                     \
    X(REGAL_DEPTH_FIRST, depth_first, "depth-first", "depth first", true,                          \
      "one device, ops in depth-first order (Liu 1987)")                                           \
    X(REGAL_GREEDY_MEMORY, greedy_memory, "greedy-memory", "greedy memory", true,                  \
      "one device, always the op that frees most bytes")                                           \
    X(REGAL_RANDOM, random, "random", "random", false, "devices and order drawn by the seed")      \
    X(REGAL_BREADTH_FIRST, breadth_first, "breadth-first", "breadth first", false,                 \
      "one device, ops as they become ready")                                                      \
    X(REGAL_XLA_LIST, xla_list, "xla-list", "XLA list", false,                                     \
      "one device, most bytes freed less those defined, then most users (XLA, "                    \
      "hlo_memory_scheduler)")                                                                     \
    X(REGAL_XLA_DFS, xla_dfs, "xla-dfs", "XLA DFS", false,                                         \
      "one device, depth first by users, then bytes, of all that leads to an op (XLA, "            \
      "hlo_memory_scheduler)")                                                                     \
    X(REGAL_XLA_POST_ORDER, xla_post_order, "xla-post-order", "XLA post-order", false,             \
      "one device, plain post-order (XLA, hlo_memory_scheduler)")                                  \
    X(REGAL_XLA_DEFAULT, xla_default, "xla-default", "XLA default", false,                         \
      "the one of XLA's three orders that needs least memory (XLA, hlo_memory_scheduler)")         \
    X(REGAL_CRITICAL_PATH, critical_path, "critical-path", "critical path", false,                 \
      "list scheduling by the longest way to the end, in ticks (Adam, Chandy, Dickson 1974: "      \
      "HLFET)")                                                                                    \
    X(REGAL_MOST_OPERATIONS, most_operations, "most-operations", "most operations", false,         \
      "list scheduling by most operations remaining on a way to the end (Haupt 1989: MOPNR)")      \
    X(REGAL_CPOP, cpop, "cpop", "CPOP", false,                                                     \
      "the critical path on one device, all else as HEFT (Topcuoglu, Hariri, Wu 2002, section "    \
      "4.2)")                                                                                      \
    X(REGAL_PEFT, peft, "peft", "PEFT", false,                                                     \
      "earliest finish with an optimistic cost table (Arabnejad, Barbosa 2014)")                   \
    X(REGAL_BAECHI_TOPO, baechi_topo, "m-topo", "m-TOPO", false,                                   \
      "devices filled in turn in topological order, each to its share of memory (Baechi, Jeon et " \
      "al. 2020)")                                                                                 \
    X(REGAL_BAECHI_ETF, baechi_etf, "m-etf", "m-ETF", false,                                       \
      "the op and device that can start first, within memory (Baechi, Jeon et al. 2020)")          \
    X(REGAL_PARTITION, partition, "partition", "partition", false,                                 \
      "METIS's parts, one a device, each depth first (Paliwal et al. 2020: GP+DFS)")

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
