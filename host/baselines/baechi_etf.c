/* m-ETF of Baechi (Jeon et al. 2020), after ETF (Hwang et al. 1989): of all ready ops and all
 * devices with memory left for them, always the pair that can start first; then the op with the
 * longest way to the end (without transfers), then the smaller op and device. Links carry any
 * number of transfers at a time while the order is found; the decoder makes the plan.
 *
 * Once an op is ready, the tick at which its inputs are on a device is fixed. So each device keeps
 * the ready ops in two heaps: those whose inputs are there by the time it is idle, by priority, and
 * those that it would wait for, by that tick: O((ops log ops + edges) x devices). */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/memory_ledger.h"
#include "baselines/methods.h"
#include "baselines/upward_rank.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

typedef struct entry {
    int64_t ready; /* 0 among those that could start at once */
    int64_t level;
    regal_id op;
} entry;

typedef struct heap {
    entry *items;
    int64_t count, capacity;
} heap;

typedef struct scheduler {
    const regal_problem_view *view;
    regal_heuristic *heuristic;
    regal_memory_ledger ledger;
    int64_t *level;    /* [op] */
    int64_t *finish;   /* [op] of those scheduled, else -1 */
    int64_t *released; /* [op] finish of the control predecessors */
    regal_id *missing; /* [op] */
    uint64_t *options; /* [op] of a leader: devices that may still take it; one once decided */
    bool *decided;     /* [op] of a leader */
    int64_t idle_from[REGAL_MAX_DEVICES];
    heap startable[REGAL_MAX_DEVICES], waiting[REGAL_MAX_DEVICES];
    int64_t scheduled;
    bool out_of_memory;
} scheduler;

/* ---- heaps ---- */

static bool comes_first(const entry *a, const entry *b) {
    if (a->ready != b->ready)
        return a->ready < b->ready;
    return a->level != b->level ? a->level > b->level : a->op < b->op;
}

static void push(scheduler *s, heap *h, entry added) {
    if (!regal_array_reserve(&h->items, &h->capacity, h->count + 1, sizeof *h->items)) {
        s->out_of_memory = true;
        return;
    }
    int64_t i = h->count++;
    for (; i > 0 && comes_first(&added, &h->items[(i - 1) / 2]); i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = added;
}

static void pop(heap *h) {
    const entry last = h->items[--h->count];
    int64_t i = 0;
    for (int64_t child = 1; child < h->count; child = 2 * i + 1) {
        if (child + 1 < h->count && comes_first(&h->items[child + 1], &h->items[child]))
            ++child;
        if (!comes_first(&h->items[child], &last))
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = last;
}

/* ---- ready ops ---- */

static int64_t ready_tick(const scheduler *s, regal_id op, int32_t device) {
    const regal_problem_view *view = s->view;
    int64_t ready = s->released[op];
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor, producer = view->tensors[tensor].producer;
        const int32_t from = s->heuristic->device[producer];
        const int64_t there =
            s->finish[producer] +
            (from != device ? regal_transfer_ticks(view, tensor, from, device) : 0);
        ready = there > ready ? there : ready;
    }
    return ready;
}

static void offer(scheduler *s, regal_id op, uint64_t devices) {
    for (; devices != 0; devices &= devices - 1) {
        const int32_t d = regal_set_first(devices);
        push(s, &s->waiting[d], (entry){ready_tick(s, op, d), s->level[op], op});
    }
}

static void release(scheduler *s, regal_id op) {
    if (--s->missing[op] == 0)
        offer(s, op, s->options[s->view->leader[op]]);
}

/* The group's device is settled; its ready ops may have left that device's heaps before. */
static void decide(scheduler *s, regal_id leader, int32_t device) {
    s->decided[leader] = true;
    s->options[leader] = (uint64_t)1 << device;
    regal_memory_ledger_add(&s->ledger, leader, device);
    for (regal_id op = leader; op >= 0; op = s->ledger.next[op]) {
        s->heuristic->device[op] = (uint8_t)device;
        if (s->missing[op] == 0)
            offer(s, op, s->options[leader]);
    }
}

static bool has_room(scheduler *s, regal_id leader, int32_t device) {
    const int64_t capacity = s->view->capacity[device];
    return s->decided[leader] || capacity == 0 ||
           regal_memory_ledger_need(&s->ledger, leader, device) <=
               capacity - s->ledger.used[device];
}

/* The device lacks the memory; once all do, the one with most left takes the group. */
static void refuse(scheduler *s, regal_id leader, int32_t device) {
    s->options[leader] &= ~((uint64_t)1 << device);
    if (s->options[leader] == 0)
        decide(
            s, leader,
            regal_memory_ledger_roomiest(&s->ledger, s->view->capacity, s->view->allowed[leader]));
}

/* ---- steps ---- */

/* Drops first ops that have run, or will not run on this device. */
static void drop_stale(const scheduler *s, heap *h, int32_t device) {
    while (h->count > 0) {
        const regal_id op = h->items[0].op;
        if (s->finish[op] < 0 && (s->options[s->view->leader[op]] >> device & 1) != 0)
            return;
        pop(h);
    }
}

/* The device's best op and the tick at which it could start; false: it has none. */
static bool best_of_device(scheduler *s, int32_t device, entry *best) {
    heap *startable = &s->startable[device], *waiting = &s->waiting[device];
    while (waiting->count > 0 && waiting->items[0].ready <= s->idle_from[device]) {
        const entry moved = {0, waiting->items[0].level, waiting->items[0].op};
        pop(waiting);
        push(s, startable, moved);
    }
    drop_stale(s, startable, device);
    drop_stale(s, waiting, device);
    if (startable->count > 0) {
        *best = startable->items[0];
        best->ready = s->idle_from[device];
    } else if (waiting->count > 0) {
        *best = waiting->items[0];
    }
    return startable->count + waiting->count > 0;
}

static void run(scheduler *s, const entry *chosen, int32_t device) {
    const regal_problem_view *view = s->view;
    const regal_id op = chosen->op;
    s->finish[op] = chosen->ready + regal_op_ticks(view, op, device);
    s->idle_from[device] = s->finish[op];
    s->heuristic->sequence[s->scheduled++] = op;
    if (!s->decided[view->leader[op]])
        decide(s, view->leader[op], device);
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
        for (regal_id e = tensor->consumer_begin; e < tensor[1].consumer_begin; ++e)
            release(s, view->consumer[e]);
    }
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c) {
        int64_t *released = &s->released[view->control_successor[c]];
        *released = s->finish[op] > *released ? s->finish[op] : *released;
        release(s, view->control_successor[c]);
    }
}

/* The best pair runs if there is room. Memory is looked at for that pair only: a group may be long.
 */
static void step(scheduler *s) {
    entry best = {INT64_MAX, 0, 0};
    int32_t device = -1;
    for (int32_t d = 0; d < s->view->device_count; ++d) {
        entry candidate;
        if (best_of_device(s, d, &candidate) && comes_first(&candidate, &best)) {
            best = candidate;
            device = d;
        }
    }
    if (device < 0)
        return; /* memory ran out */
    const regal_id leader = s->view->leader[best.op];
    if (has_room(s, leader, device))
        run(s, &best, device);
    else
        refuse(s, leader, device);
}

static regal_status schedule(scheduler *s) {
    const regal_problem_view *view = s->view;
    REGAL_FORWARD(regal_levels(view, true, s->level));
    for (regal_id op = 0; op < view->op_count; ++op) {
        s->finish[op] = -1;
        s->missing[op] = view->ops[op].predecessor_count;
        s->options[op] = view->allowed[view->leader[op]];
    }
    for (regal_id op = 0; op < view->op_count; ++op)
        if (s->missing[op] == 0)
            offer(s, op, s->options[op]);
    while (s->scheduled < view->op_count && !s->out_of_memory)
        step(s);
    REGAL_FAIL_IF(s->out_of_memory, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* ---- set-up ---- */

static regal_status create(const regal_problem_view *view, regal_heuristic *heuristic,
                           scheduler *s) {
    const int64_t n = view->op_count;
    *s = (scheduler){.view = view,
                     .heuristic = heuristic,
                     .level = regal_allocate(n, sizeof *s->level),
                     .finish = regal_allocate(n, sizeof *s->finish),
                     .released = regal_allocate_zeroed(n, sizeof *s->released),
                     .missing = regal_allocate(n, sizeof *s->missing),
                     .options = regal_allocate(n, sizeof *s->options),
                     .decided = regal_allocate_zeroed(n, sizeof *s->decided)};
    REGAL_FAIL_IF(s->level == NULL || s->finish == NULL || s->released == NULL ||
                      s->missing == NULL || s->options == NULL || s->decided == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return regal_memory_ledger_create(view, &s->ledger);
}

static void destroy(scheduler *s) {
    for (int32_t d = 0; d < s->view->device_count; ++d) {
        free(s->startable[d].items);
        free(s->waiting[d].items);
    }
    regal_memory_ledger_destroy(&s->ledger);
    free(s->level);
    free(s->finish);
    free(s->released);
    free(s->missing);
    free(s->options);
    free(s->decided);
}

REGAL_MAKE(baechi_etf) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    REGAL_FORWARD(regal_heuristic_create(view, "m-ETF", heuristic));
    heuristic->window = objective == REGAL_TIME ? 0 : 1;
    scheduler s;
    regal_status status = create(view, heuristic, &s);
    if (status == REGAL_OK)
        status = schedule(&s);
    destroy(&s);
    return status;
}
