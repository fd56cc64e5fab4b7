/* What a policy is worth to the search, on graphs that it is not trained on. */
#ifndef REGAL_POLICY_TRAIN_VALIDATION_H
#define REGAL_POLICY_TRAIN_VALIDATION_H

#include "base/thread_pool.h"
#include "policy/graph_set.h"
#include "policy/policy.h"
#include "regal/backend/math.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REGAL_VALIDATION_BUDGETS = 2 }; /* 1,000 and 5,000 evaluations */

typedef struct regal_validation regal_validation;

/* Whether to stop, asked now and then by the thread that called. */
typedef struct regal_stop {
    bool (*ask)(void *context);
    void *context;
} regal_stop;

/* The first `count` problems spread evenly over the set, and what the paper's search without a
 * policy makes of them. *validation is NULL
 * where that was stopped. */
regal_status regal_validation_create(const regal_graph_set *set, regal_objective objective,
                                     int64_t count, regal_thread_pool *pool, regal_stop stop,
                                     regal_validation **validation);
void regal_validation_destroy(regal_validation *validation);

/* gain [budget]: mean percent that the search with the policy is better by; *stopped: not found. */
regal_status regal_validation_run(regal_validation *validation, const regal_policy *policy,
                                  const regal_math *math, double *gain, bool *stopped);

#ifdef __cplusplus
}
#endif
#endif
