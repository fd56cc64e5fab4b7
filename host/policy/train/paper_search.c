#include "policy/train/paper_search.h"

#include <stdlib.h>

#include "base/error.h"
#include "policy/propose.h"
#include "regal/evaluate.h"
#include "search/optimize_proposed.h"

regal_status regal_paper_search(const regal_problem *problem, const regal_policy_settings *settings,
                                const regal_rollouts *rollouts, int64_t evaluations, uint64_t seed,
                                regal_fitness *fitness) {
    uint16_t *proposals = NULL;
    int64_t rows = 0;
    regal_plan *plan;
    regal_options options;
    regal_evaluate_search_init(&options);
    options.objective = regal_objective_name(settings->objective);
    options.backend = "cpu";
    options.threads = 1;
    options.evaluations = evaluations;
    options.seed = seed;
    if (rollouts != NULL)
        REGAL_FORWARD(
            regal_propose(problem, settings, rollouts, REGAL_AFFINITY, &proposals, &rows));
    const regal_status status =
        regal_optimize_proposed(problem, &options, proposals, rows, NULL, NULL, &plan, NULL);
    free(proposals);
    REGAL_FORWARD(status);
    *fitness = regal_plan_fitness(plan, settings->objective);
    regal_plan_destroy(plan);
    return REGAL_OK;
}
