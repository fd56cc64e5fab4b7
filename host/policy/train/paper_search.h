/* The search as the paper has it, which training and validation reward. */
#ifndef REGAL_POLICY_TRAIN_PAPER_SEARCH_H
#define REGAL_POLICY_TRAIN_PAPER_SEARCH_H

#include "policy/rollout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BRKGA on affinity keys without heuristics, mutants by proposals from the roll-outs; NULL:
 * uniform. One thread. */
regal_status regal_paper_search(const regal_problem *problem, const regal_policy_settings *settings,
                                const regal_rollouts *rollouts, int64_t evaluations, uint64_t seed,
                                regal_fitness *fitness);

#ifdef __cplusplus
}
#endif
#endif
