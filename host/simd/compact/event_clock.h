/* What is in work on each device and link, by the tick at which it ends: a lane for each slot, from
 * * pitch + to (from == to: the device). The next tick is the least lane; no heap, no branch that
 * could be mispredicted.
 * Ticks are counted from a base that moves, so that 32 bits do. */
#ifndef REGAL_SIMD_COMPACT_EVENT_CLOCK_H
#define REGAL_SIMD_COMPACT_EVENT_CLOCK_H

#include "simd/compact/types.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define CLOCK_NEVER INT32_MAX
#define CLOCK_MOST  (1 << 30) /* now, so that now + COMPACT_MOST_TICKS fits */

/* Up to 64 lanes; `count` is a constant wherever it matters: 4, 16 or 64. */
#if defined(__AVX512F__) && defined(__AVX512VL__)

typedef struct clock_lanes {
    __m512i lane[4];
} clock_lanes;

COMPACT_INLINE void lanes_clear(clock_lanes *lanes) {
    for (int i = 0; i < 4; ++i)
        lanes->lane[i] = _mm512_set1_epi32(CLOCK_NEVER);
}

COMPACT_INLINE void lanes_put(clock_lanes *lanes, const int count, uint32_t slot, int32_t tick) {
    const int i = count > 16 ? (int)(slot >> 4) : 0;
    lanes->lane[i] = _mm512_mask_set1_epi32(lanes->lane[i], (__mmask16)(1u << (slot & 15)), tick);
}

COMPACT_INLINE int32_t lanes_least(const clock_lanes *lanes, const int count) {
    if (count <= 4) {
        __m128i low = _mm512_castsi512_si128(lanes->lane[0]);
        low = _mm_min_epi32(low, _mm_shuffle_epi32(low, 0x4e));
        return _mm_cvtsi128_si32(_mm_min_epi32(low, _mm_shuffle_epi32(low, 0xb1)));
    }
    __m512i least = lanes->lane[0];
    for (int i = 1; i < (count + 15) / 16; ++i)
        least = _mm512_min_epi32(least, lanes->lane[i]);
    return _mm512_reduce_min_epi32(least);
}

COMPACT_INLINE uint64_t lanes_equal(const clock_lanes *lanes, const int count, int32_t tick) {
    uint64_t set = 0;
    for (int i = 0; i < (count + 15) / 16; ++i) {
        uint16_t mask = _mm512_cmpeq_epi32_mask(lanes->lane[i], _mm512_set1_epi32(tick));
        /* GCC 12 takes a widened comparison for the comparison itself, and when it spills that, it
         * stores 16 bits and loads 64. A mask that passes through here is widened for itself. */
        __asm__("" : "+r"(mask));
        set |= (uint64_t)mask << 16 * i;
    }
    return set;
}

COMPACT_INLINE void lanes_drop(clock_lanes *lanes, const int count, int32_t tick) {
    for (int i = 0; i < (count + 15) / 16; ++i)
        lanes->lane[i] = _mm512_mask_set1_epi32(
            lanes->lane[i], _mm512_cmpeq_epi32_mask(lanes->lane[i], _mm512_set1_epi32(tick)),
            CLOCK_NEVER);
}

COMPACT_INLINE void lanes_shift(clock_lanes *lanes, int32_t by) {
    for (int i = 0; i < 4; ++i) {
        const __mmask16 busy =
            _mm512_cmpneq_epi32_mask(lanes->lane[i], _mm512_set1_epi32(CLOCK_NEVER));
        lanes->lane[i] =
            _mm512_mask_sub_epi32(lanes->lane[i], busy, lanes->lane[i], _mm512_set1_epi32(by));
    }
}

#elif defined(__AVX2__)

typedef struct clock_lanes {
    __m256i lane[8];
} clock_lanes;

COMPACT_INLINE void lanes_clear(clock_lanes *lanes) {
    for (int i = 0; i < 8; ++i)
        lanes->lane[i] = _mm256_set1_epi32(CLOCK_NEVER);
}

COMPACT_INLINE __m256i lanes_blend(__m256i lane, uint32_t slot, uint32_t first, __m256i tick) {
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i here = _mm256_cmpeq_epi32(numbers, _mm256_set1_epi32((int32_t)(slot - first)));
    return _mm256_blendv_epi8(lane, tick, here);
}

COMPACT_INLINE void lanes_put(clock_lanes *lanes, const int count, uint32_t slot, int32_t tick) {
    const __m256i ticks = _mm256_set1_epi32(tick);
    if (count > 16) {
        lanes->lane[slot >> 3] = lanes_blend(lanes->lane[slot >> 3], slot, slot & ~7u, ticks);
        return;
    }
    lanes->lane[0] = lanes_blend(lanes->lane[0], slot, 0, ticks);
    if (count > 8)
        lanes->lane[1] = lanes_blend(lanes->lane[1], slot, 8, ticks);
}

COMPACT_INLINE int32_t lanes_least(const clock_lanes *lanes, const int count) {
    __m256i least = lanes->lane[0];
    for (int i = 1; i < (count + 7) / 8; ++i)
        least = _mm256_min_epi32(least, lanes->lane[i]);
    __m128i low = _mm256_castsi256_si128(least);
    if (count > 4)
        low = _mm_min_epi32(low, _mm256_extracti128_si256(least, 1));
    low = _mm_min_epi32(low, _mm_shuffle_epi32(low, 0x4e));
    return _mm_cvtsi128_si32(_mm_min_epi32(low, _mm_shuffle_epi32(low, 0xb1)));
}

COMPACT_INLINE uint64_t lanes_equal(const clock_lanes *lanes, const int count, int32_t tick) {
    uint64_t set = 0;
    for (int i = 0; i < (count + 7) / 8; ++i) {
        const __m256i equal = _mm256_cmpeq_epi32(lanes->lane[i], _mm256_set1_epi32(tick));
        set |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal)) << 8 * i;
    }
    return set;
}

COMPACT_INLINE void lanes_drop(clock_lanes *lanes, const int count, int32_t tick) {
    for (int i = 0; i < (count + 7) / 8; ++i) {
        const __m256i equal = _mm256_cmpeq_epi32(lanes->lane[i], _mm256_set1_epi32(tick));
        lanes->lane[i] = _mm256_blendv_epi8(lanes->lane[i], _mm256_set1_epi32(CLOCK_NEVER), equal);
    }
}

COMPACT_INLINE void lanes_shift(clock_lanes *lanes, int32_t by) {
    for (int i = 0; i < 8; ++i) {
        const __m256i free = _mm256_cmpeq_epi32(lanes->lane[i], _mm256_set1_epi32(CLOCK_NEVER));
        lanes->lane[i] =
            _mm256_sub_epi32(lanes->lane[i], _mm256_andnot_si256(free, _mm256_set1_epi32(by)));
    }
}

#else

typedef struct clock_lanes {
    int32_t lane[64];
    uint64_t busy; /* lanes that are not NEVER */
} clock_lanes;

COMPACT_INLINE void lanes_clear(clock_lanes *lanes) {
    *lanes = (clock_lanes){.busy = 0};
}

COMPACT_INLINE void lanes_put(clock_lanes *lanes, const int count, uint32_t slot, int32_t tick) {
    (void)count;
    lanes->lane[slot] = tick;
    lanes->busy |= (uint64_t)1 << slot;
}

COMPACT_INLINE int32_t lanes_least(const clock_lanes *lanes, const int count) {
    (void)count;
    int32_t least = CLOCK_NEVER;
    for (uint64_t set = lanes->busy; set != 0; set &= set - 1) {
        const int32_t tick = lanes->lane[__builtin_ctzll(set)];
        least = tick < least ? tick : least;
    }
    return least;
}

COMPACT_INLINE uint64_t lanes_equal(const clock_lanes *lanes, const int count, int32_t tick) {
    (void)count;
    uint64_t equal = 0;
    for (uint64_t set = lanes->busy; set != 0; set &= set - 1)
        equal |= (uint64_t)(lanes->lane[__builtin_ctzll(set)] == tick) << __builtin_ctzll(set);
    return equal;
}

COMPACT_INLINE void lanes_drop(clock_lanes *lanes, const int count, int32_t tick) {
    lanes->busy &= ~lanes_equal(lanes, count, tick);
}

COMPACT_INLINE void lanes_shift(clock_lanes *lanes, int32_t by) {
    for (uint64_t set = lanes->busy; set != 0; set &= set - 1)
        lanes->lane[__builtin_ctzll(set)] -= by;
}

#endif

typedef struct event_clock {
    clock_lanes lanes;
    int32_t next;      /* the least lane; NEVER: all are idle */
    uint64_t next_set; /* the lanes of that tick */
} event_clock;

COMPACT_INLINE int clock_lane_count(const int pitch) {
    return pitch <= 2 ? 4 : pitch == 4 ? 16 : 64;
}

COMPACT_INLINE void clock_clear(event_clock *clock) {
    lanes_clear(&clock->lanes);
    clock->next = CLOCK_NEVER;
    clock->next_set = 0;
}

/* Sets an idle slot and keeps the next tick: what starts is often what ends next, and need not wait
 * for the lanes. */
COMPACT_INLINE void clock_put(event_clock *clock, const int pitch, uint32_t slot, int32_t tick) {
    lanes_put(&clock->lanes, clock_lane_count(pitch), slot, tick);
    /* No branch: it could not be predicted. */
    const uint64_t sooner = -(uint64_t)(tick < clock->next);
    clock->next_set = (clock->next_set & ~sooner) | (uint64_t)(tick <= clock->next) << slot;
    clock->next ^= (clock->next ^ tick) & (int32_t)sooner;
}

/* Takes the slots of the next tick. */
COMPACT_INLINE uint64_t clock_take(event_clock *clock, const int pitch) {
    const int count = clock_lane_count(pitch);
    const uint64_t set = clock->next_set;
    lanes_drop(&clock->lanes, count, clock->next);
    clock->next = lanes_least(&clock->lanes, count);
    clock->next_set = lanes_equal(&clock->lanes, count, clock->next);
    return set;
}

COMPACT_INLINE void clock_shift(event_clock *clock, int32_t by) {
    lanes_shift(&clock->lanes, by);
    clock->next -= clock->next != CLOCK_NEVER ? by : 0;
}

#endif
