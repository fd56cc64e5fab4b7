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

/* Memory for roll-outs, uninitialized. */
regal_status regal_rollouts_create(int64_t count, int64_t op_count, regal_rollouts *rollouts);
void regal_rollouts_destroy(regal_rollouts *rollouts);

/* Fills in `best` from the fitness. */
void regal_rollouts_order(regal_rollouts *rollouts);

/* `count` roll-outs of a policy on a problem, the same for any number of threads. */
regal_status regal_policy_roll_out(const regal_policy *policy, const regal_problem *problem,
                                   const regal_math *math, int64_t threads, int64_t gpu,
                                   int64_t count, uint64_t seed, regal_rollouts *rollouts);

/* The same with a way to end it: the calling thread asks before each round of the network and each
 * of its roll-outs, and where the answer is true there are none, count 0. */
typedef bool regal_rollout_stop(void *context);
regal_status regal_policy_roll_out_until(const regal_policy *policy, const regal_problem *problem,
                                         const regal_math *math, int64_t threads, int64_t gpu,
                                         int64_t count, uint64_t seed, regal_rollout_stop *stop,
                                         void *context, regal_rollouts *rollouts);

#ifdef __cplusplus
}
#endif
#endif
