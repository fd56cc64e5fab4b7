/* What one thread needs for roll-outs on one problem (rollout.h). */
#ifndef REGAL_POLICY_ROLLER_H
#define REGAL_POLICY_ROLLER_H

#include "policy/order.h"
#include "policy/walk.h"
#include "simd/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_roller {
    const regal_walk_graph *graph;
    regal_objective objective;
    regal_walker *walker;
    regal_order_scratch order;
    regal_evaluators evaluators; /* one */
    uint16_t *key;               /* [op] */
} regal_roller;

regal_status regal_roller_create(const regal_walk_graph *graph,
                                 const regal_policy_settings *settings, regal_roller *roller);
void regal_roller_destroy(regal_roller *roller);

/* What the decoder makes of an order and a placement, window 0 for time and 1 for memory. */
regal_fitness regal_roller_evaluate(regal_roller *roller, const regal_id *sequence,
                                    const uint8_t *device);

/* score [op] of an order from the network's outputs [op][1 + channels]: the weighted upward rank
 * and a bounded part of the network's; channel [op][channels], bounded, too. slope, where not NULL,
 * gets the derivatives of both by the outputs [op][1 + channels]. */
void regal_policy_heads(const regal_policy_settings *settings, const regal_walk_graph *graph,
                        const float *output, float *score, float *channel, float *slope);

/* The placement head of a policy, for this processor. */
regal_status regal_walk_question_make(const regal_policy_settings *settings, float *parameters,
                                      regal_walk_question *question);

#ifdef __cplusplus
}
#endif
#endif
