#include "search/cooling.h"

#include <math.h>

#include "regal/core/anneal.h"

/* The greatest power of two up to `count`, within 1..1024. */
static int64_t power_of_two(int64_t count) {
    int64_t power = 1;
    while (power < 1024 && 2 * power <= count)
        power *= 2;
    return power;
}

/* Many chains profit from selection, but each needs its rounds, here a op; fewer where they start
 * from heuristics, whose plans are good but hard to leave. A local search has found its optimum by
 * then, and starts again elsewhere. */
static int64_t least_rounds(const regal_cooling_question *q) {
    if (q->greedy)
        return 64;
    if (q->objective == REGAL_MEMORY)
        return 512;
    return q->seeded ? 24 : 16;
}

/* In a large graph nearly every move of one op is accepted, so that a chain has work for one thread
 * only; its rounds are too few to miss some. */
enum { LARGE_OPS = 20000, CHAINS_OF_LARGE = 4 };

static int64_t chain_count(const regal_cooling_question *q) {
    const int64_t rounds = least_rounds(q);
    int64_t all = power_of_two(q->evaluations / (rounds * q->op_count));
    if (q->op_count >= LARGE_OPS && all < CHAINS_OF_LARGE)
        all = CHAINS_OF_LARGE;
    const int64_t chains = all / q->islands > 0 ? all / q->islands : 1;
    return chains <= q->left / q->islands || chains == 1 ? chains : 1;
}

/* Percent of the usual temperature. */
static int64_t warmth(const regal_cooling_question *q) {
    const bool is_long = q->evaluations - 10000 >= 32 * q->op_count;
    int64_t percent = q->objective != REGAL_MEMORY ? 100 : is_long ? 250 : 160;
    if (q->proposed)
        return is_long && q->objective == REGAL_MEMORY ? percent * 3 / 10 : percent / 10;
    if (q->seeded || q->evolved)
        percent = percent * 6 / 10;
    return percent;
}

/* Rounds between selections. For memory chains that are selected less often differ more. */
static int64_t selection_interval(const regal_cooling_question *q, const regal_cooling *cooling) {
    const int64_t selections = q->objective == REGAL_MEMORY && cooling->chains > 1 ? 32 : 256;
    return cooling->rounds > selections ? cooling->rounds / selections : 1;
}

regal_cooling regal_cooling_plan(const regal_cooling_question *q) {
    regal_cooling cooling = {.chains = chain_count(q)};
    const int64_t all = cooling.chains * q->islands;
    cooling.rounds = q->left > all ? (q->left - all) / all : 0;
    cooling.interval = selection_interval(q, &cooling);
    cooling.greedy = q->greedy;
    if (q->greedy)
        return cooling;
    cooling.replaced = cooling.chains / (cooling.rounds < 1000 ? 2 : 4);
    if (cooling.replaced == 0 && cooling.chains > 1)
        cooling.replaced = 1;
    /* The longer the run, the hotter its start: a quarter of log2(1 + rounds / 4n), over n. */
    const uint64_t n4 = 4 * (uint64_t)q->op_count, rounds = (uint64_t)cooling.rounds;
    const uint64_t doublings = regal_log2(n4 + rounds) - regal_log2(n4);
    const uint64_t start = doublings * (uint64_t)warmth(q) / 400;
    const int64_t log_n = (int64_t)regal_log2((uint64_t)q->op_count);
    cooling.cold = (int64_t)regal_log2(0x100000000 / 25) - log_n;
    cooling.hot = (int64_t)regal_log2(start > 0 ? start : 1) - log_n;
    cooling.hot = cooling.hot > cooling.cold ? cooling.hot : cooling.cold;
    return cooling;
}

/* The inverse of regal_log2: the greatest number of no greater logarithm, at least 1. A library's
 * estimate tells where to look, never the answer. */
static uint64_t power(int64_t log) {
    if (log < 0)
        return 1;
    const int64_t whole = log >> 32 < 61 ? log >> 32 : 61;
    uint64_t low = (uint64_t)1 << whole, high = 2 * low;
    const uint64_t near = (low >> 21) + 1;
    const double estimate = ldexp(1, (int)whole) * exp2((double)(log & UINT32_MAX) / 0x100000000);
    const uint64_t guess = (uint64_t)estimate;
    if (guess > low + near && (int64_t)regal_log2(guess - near) <= log)
        low = guess - near;
    if (guess + near < high && (int64_t)regal_log2(guess + near) > log)
        high = guess + near;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if ((int64_t)regal_log2(middle) <= log)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t regal_cooling_heat(const regal_cooling *cooling, int64_t progress) {
    if (cooling->greedy)
        return 0;
    return power(cooling->hot - (cooling->hot - cooling->cold) / 65536 * progress);
}
