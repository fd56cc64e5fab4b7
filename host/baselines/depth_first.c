#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/needs.h"

static int64_t add_limited(int64_t a, int64_t b) {
    const int64_t limit = (int64_t)1 << 62;
    return a > limit - b ? limit : a + b;
}

/* The least memory to compute an op from nothing, were its inputs a tree; peak [op] holds that of
 * its needs, which are in their final order. */
static int64_t peak_of(const regal_needs *needs, const int64_t *peak, regal_id op) {
    int64_t held = 0, most = 0;
    for (regal_id i = needs->begin[op]; i < needs->begin[op + 1]; ++i) {
        const int64_t now = add_limited(held, peak[needs->items[i].before]);
        most = now > most ? now : most;
        held = add_limited(held, needs->items[i].bytes);
    }
    const int64_t now = add_limited(held, needs->view->ops[op].start_bytes);
    return now > most ? now : most;
}

static void sort_needs(regal_needs *needs, int64_t *peak) {
    for (int64_t i = 0; i < needs->view->op_count; ++i) {
        const regal_id op = needs->view->canonical[i];
        for (regal_id k = needs->begin[op]; k < needs->begin[op + 1]; ++k) {
            regal_need *need = &needs->items[k];
            need->weight = peak[need->before] - need->bytes;
        }
        regal_needs_sort(needs, op);
        peak[op] = peak_of(needs, peak, op);
    }
}

regal_status regal_depth_first_order(const regal_problem_view *view, regal_id *sequence) {
    int64_t *peak = regal_allocate(view->op_count, sizeof *peak);
    REGAL_FAIL_IF_NULL(peak);
    regal_needs needs;
    const regal_status status = regal_needs_create(view, &needs);
    if (status == REGAL_OK) {
        sort_needs(&needs, peak);
        regal_needs_walk(&needs, sequence);
    }
    regal_needs_destroy(&needs);
    free(peak);
    return status;
}

REGAL_MAKE(depth_first) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "depth first",
                                   regal_depth_first_order, heuristic);
}
