/* Keys -> placement and ranks, as core/placement.h and core/rank.h do. */
#ifndef REGAL_SIMD_COMPACT_RANKS_H
#define REGAL_SIMD_COMPACT_RANKS_H

#include "regal/core/placement.h"
#include "simd/compact/simulator.h"

/* Where every op may run on every device: no branch that depends on a key. */
static inline void place_inherit_free(const compact_problem *g, const uint16_t *keys,
                                      uint8_t *device) {
    const uint32_t devices = (uint32_t)g->device_count;
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const uint32_t key = keys[g->number[v]], lead = g->lead[v];
        const bool leads = lead != g->op_count;
        const uint32_t above =
            (key - REGAL_INHERIT_BELOW) * devices / (65536u - REGAL_INHERIT_BELOW);
        const uint32_t own = leads ? above : key * devices >> 16;
        device[v] = leads && key < REGAL_INHERIT_BELOW ? device[lead] : (uint8_t)own;
    }
}

static inline void place_inherit(const compact_problem *g, const uint16_t *keys, uint8_t *device) {
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const uint32_t leader = g->leader[v], lead = g->lead[v];
        if (leader != v)
            device[v] = device[leader];
        else
            device[v] = (uint8_t)regal_inherit_device(
                g->allowed[v], lead != g->op_count ? device[lead] : -1, keys[g->number[v]]);
    }
}

static inline void place_affinity_free(const compact_problem *g, const uint16_t *affinity,
                                       uint8_t *device) {
    const uint32_t devices = (uint32_t)g->device_count;
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const uint16_t *keys = affinity + (size_t)g->number[v] * devices;
        /* The greatest key, then the lowest device. */
        uint32_t best = (uint32_t)keys[0] << 8 | 255;
        for (uint32_t d = 1; d < devices; ++d) {
            const uint32_t one = (uint32_t)keys[d] << 8 | (255 - d);
            best = one > best ? one : best;
        }
        device[v] = (uint8_t)(255 - (best & 255));
    }
}

static inline void place_affinity(const compact_problem *g, const uint16_t *affinity,
                                  uint8_t *device) {
    for (uint32_t v = 0; v < g->op_count; ++v) {
        const uint32_t leader = g->leader[v];
        device[v] = leader != v ? device[leader]
                                : (uint8_t)regal_affinity_device(
                                      g->allowed[v],
                                      affinity + (size_t)g->number[v] * (uint32_t)g->device_count);
    }
}

/* Ops by (key descending, number ascending) -> s->order. */
static inline void order_by_key(const compact_problem *g, compact_simulator *s,
                                const uint16_t *key) {
    uint32_t low[256] = {0}, high[256] = {0}, low_sum = 0, high_sum = 0;
    const uint32_t n = g->op_count;
    for (uint32_t i = 0; i < n; ++i) {
        const uint16_t inverse = (uint16_t)~key[i];
        low[inverse & 255]++;
        high[inverse >> 8]++;
    }
    for (int byte = 0; byte < 256; ++byte) {
        const uint32_t low_count = low[byte], high_count = high[byte];
        low[byte] = low_sum;
        high[byte] = high_sum;
        low_sum += low_count;
        high_sum += high_count;
    }
    for (uint32_t i = 0; i < n; ++i)
        s->sorted[low[~key[i] & 255]++] = (compact_id)i;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t op = s->sorted[i];
        s->order[high[(uint16_t)~key[op] >> 8]++] = g->op_at[op];
    }
}

static inline void set_states(const compact_problem *g, compact_simulator *s) {
    for (uint32_t v = 0; v < g->op_count; ++v)
        s->state[v] = g->fresh[v] | (compact_state)s->device[v] << DEVICE_SHIFT;
    for (uint32_t rank = 0; rank < g->op_count; ++rank)
        s->state[s->order[rank]] |= rank;
}

COMPACT_INLINE void kahn_release(compact_simulator *s, ready_ops *ready, uint32_t op) {
    const compact_state left = s->state[op] -= (compact_state)1 << MISSING_SHIFT;
    ready_add(ready, (compact_id)left, left >> MISSING_SHIFT == 0);
}

/* Kahn's order by the ranks in s->state and s->order, to s->order; spoils s->state. */
static inline void kahn_order(const compact_problem *g, compact_simulator *s) {
    ready_ops ready = ready_clear(&s->ready, 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->source_count; ++i)
        ready_add(&ready, (compact_id)s->state[g->source[i]], 1);
    while (count < g->op_count) {
        const uint32_t op = s->order[ready.least];
        ready_take_least(&s->ready, &ready, 0);
        s->sorted[count++] = (compact_id)op;
        const uint32_t begin = g->tensors[g->ops[op].output_begin].consumer_begin;
        const uint32_t end = g->tensors[g->ops[op + 1].output_begin].consumer_begin;
        for (uint32_t e = begin; e < end; ++e)
            kahn_release(s, &ready, g->consumer[e]);
        for (uint32_t c = g->ops[op].control_begin; c < g->ops[op + 1].control_begin; ++c)
            kahn_release(s, &ready, g->control[c]);
    }
    compact_id *order = s->order;
    s->order = s->sorted;
    s->sorted = order;
}

/* s->device and priority keys [op number] -> s->order and s->state. */
static inline void set_order(const compact_problem *g, compact_simulator *s,
                             const uint16_t *priority, int64_t window) {
    order_by_key(g, s, priority);
    set_states(g, s);
    if (window > 0) {
        kahn_order(g, s);
        set_states(g, s);
    }
}

#endif
