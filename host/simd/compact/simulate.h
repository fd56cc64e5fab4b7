/* core/simulate.h without its branches: the same result from the same state, for a pitch that is
 * known when it is compiled. It keeps no schedule. */
#ifndef REGAL_SIMD_COMPACT_SIMULATE_H
#define REGAL_SIMD_COMPACT_SIMULATE_H

#include "regal/core/placement.h"
#include "simd/compact/simulator.h"

/* In a window of 1 only the next op of the order can start: `in_order`, known when compiled, too,
 * for then no ready ops need be kept. */

/* The consumers of the tensor at hand that are on one device. Between tensors: none. */
typedef struct device_consumers {
    uint32_t best;  /* least rank, or UINT32_MAX */
    uint32_t first; /* place among the tensor's consumers, or NO_PLACE */
} device_consumers;
#define NO_CONSUMERS ((device_consumers){UINT32_MAX, NO_PLACE})

/* What is in work: an op, or a tensor and the place of its first consumer there. */
typedef struct running_item {
    uint32_t item, place;
} running_item;

typedef struct device_memory {
    int64_t bytes, peak;
} device_memory;

typedef struct simulation {
    const compact_problem *g;
    compact_simulator *s;
    const uint16_t *transfer_key; /* [op number] for affinity, NULL for inherit */
    event_clock clock;
    /* Sets of slots. Waiting: something is there to be started. */
    uint64_t idle, waiting;
    ready_ops ready[8];            /* [device] */
    device_consumers consumers[8]; /* [device] */
    device_memory memory[8];       /* [device] */
    int64_t load[8];               /* [device] */
    running_item running[64];      /* [slot] */
    int64_t most;                  /* bytes on any device so far */
    uint64_t peak_place;           /* rank << 8 | device */
    int64_t base;                  /* tick 0 of the clock */
    int32_t now;
    int64_t window;
    uint32_t lowest; /* rank not yet started */
    bool limited, over;
} simulation;

/* The slots that are devices. */
COMPACT_INLINE uint64_t device_slots(const int pitch) {
    return pitch == 1 ? 0x1 : pitch == 2 ? 0x9 : pitch == 4 ? 0x8421 : 0x8040201008040201;
}

COMPACT_INLINE uint32_t state_device(const int pitch, compact_state state) {
    return pitch == 1 ? 0 : (uint32_t)(state >> DEVICE_SHIFT) & 7;
}

COMPACT_INLINE int32_t op_ticks(const compact_problem *g, uint32_t slot, uint32_t op) {
    return g->class_count == 1 ? g->ops[op].ticks : g->slot_ticks[slot][op];
}

COMPACT_INLINE void take_memory(simulation *run, uint32_t device, int64_t bytes) {
    device_memory *memory = &run->memory[device];
    const int64_t now = memory->bytes + bytes;
    memory->bytes = now;
    memory->peak = now > memory->peak ? now : memory->peak;
    const bool rises = now > run->most;
    run->most = rises ? now : run->most;
    run->peak_place = rises ? (uint64_t)run->lowest << 8 | device : run->peak_place;
}

/* One input or control predecessor of an op is there. */
COMPACT_INLINE void release_op(simulation *run, const bool in_order, ready_ops *ready, uint32_t op,
                               compact_state state, bool here) {
    const compact_state left = state - ((compact_state)here << MISSING_SHIFT);
    run->s->state[op] = left;
    if (!in_order)
        ready_add(ready, (compact_id)left, left >> MISSING_SHIFT == 0);
}

/* Puts back what release_op changed of a device. */
COMPACT_INLINE void keep_ready(simulation *run, const int pitch, const bool in_order,
                               ready_ops ready, uint32_t device) {
    if (in_order)
        return;
    run->ready[device] = ready;
    run->waiting |= (uint64_t)(ready.least != UINT32_MAX) << device * (uint32_t)(pitch + 1);
}

COMPACT_INLINE void queue_transfer(simulation *run, const int pitch, uint32_t tensor, uint32_t from,
                                   uint32_t to) {
    const compact_problem *g = run->g;
    const uint32_t best = run->consumers[to].best, first = run->consumers[to].first;
    const uint32_t order = run->transfer_key == NULL
                               ? best
                               : 65535u - run->transfer_key[g->number[g->producer[tensor]]];
    run->consumers[to] = NO_CONSUMERS;
    const uint32_t slot = from * (uint32_t)pitch + to;
    link_queue_push(&run->s->queues, slot, transfer_word(order, g->tensors[tensor].number, first));
    run->waiting |= (uint64_t)1 << slot;
}

/* Counts the uses of a tensor on `from` beside its consumers'; returns the bytes that are free at
 * once because it has none. */
COMPACT_INLINE int64_t hold_tensor(simulation *run, const int pitch, const bool aliases,
                                   uint32_t tensor, uint32_t from, uint32_t copies) {
    const compact_problem *g = run->g;
    compact_id *own = &run->s->holds[(size_t)tensor * (uint32_t)pitch + from];
    const uint32_t uses = *own + copies + g->kept[tensor];
    const uint32_t root = aliases ? g->root[tensor] : tensor;
    if (root != tensor) { /* the uses of an alias hold its root */
        run->s->holds[(size_t)root * (uint32_t)pitch + from] += (compact_id)uses;
        *own = 0;
        return 0;
    }
    *own = (compact_id)uses;
    return g->tensors[tensor].bytes & -(int64_t)(uses == 0);
}

COMPACT_INLINE int64_t finish_tensor(simulation *run, const int pitch, const bool in_order,
                                     const bool aliases, uint32_t tensor, uint32_t from) {
    const compact_problem *g = run->g;
    compact_id *holds = run->s->holds + (size_t)tensor * (uint32_t)pitch;
    const uint32_t begin = g->tensors[tensor].consumer_begin;
    const uint32_t count = g->tensors[tensor + 1].consumer_begin - begin;
    const compact_id *consumer = g->consumer + begin;
    uint16_t *next = run->s->next + begin;
    ready_ops ready = run->ready[from];
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t op = consumer[i];
        const compact_state state = run->s->state[op];
        const uint32_t to = state_device(pitch, state), rank = (compact_id)state;
        COMPACT_PREFETCH(&g->ops[op]); /* it may start soon */
        holds[to]++;
        if (pitch > 1) {
            device_consumers *there = &run->consumers[to];
            next[i] = (uint16_t)there->first;
            there->first = i;
            there->best = rank < there->best ? rank : there->best;
            seen |= (uint64_t)1 << to;
        }
        /* An op elsewhere still misses this tensor, so it is not ready. */
        release_op(run, in_order, &ready, op, state, to == from);
    }
    keep_ready(run, pitch, in_order, ready, from);
    run->consumers[from] = NO_CONSUMERS;
    const uint64_t remote = seen & ~((uint64_t)1 << from);
    for (uint64_t set = remote; set != 0; set &= set - 1)
        queue_transfer(run, pitch, tensor, from, (uint32_t)regal_set_first(set));
    return hold_tensor(run, pitch, aliases, tensor, from, (uint32_t)regal_set_size(remote));
}

/* The bytes that are free when one use of a tensor on a device ends. */
COMPACT_INLINE int64_t release_hold(simulation *run, const int pitch, uint32_t tensor,
                                    uint32_t device) {
    const compact_id left = --run->s->holds[(size_t)tensor * (uint32_t)pitch + device];
    return run->g->tensors[tensor].bytes & -(int64_t)(left == 0);
}

COMPACT_INLINE int64_t release_inputs(simulation *run, const int pitch, const bool aliases,
                                      uint32_t op, uint32_t device) {
    const compact_problem *g = run->g;
    const compact_id *end = g->input + g->ops[op + 1].input_begin;
    int64_t freed = 0;
    for (const compact_id *input = g->input + g->ops[op].input_begin; input < end; ++input) {
        uint32_t tensor = *input;
        if (aliases && state_device(pitch, run->s->state[g->producer[tensor]]) == device)
            tensor = g->root[tensor];
        freed += release_hold(run, pitch, tensor, device);
    }
    return freed;
}

COMPACT_INLINE void release_successors(simulation *run, const int pitch, const bool in_order,
                                       uint32_t op) {
    const compact_problem *g = run->g;
    const uint32_t end = g->ops[op + 1].control_begin;
    for (uint32_t c = g->ops[op].control_begin; c < end; ++c) {
        const compact_state state = run->s->state[g->control[c]];
        const uint32_t device = state_device(pitch, state);
        ready_ops ready = run->ready[device];
        release_op(run, in_order, &ready, g->control[c], state, true);
        keep_ready(run, pitch, in_order, ready, device);
    }
}

COMPACT_INLINE void finish_op(simulation *run, const int pitch, const bool in_order,
                              const bool aliases, uint32_t op, uint32_t device) {
    const compact_problem *g = run->g;
    const uint32_t end = g->ops[op + 1].output_begin;
    int64_t freed = g->ops[op].workspace;
    /* Outputs first: an alias takes hold of its storage before the input that it aliases lets go.
     */
    for (uint32_t t = g->ops[op].output_begin; t < end; ++t)
        freed += finish_tensor(run, pitch, in_order, aliases, t, device);
    run->memory[device].bytes -= freed + release_inputs(run, pitch, aliases, op, device);
    release_successors(run, pitch, in_order, op);
}

COMPACT_INLINE void finish_transfer(simulation *run, const int pitch, const bool in_order,
                                    const bool aliases, uint32_t slot) {
    const compact_problem *g = run->g;
    const uint32_t from = slot / (uint32_t)pitch, to = slot % (uint32_t)pitch;
    const uint32_t tensor = run->running[slot].item;
    uint32_t place = run->running[slot].place;
    const uint32_t begin = g->tensors[tensor].consumer_begin;
    ready_ops ready = run->ready[to];
    do {
        const uint32_t op = g->consumer[begin + place];
        release_op(run, in_order, &ready, op, run->s->state[op], true);
        place = run->s->next[begin + place];
    } while (place != NO_PLACE);
    keep_ready(run, pitch, in_order, ready, to);
    run->memory[from].bytes -= release_hold(run, pitch, aliases ? g->root[tensor] : tensor, from);
}

COMPACT_INLINE void start_transfer(simulation *run, const int pitch, uint32_t slot) {
    const compact_problem *g = run->g;
    link_queue *queue = &run->s->queues.queue[slot];
    const uint64_t transfer = link_queue_pop(queue);
    const uint32_t tensor = g->tensor_at[transfer_tensor(transfer)];
    run->waiting &= ~((uint64_t)(queue->count == 0) << slot);
    run->idle &= ~((uint64_t)1 << slot);
    run->running[slot].item = tensor;
    run->running[slot].place = transfer_place(transfer);
    clock_put(&run->clock, pitch, slot, run->now + g->slot_ticks[slot][tensor]);
    take_memory(run, slot % (uint32_t)pitch, g->tensors[tensor].bytes);
}

COMPACT_INLINE void start_op(simulation *run, const int pitch, uint32_t op, uint32_t device) {
    const compact_problem *g = run->g;
    const uint32_t slot = device * (uint32_t)(pitch + 1);
    const int32_t ticks = op_ticks(g, slot, op);
    run->idle &= ~((uint64_t)1 << slot);
    run->running[slot].item = op;
    clock_put(&run->clock, pitch, slot, run->now + ticks);
    take_memory(run, device, g->ops[op].start_bytes);
    /* What its end reads. */
    COMPACT_PREFETCH(&g->tensors[g->ops[op].output_begin]);
    COMPACT_PREFETCH(&g->input[g->ops[op].input_begin]);
    COMPACT_PREFETCH(&run->s->holds[(size_t)g->ops[op].output_begin * (uint32_t)pitch]);
    if (run->limited) {
        const int64_t tick = run->base + run->now;
        run->over |= (tick + run->load[device] > run->s->tick_limit) |
                     (tick + g->tail[op] > run->s->tick_limit);
        run->load[device] -= ticks;
    }
}

/* Ranks from which the window counts: the lowest not yet started. */
COMPACT_INLINE void note_started(simulation *run, uint32_t rank) {
    uint64_t *ranks = run->s->waiting_ranks;
    ranks[rank >> 6] &= ~((uint64_t)1 << (rank & 63));
    uint32_t word = run->lowest >> 6;
    const uint32_t last = run->g->op_count >> 6;
    while (ranks[word] == 0 && word < last)
        ++word;
    run->lowest =
        ranks[word] != 0 ? word * 64 + (uint32_t)__builtin_ctzll(ranks[word]) : run->g->op_count;
}

/* Starts the best ready op of a device, if the window lets it. */
COMPACT_INLINE bool start_best(simulation *run, const int pitch, uint32_t device) {
    const ready_sets *sets = &run->s->ready;
    const uint32_t rank = run->ready[device].least;
    if (run->window > 0) {
        if ((int64_t)rank - run->lowest >= run->window)
            return false;
        note_started(run, rank);
    }
    start_op(run, pitch, run->s->order[rank], device);
    const bool empty = ready_take_least(sets, &run->ready[device], device);
    run->waiting &= ~((uint64_t)empty << device * (uint32_t)(pitch + 1));
    return true;
}

/* One pass over the devices in id order; true if something started. */
COMPACT_INLINE bool start_pass(simulation *run, const int pitch) {
    bool any = false;
    uint64_t set = run->idle & run->waiting & device_slots(pitch);
    for (; set != 0; set &= set - 1)
        any |= start_best(run, pitch, (uint32_t)regal_set_first(set) / (uint32_t)pitch);
    return any;
}

COMPACT_INLINE void start_in_order(simulation *run, const int pitch) {
    while (run->lowest < run->g->op_count) {
        const uint32_t op = run->s->order[run->lowest];
        const compact_state state = run->s->state[op];
        const uint32_t device = state_device(pitch, state);
        if (state >> MISSING_SHIFT != 0 || (run->idle >> device * (uint32_t)(pitch + 1) & 1) == 0)
            return;
        run->lowest++;
        start_op(run, pitch, op, device);
    }
}

COMPACT_INLINE void start_transfers(simulation *run, const int pitch) {
    uint64_t set = run->idle & run->waiting & ~device_slots(pitch);
    for (; set != 0; set &= set - 1)
        start_transfer(run, pitch, (uint32_t)regal_set_first(set));
}

COMPACT_INLINE void start_all(simulation *run, const int pitch, const bool in_order) {
    if (pitch > 1)
        start_transfers(run, pitch);
    if (in_order)
        start_in_order(run, pitch);
    else
        while (start_pass(run, pitch) && run->window > 0)
            ;
}

COMPACT_INLINE void finish_slots(simulation *run, const int pitch, const bool in_order,
                                 const bool aliases, uint64_t finished) {
    run->idle |= finished;
    for (uint64_t set = finished & device_slots(pitch); set != 0; set &= set - 1) {
        const uint32_t slot = (uint32_t)regal_set_first(set);
        finish_op(run, pitch, in_order, aliases, run->running[slot].item, slot / (uint32_t)pitch);
    }
    if (pitch == 1)
        return;
    for (uint64_t set = finished & ~device_slots(pitch); set != 0; set &= set - 1) {
        const uint32_t slot = (uint32_t)regal_set_first(set);
        finish_transfer(run, pitch, in_order, aliases, slot);
    }
}

COMPACT_INLINE void reset(simulation *run, const int pitch, const bool in_order) {
    const compact_problem *g = run->g;
    compact_simulator *s = run->s;
    clock_clear(&run->clock);
    run->idle = ~(uint64_t)0;
    run->waiting = 0;
    for (int slot = 0; slot < pitch * pitch; ++slot)
        run->running[slot].item = run->running[slot].place = 0;
    for (uint32_t from = 0; from < (uint32_t)pitch; ++from) {
        run->consumers[from] = NO_CONSUMERS;
        run->memory[from] = (device_memory){0, 0};
        run->load[from] = 0;
    }
    memset(s->holds, 0, (size_t)g->tensor_count * (uint32_t)pitch * sizeof *s->holds);
    if (pitch > 1)
        link_queues_clear(&s->queues, (uint32_t)(pitch * pitch));
    for (uint32_t device = 0; !in_order && device < (uint32_t)g->device_count; ++device)
        run->ready[device] = ready_clear(&s->ready, device);
    if (run->window > 0) {
        memset(s->waiting_ranks, 0xff, g->op_count / 64 * sizeof(uint64_t));
        s->waiting_ranks[g->op_count / 64] = ((uint64_t)1 << g->op_count % 64) - 1;
    }
}

/* Resident parameters are there from the start. */
COMPACT_INLINE void take_resident(simulation *run) {
    const regal_problem_view *view = run->g->view;
    for (regal_id p = 0; p < view->parameter_count; ++p) {
        uint64_t hosts = 0;
        for (regal_id i = view->parameter_begin[p]; i < view->parameter_begin[p + 1]; ++i)
            hosts |= (uint64_t)1 << run->s->device[run->g->op_at[view->parameter_op[i]]];
        for (; hosts != 0; hosts &= hosts - 1)
            take_memory(run, (uint32_t)regal_set_first(hosts), view->parameter_bytes[p]);
    }
}

COMPACT_INLINE void sum_loads(simulation *run) {
    const compact_problem *g = run->g;
    for (uint32_t op = 0; op < g->op_count; ++op) {
        const uint32_t device = run->s->device[op];
        run->load[device] += op_ticks(g, device * (uint32_t)(g->pitch + 1), op);
    }
    for (uint32_t d = 0; d < (uint32_t)g->device_count; ++d)
        run->over |= run->load[d] > run->s->tick_limit;
}

COMPACT_INLINE void release_sources(simulation *run, const int pitch, const bool in_order) {
    for (uint32_t i = 0; i < run->g->source_count; ++i) {
        const uint32_t op = run->g->source[i];
        const compact_state state = run->s->state[op] + ((compact_state)1 << MISSING_SHIFT);
        const uint32_t device = state_device(pitch, state);
        ready_ops ready = run->ready[device];
        release_op(run, in_order, &ready, op, state, true);
        keep_ready(run, pitch, in_order, ready, device);
    }
}

/* Moves on to the next tick; false if nothing is in work. */
COMPACT_INLINE bool move_on(simulation *run) {
    run->now = run->clock.next;
    if (__builtin_expect(run->now < CLOCK_MOST, 1))
        return true;
    if (run->now == CLOCK_NEVER)
        return false;
    /* Count ticks on from now, before they outgrow the clock's. */
    clock_shift(&run->clock, run->now);
    run->base += run->now;
    run->now = 0;
    return true;
}

/* From s->device, s->state and s->order to the makespan, with the peaks in s->peak and
 * s->peak_place; -1 if and only if one of them exceeds its limit. */
COMPACT_INLINE int64_t simulate(compact_simulator *s, const int pitch, const bool in_order,
                                int64_t window, const uint16_t *transfer_key) {
    simulation state, *run = &state;
    const bool aliases = s->problem->has_aliases;
    int64_t last = 0; /* tick at which something ended */
    run->g = s->problem;
    run->s = s;
    run->transfer_key = transfer_key;
    run->window = window;
    run->base = run->now = 0;
    run->most = 0;
    run->peak_place = 0;
    run->lowest = 0;
    run->over = false;
    run->limited = s->tick_limit < INT64_MAX;
    reset(run, pitch, in_order);
    take_resident(run);
    if (run->limited)
        sum_loads(run);
    release_sources(run, pitch, in_order);
    for (;;) {
        start_all(run, pitch, in_order);
        if (run->over || run->most > s->peak_limit || !move_on(run))
            break;
        last = run->base + run->now;
        finish_slots(run, pitch, in_order, aliases, clock_take(&run->clock, pitch));
    }
    for (uint32_t d = 0; d < (uint32_t)run->g->device_count; ++d)
        s->peak[d] = run->memory[d].peak;
    s->peak_place = (regal_peak_place){(regal_id)(run->peak_place >> 8), run->peak_place & 255};
    return run->over || run->most > s->peak_limit || last > s->tick_limit ? -1 : last;
}

#endif
