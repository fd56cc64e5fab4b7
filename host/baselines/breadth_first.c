#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"

/* The sequence is its own queue. */
typedef struct walk {
    regal_id *missing, *sequence;
    int64_t queued;
} walk;

static void release(walk *w, regal_id op) {
    if (--w->missing[op] == 0)
        w->sequence[w->queued++] = op;
}

static void run(walk *w, const regal_problem_view *view, regal_id op) {
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
        for (regal_id e = tensor->consumer_begin; e < tensor[1].consumer_begin; ++e)
            release(w, view->consumer[e]);
    }
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
        release(w, view->control_successor[c]);
}

regal_status regal_breadth_first_order(const regal_problem_view *view, regal_id *sequence) {
    walk w = {.missing = regal_allocate(view->op_count, sizeof *w.missing), .sequence = sequence};
    REGAL_FAIL_IF_NULL(w.missing);
    for (regal_id op = 0; op < view->op_count; ++op) {
        w.missing[op] = view->ops[op].predecessor_count;
        if (w.missing[op] == 0)
            sequence[w.queued++] = op;
    }
    for (int64_t i = 0; i < w.queued; ++i)
        run(&w, view, sequence[i]);
    free(w.missing);
    return REGAL_OK;
}

REGAL_MAKE(breadth_first) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "breadth first",
                                   regal_breadth_first_order, heuristic);
}
