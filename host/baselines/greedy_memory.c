#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"

/* A storage lasts until all ops that read any of its tensors have run: the producer of an alias is
 * itself a reader, so readers of aliases to come count from the start. */

/* A ready op as it was when queued; a better entry of the same op makes it stale. */
typedef struct entry {
    int64_t gain;  /* bytes in use before the op less those after it */
    int64_t users; /* of its value, where these break ties */
    int64_t age;   /* queued later: greater */
    regal_id op;
} entry;

typedef struct scheduler {
    const regal_problem_view *view;
    bool as_xla;          /* ties go by users; unread tensors count as left behind */
    int64_t *users;       /* [op] */
    int64_t *gain;        /* [op] */
    regal_id *missing;    /* [op] predecessors still to run; -1 once it has run */
    regal_id *readers;    /* [tensor] of a root: ops still to run that read its storage */
    regal_id *reader_mix; /* [tensor] of a root: XOR of their ids */
    regal_id *seen;       /* [tensor] the op that met this root last */
    entry *heap;          /* [op + tensor] */
    int64_t queued, age;
} scheduler;

static bool comes_first(const entry *a, const entry *b) {
    if (a->gain != b->gain)
        return a->gain > b->gain;
    return a->users != b->users ? a->users > b->users : a->age > b->age;
}

static void push(scheduler *s, regal_id op) {
    const entry added = {s->gain[op], s->users[op], s->age++, op};
    int64_t i = s->queued++;
    for (; i > 0 && comes_first(&added, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = added;
}

static regal_id pop(scheduler *s) {
    const regal_id first = s->heap[0].op;
    const entry last = s->heap[--s->queued];
    int64_t i = 0;
    for (int64_t child = 1; child < s->queued; child = 2 * i + 1) {
        if (child + 1 < s->queued && comes_first(&s->heap[child + 1], &s->heap[child]))
            ++child;
        if (!comes_first(&s->heap[child], &last))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return first;
}

/* The one reader left frees the storage when it finishes. */
static void credit_last_reader(scheduler *s, regal_id root) {
    if (s->readers[root] != 1 || s->view->tensors[root].kept)
        return;
    const regal_id op = s->reader_mix[root];
    s->gain[op] += s->view->tensors[root].bytes;
    if (s->missing[op] == 0)
        push(s, op);
}

static void count_readers(scheduler *s) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
            const regal_id root = view->tensors[view->inputs[i].tensor].root;
            if (s->seen[root] == op)
                continue;
            s->seen[root] = op;
            s->readers[root]++;
            s->reader_mix[root] ^= op;
        }
}

/* Before anything runs: what an op adds, less what dies with it. */
static void init_gains(scheduler *s) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op) {
        s->gain[op] = 0;
        s->missing[op] = -1;
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_id tensor = view->output_tensor[o];
            if (view->tensors[tensor].root == tensor &&
                (s->as_xla || view->tensors[tensor].kept || s->readers[tensor] > 0))
                s->gain[op] -= view->tensors[tensor].bytes;
        }
    }
    for (regal_id t = 0; t < view->tensor_count; ++t)
        credit_last_reader(s, t);
    for (regal_id op = 0; op < view->op_count; ++op) {
        s->missing[op] = view->ops[op].predecessor_count;
        if (s->missing[op] == 0)
            push(s, op);
    }
}

/* Distinct ops that read what an op makes; seen [op] is scratch. */
static void count_users(scheduler *s, regal_id *seen) {
    const regal_problem_view *view = s->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        seen[op] = -1;
    for (regal_id op = 0; op < view->op_count; ++op)
        for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
            for (regal_id e = tensor->consumer_begin; e < tensor[1].consumer_begin; ++e) {
                s->users[op] += seen[view->consumer[e]] != op;
                seen[view->consumer[e]] = op;
            }
        }
}

static void release(scheduler *s, regal_id op) {
    if (--s->missing[op] == 0)
        push(s, op);
}

static void run(scheduler *s, regal_id op) {
    const regal_problem_view *view = s->view;
    s->missing[op] = -1;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id root = view->tensors[view->inputs[i].tensor].root;
        if (s->seen[root] == op + view->op_count)
            continue;
        s->seen[root] = op + view->op_count;
        s->readers[root]--;
        s->reader_mix[root] ^= op;
        credit_last_reader(s, root);
    }
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        for (regal_id e = view->tensors[tensor].consumer_begin;
             e < view->tensors[tensor + 1].consumer_begin; ++e)
            release(s, view->consumer[e]);
    }
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c)
        release(s, view->control_successor[c]);
}

static void schedule(scheduler *s, regal_id *sequence) {
    for (regal_id t = 0; t < s->view->tensor_count; ++t)
        s->seen[t] = -1;
    if (s->as_xla)
        count_users(s, s->missing);
    count_readers(s);
    init_gains(s);
    int64_t count = 0;
    while (s->queued > 0) {
        const regal_id op = pop(s);
        if (s->missing[op] != 0)
            continue; /* it ran by a better entry */
        sequence[count++] = op;
        run(s, op);
    }
}

static regal_status order(const regal_problem_view *view, bool as_xla, regal_id *sequence) {
    const int64_t n = view->op_count, m = view->tensor_count;
    scheduler s = {.view = view,
                   .as_xla = as_xla,
                   .users = regal_allocate_zeroed(n, sizeof *s.users),
                   .gain = regal_allocate(n, sizeof *s.gain),
                   .missing = regal_allocate(n, sizeof *s.missing),
                   .readers = regal_allocate_zeroed(m, sizeof *s.readers),
                   .reader_mix = regal_allocate_zeroed(m, sizeof *s.reader_mix),
                   .seen = regal_allocate(m, sizeof *s.seen),
                   .heap = regal_allocate(n + m, sizeof *s.heap)};
    const bool ok = s.users != NULL && s.gain != NULL && s.missing != NULL && s.readers != NULL &&
                    s.reader_mix != NULL && s.seen != NULL && s.heap != NULL;
    if (ok)
        schedule(&s, sequence);
    free(s.users);
    free(s.gain);
    free(s.missing);
    free(s.readers);
    free(s.reader_mix);
    free(s.seen);
    free(s.heap);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

regal_status regal_greedy_memory_order(const regal_problem_view *view, regal_id *sequence) {
    return order(view, false, sequence);
}

regal_status regal_xla_list_order(const regal_problem_view *view, regal_id *sequence) {
    return order(view, true, sequence);
}

REGAL_MAKE(greedy_memory) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "greedy memory",
                                   regal_greedy_memory_order, heuristic);
}

REGAL_MAKE(xla_list) {
    return regal_run_on_one_device(regal_problem_get_view(problem), "XLA list",
                                   regal_xla_list_order, heuristic);
}
