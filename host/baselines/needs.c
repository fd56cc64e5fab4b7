#include "baselines/needs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

static void fill(regal_needs *needs) {
    const regal_problem_view *view = needs->view;
    regal_id *begin = needs->begin, *cursor = needs->cursor;
    for (regal_id op = 0; op < view->op_count; ++op) {
        begin[op + 1] += view->ops[op + 1].input_begin - view->ops[op].input_begin;
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            begin[view->control_successor[c] + 1]++;
    }
    for (regal_id op = 0; op < view->op_count; ++op) {
        begin[op + 1] += begin[op];
        cursor[op] = begin[op];
    }
    for (regal_id op = 0; op < view->op_count; ++op)
        for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
            const regal_tensor_facts *tensor = &view->tensors[view->inputs[i].tensor];
            needs->items[cursor[op]++] = (regal_need){0, 0, tensor->producer, tensor->bytes};
        }
    for (regal_id op = 0; op < view->op_count; ++op)
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            needs->items[cursor[view->control_successor[c]]++] = (regal_need){0, 0, op, 0};
}

regal_status regal_needs_create(const regal_problem_view *view, regal_needs *needs) {
    const int64_t n = view->op_count;
    *needs = (regal_needs){.view = view,
                           .begin = regal_allocate_zeroed(n + 1, sizeof *needs->begin),
                           .items = regal_allocate((int64_t)view->edge_count + view->control_count,
                                                   sizeof *needs->items),
                           .cursor = regal_allocate(n, sizeof *needs->cursor),
                           .stack = regal_allocate(n, sizeof *needs->stack)};
    REGAL_FAIL_IF(needs->begin == NULL || needs->items == NULL || needs->cursor == NULL ||
                      needs->stack == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    fill(needs);
    return REGAL_OK;
}

void regal_needs_destroy(regal_needs *needs) {
    free(needs->begin);
    free(needs->items);
    free(needs->cursor);
    free(needs->stack);
    *needs = (regal_needs){0};
}

static int by_weight(const void *a, const void *b) {
    const regal_need *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

void regal_needs_sort(regal_needs *needs, regal_id op) {
    qsort(needs->items + needs->begin[op], (size_t)(needs->begin[op + 1] - needs->begin[op]),
          sizeof *needs->items, by_weight);
}

static bool is_sink(const regal_problem_view *view, regal_id op) {
    if (view->ops[op + 1].control_begin > view->ops[op].control_begin)
        return false;
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        if (view->tensors[tensor + 1].consumer_begin > view->tensors[tensor].consumer_begin)
            return false;
    }
    return true;
}

/* Appends the sink and all that it still needs to the sequence; returns its new length. */
static int64_t visit(regal_needs *needs, regal_id sink, regal_id *sequence, int64_t count) {
    int64_t depth = 0;
    needs->stack[depth++] = sink;
    needs->cursor[sink] = needs->begin[sink];
    while (depth > 0) {
        const regal_id op = needs->stack[depth - 1];
        if (needs->cursor[op] == needs->begin[op + 1]) {
            sequence[count++] = op;
            --depth;
            continue;
        }
        const regal_id before = needs->items[needs->cursor[op]++].before;
        if (needs->cursor[before] < 0) {
            needs->cursor[before] = needs->begin[before];
            needs->stack[depth++] = before;
        }
    }
    return count;
}

void regal_needs_walk(regal_needs *needs, regal_id *sequence) {
    const regal_problem_view *view = needs->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        needs->cursor[op] = -1;
    int64_t count = 0;
    for (int64_t i = 0; i < view->op_count; ++i)
        if (is_sink(view, view->canonical[i]))
            count = visit(needs, view->canonical[i], sequence, count);
}
