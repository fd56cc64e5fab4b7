/* Plans drawn from a policy (roll-outs): an order over the ready ops by Plackett-Luce, then a
 * placement along it, then what the plan is worth. */
#ifndef REGAL_POLICY_ROLLOUT_H
#define REGAL_POLICY_ROLLOUT_H

#include "base/thread_pool.h"
#include "policy/placement.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_rollouts {
    int64_t count, op_count;
    regal_id *sequence; /* [rollout][op] most urgent first; topological */
    uint8_t *device;    /* [rollout][op] valid for groups and allowed sets */
    regal_fitness
        *fitness;  /* [rollout] as the decoder runs them: window 0 for time, 1 for memory */
    int64_t *best; /* [rollout] numbers by (fitness, number) */
    float *score;  /* [op] of the order: the greater, the earlier */
} regal_rollouts;

/* `count` roll-outs of a policy on a problem, the same for any number of threads. */
regal_status regal_policy_roll_out(const regal_policy *policy, const regal_problem *problem,
                                   const regal_math *math, int64_t threads, int64_t gpu,
                                   int64_t count, uint64_t seed, regal_rollouts *rollouts);
void regal_rollouts_destroy(regal_rollouts *rollouts);

#ifdef __cplusplus
}
#endif
#endif
