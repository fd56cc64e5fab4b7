/* A policy trained on one problem from scratch, for the plans that it draws on the way: learning to
 * place each graph anew (Mirhoseini et al. 2017, 2018), against which a policy trained once is
 * measured. */
#ifndef REGAL_POLICY_TRAIN_SINGLE_H
#define REGAL_POLICY_TRAIN_SINGLE_H

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_single_options {
    uint64_t seed;
    int64_t steps;   /* >= 1 */
    int64_t samples; /* plans drawn in a step, >= 2 */
} regal_single_options;

typedef struct regal_single_progress {
    int64_t step;
    int64_t evaluations; /* plans drawn */
    double seconds;
    regal_fitness best;
} regal_single_progress;

/* After each step; true: stop. */
typedef bool regal_single_callback(const regal_single_progress *progress, void *context);

/* The best plan drawn, after REINFORCE on the cost of whole plans; *evaluations: plans drawn. At
 * least one step is made. One thread; the same plan for the same options. */
regal_status regal_train_single(const regal_problem *problem, regal_objective objective,
                                const regal_single_options *options,
                                regal_single_callback *callback, void *context, regal_plan **plan,
                                int64_t *evaluations);

#ifdef __cplusplus
}
#endif
#endif
