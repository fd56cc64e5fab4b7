/* Ready ops of each device as sets of ranks, with summaries above: a bit of a level says that the
 * word below it is not 0. A push is a few ORs without a branch, the least rank a few counts of
 * zeros. */
#ifndef REGAL_SIMD_COMPACT_READY_SET_H
#define REGAL_SIMD_COMPACT_READY_SET_H

#include "simd/compact/types.h"

typedef struct ready_sets {
    uint64_t *level[3];  /* [device][words] */
    uint32_t words[3];   /* of one device */
} ready_sets;

static inline void ready_sets_shape(ready_sets *sets, uint32_t op_count) {
    uint32_t items = op_count;
    for (int level = 0; level < READY_LEVELS; ++level)
        items = sets->words[level] = items / 64 + 1;
}

/* Adds the rank to a device's set if bit is 1; nothing changes if it is 0. top: the device's. */
COMPACT_INLINE void ready_push(const ready_sets *sets, uint64_t *top, uint32_t device,
                               uint32_t rank, uint64_t bit) {
    for (int level = 0; level < READY_LEVELS; ++level) {
        sets->level[level][device * sets->words[level] + (rank >> 6)] |= bit << (rank & 63);
        rank >>= 6;
    }
    *top |= bit << rank;
}

/* The least rank of a set that is not empty. */
COMPACT_INLINE uint32_t ready_least(const ready_sets *sets, uint64_t top, uint32_t device) {
    uint32_t rank = (uint32_t)__builtin_ctzll(top);
    for (int level = READY_LEVELS - 1; level >= 0; --level)
        rank = rank << 6 |
               (uint32_t)__builtin_ctzll(
                   sets->level[level][device * sets->words[level] + rank]);
    return rank;
}

COMPACT_INLINE void ready_remove(const ready_sets *sets, uint64_t *top, uint32_t device,
                                 uint32_t rank) {
    uint64_t empty = 1;
    for (int level = 0; level < READY_LEVELS; ++level) {
        uint64_t *word = &sets->level[level][device * sets->words[level] + (rank >> 6)];
        *word &= ~(empty << (rank & 63));
        empty &= *word == 0;
        rank >>= 6;
    }
    *top &= ~(empty << rank);
}

#endif
