/* Random numbers one after another from a stream (core/random.h), the same on every machine. */
#ifndef REGAL_POLICY_DRAWS_H
#define REGAL_POLICY_DRAWS_H

#include <stdbool.h>

#include "graph/generate_random.h"
#include "regal/core/random.h"

typedef struct regal_draws {
    regal_stream stream;
    uint32_t block; /* the next one */
    int left;       /* words of `words` that are not used yet */
    regal_random_block words;
} regal_draws;

/* Those of (seed, stage, number). */
static inline regal_draws regal_draws_make(uint64_t seed, regal_stage stage, uint64_t number) {
    regal_draws draws;
    draws.block = 0;
    draws.left = 0;
    draws.stream = regal_stream_make(seed, stage, 0, (uint32_t)(number >> 32), (uint32_t)number);
    return draws;
}

static inline uint32_t regal_draws_word(regal_draws *draws) {
    if (draws->left == 0) {
        draws->words = regal_draw(&draws->stream, draws->block++);
        draws->left = 4;
    }
    return draws->words.word[4 - draws->left--];
}

/* Uniform in [0, 1), a multiple of 2^-32. */
static inline double regal_draws_unit(regal_draws *draws) {
    return (double)regal_draws_word(draws) * 0x1p-32;
}

static inline double regal_draws_between(regal_draws *draws, double low, double high) {
    return low + (high - low) * regal_draws_unit(draws);
}

static inline bool regal_draws_chance(regal_draws *draws, double probability) {
    return regal_draws_unit(draws) < probability;
}

/* Uniform in 0..count-1; count > 0. */
static inline int64_t regal_draws_below(regal_draws *draws, int64_t count) {
    const uint64_t high = regal_draws_word(draws), low = regal_draws_word(draws);
    __extension__ typedef unsigned __int128 uint128;
    return (int64_t)((uint128)(high << 32 | low) * (uint64_t)count >> 64);
}

/* Nearly normal, mean 0 and deviation 1, never beyond 6 (Irwin-Hall). */
static inline double regal_draws_normal(regal_draws *draws) {
    int64_t sum = -((int64_t)6 << 32);
    for (int i = 0; i < 12; ++i)
        sum += regal_draws_word(draws);
    return (double)sum * 0x1p-32;
}

/* e^x for |x| <= 64. */
static inline double regal_draws_exp(double x) {
    return x < 0 ? 1 / regal_fixed_exp(-x) : regal_fixed_exp(x);
}

/* Log-normal around 1; deviation (of the logarithm) at most 10. */
static inline double regal_draws_factor(regal_draws *draws, double deviation) {
    return regal_draws_exp(deviation * regal_draws_normal(draws));
}

#endif
