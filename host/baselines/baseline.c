#include "regal/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "regal/version.h"

const char *regal_baseline_name(regal_baseline baseline) {
    static const char *const names[] = {
#define REGAL_BASELINE_NAME(name, word, line) word,
        REGAL_BASELINE_LIST(REGAL_BASELINE_NAME)
#undef REGAL_BASELINE_NAME
    };
    return (unsigned)baseline < REGAL_BASELINE_COUNT ? names[baseline] : "";
}

typedef regal_status order_method(const regal_problem_view *view, regal_id *sequence);

/* An order, run by the roomiest device. */
static regal_status make_on_one_device(const regal_problem_view *view, const char *name,
                                       order_method *order, regal_heuristic *heuristic) {
    int32_t device;
    REGAL_FORWARD(regal_roomiest_device(view, &device));
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    memset(heuristic->device, device, (size_t)view->op_count);
    return order(view, heuristic->sequence);
}

static regal_status make_spread(const regal_problem_view *view, const char *name,
                                order_method *order, regal_balance balance,
                                regal_heuristic *heuristic) {
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    REGAL_FORWARD(order(view, heuristic->sequence));
    return regal_spread_order(view, heuristic->sequence, balance, heuristic->device);
}

static regal_status make_fill(const regal_problem_view *view, const char *name, order_method *order,
                              regal_heuristic *heuristic) {
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    REGAL_FORWARD(order(view, heuristic->sequence));
    return regal_fill_order(view, heuristic->sequence, heuristic->device);
}

/* ---- baselines ---- */

static regal_status make_baseline(const regal_problem *problem, regal_baseline baseline,
                                  regal_heuristic *heuristic) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    switch (baseline) {
    case REGAL_ONE_DEVICE:
        return regal_one_device(view, heuristic);
    case REGAL_HEFT:
        return regal_heft(problem, heuristic);
    case REGAL_DEPTH_FIRST:
        return make_on_one_device(view, "depth first", regal_depth_first_order, heuristic);
    case REGAL_GREEDY_MEMORY:
        return make_on_one_device(view, "greedy memory", regal_greedy_memory_order, heuristic);
    default:
        REGAL_FAIL(REGAL_INVALID_ARGUMENT, "there is no baseline %d", (int)baseline);
    }
}

regal_status regal_baseline_plan(const regal_problem *problem, regal_baseline baseline,
                                 regal_plan **plan) {
    *plan = NULL;
    regal_heuristic heuristic = {0};
    regal_status status = make_baseline(problem, baseline, &heuristic);
    if (status == REGAL_OK && heuristic.plan == NULL)
        status = regal_heuristic_decode(problem, 1, &heuristic);
    if (status == REGAL_OK) {
        const regal_made made = {.version = REGAL_VERSION,
                                 .origin = regal_baseline_name(baseline),
                                 .window = -1,
                                 .evaluations = -1,
                                 .generations = -1,
                                 .rounds = -1,
                                 .threads = -1,
                                 .seconds = -1};
        status = regal_plan_set_made(heuristic.plan, &made);
    }
    if (status == REGAL_OK) {
        *plan = heuristic.plan;
        heuristic.plan = NULL;
    }
    regal_heuristic_destroy(&heuristic);
    return status;
}

/* ---- seeds ---- */

typedef struct seed_list {
    const regal_problem *problem;
    regal_heuristic *items;
    int64_t count, capacity;
} seed_list;

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
static regal_status add_seed(seed_list *list, regal_status said, int64_t window) {
    regal_heuristic *seed = &list->items[list->count];
    if (said == REGAL_OK && seed->plan == NULL)
        said = regal_heuristic_decode(list->problem, window, seed);
    if (said == REGAL_OK)
        list->count++;
    else
        regal_heuristic_destroy(seed);
    return said == REGAL_INFEASIBLE ? REGAL_OK : said;
}

static regal_status add_baseline(seed_list *list, regal_baseline baseline) {
    regal_heuristic *seed;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, make_baseline(list->problem, baseline, seed), 1);
}

static regal_status add_spread(seed_list *list, const char *name, order_method *order,
                               regal_balance balance) {
    const regal_problem_view *view = regal_problem_get_view(list->problem);
    regal_heuristic *seed;
    if (view->device_count == 1)
        return REGAL_OK;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, make_spread(view, name, order, balance, seed),
                    balance == REGAL_BALANCE_WORK ? 0 : 1);
}

static regal_status add_depth_first_spread(seed_list *list) {
    return add_spread(list, "depth-first split", regal_depth_first_order, REGAL_BALANCE_MEMORY);
}

static bool is_capped(const regal_problem_view *view) {
    for (int32_t d = 0; d < view->device_count; ++d)
        if (view->capacity[d] > 0)
            return true;
    return false;
}

/* Where memory is short, for either objective. */
static regal_status add_fill(seed_list *list) {
    const regal_problem_view *view = regal_problem_get_view(list->problem);
    regal_heuristic *seed;
    if (view->device_count == 1 || !is_capped(view))
        return REGAL_OK;
    REGAL_FORWARD(next_seed(list, &seed));
    return add_seed(list, make_fill(view, "depth-first fill", regal_depth_first_order, seed), 1);
}

static regal_status add_orders(seed_list *list) {
    REGAL_FORWARD(add_baseline(list, REGAL_DEPTH_FIRST));
    REGAL_FORWARD(add_baseline(list, REGAL_GREEDY_MEMORY));
    REGAL_FORWARD(add_depth_first_spread(list));
    REGAL_FORWARD(
        add_spread(list, "greedy-memory split", regal_greedy_memory_order, REGAL_BALANCE_MEMORY));
    return add_fill(list);
}

/* Every baseline is a seed, so that the search is never worse; those that save memory serve time
 * only where there are caps to keep. */
static regal_status add_time_seeds(seed_list *list) {
    REGAL_FORWARD(add_baseline(list, REGAL_HEFT));
    REGAL_FORWARD(add_baseline(list, REGAL_ONE_DEVICE));
    REGAL_FORWARD(
        add_spread(list, "upward-rank split", regal_upward_rank_order, REGAL_BALANCE_WORK));
    return is_capped(regal_problem_get_view(list->problem)) ? add_orders(list) : REGAL_OK;
}

static regal_status add_memory_seeds(seed_list *list) {
    REGAL_FORWARD(add_orders(list));
    REGAL_FORWARD(add_baseline(list, REGAL_HEFT));
    return add_baseline(list, REGAL_ONE_DEVICE);
}

regal_status regal_heuristics_create(const regal_problem *problem, regal_objective objective,
                                     regal_heuristic **list, int64_t *count) {
    seed_list seeds = {.problem = problem};
    const regal_status status =
        objective == REGAL_TIME ? add_time_seeds(&seeds) : add_memory_seeds(&seeds);
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
