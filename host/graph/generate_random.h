/* Random numbers for generators: the same on every machine. Integer arithmetic throughout, or
 * double operations that IEEE 754 fixes, one at a time, so that no compiler may fuse them and no
 * math library decides a bit. */
#ifndef REGAL_GRAPH_GENERATE_RANDOM_H
#define REGAL_GRAPH_GENERATE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SplitMix64 (Steele, Lea, Flood 2014); the state is the seed. */
typedef struct regal_random {
    uint64_t state;
} regal_random;

uint64_t regal_random_next(regal_random *random);

/* Uniform in [0, 1), a multiple of 2^-53. */
double regal_random_unit(regal_random *random);

/* Uniform in 0..count-1; count > 0. */
int64_t regal_random_below(regal_random *random, int64_t count);

/* True with this probability (0..1). */
bool regal_random_chance(regal_random *random, double probability);

/* Nearly normal, mean 0 and deviation 1, in units of 2^-32: twelve uniform numbers added up
 * (Irwin-Hall), so never beyond 6. */
int64_t regal_random_normal(regal_random *random);

/* Failures before the first success of trials that succeed with this probability (0..1), at most
 * 2^62: what a walk over rare events skips. */
int64_t regal_random_skip(regal_random *random, double probability);

/* e^x for 0 <= x <= 64, correctly rounded in all but a few cases in a thousand. */
double regal_fixed_exp(double x);

/* -log2(x / 2^64) in units of 2^-56; x > 0. */
uint64_t regal_fixed_minus_log2(uint64_t x);

#ifdef __cplusplus
}
#endif
#endif
