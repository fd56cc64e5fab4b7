/* List scheduling without insertion: the ready op of highest priority runs where it starts first
 * (then where it finishes first, then on the smallest id), behind what its device runs already. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/insertion.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/placement.h"

static int32_t choose(regal_insertion *insertion, regal_id op, void *context) {
    (void)context;
    regal_span best = {INT64_MAX, INT64_MAX};
    int32_t device = -1;
    for (uint64_t set = regal_insertion_devices(insertion, op); set != 0; set &= set - 1) {
        const int32_t d = regal_set_first(set);
        const regal_span slot = regal_insertion_slot(insertion, op, d);
        if (slot.start < best.start || (slot.start == best.start && slot.finish < best.finish)) {
            best = slot;
            device = d;
        }
    }
    return device;
}

static regal_status schedule(regal_insertion *insertion, bool by_ticks, regal_id *sequence) {
    const regal_problem_view *view = insertion->view;
    int64_t *level = regal_allocate(view->op_count, sizeof *level);
    REGAL_FAIL_IF_NULL(level);
    insertion->append = true;
    regal_status status = regal_levels(view, by_ticks, level);
    if (status == REGAL_OK)
        status = regal_order_by_rank(level, view->op_count, sequence);
    if (status == REGAL_OK)
        status = regal_insertion_place_all(insertion, sequence, choose, NULL);
    free(level);
    return status;
}

static regal_status schedule_critical(regal_insertion *insertion, regal_id *sequence) {
    return schedule(insertion, true, sequence);
}

static regal_status schedule_most_left(regal_insertion *insertion, regal_id *sequence) {
    return schedule(insertion, false, sequence);
}

REGAL_MAKE(critical_path) {
    return regal_insertion_make(problem, "critical path", schedule_critical, heuristic);
}

REGAL_MAKE(most_operations) {
    return regal_insertion_make(problem, "most operations", schedule_most_left, heuristic);
}
