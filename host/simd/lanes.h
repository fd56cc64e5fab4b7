/* Vectors of REGAL_SIMD_BITS (256: AVX2, 512: AVX-512). The language's own operators work on them
 * element by element; here is what it lacks, so that the same source serves both. */
#ifndef REGAL_SIMD_LANES_H
#define REGAL_SIMD_LANES_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

enum { LANES_BYTES = REGAL_SIMD_BITS / 8 };

/* One vector, seen as elements of so many bits; a cast changes the view alone. */
typedef uint8_t lanes8 __attribute__((vector_size(LANES_BYTES)));
typedef uint16_t lanes16 __attribute__((vector_size(LANES_BYTES)));
typedef uint32_t lanes32 __attribute__((vector_size(LANES_BYTES)));
typedef uint64_t lanes64 __attribute__((vector_size(LANES_BYTES)));

#if REGAL_SIMD_BITS == 256
typedef __m256i lanes_raw;
#define LANES(operation) _mm256_##operation
#else
typedef __m512i lanes_raw;
#define LANES(operation) _mm512_##operation
#endif

static inline lanes16 lanes_load16(const uint16_t *from) {
    lanes16 a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void lanes_store16(uint16_t *to, lanes16 a) {
    memcpy(to, &a, sizeof a);
}

/* The products of the low halves. */
static inline lanes64 lanes_multiply_low_halves(lanes64 a, lanes64 b) {
    return (lanes64)LANES(mul_epu32)((lanes_raw)a, (lanes_raw)b);
}

/* The low halves of `low`, above them the low halves of `high`. */
static inline lanes64 lanes_join_low_halves(lanes64 low, lanes64 high) {
    const lanes_raw up = (lanes_raw)(high << 32);
#if REGAL_SIMD_BITS == 256
    return (lanes64)_mm256_blend_epi32((lanes_raw)low, up, 0xAA);
#else
    return (lanes64)_mm512_mask_blend_epi32(0xAAAA, (lanes_raw)low, up);
#endif
}

/* Elements 0, 2, 4, ... of a, each followed by that of b; and 1, 3, 5, ... */
static inline lanes64 lanes_pair_even(lanes64 a, lanes64 b) {
    return (lanes64)LANES(unpacklo_epi64)((lanes_raw)a, (lanes_raw)b);
}

static inline lanes64 lanes_pair_odd(lanes64 a, lanes64 b) {
    return (lanes64)LANES(unpackhi_epi64)((lanes_raw)a, (lanes_raw)b);
}

/* Sixteen bits become 32, the lower and the upper four of each eight; lanes_narrow, of elements
 * below 2^16, puts them together again. */
static inline lanes32 lanes_widen_lower(lanes16 a) {
    const lanes16 zero = {0};
    return (lanes32)LANES(unpacklo_epi16)((lanes_raw)a, (lanes_raw)zero);
}

static inline lanes32 lanes_widen_upper(lanes16 a) {
    const lanes16 zero = {0};
    return (lanes32)LANES(unpackhi_epi16)((lanes_raw)a, (lanes_raw)zero);
}

static inline lanes16 lanes_narrow(lanes32 lower, lanes32 upper) {
    return (lanes16)LANES(packus_epi32)((lanes_raw)lower, (lanes_raw)upper);
}

/* table[index] and table[index + 1], the second in the upper half. */
static inline lanes32 lanes_gather_pairs(const uint16_t *table, lanes32 index) {
#if REGAL_SIMD_BITS == 256
    return (lanes32)_mm256_i32gather_epi32((const int *)(const void *)table, (lanes_raw)index, 2);
#else
    return (lanes32)_mm512_i32gather_epi32((lanes_raw)index, table, 2);
#endif
}

/* to[i] = byte i <= limit ? a[i] : b[i], for LANES_BYTES numbers. */
static inline void lanes_choose_up_to(lanes8 bytes, lanes8 limit, const uint16_t *a,
                                      const uint16_t *b, uint16_t *to) {
    const int half = LANES_BYTES / 2;
    const lanes_raw a0 = (lanes_raw)lanes_load16(a), a1 = (lanes_raw)lanes_load16(a + half);
    const lanes_raw b0 = (lanes_raw)lanes_load16(b), b1 = (lanes_raw)lanes_load16(b + half);
#if REGAL_SIMD_BITS == 256
    const __m256i least = _mm256_min_epu8((__m256i)bytes, (__m256i)limit);
    const __m256i chosen = _mm256_cmpeq_epi8((__m256i)bytes, least);
    const __m256i chosen0 = _mm256_cvtepi8_epi16(_mm256_castsi256_si128(chosen));
    const __m256i chosen1 = _mm256_cvtepi8_epi16(_mm256_extracti128_si256(chosen, 1));
    lanes_store16(to, (lanes16)_mm256_blendv_epi8(b0, a0, chosen0));
    lanes_store16(to + half, (lanes16)_mm256_blendv_epi8(b1, a1, chosen1));
#else
    const __mmask64 chosen = _mm512_cmple_epu8_mask((__m512i)bytes, (__m512i)limit);
    lanes_store16(to, (lanes16)_mm512_mask_blend_epi16((__mmask32)chosen, b0, a0));
    lanes_store16(to + half, (lanes16)_mm512_mask_blend_epi16((__mmask32)(chosen >> 32), b1, a1));
#endif
}

#endif
