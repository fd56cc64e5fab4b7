#include <string.h>

#include "base/error.h"
#include "baselines/methods.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

static uint64_t common_devices(const regal_problem_view *view) {
    const int32_t devices = view->device_count;
    uint64_t common = devices == 64 ? ~(uint64_t)0 : ((uint64_t)1 << devices) - 1;
    for (regal_id op = 0; op < view->op_count; ++op)
        common &= view->allowed[view->leader[op]];
    return common;
}

static int64_t summed_ticks(const regal_problem_view *view, int32_t device) {
    int64_t sum = 0;
    for (regal_id op = 0; op < view->op_count; ++op)
        sum += regal_op_ticks(view, op, device);
    return sum;
}

/* By capacity, unlimited first (where by_memory), then by summed ticks, then by id. */
static regal_status best_device(const regal_problem_view *view, bool by_memory, int32_t *device) {
    int64_t best_capacity = 0, best_ticks = 0;
    *device = -1;
    for (uint64_t set = common_devices(view); set != 0; set &= set - 1) {
        const int32_t d = regal_set_first(set);
        const int64_t capacity =
            !by_memory || view->capacity[d] == 0 ? INT64_MAX : view->capacity[d];
        const int64_t ticks = summed_ticks(view, d);
        if (*device >= 0 &&
            (capacity < best_capacity || (capacity == best_capacity && ticks >= best_ticks)))
            continue;
        *device = d;
        best_capacity = capacity;
        best_ticks = ticks;
    }
    REGAL_FAIL_IF(*device < 0, REGAL_INFEASIBLE,
                  "no device may run every op: their allowed devices have none in common");
    return REGAL_OK;
}

regal_status regal_fastest_device(const regal_problem_view *view, int32_t *device) {
    return best_device(view, false, device);
}

regal_status regal_roomiest_device(const regal_problem_view *view, int32_t *device) {
    return best_device(view, true, device);
}

regal_status regal_run_on_one_device(const regal_problem_view *view, const char *name,
                                     regal_order *order, regal_heuristic *heuristic) {
    int32_t device;
    REGAL_FORWARD(regal_roomiest_device(view, &device));
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    memset(heuristic->device, device, (size_t)view->op_count);
    return order(view, heuristic->sequence);
}

REGAL_MAKE(one_device) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    int32_t device;
    REGAL_FORWARD(regal_fastest_device(view, &device));
    REGAL_FORWARD(regal_heuristic_create(view, "one device", heuristic));
    for (regal_id i = 0; i < view->op_count; ++i) {
        heuristic->device[i] = (uint8_t)device;
        heuristic->sequence[i] = view->canonical[i];
    }
    return REGAL_OK;
}
