/* The classical methods that the search begins with. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/resident.h"
#include "regal/baseline.h"

static regal_status make_spread(const regal_problem_view *view, const char *name,
                                regal_order *order, regal_balance balance,
                                regal_heuristic *heuristic) {
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    heuristic->window = balance == REGAL_BALANCE_WORK ? 0 : 1;
    REGAL_FORWARD(order(view, heuristic->sequence));
    return regal_spread_order(view, heuristic->sequence, balance, heuristic->device);
}

static regal_status make_fill(const regal_problem_view *view, const char *name, regal_order *order,
                              regal_heuristic *heuristic) {
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    REGAL_FORWARD(order(view, heuristic->sequence));
    return regal_fill_order(view, heuristic->sequence, heuristic->device);
}

typedef struct seed_list {
    const regal_problem *problem;
    regal_objective objective;
    regal_heuristic_stop *stop;
    void *context;
    regal_heuristic *items;
    int64_t count, capacity;
} seed_list;

static bool is_over(const seed_list *list) {
    return list->count > 0 && list->stop != NULL && list->stop(list->context);
}

/* The next seed, cleared. */
static regal_status next_seed(seed_list *list, regal_heuristic **seed) {
    REGAL_FAIL_IF(
        !regal_array_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items),
        REGAL_OUT_OF_MEMORY, "memory ran out");
    *seed = &list->items[list->count];
    **seed = (regal_heuristic){0};
    return REGAL_OK;
}

/* Takes what a method said about the next seed: a method that does not apply leaves none. */
static regal_status add_seed(seed_list *list, regal_status said) {
    regal_heuristic *seed = &list->items[list->count];
    if (said == REGAL_OK && seed->plan == NULL)
        said = regal_heuristic_decode(list->problem, seed);
    if (said == REGAL_OK)
        list->count++;
    else
        regal_heuristic_destroy(seed);
    return said == REGAL_INFEASIBLE ? REGAL_OK : said;
}

static regal_status add_baseline(seed_list *list, regal_baseline baseline) {
    regal_heuristic *seed;
    if (is_over(list))
        return REGAL_OK;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, regal_make_baseline(list->problem, baseline, list->objective, 0, seed));
}

static regal_status add_spread(seed_list *list, const char *name, regal_order *order,
                               regal_balance balance) {
    const regal_problem_view *view = regal_problem_get_view(list->problem);
    regal_heuristic *seed;
    if (view->device_count == 1 || is_over(list))
        return REGAL_OK;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, make_spread(view, name, order, balance, seed));
}

static regal_status add_depth_first_spread(seed_list *list) {
    return add_spread(list, "depth-first split", regal_depth_first_order, REGAL_BALANCE_MEMORY);
}

/* Where memory is short, for either objective. */
static regal_status add_fill(seed_list *list) {
    const regal_problem_view *view = regal_problem_get_view(list->problem);
    regal_heuristic *seed;
    if (view->device_count == 1 || !regal_is_capped(view) || is_over(list))
        return REGAL_OK;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, make_fill(view, "depth-first fill", regal_depth_first_order, seed));
}

static regal_status add_orders(seed_list *list) {
    REGAL_FORWARD(add_baseline(list, REGAL_DEPTH_FIRST));
    REGAL_FORWARD(add_baseline(list, REGAL_GREEDY_MEMORY));
    REGAL_FORWARD(add_depth_first_spread(list));
    REGAL_FORWARD(
        add_spread(list, "greedy-memory split", regal_greedy_memory_order, REGAL_BALANCE_MEMORY));
    return add_fill(list);
}

/* ---- all the others */

/* In larger graphs most of them take longer than their plans are worth. */
enum { OPS_FOR_ALL = 20000 };

/* What METIS says depends on its version. */
static bool is_another(const seed_list *list, regal_baseline baseline) {
    if (regal_problem_get_view(list->problem)->op_count > OPS_FOR_ALL)
        return baseline == REGAL_XLA_DEFAULT && list->objective == REGAL_MEMORY;
    return !regal_baseline_is_shown(baseline) && baseline != REGAL_RANDOM &&
           baseline != REGAL_PARTITION;
}

static regal_fitness worth(const seed_list *list, int64_t item) {
    return regal_plan_fitness(list->items[item].plan, list->objective);
}

/* The last seed goes, unless it is better than all before it. */
static void keep_if_best(seed_list *list) {
    const int64_t last = list->count - 1;
    for (int64_t i = 0; i < last; ++i)
        if (regal_fitness_compare(worth(list, i), worth(list, last)) <= 0) {
            regal_heuristic_destroy(&list->items[last]);
            list->count = last;
            return;
        }
}

/* Each of the other methods that is better than all before it: what grows from seeds that are not
 * so good would only be in the way. */
static regal_status add_others(seed_list *list) {
    for (int b = 0; b < REGAL_BASELINE_COUNT; ++b) {
        const int64_t before = list->count;
        if (!is_another(list, (regal_baseline)b))
            continue;
        REGAL_FORWARD(add_baseline(list, (regal_baseline)b));
        if (list->count > before)
            keep_if_best(list);
    }
    return REGAL_OK;
}

/* Every baseline that is shown is a seed, so that the search is never worse; those that save memory
 * serve time only where there are caps to keep. */
static regal_status add_time_seeds(seed_list *list) {
    REGAL_FORWARD(add_baseline(list, REGAL_HEFT));
    REGAL_FORWARD(add_baseline(list, REGAL_ONE_DEVICE));
    REGAL_FORWARD(
        add_spread(list, "upward-rank split", regal_upward_rank_order, REGAL_BALANCE_WORK));
    return regal_is_capped(regal_problem_get_view(list->problem)) ? add_orders(list) : REGAL_OK;
}

static regal_status add_memory_seeds(seed_list *list) {
    REGAL_FORWARD(add_orders(list));
    REGAL_FORWARD(add_baseline(list, REGAL_HEFT));
    return add_baseline(list, REGAL_ONE_DEVICE);
}

regal_status regal_heuristics_create(const regal_problem *problem, regal_objective objective,
                                     regal_heuristic_stop *stop, void *context,
                                     regal_heuristic **list, int64_t *count) {
    seed_list seeds = {
        .problem = problem, .objective = objective, .stop = stop, .context = context};
    regal_status status =
        objective == REGAL_TIME ? add_time_seeds(&seeds) : add_memory_seeds(&seeds);
    if (status == REGAL_OK)
        status = add_others(&seeds);
    *list = NULL;
    *count = 0;
    if (status == REGAL_OK) {
        *list = seeds.items;
        *count = seeds.count;
    } else {
        regal_heuristics_destroy(seeds.items, seeds.count);
    }
    return status;
}

void regal_heuristics_destroy(regal_heuristic *list, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        regal_heuristic_destroy(&list[i]);
    free(list);
}
