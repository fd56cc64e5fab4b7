/* What is in work on each device and link, by the tick at which it ends: a lane for each slot, from
 * * pitch + to (from == to: the device). The next tick is the least lane; no heap, no branch that
 * could be mispredicted. Up to a pitch of 8 all slots are one word of 64; at 64 each row is one, with
 * the least tick of each row in lanes of its own.
 * Ticks are counted from a base that moves, so that 32 bits do. */
#ifndef REGAL_SIMD_COMPACT_EVENT_CLOCK_H
#define REGAL_SIMD_COMPACT_EVENT_CLOCK_H

#include "simd/compact/types.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define CLOCK_NEVER INT32_MAX

/* Up to 64 lanes; `count` is a constant wherever it matters: 1, 4, 16 or 64. */
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

/* The set of lanes at `tick`; they are cleared. */
COMPACT_INLINE uint64_t lanes_take(clock_lanes *lanes, const int count, int32_t tick) {
    uint64_t set = 0;
    for (int i = 0; i < (count + 15) / 16; ++i) {
        const __mmask16 equal =
            _mm512_cmpeq_epi32_mask(lanes->lane[i], _mm512_set1_epi32(tick));
        lanes->lane[i] = _mm512_mask_set1_epi32(lanes->lane[i], equal, CLOCK_NEVER);
        set |= (uint64_t)equal << 16 * i;
    }
    return set;
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

COMPACT_INLINE uint64_t lanes_take(clock_lanes *lanes, const int count, int32_t tick) {
    uint64_t set = 0;
    for (int i = 0; i < (count + 7) / 8; ++i) {
        const __m256i equal = _mm256_cmpeq_epi32(lanes->lane[i], _mm256_set1_epi32(tick));
        lanes->lane[i] =
            _mm256_blendv_epi8(lanes->lane[i], _mm256_set1_epi32(CLOCK_NEVER), equal);
        set |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal)) << 8 * i;
    }
    return set;
}

#else

typedef struct clock_lanes {
    int32_t lane[64];
    uint64_t busy; /* lanes that are not NEVER */
} clock_lanes;

COMPACT_INLINE void lanes_clear(clock_lanes *lanes) {
    lanes->busy = 0;
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

COMPACT_INLINE uint64_t lanes_take(clock_lanes *lanes, const int count, int32_t tick) {
    (void)count;
    uint64_t taken = 0;
    for (uint64_t set = lanes->busy; set != 0; set &= set - 1)
        taken |= (uint64_t)(lanes->lane[__builtin_ctzll(set)] == tick) << __builtin_ctzll(set);
    lanes->busy &= ~taken;
    return taken;
}

#endif

typedef struct event_clock {
    clock_lanes least;  /* up to a pitch of 8 the slots themselves, else the least of each row */
    clock_lanes *row;   /* [from] at a pitch of 64 */
} event_clock;

COMPACT_INLINE int clock_lane_count(const int pitch) {
    return pitch <= 2 ? 4 : pitch == 4 ? 16 : 64;
}

COMPACT_INLINE void clock_clear(event_clock *clock, const int pitch) {
    lanes_clear(&clock->least);
    for (int from = 0; pitch == 64 && from < pitch; ++from)
        lanes_clear(&clock->row[from]);
}

/* Sets the slot's tick. word: the row at a pitch of 64, else 0; bit: the slot in it. */
COMPACT_INLINE void clock_put(event_clock *clock, const int pitch, uint32_t word, uint32_t bit,
                              int32_t tick) {
    if (pitch < 64) {
        lanes_put(&clock->least, clock_lane_count(pitch), bit, tick);
        return;
    }
    lanes_put(&clock->row[word], 64, bit, tick);
    lanes_put(&clock->least, 64, word, lanes_least(&clock->row[word], 64));
}

COMPACT_INLINE int32_t clock_next(const event_clock *clock, const int pitch) {
    return lanes_least(&clock->least, clock_lane_count(pitch));
}

/* The words with slots that end at `tick`, to be taken one by one. */
COMPACT_INLINE uint64_t clock_words(event_clock *clock, const int pitch, int32_t tick) {
    return pitch < 64 ? 1 : lanes_take(&clock->least, 64, tick);
}

/* The slots of a word that end at `tick`; they are cleared. */
COMPACT_INLINE uint64_t clock_take(event_clock *clock, const int pitch, uint32_t word,
                                   int32_t tick) {
    if (pitch < 64)
        return lanes_take(&clock->least, clock_lane_count(pitch), tick);
    const uint64_t set = lanes_take(&clock->row[word], 64, tick);
    const int32_t least = lanes_least(&clock->row[word], 64);
    if (least != CLOCK_NEVER)
        lanes_put(&clock->least, 64, word, least);
    return set;
}

#endif
