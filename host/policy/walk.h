/* One walk of the placement head along an order (placement.h). */
#ifndef REGAL_POLICY_WALK_H
#define REGAL_POLICY_WALK_H

#include "policy/placement.h"
#include "policy/walk_graph.h"
#include "simd/placement_operators.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_walk_question {
    const regal_walk_graph *graph;
    const regal_placement_operators *operators;
    regal_placement_weights weights;
    const float *channel; /* [op][channels] of the network */
    int64_t channels;
    bool greedy; /* always the most probable device; else drawn */
    uint64_t seed;
    uint32_t purpose, rollout; /* of the stream (core/random.h) */
} regal_walk_question;

/* Memory of one thread for walks on one graph. */
typedef struct regal_walker regal_walker;
regal_status regal_walker_create(const regal_walk_graph *graph, int64_t inputs, int64_t hidden,
                                 regal_walker **walker);
void regal_walker_destroy(regal_walker *walker);

/* Draws device [op] along sequence [op], within groups and allowed sets. Where gradient is not
 * NULL, adds that of log P(devices) by the weights to it, and by the channels to channel_gradient
 * [op][channels], and returns log P. */
double regal_walk(const regal_walk_question *question, regal_walker *walker,
                  const regal_id *sequence, uint8_t *device,
                  const regal_placement_weights *gradient, float *channel_gradient);

#ifdef __cplusplus
}
#endif
#endif
