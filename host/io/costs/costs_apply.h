/* Measured times in the place of a graph's costs. */
#ifndef REGAL_IO_COSTS_APPLY_H
#define REGAL_IO_COSTS_APPLY_H

#include "regal/costs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the costs of the ops that are named, and the graph's option "costs" to the lines that were
 * used. Ops that the graph lacks are left out with one warning that counts them; none that fits, or
 * a class that the graph lacks, is REGAL_INVALID_INPUT. */
regal_status regal_costs_apply(const regal_costs *costs, regal_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
