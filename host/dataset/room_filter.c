#include "dataset/room_filter.h"

#include "regal/evaluate.h"

/* One call of room_filter_judge. */
typedef struct judging {
    const regal_problem *problem;
    regal_progress_callback *callback;
    void *context;
} judging;

typedef struct outcome {
    bool fits;
    int64_t makespan;
} outcome;

/* target: where the search may stop because the answer is known; -1: nowhere. */
static regal_status search(const judging *j, int64_t evaluations, int64_t target, outcome *found) {
    regal_options options;
    regal_evaluate_search_init(&options);
    options.objective = "time";
    options.evaluations = evaluations;
    options.target = target;
    options.backend = "cpu";
    options.threads = 1;
    regal_plan *plan = NULL;
    const regal_status status =
        regal_optimize(j->problem, &options, j->callback, j->context, &plan, NULL);
    if (status == REGAL_OK)
        *found = (outcome){plan->time.value[0] == 0, plan->makespan};
    regal_plan_destroy(plan);
    return status;
}

regal_status room_filter_judge(const room_filter *filter, const regal_problem *problem,
                               regal_progress_callback *callback, void *context, bool *passes) {
    const judging j = {problem, callback, context};
    outcome low, high;
    *passes = false;
    regal_status status = search(&j, filter->low, -1, &low);
    if (status != REGAL_OK)
        return status;
    /* Any plan that fits is good enough where the low budget found none. */
    const int64_t target =
        low.fits ? (int64_t)((double)low.makespan * (1 - filter->faster / 100)) : INT64_MAX;
    if (regal_problem_bounds(problem).time > target)
        return REGAL_OK;
    status = search(&j, filter->high, target, &high);
    if (status == REGAL_OK)
        *passes = high.fits && high.makespan <= target;
    return status;
}
