/* The ready ops of a device: the few latest ranks in no order, to be searched with SIMD, the others
 * in a set of ranks with summaries above (a bit of a level says that the word below it is not 0).
 * Adding a rank is a store, without a branch; finding the least takes no loop. */
#ifndef REGAL_SIMD_COMPACT_READY_SET_H
#define REGAL_SIMD_COMPACT_READY_SET_H

#include <string.h>

#include "simd/compact/lane_search.h"
#include "simd/compact/types.h"

typedef struct rank_set {
    uint64_t top;
    uint32_t least; /* or UINT32_MAX */
} rank_set;

typedef struct ready_sets {
    compact_id *latest;      /* [device][room]; NONE behind the last */
    rank_set *set;           /* [device] the others */
    uint64_t *level[3];      /* [device][words] */
    uint32_t room, words[3]; /* of one device */
} ready_sets;

/* Of one device. */
typedef struct ready_ops {
    compact_id *end; /* behind its latest */
    uint32_t least;  /* rank, or UINT32_MAX: kept at hand, so that no start waits for a search */
} ready_ops;

static inline void ready_sets_shape(ready_sets *sets, uint32_t op_count) {
    uint32_t items = op_count;
    for (int level = 0; level < READY_LEVELS; ++level)
        items = sets->words[level] = items / 64 + 1;
    sets->room = (op_count + 1 + LANE_SEARCH_COUNT) / 32 * 32 + 32;
}

static inline ready_ops ready_clear(const ready_sets *sets, uint32_t device) {
    compact_id *latest = sets->latest + (size_t)device * sets->room;
    memset(latest, 0xff, sets->room * sizeof *latest);
    for (int level = 0; level < READY_LEVELS; ++level)
        memset(sets->level[level] + (size_t)device * sets->words[level], 0,
               sets->words[level] * sizeof *sets->level[level]);
    sets->set[device] = (rank_set){0, UINT32_MAX};
    return (ready_ops){latest, UINT32_MAX};
}

/* Adds the rank if ready is 1; if it is 0, nothing changes. */
COMPACT_INLINE void ready_add(ready_ops *ops, uint32_t rank, uint32_t ready) {
    const uint32_t added = rank | (ready - 1);
    *ops->end = (compact_id)added;
    ops->end += ready;
    ops->least = added < ops->least ? added : ops->least;
}

static inline uint32_t first_bit(uint64_t set) {
    return (uint32_t)__builtin_ctzll(set);
}

static inline void rank_set_insert(const ready_sets *sets, uint32_t device, uint32_t rank) {
    rank_set *set = &sets->set[device];
    set->least = rank < set->least ? rank : set->least;
    for (int level = 0; level < READY_LEVELS; ++level) {
        sets->level[level][(size_t)device * sets->words[level] + (rank >> 6)] |= (uint64_t)1
                                                                                 << (rank & 63);
        rank >>= 6;
    }
    set->top |= (uint64_t)1 << rank;
}

static __attribute__((noinline)) void rank_set_remove_least(const ready_sets *sets,
                                                            uint32_t device) {
    rank_set *set = &sets->set[device];
    uint32_t rank = set->least;
    uint64_t empty = 1;
    for (int level = 0; level < READY_LEVELS; ++level) {
        uint64_t *word = &sets->level[level][(size_t)device * sets->words[level] + (rank >> 6)];
        *word &= ~(empty << (rank & 63));
        empty &= *word == 0;
        rank >>= 6;
    }
    set->top &= ~(empty << rank);
    set->least = UINT32_MAX;
    if (set->top == 0)
        return;
    rank = first_bit(set->top);
    for (int level = READY_LEVELS - 1; level >= 0; --level)
        rank =
            rank << 6 | first_bit(sets->level[level][(size_t)device * sets->words[level] + rank]);
    set->least = rank;
}

/* Moves the latest to the set. */
static __attribute__((noinline)) void ready_settle(const ready_sets *sets, uint32_t device,
                                                   uint32_t count) {
    compact_id *latest = sets->latest + (size_t)device * sets->room;
    for (uint32_t i = 0; i < count; ++i) {
        rank_set_insert(sets, device, latest[i]);
        latest[i] = COMPACT_NONE;
    }
}

/* Takes out the least rank of a device that has one; true if none is left. */
COMPACT_INLINE bool ready_take_least(const ready_sets *sets, ready_ops *ops, uint32_t device) {
    compact_id *latest = sets->latest + (size_t)device * sets->room;
    if (__builtin_expect(ops->end > latest + LANE_SEARCH_COUNT, 0)) {
        ready_settle(sets, device, (uint32_t)(ops->end - latest));
        ops->end = latest;
    }
    if (__builtin_expect(ops->least == sets->set[device].least, 0)) {
        rank_set_remove_least(sets, device);
    } else {
        compact_id *last = --ops->end;
        latest[lanes_find_id(latest, ops->least)] = *last;
        *last = COMPACT_NONE;
    }
    const uint32_t found = lanes_least_id(latest), set_least = sets->set[device].least;
    const uint32_t known = found | (0 - (uint32_t)(found == COMPACT_NONE));
    ops->least = known < set_least ? known : set_least;
    return ops->least == UINT32_MAX;
}

#endif
