/* What XLA's hlo_memory_scheduler does, as far as a graph here tells: its three orders, and the one
 * of them that needs least memory. (Its list scheduler is in greedy_memory.c.) */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/needs.h"
#include "regal/core/rank.h"
#include "search/decoder.h"

/* ---- depth first ---- */

typedef struct totals {
    regal_needs needs;
    int64_t *users; /* [op] of its value beyond the first, with those of all that leads to it */
    int64_t *bytes; /* [op] that it defines, with those of all that leads to it */
    regal_id *seen; /* [op] the op that met it last */
} totals;

static int64_t extra_users(totals *t, regal_id op) {
    const regal_problem_view *view = t->needs.view;
    int64_t users = 0;
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
        for (regal_id e = tensor->consumer_begin; e < tensor[1].consumer_begin; ++e) {
            users += t->seen[view->consumer[e]] != op;
            t->seen[view->consumer[e]] = op;
        }
    }
    return users > 0 ? users - 1 : 0;
}

static void add_operands(totals *t, regal_id op, int64_t most) {
    const regal_problem_view *view = t->needs.view;
    const regal_id mark = -2 - op; /* apart from those of extra_users */
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id operand = view->tensors[view->inputs[i].tensor].producer;
        if (t->seen[operand] == mark)
            continue;
        t->seen[operand] = mark;
        t->users[op] += t->users[operand];
        t->bytes[op] +=
            t->bytes[operand] < most - t->bytes[op] ? t->bytes[operand] : most - t->bytes[op];
    }
}

/* As there, totals count what leads to an op by several ways several times, and are capped. */
static void sum_up(totals *t) {
    const regal_problem_view *view = t->needs.view;
    int64_t bytes_so_far = 0;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i];
        const int64_t defined = view->ops[op].start_bytes - view->ops[op].workspace;
        bytes_so_far += defined;
        t->users[op] = extra_users(t, op);
        t->bytes[op] = defined;
        add_operands(t, op, bytes_so_far);
        t->users[op] = t->users[op] < view->op_count ? t->users[op] : view->op_count;
    }
}

static void sort_all(totals *t) {
    const regal_problem_view *view = t->needs.view;
    for (regal_id op = 0; op < view->op_count; ++op) {
        for (regal_id i = t->needs.begin[op]; i < t->needs.begin[op + 1]; ++i) {
            regal_need *need = &t->needs.items[i];
            need->weight = t->users[need->before];
            need->size = t->bytes[need->before];
        }
        regal_needs_sort(&t->needs, op);
    }
}

regal_status regal_xla_dfs_order(const regal_problem_view *view, regal_id *sequence) {
    const int64_t n = view->op_count;
    totals t = {.users = regal_allocate(n, sizeof *t.users),
                .bytes = regal_allocate(n, sizeof *t.bytes),
                .seen = regal_allocate(n, sizeof *t.seen)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (t.users != NULL && t.bytes != NULL && t.seen != NULL)
        status = regal_needs_create(view, &t.needs);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK) {
        for (regal_id op = 0; op < view->op_count; ++op)
            t.seen[op] = -1;
        sum_up(&t);
        sort_all(&t);
        regal_needs_walk(&t.needs, sequence);
    }
    regal_needs_destroy(&t.needs);
    free(t.users);
    free(t.bytes);
    free(t.seen);
    return status;
}

/* ---- post-order ---- */

/* XLA visits control predecessors first. */
static void control_first(regal_needs *needs) {
    const regal_problem_view *view = needs->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        for (regal_id i = needs->begin[op]; i < needs->begin[op + 1]; ++i) {
            const regal_id inputs = view->ops[op + 1].input_begin - view->ops[op].input_begin;
            const regal_id place = i - needs->begin[op];
            needs->items[i].weight = place < inputs ? 0 : 1;
            needs->items[i].size = -(int64_t)place;
        }
}

regal_status regal_post_order(const regal_problem_view *view, regal_id *sequence) {
    regal_needs needs;
    const regal_status status = regal_needs_create(view, &needs);
    if (status == REGAL_OK) {
        control_first(&needs);
        for (regal_id op = 0; op < view->op_count; ++op)
            regal_needs_sort(&needs, op);
        regal_needs_walk(&needs, sequence);
    }
    regal_needs_destroy(&needs);
    return status;
}

/* ---- the best of the three ---- */

typedef struct contest {
    regal_decoder decoder;
    regal_id *sequence, *rank; /* [op] */
    int32_t device;
    int64_t least;
} contest;

static regal_status try_order(contest *c, regal_order *order, regal_id *best) {
    const regal_problem_view *view = c->decoder.view;
    regal_simulation *simulation = &c->decoder.simulation;
    const size_t count = (size_t)view->op_count;
    REGAL_FORWARD(order(view, c->sequence));
    regal_invert_order(c->sequence, view->op_count, c->rank);
    memset(simulation->device, c->device, count);
    memcpy(simulation->order, c->rank, count * sizeof *c->rank);
    regal_simulate(view, simulation, 1, NULL);
    if (simulation->peak[c->device] < c->least) {
        c->least = simulation->peak[c->device];
        memcpy(best, c->sequence, count * sizeof *best);
    }
    return REGAL_OK;
}

/* Of equals the list scheduler's, then the depth-first one. */
static regal_status run_contest(contest *c, const regal_problem_view *view, regal_id *best) {
    REGAL_FORWARD(regal_roomiest_device(view, &c->device));
    REGAL_FORWARD(regal_decoder_create(view, &c->decoder));
    REGAL_FORWARD(try_order(c, regal_xla_list_order, best));
    REGAL_FORWARD(try_order(c, regal_xla_dfs_order, best));
    return try_order(c, regal_post_order, best);
}

static regal_status default_order(const regal_problem_view *view, regal_id *sequence) {
    contest c = {.sequence = regal_allocate(view->op_count, sizeof *c.sequence),
                 .rank = regal_allocate(view->op_count, sizeof *c.rank),
                 .least = INT64_MAX};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (c.sequence != NULL && c.rank != NULL)
        status = run_contest(&c, view, sequence);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    regal_decoder_destroy(&c.decoder);
    free(c.sequence);
    free(c.rank);
    return status;
}

/* ---- baselines ---- */

REGAL_MAKE(xla_dfs) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "XLA DFS", regal_xla_dfs_order,
                                   heuristic);
}

REGAL_MAKE(xla_post_order) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "XLA post-order",
                                   regal_post_order, heuristic);
}

REGAL_MAKE(xla_default) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "XLA default", default_order,
                                   heuristic);
}
