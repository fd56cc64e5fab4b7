#include "simd/simd_level.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#if defined(__x86_64__) && !defined(REGAL_SIMD_PLAIN_ONLY)
#include <cpuid.h>

/* Not every compiler's __builtin_cpu_supports knows LZCNT. */
static bool has_lzcnt(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & bit_LZCNT) != 0;
}

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && has_lzcnt();
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
#else
static bool has_avx2(void) {
    return false;
}

static bool has_avx512(void) {
    return false;
}
#endif

static const char *const names[REGAL_SIMD_LEVEL_COUNT] = {"plain", "avx2", "avx512"};

const char *regal_simd_level_name(regal_simd_level level) {
    return names[level];
}

bool regal_simd_level_available(regal_simd_level level) {
    if (level == REGAL_SIMD_AVX512)
        return has_avx512();
    return level == REGAL_SIMD_PLAIN || (level == REGAL_SIMD_AVX2 && has_avx2());
}

regal_status regal_simd_level_find(regal_simd_level *level) {
    int best = REGAL_SIMD_LEVEL_COUNT - 1, chosen = 0;
    while (!regal_simd_level_available((regal_simd_level)best))
        --best;
    const char *word = getenv("REGAL_SIMD");
    if (word == NULL || word[0] == '\0')
        chosen = best;
    else
        while (chosen < REGAL_SIMD_LEVEL_COUNT && strcmp(word, names[chosen]) != 0)
            ++chosen;
    REGAL_FAIL_IF(chosen == REGAL_SIMD_LEVEL_COUNT, REGAL_INVALID_ARGUMENT,
                  "REGAL_SIMD=%s: not one of plain, avx2, avx512", word);
    REGAL_FAIL_IF(chosen > best, REGAL_UNAVAILABLE,
                  "REGAL_SIMD=%s: not available here; this processor has %s at best", word,
                  names[best]);
    *level = (regal_simd_level)chosen;
    return REGAL_OK;
}
