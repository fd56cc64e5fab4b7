/* PEFT (Arabnejad, Barbosa 2014): for each op and device the optimistic cost, the longest way from
 * the end of the op to the end of the graph if every later op ran where that is soonest and no
 * device were ever busy. The ready op with the greatest mean of these goes where its finish and the
 * optimistic cost add up to least, with insertion. O(edges x devices) beside the insertion. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/insertion.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

typedef struct table {
    const regal_problem_view *view;
    const int64_t *tensor_ticks; /* [tensor] mean */
    int64_t *after;              /* [op][device] the optimistic cost */
    int64_t *least;              /* [op] of its ticks and optimistic cost, over its devices */
    int64_t *rank;               /* [op] */
} table;

static uint64_t allowed(const table *t, regal_id op) {
    return t->view->allowed[t->view->leader[op]];
}

static int64_t from_start(const table *t, regal_id op, int32_t device) {
    return t->after[(int64_t)op * t->view->device_count + device] +
           regal_op_ticks(t->view, op, device);
}

static void count_successor(table *t, regal_id op, regal_id successor, int64_t transfer) {
    int64_t *after = &t->after[(int64_t)op * t->view->device_count];
    for (int32_t d = 0; d < t->view->device_count; ++d) {
        int64_t way = t->least[successor] + transfer;
        if ((allowed(t, successor) >> d & 1) != 0 && from_start(t, successor, d) < way)
            way = from_start(t, successor, d);
        after[d] = way > after[d] ? way : after[d];
    }
}

static void fill_op(table *t, regal_id op) {
    const regal_problem_view *view = t->view;
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        for (regal_id e = view->tensors[tensor].consumer_begin;
             e < view->tensors[tensor + 1].consumer_begin; ++e)
            count_successor(t, op, view->consumer[e], t->tensor_ticks[tensor]);
    }
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
        count_successor(t, op, view->control_successor[c], 0);
    __int128 sum = 0;
    t->least[op] = INT64_MAX;
    for (uint64_t set = allowed(t, op); set != 0; set &= set - 1) {
        const int32_t d = regal_set_first(set);
        sum += t->after[(int64_t)op * view->device_count + d];
        if (from_start(t, op, d) < t->least[op])
            t->least[op] = from_start(t, op, d);
    }
    t->rank[op] = (int64_t)(sum / regal_set_size(allowed(t, op)));
}

static regal_status fill(table *t) {
    regal_mean_ticks mean;
    REGAL_FORWARD(regal_mean_ticks_create(t->view, &mean));
    t->tensor_ticks = mean.tensor;
    for (int64_t i = t->view->op_count - 1; i >= 0; --i)
        fill_op(t, t->view->canonical[i]);
    regal_mean_ticks_destroy(&mean);
    return REGAL_OK;
}

static int32_t choose(regal_insertion *insertion, regal_id op, void *context) {
    const table *t = context;
    return regal_insertion_first_done(insertion, op,
                                      &t->after[(int64_t)op * t->view->device_count]);
}

static regal_status schedule(regal_insertion *insertion, regal_id *sequence) {
    const regal_problem_view *view = insertion->view;
    const int64_t n = view->op_count, row = view->device_count;
    table t = {.view = view,
               .after = regal_allocate_zeroed(n, (size_t)row * sizeof *t.after),
               .least = regal_allocate(n, sizeof *t.least),
               .rank = regal_allocate(n, sizeof *t.rank)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (t.after != NULL && t.least != NULL && t.rank != NULL)
        status = fill(&t);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        status = regal_order_ready_by_rank(view, t.rank, sequence);
    if (status == REGAL_OK)
        status = regal_insertion_place_all(insertion, sequence, choose, &t);
    free(t.after);
    free(t.least);
    free(t.rank);
    return status;
}

REGAL_MAKE(peft) {
    return regal_insertion_make(problem, "PEFT", schedule, heuristic);
}

regal_status regal_peft_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan) {
    return regal_insertion_contention_free(problem, "PEFT", schedule, heuristic, makespan);
}
