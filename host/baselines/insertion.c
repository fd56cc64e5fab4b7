#include "baselines/insertion.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/duration.h"
#include "regal/core/placement.h"

static int64_t link_line(const regal_insertion *s, int32_t from, int32_t to) {
    return (1 + (int64_t)from) * s->view->device_count + to;
}

/* ---- inputs ---- */

static int compare_inputs(const void *a, const void *b) {
    const regal_arrival *x = a, *y = b;
    if (x->available != y->available)
        return x->available < y->available ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static void collect_inputs(regal_insertion *s, regal_id op) {
    const regal_problem_view *view = s->view;
    s->input_count = 0;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor, producer = view->tensors[tensor].producer;
        s->inputs[s->input_count++] =
            (regal_arrival){s->spans[producer].finish, tensor, s->device[producer]};
    }
    qsort(s->inputs, (size_t)s->input_count, sizeof *s->inputs, compare_inputs);
}

static regal_span *copy_of(const regal_insertion *s, regal_id tensor, int32_t to) {
    const uint64_t before = s->sent[tensor] & (((uint64_t)1 << to) - 1);
    return &s->copies[s->view->tensors[tensor].consumer_begin + regal_set_size(before)];
}

static bool is_there(const regal_insertion *s, const regal_arrival *in, int32_t device) {
    return in->from == device || (s->sent[in->tensor] >> device & 1) != 0;
}

/* The transfer of an input that is not there; link_free [from]: end of the op's own transfers. */
static regal_span find_transfer(const regal_insertion *s, const regal_arrival *in, int32_t to,
                                int64_t *link_free) {
    const int64_t ticks = regal_transfer_ticks(s->view, in->tensor, in->from, to);
    int64_t start = in->available;
    if (s->contended) {
        start = start > link_free[in->from] ? start : link_free[in->from];
        start = regal_timeline_find(&s->idle, link_line(s, in->from, to), start, ticks);
        link_free[in->from] = start + ticks;
    }
    return (regal_span){start, start + ticks};
}

static int64_t arrival(const regal_insertion *s, const regal_arrival *in, int32_t to,
                       int64_t *link_free) {
    if (in->from == to)
        return in->available;
    if (is_there(s, in, to))
        return copy_of(s, in->tensor, to)->finish;
    return find_transfer(s, in, to, link_free).finish;
}

/* When the op at hand has everything that it needs on a device. */
static int64_t ready_tick(const regal_insertion *s, regal_id op, int32_t device) {
    int64_t link_free[REGAL_MAX_DEVICES] = {0}, ready = s->released[op];
    for (int64_t i = 0; i < s->input_count; ++i) {
        const int64_t there = arrival(s, &s->inputs[i], device, link_free);
        ready = there > ready ? there : ready;
    }
    return ready;
}

static void record_copy(regal_insertion *s, regal_id tensor, int32_t to, regal_span transfer) {
    regal_span *place = copy_of(s, tensor, to);
    for (uint64_t later = s->sent[tensor] >> to; later != 0; later &= later - 1) {
        const regal_span moved = *place;
        *place++ = transfer;
        transfer = moved;
    }
    *place = transfer;
    s->sent[tensor] |= (uint64_t)1 << to;
}

static void send_inputs(regal_insertion *s, int32_t to) {
    int64_t link_free[REGAL_MAX_DEVICES] = {0};
    for (int64_t i = 0; i < s->input_count; ++i) {
        const regal_arrival *in = &s->inputs[i];
        if (is_there(s, in, to))
            continue;
        const regal_span transfer = find_transfer(s, in, to, link_free);
        if (s->contended)
            regal_timeline_take(&s->idle, link_line(s, in->from, to), transfer.start,
                                transfer.finish - transfer.start);
        record_copy(s, in->tensor, to, transfer);
    }
}

/* ---- ops ---- */

regal_span regal_insertion_slot(const regal_insertion *s, regal_id op, int32_t device) {
    const int64_t ticks = regal_op_ticks(s->view, op, device);
    int64_t ready = ready_tick(s, op, device);
    if (s->append && ready < regal_timeline_end(&s->idle, device))
        ready = regal_timeline_end(&s->idle, device);
    const int64_t start = regal_timeline_find(&s->idle, device, ready, ticks);
    return (regal_span){start, start + ticks};
}

/* Adds the ticks of the other ops of the group on each of the devices. */
static void add_others(const regal_insertion *s, regal_id op, uint64_t devices, int64_t *ticks) {
    for (regal_id other = s->view->leader[op]; other >= 0; other = s->next[other])
        for (uint64_t set = other != op ? devices : 0; set != 0; set &= set - 1) {
            const int32_t d = regal_set_first(set);
            ticks[d] += regal_op_ticks(s->view, other, d);
        }
}

/* Those of the devices that can still take for good what the group leaves there. */
static uint64_t with_room(regal_insertion *s, regal_id leader, uint64_t devices) {
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

uint64_t regal_insertion_devices(regal_insertion *s, regal_id op) {
    const regal_id leader = s->view->leader[op];
    const uint64_t room = with_room(s, leader, s->view->allowed[leader]);
    return room != 0 ? room : s->view->allowed[leader];
}

int32_t regal_insertion_first_done(regal_insertion *s, regal_id op, const int64_t *more) {
    int64_t others[REGAL_MAX_DEVICES] = {0};
    __int128 least = 0;
    uint64_t devices = regal_insertion_devices(s, op);
    add_others(s, op, devices, others);
    int32_t best = -1;
    for (; devices != 0; devices &= devices - 1) {
        const int32_t d = regal_set_first(devices);
        const __int128 done = (__int128)regal_insertion_slot(s, op, d).finish + others[d] +
                              (more != NULL ? more[d] : 0);
        if (best < 0 || done < least) {
            least = done;
            best = d;
        }
    }
    return best;
}

static void decide_group(regal_insertion *s, regal_id op, int32_t device) {
    const regal_id leader = s->view->leader[op];
    if (s->decided[leader])
        return;
    s->decided[leader] = true;
    for (regal_id member = leader; member >= 0; member = s->next[member])
        s->device[member] = (uint8_t)device;
    regal_resident_add(&s->resident, leader, s->next, device);
}

static void place_op(regal_insertion *s, regal_id op, int32_t device) {
    const regal_problem_view *view = s->view;
    decide_group(s, op, device);
    send_inputs(s, device);
    const regal_span slot = regal_insertion_slot(s, op, device);
    regal_timeline_take(&s->idle, device, slot.start, slot.finish - slot.start);
    s->spans[op] = slot;
    for (regal_id c = view->ops[op].control_begin; c < view->ops[op + 1].control_begin; ++c) {
        int64_t *released = &s->released[view->control_successor[c]];
        *released = slot.finish > *released ? slot.finish : *released;
    }
}

regal_status regal_insertion_place_all(regal_insertion *s, const regal_id *sequence,
                                       regal_choose *choose, void *context) {
    for (int64_t i = 0; i < s->view->op_count; ++i) {
        const regal_id op = sequence[i];
        collect_inputs(s, op);
        REGAL_FAIL_IF(!regal_timelines_reserve(&s->idle, s->input_count + 1), REGAL_OUT_OF_MEMORY,
                      "memory ran out");
        const bool decided = s->decided[s->view->leader[op]];
        place_op(s, op, decided ? s->device[op] : choose(s, op, context));
    }
    return REGAL_OK;
}

/* ---- set-up and result ---- */

static void destroy_insertion(regal_insertion *s) {
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

static regal_status create_insertion(const regal_problem_view *view, bool contended,
                                     uint8_t *device, regal_insertion *s) {
    const int64_t n = view->op_count, devices = view->device_count;
    *s = (regal_insertion){.view = view,
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

static regal_status build_plan(const regal_problem *problem, const regal_insertion *s,
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

/* Runs a method; the insertion must be destroyed whatever comes back. */
static regal_status run_method(const regal_problem_view *view, const char *name, bool contended,
                               regal_insertion_method *method, regal_heuristic *heuristic,
                               regal_insertion *s) {
    *s = (regal_insertion){0};
    REGAL_FORWARD(regal_heuristic_create(view, name, heuristic));
    REGAL_FORWARD(create_insertion(view, contended, heuristic->device, s));
    return method(s, heuristic->sequence);
}

regal_status regal_insertion_make(const regal_problem *problem, const char *name,
                                  regal_insertion_method *method, regal_heuristic *heuristic) {
    regal_insertion s;
    regal_status status =
        run_method(regal_problem_get_view(problem), name, true, method, heuristic, &s);
    if (status == REGAL_OK)
        status = build_plan(problem, &s, &heuristic->plan);
    destroy_insertion(&s);
    if (status != REGAL_OK)
        regal_heuristic_destroy(heuristic);
    return status;
}

regal_status regal_insertion_contention_free(const regal_problem *problem, const char *name,
                                             regal_insertion_method *method,
                                             regal_heuristic *heuristic, int64_t *makespan) {
    regal_insertion s;
    const regal_problem_view *view = regal_problem_get_view(problem);
    const regal_status status = run_method(view, name, false, method, heuristic, &s);
    *makespan = 0;
    for (regal_id op = 0; status == REGAL_OK && op < view->op_count; ++op)
        *makespan = s.spans[op].finish > *makespan ? s.spans[op].finish : *makespan;
    destroy_insertion(&s);
    if (status != REGAL_OK)
        regal_heuristic_destroy(heuristic);
    return status;
}
