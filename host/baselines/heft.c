/* HEFT (Topcuoglu, Hariri, Wu 2002, section 4.1), with links that carry one transfer at a time,
 * colocation groups and allowed sets. Ops are placed in the order of upward rank, each where it
 * finishes first, in the first gap that holds it. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/insertion.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"

regal_status regal_upward_rank_order(const regal_problem_view *view, regal_id *sequence) {
    regal_mean_ticks mean;
    REGAL_FORWARD(regal_mean_ticks_create(view, &mean));
    int64_t *rank = regal_allocate(view->op_count, sizeof *rank);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (rank != NULL) {
        regal_upward_rank(view, &mean, rank);
        status = regal_order_by_rank(rank, view->op_count, sequence);
    } else {
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    }
    free(rank);
    regal_mean_ticks_destroy(&mean);
    return status;
}

static int32_t choose(regal_insertion *insertion, regal_id op, void *context) {
    (void)context;
    return regal_insertion_first_done(insertion, op, NULL);
}

static regal_status schedule(regal_insertion *insertion, regal_id *sequence) {
    REGAL_FORWARD(regal_upward_rank_order(insertion->view, sequence));
    return regal_insertion_place_all(insertion, sequence, choose, NULL);
}

REGAL_MAKE(heft) {
    return regal_insertion_make(problem, "HEFT", schedule, heuristic);
}

regal_status regal_heft_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan) {
    return regal_insertion_contention_free(problem, "HEFT", schedule, heuristic, makespan);
}
