#include "search/budget.h"

#include "base/clock.h"

/* clamp(5e7 / n, 1,000, 100,000): about the same time for graphs of any size. */
static int64_t default_evaluations(int64_t op_count) {
    const int64_t wanted = 50000000 / (op_count > 0 ? op_count : 1);
    return wanted < 1000 ? 1000 : wanted > 100000 ? 100000 : wanted;
}

regal_budget regal_budget_make(const regal_options *options, int64_t op_count,
                               regal_bounds bounds) {
    const bool time = options->objective[0] == 't';
    const bool limited = options->generations >= 0 || options->time_limit >= 0;
    regal_budget budget = {
        .evaluations = options->evaluations > 0 ? options->evaluations
                       : limited                ? INT64_MAX
                                                : default_evaluations(op_count),
        .generations = options->generations >= 0 ? options->generations : INT64_MAX,
        .seconds = options->time_limit,
        .target = options->target,
        .bound = {{0, time ? bounds.time : bounds.memory, time ? bounds.memory : bounds.time}},
        .started = regal_clock()};
    return budget;
}

void regal_budget_count_generations(regal_budget *budget, int64_t islands, int64_t population,
                                    int64_t elites) {
    int64_t each, first, all;
    if (budget->generations == INT64_MAX)
        return;
    if (__builtin_mul_overflow(islands, population, &first) ||
        __builtin_mul_overflow(islands, population - elites, &each) ||
        __builtin_mul_overflow(budget->generations, each, &all) ||
        __builtin_add_overflow(first, all, &all))
        return;
    budget->generations = INT64_MAX;
    if (all > budget->evaluations)
        return;
    budget->evaluations = all;
    budget->by_generations = true;
}

static double raise_share(double share, double used, double limit) {
    const double own = limit > 0 ? used / limit : 1;
    return own > share ? own : share;
}

double regal_budget_share(const regal_budget *budget, int64_t evaluations, int64_t generations) {
    double share = 0;
    if (budget->evaluations < INT64_MAX)
        share = raise_share(share, (double)evaluations, (double)budget->evaluations);
    if (budget->generations < INT64_MAX)
        share = raise_share(share, (double)generations, (double)budget->generations);
    if (budget->seconds >= 0)
        share = raise_share(share, regal_clock() - budget->started, budget->seconds);
    return share < 1 ? share : 1;
}

const char *regal_budget_spent(const regal_budget *budget, int64_t evaluations, int64_t generations,
                               const regal_fitness *best) {
    if (best != NULL && regal_fitness_compare(*best, budget->bound) <= 0)
        return "bound";
    if (best != NULL && budget->target >= 0 && best->value[0] == 0 &&
        best->value[1] <= budget->target)
        return "target";
    if (evaluations >= budget->evaluations)
        return budget->by_generations ? "generations" : "evaluations";
    if (generations > budget->generations)
        return "generations";
    if (budget->seconds >= 0 && regal_clock() - budget->started >= budget->seconds)
        return "time-limit";
    return NULL;
}
