/* Annealing chains (DESIGN 4): what a plan costs in a chain, and which candidates a chain accepts.
 * All in integers: no rounding of a processor decides a bit. */
#ifndef REGAL_CORE_ANNEAL_H
#define REGAL_CORE_ANNEAL_H

#include "regal/core/host_device.h"
#include "regal/plan.h"

__extension__ typedef unsigned __int128 regal_uint128;

/* Costs above it are as good as infinite. */
#define REGAL_COST_LIMIT ((int64_t)1 << 62)

REGAL_HD int64_t regal_cost_sum(int64_t a, int64_t b) {
    return a < REGAL_COST_LIMIT - b ? a + b : REGAL_COST_LIMIT;
}

/* value * ratio / 2^32, rounded down, for value >= 0. */
REGAL_HD int64_t regal_scale(int64_t value, uint64_t ratio) {
    const regal_uint128 scaled = (regal_uint128)(uint64_t)value * ratio >> 32;
    return scaled < (regal_uint128)(uint64_t)REGAL_COST_LIMIT ? (int64_t)scaled : REGAL_COST_LIMIT;
}

/* a / b in 2^-32, at most 2^20; a >= 0, b > 0. */
REGAL_HD uint64_t regal_ratio(int64_t a, int64_t b) {
    const uint64_t most = (uint64_t)1 << 52;
    const regal_uint128 ratio = ((regal_uint128)(uint64_t)a << 32) / (uint64_t)b;
    return ratio < most ? (uint64_t)ratio : most;
}

/* What a plan costs a chain whose best plan so far is `best`: the makespan, and above the caps a
 * twentieth more and three times its share above them, ten times until a plan is within them; or
 * the max peak, and ten times the excess. So a chain can cross plans above the caps, and has reason
 * to leave them. Never less than the makespan or the max peak. */
REGAL_HD int64_t regal_chain_cost(regal_objective objective, int64_t makespan, const int64_t *peak,
                                  const int64_t *capacity, int32_t device_count,
                                  regal_fitness best) {
    int64_t greatest = 0, excess = 0;
    uint64_t share = 0;
    for (int32_t d = 0; d < device_count; ++d) {
        greatest = peak[d] > greatest ? peak[d] : greatest;
        if (capacity[d] > 0 && peak[d] > capacity[d]) {
            excess = regal_cost_sum(excess, peak[d] - capacity[d]);
            share += regal_ratio(peak[d] - capacity[d], capacity[d]);
        }
    }
    if (objective == REGAL_MEMORY)
        return regal_cost_sum(greatest, regal_scale(excess, (uint64_t)10 << 32));
    if (excess == 0)
        return makespan;
    const uint64_t weight = best.value[0] > 0 ? 10 : 3;
    return regal_cost_sum(makespan, regal_scale(makespan, weight * share + 0x100000000 / 20));
}

/* log2(x) in 2^-32, x >= 1, by repeated squaring: 24 binary places. */
REGAL_HD uint64_t regal_log2(uint64_t x) {
    uint32_t whole = 0;
    for (uint64_t rest = x; rest > 1; rest >>= 1)
        ++whole;
    uint64_t result = (uint64_t)whole << 32;
    uint64_t mantissa = whole < 31 ? x << (31 - whole) : x >> (whole - 31); /* 2^31 .. 2^32 */
    for (int place = 31; place >= 8; --place) {
        mantissa = mantissa * mantissa >> 31;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= (uint64_t)1 << place;
        }
    }
    return result;
}

/* The table of acceptance: entry i is -ln u in 2^-16 for u = (i + 1/2) / 4096. */
enum { REGAL_ACCEPTANCE_BITS = 12, REGAL_ACCEPTANCE_COUNT = 1 << REGAL_ACCEPTANCE_BITS };

REGAL_HD uint32_t regal_acceptance(uint32_t i) {
    const uint64_t ln2 = 0xb17217f8; /* in 2^-32 */
    const uint64_t bits =
        ((uint64_t)(REGAL_ACCEPTANCE_BITS + 1) << 32) - regal_log2(2 * (uint64_t)i + 1);
    return (uint32_t)(((bits >> 8) * ln2 + ((uint64_t)1 << 39)) >> 40);
}

/* The cost up to which a candidate replaces the chain's `cost`, fixed before it is evaluated:
 * Metropolis, with the temperature `reference` * `heat` / 2^32. word: the draw. */
REGAL_HD int64_t regal_threshold(const uint32_t *acceptance, int64_t cost, int64_t reference,
                                 uint64_t heat, uint32_t word) {
    const uint64_t factor = acceptance[word >> (32 - REGAL_ACCEPTANCE_BITS)];
    const regal_uint128 ratio = (regal_uint128)heat * factor >> 16;
    const uint64_t most = (uint64_t)1 << 62;
    return regal_cost_sum(cost, regal_scale(reference, ratio < most ? (uint64_t)ratio : most));
}

#endif
