/* Graphs changed at random, so that a policy learns from more than its training set holds (paper,
 * section on training). */
#ifndef REGAL_POLICY_AUGMENT_H
#define REGAL_POLICY_AUGMENT_H

#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A valid graph made of a valid one, the same for the same (seed, number) on every machine:
 *   - all costs and all bytes by a log-normal factor each, in half of the draws;
 *   - each op's cost and bytes by log-normal factors of its own, in half of the draws;
 *   - edges left out with a probability up to 0.6, in 7 of 10 draws;
 *   - ops left out, with what they produce, with a probability up to 0.2, in 3 of 10 draws;
 *   - ops numbered at random.
 * Amounts are only made smaller where their sum is so large (2^50) that growth might break a rule.
 */
regal_status regal_graph_augment(const regal_graph *graph, uint64_t seed, uint64_t number,
                                 regal_graph **changed);

#ifdef __cplusplus
}
#endif
#endif
