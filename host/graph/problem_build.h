/* The parts that build a regal_problem. */
#ifndef REGAL_GRAPH_PROBLEM_BUILD_H
#define REGAL_GRAPH_PROBLEM_BUILD_H

#include "base/memory.h"
#include "graph/problem_data.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

/* A zeroed array that the problem owns, or NULL. */
void *regal_problem_array(regal_problem *problem, int64_t count, size_t item_size);

/* Leaders, leads and allowed sets (DESIGN 3, Leaders). Needs the canonical order and the cluster.
 */
regal_status regal_groups_build(regal_problem *problem);

/* Lower bounds. Needs everything else. */
regal_status regal_bounds_compute(regal_problem *problem);

#endif
