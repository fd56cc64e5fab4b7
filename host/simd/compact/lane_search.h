/* Searches the first LANE_SEARCH_COUNT ids of an array, all of them, whatever they hold. */
#ifndef REGAL_SIMD_COMPACT_LANE_SEARCH_H
#define REGAL_SIMD_COMPACT_LANE_SEARCH_H

#include "simd/compact/types.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { LANE_SEARCH_COUNT = 32 };

#if defined(__AVX2__) && REGAL_COMPACT_ID_BITS == 16

COMPACT_INLINE uint32_t lanes_least_id(const compact_id *ids) {
    const __m256i least = _mm256_min_epu16(_mm256_load_si256((const __m256i *)ids),
                                           _mm256_load_si256((const __m256i *)ids + 1));
    const __m128i half =
        _mm_min_epu16(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
    return (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(half)) & 65535;
}

/* The place of an id that is there. */
COMPACT_INLINE uint32_t lanes_find_id(const compact_id *ids, uint32_t id) {
    const __m256i wanted = _mm256_set1_epi16((int16_t)id);
    const __m256i low = _mm256_cmpeq_epi16(_mm256_load_si256((const __m256i *)ids), wanted);
    const __m256i high = _mm256_cmpeq_epi16(_mm256_load_si256((const __m256i *)ids + 1), wanted);
    const uint64_t found =
        (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
    return (uint32_t)__builtin_ctzll(found) / 2;
}

#elif defined(__AVX2__)

COMPACT_INLINE uint32_t lanes_least_id(const compact_id *ids) {
    const __m256i *lanes = (const __m256i *)ids;
    const __m256i least = _mm256_min_epu32(
        _mm256_min_epu32(_mm256_load_si256(lanes), _mm256_load_si256(lanes + 1)),
        _mm256_min_epu32(_mm256_load_si256(lanes + 2), _mm256_load_si256(lanes + 3)));
    __m128i half = _mm_min_epu32(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
    half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu32(half, _mm_shuffle_epi32(half, 0xb1)));
}

COMPACT_INLINE uint32_t lanes_find_id(const compact_id *ids, uint32_t id) {
    const __m256i *lanes = (const __m256i *)ids, wanted = _mm256_set1_epi32((int32_t)id);
    uint32_t found = 0;
    for (int i = 0; i < 4; ++i) {
        const __m256i equal = _mm256_cmpeq_epi32(_mm256_load_si256(lanes + i), wanted);
        found |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal)) << 8 * i;
    }
    return (uint32_t)__builtin_ctz(found);
}

#else

COMPACT_INLINE uint32_t lanes_least_id(const compact_id *ids) {
    compact_id least = COMPACT_NONE;
    for (int i = 0; i < LANE_SEARCH_COUNT; ++i)
        least = ids[i] < least ? ids[i] : least;
    return least;
}

COMPACT_INLINE uint32_t lanes_find_id(const compact_id *ids, uint32_t id) {
    uint32_t place = 0;
    while (ids[place] != id)
        ++place;
    return place;
}

#endif

#endif
