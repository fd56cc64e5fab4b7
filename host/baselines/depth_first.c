#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"

/* Something that must be there before an op. */
typedef struct need {
    int64_t weight;  /* larger: earlier */
    regal_id before; /* the op that makes it */
    int64_t bytes;   /* what it leaves behind */
} need;

typedef struct search {
    const regal_problem_view *view;
    regal_id *begin;  /* [op + 1] */
    need *needs;      /* [edge + control] of each op: most urgent first */
    int64_t *peak;    /* [op] least memory to compute it from nothing, were its inputs a tree */
    regal_id *cursor; /* [op] next need to look at; -1 before the first visit */
    regal_id *stack;  /* [op] */
} search;

static int by_weight(const void *a, const void *b) {
    const need *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}

static int64_t add_limited(int64_t a, int64_t b) {
    const int64_t limit = (int64_t)1 << 62;
    return a > limit - b ? limit : a + b;
}

static void build_needs(search *s) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op) {
        s->begin[op + 1] += view->ops[op + 1].input_begin - view->ops[op].input_begin;
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            s->begin[view->control_successor[c] + 1]++;
    }
    for (regal_id op = 0; op < view->op_count; ++op) {
        s->begin[op + 1] += s->begin[op];
        s->cursor[op] = s->begin[op];
    }
    for (regal_id op = 0; op < view->op_count; ++op) {
        for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
            const regal_id tensor = view->inputs[i].tensor;
            s->needs[s->cursor[op]++] =
                (need){0, view->tensors[tensor].producer, view->tensors[tensor].bytes};
        }
        for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
            s->needs[s->cursor[view->control_successor[c]]++] = (need){0, op, 0};
    }
}

/* The peak of an op whose needs are in their final order. */
static int64_t peak_of(const search *s, regal_id op) {
    int64_t held = 0, peak = 0;
    for (regal_id i = s->begin[op]; i < s->begin[op + 1]; ++i) {
        const int64_t now = add_limited(held, s->peak[s->needs[i].before]);
        peak = now > peak ? now : peak;
        held = add_limited(held, s->needs[i].bytes);
    }
    const int64_t now = add_limited(held, s->view->ops[op].start_bytes);
    return now > peak ? now : peak;
}

static void sort_needs(search *s) {
    for (int64_t i = 0; i < s->view->op_count; ++i) {
        const regal_id op = s->view->canonical[i];
        need *first = s->needs + s->begin[op], *end = s->needs + s->begin[op + 1];
        for (need *n = first; n < end; ++n)
            n->weight = s->peak[n->before] - n->bytes;
        qsort(first, (size_t)(end - first), sizeof *first, by_weight);
        s->peak[op] = peak_of(s, op);
    }
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
static int64_t visit(search *s, regal_id sink, regal_id *sequence, int64_t count) {
    int64_t depth = 0;
    s->stack[depth++] = sink;
    s->cursor[sink] = s->begin[sink];
    while (depth > 0) {
        const regal_id op = s->stack[depth - 1];
        if (s->cursor[op] == s->begin[op + 1]) {
            sequence[count++] = op;
            --depth;
            continue;
        }
        const regal_id before = s->needs[s->cursor[op]++].before;
        if (s->cursor[before] < 0) {
            s->cursor[before] = s->begin[before];
            s->stack[depth++] = before;
        }
    }
    return count;
}

static void walk(search *s, regal_id *sequence) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        s->cursor[op] = -1;
    int64_t count = 0;
    for (int64_t i = 0; i < view->op_count; ++i)
        if (is_sink(view, view->canonical[i]))
            count = visit(s, view->canonical[i], sequence, count);
}

regal_status regal_depth_first_order(const regal_problem_view *view, regal_id *sequence) {
    const int64_t n = view->op_count;
    search s = {.view = view,
                .begin = regal_allocate_zeroed(n + 1, sizeof *s.begin),
                .needs = regal_allocate(view->edge_count + view->control_count, sizeof *s.needs),
                .peak = regal_allocate(n, sizeof *s.peak),
                .cursor = regal_allocate(n, sizeof *s.cursor),
                .stack = regal_allocate(n, sizeof *s.stack)};
    const bool ok =
        s.begin != NULL && s.needs != NULL && s.peak != NULL && s.cursor != NULL && s.stack != NULL;
    if (ok) {
        build_needs(&s);
        sort_needs(&s);
        walk(&s, sequence);
    }
    free(s.begin);
    free(s.needs);
    free(s.peak);
    free(s.cursor);
    free(s.stack);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

REGAL_MAKE(depth_first) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "depth first",
                                   regal_depth_first_order, heuristic);
}
