/* The simulation (DESIGN 3): placement and ranks -> starts, makespan and peaks. The reference that
 * every fast path and kernel is held to.
 *
 * Names used here: a copy of a tensor on another device, and the transfer that brings it, are named
 * by the first edge whose consumer is on that device. Edges ascend with tensors, so ties between
 * transfers on a link fall to the smaller tensor id. A buffer is a copy (its edge) or the storage
 * of a root tensor (edge_count + root); it is freed when nothing holds it any longer. */
#ifndef REGAL_CORE_SIMULATE_H
#define REGAL_CORE_SIMULATE_H

#include "regal/core/duration.h"
#include "regal/core/pairing_heap.h"
#include "regal/core/placement.h"

typedef struct regal_event {
    int64_t tick;
    int32_t from, to; /* an op on device from == to, or a transfer */
} regal_event;

/* Where the max peak is first reached: the lowest rank not yet started then (under a window; else
 * 0), and the device. At rank 0 the device means nothing. */
typedef struct regal_peak_place {
    regal_id rank;
    int32_t device;
} regal_peak_place;

/* State and scratch of one simulation at a time. */
typedef struct regal_simulation {
    uint8_t *device;         /* [op] in: the placement */
    regal_id *order;         /* [op + edge] in: the ranks of ops; then the order of transfers */
    regal_heap_links *links; /* [op + edge] heaps of ready ops and waiting transfers */
    regal_id *missing;       /* [op] inputs and control predecessors still to come */
    regal_id *edge_buffer;   /* [edge] the buffer that the consumer reads */
    regal_id *holds;         /* [edge + tensor] of a buffer: uses to come */
    uint8_t *started;        /* [op] by rank */
    regal_id *ready;         /* [device] heap of ready ops */
    regal_id *waiting;       /* [from][to] heap of waiting transfers */
    regal_id *running;       /* [from][to] the op (from == to) or edge in work */
    regal_event *events;     /* [from x to] what is in work, latest first */
    uint64_t *link_idle;     /* [from] set of destinations */
    uint64_t *link_waiting;  /* [from] set of destinations */
    int64_t *memory, *peak;  /* [device] */
    int64_t most;            /* on any device so far */
    regal_peak_place peak_place;
    int64_t *load; /* [device] ticks of ops not yet started; kept with a tick_limit only */

    int32_t event_count;
    uint64_t device_idle, device_ready, link_touched; /* sets of devices */
    int64_t tick;
    regal_id lowest; /* rank not yet started */

    /* A plan of a greater makespan or peak is of no interest: the simulation may stop as soon as it
     * is sure of one. INT64_MAX: none. */
    int64_t tick_limit, peak_limit;
    bool over; /* a limit will be, or is, exceeded */

    /* Where the schedule is wanted; NULL otherwise. */
    int64_t *op_start;       /* [op] */
    int64_t *transfer_start; /* [edge] of the first edge of a copy; others are left alone */
} regal_simulation;

/* Keeps the events sorted, the next one last: they are few, and the new one is often among the
 * last. */
REGAL_HD void regal_event_push(regal_simulation *s, int64_t tick, int32_t from, int32_t to) {
    int32_t i = s->event_count++;
    for (; i > 0 && s->events[i - 1].tick < tick; --i)
        s->events[i] = s->events[i - 1];
    s->events[i].tick = tick;
    s->events[i].from = from;
    s->events[i].to = to;
}

REGAL_HD void regal_take_memory(regal_simulation *s, int32_t device, int64_t bytes) {
    s->memory[device] += bytes;
    if (s->memory[device] > s->peak[device]) {
        s->peak[device] = s->memory[device];
        s->over |= s->peak[device] > s->peak_limit;
    }
    if (s->memory[device] > s->most) {
        s->most = s->memory[device];
        s->peak_place.rank = s->lowest;
        s->peak_place.device = device;
    }
}

/* One use of a buffer of `bytes` on `device` has ended. */
REGAL_HD void regal_release_buffer(regal_simulation *s, regal_id buffer, int32_t device,
                                   int64_t bytes) {
    const bool free = --s->holds[buffer] == 0;
    s->memory[device] -= free ? bytes : 0; /* no branch: it could not be predicted */
}

/* One input or control predecessor of an op is there. */
REGAL_HD void regal_release_op(regal_simulation *s, regal_id op) {
    if (--s->missing[op] == 0) {
        const int32_t device = s->device[op];
        s->ready[device] = regal_heap_push(s->links, s->order, s->ready[device], op);
        s->device_ready |= (uint64_t)1 << device;
    }
}

/* Queues the transfer named by `edge`, of the given order, from -> to. Transfers are nodes
 * op_count + edge of the heaps. */
REGAL_HD void regal_queue_transfer(const regal_problem_view *problem, regal_simulation *s,
                                   regal_id edge, regal_id order, int32_t from, int32_t to) {
    const regal_id node = problem->op_count + edge;
    regal_id *queue = &s->waiting[from * problem->device_count + to];
    s->order[node] = order;
    *queue = regal_heap_push(s->links, s->order, *queue, node);
    s->link_waiting[from] |= (uint64_t)1 << to;
    s->link_touched |= (uint64_t)1 << from;
}

/* The producer of a tensor has finished on `from`: local consumers have it, remote devices get a
 * transfer each. transfer_key: [op] for affinity, NULL for inherit. */
REGAL_HD void regal_finish_tensor(const regal_problem_view *problem, regal_simulation *s,
                                  regal_id tensor, int32_t from, const uint16_t *transfer_key) {
    const regal_id storage = problem->edge_count + problem->tensors[tensor].root;
    regal_id first[REGAL_MAX_DEVICES], best[REGAL_MAX_DEVICES], uses = 0;
    uint64_t remote = 0;
    for (regal_id e = problem->tensors[tensor].consumer_begin;
         e < problem->tensors[tensor + 1].consumer_begin; ++e) {
        const regal_id op = problem->consumer[e];
        const int32_t to = s->device[op];
        if (to == from) {
            s->edge_buffer[e] = storage;
            ++uses;
            regal_release_op(s, op);
        } else if ((remote >> to & 1) == 0) {
            remote |= (uint64_t)1 << to;
            first[to] = e;
            best[to] = s->order[op];
            s->edge_buffer[e] = e;
            s->holds[e] = 1;
            ++uses;
        } else {
            best[to] = s->order[op] < best[to] ? s->order[op] : best[to];
            s->edge_buffer[e] = first[to];
            s->holds[first[to]]++;
        }
    }
    for (; remote != 0; remote &= remote - 1) {
        const int32_t to = regal_set_first(remote);
        const regal_id order =
            transfer_key != 0 ? 65535 - transfer_key[problem->tensors[tensor].producer] : best[to];
        regal_queue_transfer(problem, s, first[to], order, from, to);
    }
    if (problem->tensors[tensor].root == tensor)
        s->holds[storage] = problem->tensors[tensor].kept + uses;
    else
        s->holds[storage] += uses;
}

REGAL_HD void regal_finish_op(const regal_problem_view *problem, regal_simulation *s, regal_id op,
                              int32_t device, const uint16_t *transfer_key) {
    const regal_id output_begin = problem->ops[op].output_begin,
                   output_end = problem->ops[op + 1].output_begin;
    s->device_idle |= (uint64_t)1 << device;
    s->memory[device] -= problem->ops[op].workspace;
    /* Outputs first: an alias takes hold of its storage before the input that it aliases lets go.
     */
    for (regal_id o = output_begin; o < output_end; ++o)
        regal_finish_tensor(problem, s, problem->output_tensor[o], device, transfer_key);
    for (regal_id i = problem->ops[op].input_begin; i < problem->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = problem->inputs[i].tensor;
        const regal_id buffer = s->edge_buffer[problem->inputs[i].edge];
        const regal_id root = problem->tensors[tensor].root;
        regal_release_buffer(s, buffer, device,
                             problem->tensors[buffer < problem->edge_count ? tensor : root].bytes);
    }
    for (regal_id o = output_begin; o < output_end; ++o) {
        const regal_id tensor = problem->output_tensor[o];
        if (problem->tensors[tensor].root == tensor && s->holds[problem->edge_count + tensor] == 0)
            s->memory[device] -= problem->tensors[tensor].bytes;
    }
    for (regal_id c = problem->ops[op].control_begin; c < problem->ops[op + 1].control_begin; ++c)
        regal_release_op(s, problem->control_successor[c]);
}

REGAL_HD void regal_finish_transfer(const regal_problem_view *problem, regal_simulation *s,
                                    regal_id edge, int32_t from, int32_t to) {
    const regal_id tensor = problem->edge_tensor[edge], root = problem->tensors[tensor].root;
    s->link_idle[from] |= (uint64_t)1 << to;
    s->link_touched |= (uint64_t)1 << from;
    for (regal_id e = edge; e < problem->tensors[tensor + 1].consumer_begin; ++e)
        if (s->edge_buffer[e] == edge)
            regal_release_op(s, problem->consumer[e]);
    regal_release_buffer(s, problem->edge_count + root, from, problem->tensors[root].bytes);
}

REGAL_HD void regal_finish_event(const regal_problem_view *problem, regal_simulation *s,
                                 regal_event event, const uint16_t *transfer_key) {
    const regal_id item = s->running[event.from * problem->device_count + event.to];
    if (event.from == event.to)
        regal_finish_op(problem, s, item, event.from, transfer_key);
    else
        regal_finish_transfer(problem, s, item, event.from, event.to);
}

REGAL_HD void regal_start_transfer(const regal_problem_view *problem, regal_simulation *s,
                                   int32_t from, int32_t to) {
    const int32_t pair = from * problem->device_count + to;
    const regal_id node = s->waiting[pair], edge = node - problem->op_count;
    const regal_id tensor = problem->edge_tensor[edge];
    s->waiting[pair] = regal_heap_pop(s->links, s->order, node);
    if (s->waiting[pair] < 0)
        s->link_waiting[from] &= ~((uint64_t)1 << to);
    s->link_idle[from] &= ~((uint64_t)1 << to);
    s->running[pair] = edge;
    if (s->transfer_start != 0)
        s->transfer_start[edge] = s->tick;
    regal_take_memory(s, to, problem->tensors[tensor].bytes);
    regal_event_push(s, s->tick + regal_transfer_ticks(problem, tensor, from, to), from, to);
}

REGAL_HD void regal_start_transfers(const regal_problem_view *problem, regal_simulation *s) {
    for (; s->link_touched != 0; s->link_touched &= s->link_touched - 1) {
        const int32_t from = regal_set_first(s->link_touched);
        for (uint64_t to = s->link_idle[from] & s->link_waiting[from]; to != 0; to &= to - 1)
            regal_start_transfer(problem, s, from, regal_set_first(to));
    }
}

REGAL_HD void regal_start_op(const regal_problem_view *problem, regal_simulation *s, regal_id op,
                             int32_t device) {
    s->ready[device] = regal_heap_pop(s->links, s->order, op);
    if (s->ready[device] < 0)
        s->device_ready &= ~((uint64_t)1 << device);
    s->device_idle &= ~((uint64_t)1 << device);
    s->running[device * (problem->device_count + 1)] = op;
    if (s->op_start != 0)
        s->op_start[op] = s->tick;
    regal_take_memory(s, device, problem->ops[op].start_bytes);
    const int64_t ticks = regal_op_ticks(problem, op, device);
    if (s->tick_limit < INT64_MAX) {
        s->over |= s->tick + s->load[device] > s->tick_limit ||
                   s->tick + problem->tail[op] > s->tick_limit;
        s->load[device] -= ticks;
    }
    regal_event_push(s, s->tick + ticks, device, device);
}

/* One pass over the devices in id order; window 0: no limit. True if something started. */
REGAL_HD bool regal_start_pass(const regal_problem_view *problem, regal_simulation *s,
                               int64_t window) {
    bool any = false;
    for (uint64_t set = s->device_idle & s->device_ready; set != 0; set &= set - 1) {
        const int32_t device = regal_set_first(set);
        const regal_id op = s->ready[device], rank = s->order[op];
        if (window > 0) {
            if (rank - s->lowest >= window)
                continue;
            s->started[rank] = 1;
            while (s->lowest < problem->op_count && s->started[s->lowest])
                ++s->lowest;
        }
        regal_start_op(problem, s, op, device);
        any = true;
    }
    return any;
}

REGAL_HD void regal_simulation_reset(const regal_problem_view *problem, regal_simulation *s,
                                     int64_t window) {
    const int32_t devices = problem->device_count;
    const uint64_t all = devices == 64 ? ~(uint64_t)0 : ((uint64_t)1 << devices) - 1;
    s->tick = 0;
    s->lowest = 0;
    s->most = 0;
    s->peak_place.rank = 0;
    s->peak_place.device = 0;
    s->event_count = 0;
    s->over = false;
    s->device_idle = all;
    s->device_ready = 0;
    s->link_touched = 0;
    for (int32_t d = 0; d < devices; ++d) {
        s->ready[d] = -1;
        s->memory[d] = s->peak[d] = s->load[d] = 0;
        s->link_idle[d] = all;
        s->link_waiting[d] = 0;
    }
    for (int32_t pair = 0; pair < devices * devices; ++pair)
        s->waiting[pair] = -1;
    for (regal_id op = 0; op < problem->op_count; ++op)
        s->missing[op] = problem->ops[op].predecessor_count;
    if (window > 0)
        for (regal_id op = 0; op < problem->op_count; ++op)
            s->started[op] = 0;
}

/* Resident parameters are there from the start. */
REGAL_HD void regal_take_resident(const regal_problem_view *problem, regal_simulation *s) {
    for (regal_id p = 0; p < problem->parameter_count; ++p) {
        uint64_t hosts = 0;
        for (regal_id i = problem->parameter_begin[p]; i < problem->parameter_begin[p + 1]; ++i)
            hosts |= (uint64_t)1 << s->device[problem->parameter_op[i]];
        for (; hosts != 0; hosts &= hosts - 1)
            regal_take_memory(s, regal_set_first(hosts), problem->parameter_bytes[p]);
    }
}

/* Loads of the devices under a placement, which alone may exceed the limit. */
REGAL_HD void regal_sum_loads(const regal_problem_view *problem, regal_simulation *s) {
    for (regal_id op = 0; op < problem->op_count; ++op)
        s->load[s->device[op]] += regal_op_ticks(problem, op, s->device[op]);
    for (int32_t d = 0; d < problem->device_count; ++d)
        s->over |= s->load[d] > s->tick_limit;
}

/* Runs placement s->device and ranks s->order under the window. transfer_key: [op] for affinity,
 * NULL for inherit. Returns the makespan, with the peaks in s->peak and s->peak_place; or -1 if and
 * only if one of them exceeds its limit. */
REGAL_HD int64_t regal_simulate(const regal_problem_view *given_problem,
                                regal_simulation *given_state, int64_t window,
                                const uint16_t *transfer_key) {
    /* Copies, which no store to an array can change: they stay in registers. */
    const regal_problem_view view = *given_problem, *problem = &view;
    regal_simulation state = *given_state, *s = &state;
    regal_simulation_reset(problem, s, window);
    regal_take_resident(problem, s);
    if (s->tick_limit < INT64_MAX)
        regal_sum_loads(problem, s);
    for (regal_id op = 0; op < problem->op_count; ++op)
        if (s->missing[op] == 0) {
            s->missing[op] = 1;
            regal_release_op(s, op);
        }
    while (!s->over) {
        regal_start_transfers(problem, s);
        while (regal_start_pass(problem, s, window) && window > 0)
            ;
        if (s->event_count == 0)
            break;
        s->tick = s->events[s->event_count - 1].tick;
        do
            regal_finish_event(problem, s, s->events[--s->event_count], transfer_key);
        while (s->event_count > 0 && s->events[s->event_count - 1].tick == s->tick);
    }
    *given_state = state;
    return s->over || s->tick > s->tick_limit ? -1 : s->tick;
}

#endif
