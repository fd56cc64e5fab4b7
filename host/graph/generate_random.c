#include "graph/generate_random.h"

#include <math.h>

__extension__ typedef unsigned __int128 uint128;

uint64_t regal_random_next(regal_random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double regal_random_unit(regal_random *random) {
    return (double)(regal_random_next(random) >> 11) * 0x1p-53;
}

int64_t regal_random_below(regal_random *random, int64_t count) {
    return (int64_t)((uint128)regal_random_next(random) * (uint64_t)count >> 64);
}

bool regal_random_chance(regal_random *random, double probability) {
    return regal_random_unit(random) < probability;
}

int64_t regal_random_normal(regal_random *random) {
    int64_t sum = -((int64_t)6 << 32);
    for (int i = 0; i < 6; ++i) {
        const uint64_t pair = regal_random_next(random);
        sum += (int64_t)(pair >> 32) + (int64_t)(pair & 0xffffffffu);
    }
    return sum;
}

int64_t regal_random_skip(regal_random *random, double probability) {
    const int64_t never = (int64_t)1 << 62;
    const uint64_t draw = regal_random_next(random);
    if (probability >= 1)
        return 0;
    const uint64_t success = probability > 0 ? (uint64_t)(probability * 0x1p64) : 0;
    const uint64_t per_failure = success > 0 ? regal_fixed_minus_log2(-success) : 0;
    if (per_failure == 0)
        return never;
    const uint64_t skip = regal_fixed_minus_log2(draw > 0 ? draw : 1) / per_failure;
    return skip < (uint64_t)never ? (int64_t)skip : never;
}

double regal_fixed_exp(double x) {
    const uint128 ln2 = (uint128)0xb17217f7d << 64 | 0x1cf79abc9e3b3980u; /* units of 2^-100 */
    const uint128 value = (uint128)(uint64_t)(x * 0x1p58) << 42;
    const int exponent = (int)(value / ln2);
    const uint64_t rest = (uint64_t)((value - ln2 * (unsigned)exponent) >> 38); /* 2^-62, < ln 2 */
    const uint64_t one = (uint64_t)1 << 62;
    uint64_t sum = one; /* Horner's scheme for the power series */
    for (uint64_t i = 21; i >= 1; --i)
        sum = one + (uint64_t)((uint128)sum * rest >> 62) / i;
    return ldexp((double)sum, exponent - 62);
}

uint64_t regal_fixed_minus_log2(uint64_t x) {
    const int zeros = __builtin_clzll(x);
    uint64_t mantissa = x << zeros; /* in [1, 2), units of 2^-63 */
    uint64_t log = 0;
    for (int bit = 55; bit >= 0;
         --bit) { /* each squaring shifts one more bit of the logarithm out */
        const uint128 square = (uint128)mantissa * mantissa;
        const bool above = square >> 127 != 0;
        log |= (uint64_t)above << bit;
        mantissa = (uint64_t)(square >> (above ? 64 : 63));
    }
    return ((uint64_t)(zeros + 1) << 56) - log;
}
