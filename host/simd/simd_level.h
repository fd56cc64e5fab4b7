/* The instruction sets that REGAL has code for, and which of them is used. What is compiled for
 * each (host/simd/per_level, per_level_and_width) gives the same results, bit for bit. */
#ifndef REGAL_SIMD_SIMD_LEVEL_H
#define REGAL_SIMD_SIMD_LEVEL_H

#include <stdbool.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In ascending order; each can be had where the next can. */
typedef enum regal_simd_level {
    REGAL_SIMD_PLAIN,  /* C */
    REGAL_SIMD_AVX2,   /* with BMI, BMI2, LZCNT, POPCNT */
    REGAL_SIMD_AVX512, /* F, BW, VL, DQ, and the above */
    REGAL_SIMD_LEVEL_COUNT
} regal_simd_level;

/* "plain", "avx2", "avx512". */
const char *regal_simd_level_name(regal_simd_level level);

/* Whether this build and this processor have the level. */
bool regal_simd_level_available(regal_simd_level level);

/* The best level available, or the one that the environment's REGAL_SIMD names (empty: none).
 * REGAL_INVALID_ARGUMENT for another word, REGAL_UNAVAILABLE for a level that is not available. */
regal_status regal_simd_level_find(regal_simd_level *level);

#ifdef __cplusplus
}
#endif

/* Names of what is compiled once for each level, or for each level and width of ids: x_avx2 where
 * compiled for AVX2, x_avx2_16 with compact ids of 16 bits. */
#define REGAL_SIMD_JOIN2(a, b)   a##_##b
#define REGAL_SIMD_JOIN(a, b)    REGAL_SIMD_JOIN2(a, b)
#define REGAL_SIMD_NAME(x)       REGAL_SIMD_JOIN(x, REGAL_SIMD_SUFFIX)
#define REGAL_SIMD_WIDTH_NAME(x) REGAL_SIMD_JOIN(REGAL_SIMD_NAME(x), REGAL_COMPACT_ID_BITS)

/* Initializes an array [REGAL_SIMD_LEVEL_COUNT] of pointers to the x of each level of this build,
 * or of each level and one width. */
#if defined(__x86_64__) && !defined(REGAL_SIMD_PLAIN_ONLY)
#define REGAL_SIMD_OF_EACH_LEVEL(x) \
    { &x##_plain, &x##_avx2, &x##_avx512 }
#define REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(x, bits) \
    { &x##_plain_##bits, &x##_avx2_##bits, &x##_avx512_##bits }
#else
#define REGAL_SIMD_OF_EACH_LEVEL(x) \
    { &x##_plain, NULL, NULL }
#define REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(x, bits) \
    { &x##_plain_##bits, NULL, NULL }
#endif

#endif
