/* CPOP (Topcuoglu, Hariri, Wu 2002, section 4.2): the ready op on the longest way through the graph
 * comes first. Ops of one such way, the critical path, go to the device that runs them soonest,
 * all others where they finish first, with insertion. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/insertion.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

typedef struct critical_path {
    const regal_problem_view *view;
    int64_t *through; /* [op] longest way through it */
    int64_t *down;    /* [op] downward rank */
    bool *on_path;    /* [op] */
    int32_t device;
} critical_path;

static regal_status find_ranks(critical_path *path) {
    regal_mean_ticks mean;
    REGAL_FORWARD(regal_mean_ticks_create(path->view, &mean));
    regal_upward_rank(path->view, &mean, path->through);
    regal_downward_rank(path->view, &mean, path->down);
    regal_mean_ticks_destroy(&mean);
    for (regal_id op = 0; op < path->view->op_count; ++op)
        path->through[op] += path->down[op];
    return REGAL_OK;
}

static regal_id first_critical(const critical_path *path) {
    regal_id first = -1;
    for (regal_id op = 0; op < path->view->op_count; ++op)
        if (path->view->ops[op].predecessor_count == 0 &&
            (first < 0 || path->through[op] > path->through[first]))
            first = op;
    return first;
}

static void take_better(const critical_path *path, regal_id op, regal_id successor,
                        regal_id *next) {
    if (path->through[successor] == path->through[op] && (*next < 0 || successor < *next))
        *next = successor;
}

/* The successor with the same longest way (the smallest id), or -1. */
static regal_id next_critical(const critical_path *path, regal_id op) {
    const regal_problem_view *view = path->view;
    regal_id next = -1;
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
        for (regal_id e = tensor->consumer_begin; e < tensor[1].consumer_begin; ++e)
            take_better(path, op, view->consumer[e], &next);
    }
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
        take_better(path, op, view->control_successor[c], &next);
    return next;
}

/* The device that may run most ops of the path; then that which runs these soonest; then the
 * smallest id. */
static void choose_path_device(critical_path *path) {
    const regal_problem_view *view = path->view;
    int64_t most = -1, least = 0;
    for (int32_t d = 0; d < view->device_count; ++d) {
        int64_t ops = 0, ticks = 0;
        for (regal_id op = 0; op < view->op_count; ++op)
            if (path->on_path[op] && (view->allowed[view->leader[op]] >> d & 1) != 0) {
                ++ops;
                ticks += regal_op_ticks(view, op, d);
            }
        if (ops > most || (ops == most && ticks < least)) {
            most = ops;
            least = ticks;
            path->device = d;
        }
    }
}

static int32_t choose(regal_insertion *insertion, regal_id op, void *context) {
    const critical_path *path = context;
    if (path->on_path[op] && (regal_insertion_devices(insertion, op) >> path->device & 1) != 0)
        return path->device;
    return regal_insertion_first_done(insertion, op, NULL);
}

static regal_status place(regal_insertion *insertion, critical_path *path, regal_id *sequence) {
    REGAL_FORWARD(find_ranks(path));
    REGAL_FORWARD(regal_order_ready_by_rank(path->view, path->through, sequence));
    for (regal_id op = first_critical(path); op >= 0; op = next_critical(path, op))
        path->on_path[op] = true;
    choose_path_device(path);
    return regal_insertion_place_all(insertion, sequence, choose, path);
}

static regal_status schedule(regal_insertion *insertion, regal_id *sequence) {
    const int64_t n = insertion->view->op_count;
    critical_path path = {.view = insertion->view,
                          .through = regal_allocate(n, sizeof *path.through),
                          .down = regal_allocate(n, sizeof *path.down),
                          .on_path = regal_allocate_zeroed(n, sizeof *path.on_path)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (path.through != NULL && path.down != NULL && path.on_path != NULL)
        status = place(insertion, &path, sequence);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    free(path.through);
    free(path.down);
    free(path.on_path);
    return status;
}

REGAL_MAKE(cpop) {
    return regal_insertion_make(problem, "CPOP", schedule, heuristic);
}

regal_status regal_cpop_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan) {
    return regal_insertion_contention_free(problem, "CPOP", schedule, heuristic, makespan);
}
