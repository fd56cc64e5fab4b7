/* HEFT (Topcuoglu, Hariri, Wu 2002), with links that carry one transfer at a time, colocation
 * groups and allowed sets. Ops are placed in the order of upward rank, each where it finishes
 * first, in the first gap that holds it.
 *
 * The transfers that an op needs take the first gaps of their links, in the order in which their
 * tensors become available (then by tensor id), and on one link each after the one before. So what
 * is found while a device is only considered holds when it is chosen. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/resident.h"
#include "baselines/timeline.h"
#include "baselines/upward_rank.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

typedef struct span {
    int64_t start, finish;
} span;

typedef struct input {
    int64_t available; /* finish of the producer */
    regal_id tensor;
    int32_t from;
} input;

typedef struct scheduler {
    const regal_problem_view *view;
    bool contended;
    uint8_t *device;   /* [op] of the heuristic */
    span *spans;       /* [op] of those placed */
    int64_t *released; /* [op] finish of the control predecessors placed so far */
    bool *decided;     /* [op] of a leader: its group has a device */
    regal_id *next;    /* [op] the next op of its group in canonical order, or -1 */
    uint64_t *sent;    /* [tensor] set of devices with a copy */
    span *copies;      /* [edge] transfers of a tensor, by device, from its first edge on */
    input *inputs;     /* [edge] of the op at hand */
    int64_t input_count;
    regal_timelines idle; /* of devices, then of links */
    regal_resident resident;
} scheduler;

static int64_t device_line(int32_t device) {
    return device;
}

static int64_t link_line(const scheduler *s, int32_t from, int32_t to) {
    return (1 + (int64_t)from) * s->view->device_count + to;
}

/* ---- inputs ---- */

static int compare_inputs(const void *a, const void *b) {
    const input *x = a, *y = b;
    if (x->available != y->available)
        return x->available < y->available ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static void collect_inputs(scheduler *s, regal_id op) {
    const regal_problem_view *view = s->view;
    s->input_count = 0;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor, producer = view->tensors[tensor].producer;
        s->inputs[s->input_count++] =
            (input){s->spans[producer].finish, tensor, s->device[producer]};
    }
    qsort(s->inputs, (size_t)s->input_count, sizeof *s->inputs, compare_inputs);
}

static span *copy_of(const scheduler *s, regal_id tensor, int32_t to) {
    const uint64_t before = s->sent[tensor] & (((uint64_t)1 << to) - 1);
    return &s->copies[s->view->tensors[tensor].consumer_begin + regal_set_size(before)];
}

static bool is_there(const scheduler *s, const input *in, int32_t device) {
    return in->from == device || (s->sent[in->tensor] >> device & 1) != 0;
}

/* The transfer of an input that is not there; link_free [from]: end of the op's own transfers. */
static span find_transfer(const scheduler *s, const input *in, int32_t to, int64_t *link_free) {
    const int64_t ticks = regal_transfer_ticks(s->view, in->tensor, in->from, to);
    int64_t start = in->available;
    if (s->contended) {
        start = start > link_free[in->from] ? start : link_free[in->from];
        start = regal_timeline_find(&s->idle, link_line(s, in->from, to), start, ticks);
        link_free[in->from] = start + ticks;
    }
    return (span){start, start + ticks};
}

static int64_t arrival(const scheduler *s, const input *in, int32_t to, int64_t *link_free) {
    if (in->from == to)
        return in->available;
    if (is_there(s, in, to))
        return copy_of(s, in->tensor, to)->finish;
    return find_transfer(s, in, to, link_free).finish;
}

/* When the op at hand has everything that it needs on a device. */
static int64_t ready_tick(const scheduler *s, regal_id op, int32_t device) {
    int64_t link_free[REGAL_MAX_DEVICES] = {0}, ready = s->released[op];
    for (int64_t i = 0; i < s->input_count; ++i) {
        const int64_t there = arrival(s, &s->inputs[i], device, link_free);
        ready = there > ready ? there : ready;
    }
    return ready;
}

static void record_copy(scheduler *s, regal_id tensor, int32_t to, span transfer) {
    span *place = copy_of(s, tensor, to);
    for (uint64_t later = s->sent[tensor] >> to; later != 0; later &= later - 1) {
        const span moved = *place;
        *place++ = transfer;
        transfer = moved;
    }
    *place = transfer;
    s->sent[tensor] |= (uint64_t)1 << to;
}

static void send_inputs(scheduler *s, int32_t to) {
    int64_t link_free[REGAL_MAX_DEVICES] = {0};
    for (int64_t i = 0; i < s->input_count; ++i) {
        const input *in = &s->inputs[i];
        if (is_there(s, in, to))
            continue;
        const span transfer = find_transfer(s, in, to, link_free);
        if (s->contended)
            regal_timeline_take(&s->idle, link_line(s, in->from, to), transfer.start,
                                transfer.finish - transfer.start);
        record_copy(s, in->tensor, to, transfer);
    }
}

/* ---- ops ---- */

static span find_slot(const scheduler *s, regal_id op, int32_t device) {
    const int64_t ticks = regal_op_ticks(s->view, op, device);
    const int64_t ready = ready_tick(s, op, device);
    const int64_t start = regal_timeline_find(&s->idle, device_line(device), ready, ticks);
    return (span){start, start + ticks};
}

/* Adds the ticks of the other ops of the group on each of the devices. */
static void add_others(const scheduler *s, regal_id op, uint64_t devices, int64_t *ticks) {
    for (regal_id other = s->view->leader[op]; other >= 0; other = s->next[other])
        for (uint64_t set = other != op ? devices : 0; set != 0; set &= set - 1) {
            const int32_t d = regal_set_first(set);
            ticks[d] += regal_op_ticks(s->view, other, d);
        }
}

/* Those of the devices that can still take for good what the group leaves there. */
static uint64_t with_room(scheduler *s, regal_id leader, uint64_t devices) {
    int64_t need[REGAL_MAX_DEVICES];
    regal_resident_need(&s->resident, leader, s->next, devices, need);
    uint64_t room = 0;
    for (; devices != 0; devices &= devices - 1) {
        const int32_t d = regal_set_first(devices);
        if (s->view->capacity[d] == 0 || need[d] <= s->view->capacity[d])
            room |= (uint64_t)1 << d;
    }
    return room;
}

/* The device where the op, followed by the others of its group, would be done first; those without
 * room only if all are full. Ties: the smallest id. */
static int32_t choose_device(scheduler *s, regal_id op) {
    const regal_id leader = s->view->leader[op];
    uint64_t devices = s->view->allowed[leader];
    const uint64_t room = with_room(s, leader, devices);
    devices = room != 0 ? room : devices;
    int64_t others[REGAL_MAX_DEVICES] = {0}, least = INT64_MAX;
    add_others(s, op, devices, others);
    int32_t best = -1;
    for (; devices != 0; devices &= devices - 1) {
        const int32_t d = regal_set_first(devices);
        const int64_t done = find_slot(s, op, d).finish + others[d];
        if (done < least) {
            least = done;
            best = d;
        }
    }
    return best;
}

static void decide_group(scheduler *s, regal_id op) {
    const regal_id leader = s->view->leader[op];
    if (s->decided[leader])
        return;
    const int32_t device = choose_device(s, op);
    s->decided[leader] = true;
    for (regal_id member = leader; member >= 0; member = s->next[member])
        s->device[member] = (uint8_t)device;
    regal_resident_add(&s->resident, leader, s->next, device);
}

static bool place_op(scheduler *s, regal_id op) {
    const regal_problem_view *view = s->view;
    collect_inputs(s, op);
    if (!regal_timelines_reserve(&s->idle, s->input_count + 1))
        return false;
    decide_group(s, op);
    send_inputs(s, s->device[op]);
    const span slot = find_slot(s, op, s->device[op]);
    regal_timeline_take(&s->idle, device_line(s->device[op]), slot.start, slot.finish - slot.start);
    s->spans[op] = slot;
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c) {
        int64_t *released = &s->released[view->control_successor[c]];
        *released = slot.finish > *released ? slot.finish : *released;
    }
    return true;
}

/* ---- set-up and result ---- */

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

static void destroy_scheduler(scheduler *s) {
    free(s->spans);
    free(s->released);
    free(s->decided);
    free(s->next);
    free(s->sent);
    free(s->copies);
    free(s->inputs);
    regal_timelines_destroy(&s->idle);
    regal_resident_destroy(&s->resident);
}

static regal_status create_scheduler(const regal_problem_view *view, bool contended,
                                     uint8_t *device, scheduler *s) {
    const int64_t n = view->op_count, devices = view->device_count;
    *s = (scheduler){.view = view,
                     .contended = contended,
                     .device = device,
                     .spans = regal_allocate(n, sizeof *s->spans),
                     .released = regal_allocate_zeroed(n, sizeof *s->released),
                     .decided = regal_allocate_zeroed(n, sizeof *s->decided),
                     .next = regal_allocate(n, sizeof *s->next),
                     .sent = regal_allocate_zeroed(view->tensor_count, sizeof *s->sent),
                     .copies = regal_allocate(view->edge_count, sizeof *s->copies),
                     .inputs = regal_allocate(view->edge_count, sizeof *s->inputs)};
    REGAL_FAIL_IF(s->spans == NULL || s->released == NULL || s->decided == NULL ||
                      s->next == NULL || s->sent == NULL || s->copies == NULL || s->inputs == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_link_groups(view, s->next);
    REGAL_FORWARD(regal_timelines_create(contended ? devices * (1 + devices) : devices, &s->idle));
    return regal_resident_create(view, &s->resident);
}

/* Places all ops in sequence; the scheduler must be destroyed whatever comes back. */
static regal_status run(const regal_problem_view *view, bool contended, regal_heuristic *heuristic,
                        scheduler *s) {
    REGAL_FORWARD(create_scheduler(view, contended, heuristic->device, s));
    REGAL_FORWARD(regal_upward_rank_order(view, heuristic->sequence));
    for (int64_t i = 0; i < view->op_count; ++i)
        REGAL_FAIL_IF(!place_op(s, heuristic->sequence[i]), REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status build_plan(const regal_problem *problem, const scheduler *s,
                               regal_plan **plan) {
    const regal_problem_view *view = s->view;
    int64_t transfers = 0;
    for (regal_id t = 0; t < view->tensor_count; ++t)
        transfers += regal_set_size(s->sent[t]);
    REGAL_FORWARD(regal_plan_create(view->op_count, view->device_count, transfers, plan));
    for (regal_id op = 0; op < view->op_count; ++op) {
        (*plan)->placement[op] = s->device[op];
        (*plan)->start[op] = s->spans[op].start;
    }
    regal_transfer *next = (*plan)->transfers;
    for (regal_id t = 0; t < view->tensor_count; ++t)
        for (uint64_t set = s->sent[t]; set != 0; set &= set - 1) {
            const int32_t to = regal_set_first(set);
            *next++ = (regal_transfer){t, to, copy_of(s, t, to)->start};
        }
    return regal_plan_complete(problem, *plan);
}

REGAL_MAKE(heft) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    REGAL_FORWARD(regal_heuristic_create(view, "HEFT", heuristic));
    scheduler s;
    regal_status status = run(view, true, heuristic, &s);
    if (status == REGAL_OK)
        status = build_plan(problem, &s, &heuristic->plan);
    destroy_scheduler(&s);
    if (status != REGAL_OK)
        regal_heuristic_destroy(heuristic);
    return status;
}

regal_status regal_heft_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    REGAL_FORWARD(regal_heuristic_create(view, "HEFT", heuristic));
    scheduler s;
    const regal_status status = run(view, false, heuristic, &s);
    *makespan = 0;
    for (regal_id op = 0; status == REGAL_OK && op < view->op_count; ++op)
        *makespan = s.spans[op].finish > *makespan ? s.spans[op].finish : *makespan;
    destroy_scheduler(&s);
    if (status != REGAL_OK)
        regal_heuristic_destroy(heuristic);
    return status;
}
