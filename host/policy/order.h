/* Orders over the ready ops by Plackett-Luce: always the next op is drawn from those that are ready
 * (data and control edges), op i with probability e^score[i] over the sum of all ready. */
#ifndef REGAL_POLICY_ORDER_H
#define REGAL_POLICY_ORDER_H

#include "graph/problem_data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory for one thread. */
typedef struct regal_order_scratch {
    regal_id *ready;                  /* [op] */
    regal_id *missing;                /* [op] predecessors */
    float *noisy;                     /* [op] score and noise */
    float *score, *gradient, *weight; /* [op] of ready ones */
    void *memory;
} regal_order_scratch;
regal_status regal_order_scratch_create(int64_t op_count, regal_order_scratch *scratch);
void regal_order_scratch_destroy(regal_order_scratch *scratch);

/* sequence [op] by score + Gumbel noise, drawn from (seed, purpose, rollout); without `noise`
 * always the greatest score. Ties: the smaller id. */
void regal_order_draw(const regal_problem_view *view, const float *score, bool noise, uint64_t seed,
                      uint32_t purpose, uint32_t rollout, regal_order_scratch *scratch,
                      regal_id *sequence);

/* Adds `factor` times the gradient of log P(sequence) by score [op] to gradient [op]. Takes ops x
 * ready ops. */
void regal_order_learn(const regal_problem_view *view, const float *score, const regal_id *sequence,
                       float factor, regal_order_scratch *scratch, float *gradient);

#ifdef __cplusplus
}
#endif
#endif
