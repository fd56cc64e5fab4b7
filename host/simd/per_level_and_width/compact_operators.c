/* The fast simulation, for one instruction set and one width of ids. */
#include <stdlib.h>

#include "simd/compact/build.h"
#include "simd/compact/operators.h"
#include "simd/compact/ranks.h"
#include "simd/compact/simulate.h"
#include "simd/simd_level.h"

#define DEFINE_SIMULATE(pitch)                                                                     \
    static __attribute__((noinline))                                                               \
    int64_t simulate_##pitch(compact_simulator *s, int64_t window, const uint16_t *transfer_key) { \
        return window == 1 ? simulate(s, pitch, true, window, transfer_key)                        \
                           : simulate(s, pitch, false, window, transfer_key);                      \
    }
DEFINE_SIMULATE(1)
DEFINE_SIMULATE(2)
DEFINE_SIMULATE(4)
DEFINE_SIMULATE(8)

static int64_t simulate_any(compact_simulator *s, int64_t window, const uint16_t *transfer_key) {
    switch (s->problem->pitch) {
    case 1:
        return simulate_1(s, window, transfer_key);
    case 2:
        return simulate_2(s, window, transfer_key);
    case 4:
        return simulate_4(s, window, transfer_key);
    default:
        return simulate_8(s, window, transfer_key);
    }
}

static void place(void *simulator, regal_encoding encoding, int64_t window, const uint16_t *genes) {
    compact_simulator *s = simulator;
    const compact_problem *g = s->problem;
    const uint16_t *placement = g->op_count > 0 ? genes + g->op_count : genes; /* perhaps NULL */
    if (encoding == REGAL_AFFINITY && g->is_free)
        place_affinity_free(g, placement, s->device);
    else if (encoding == REGAL_AFFINITY)
        place_affinity(g, placement, s->device);
    else if (g->is_free)
        place_inherit_free(g, placement, s->device);
    else
        place_inherit(g, placement, s->device);
    set_order(g, s, genes, window);
}

static void order(void *simulator, const uint8_t *leader_device, const uint16_t *priority,
                  int64_t window) {
    compact_simulator *s = simulator;
    const compact_problem *g = s->problem;
    for (uint32_t v = 0; v < g->op_count; ++v)
        s->device[v] = leader_device[g->number[g->leader[v]]];
    set_order(g, s, priority, window);
}

static int64_t run(void *simulator, int64_t window, const uint16_t *transfer_key,
                   int64_t tick_limit, int64_t peak_limit, const int64_t **peak) {
    compact_simulator *s = simulator;
    s->tick_limit = tick_limit;
    s->peak_limit = peak_limit;
    *peak = s->peak;
    return simulate_any(s, window, transfer_key);
}

static regal_peak_place peak_place(const void *simulator) {
    return ((const compact_simulator *)simulator)->peak_place;
}

static void scatter(const void *simulator, const uint16_t *of_rank, uint16_t *of_op) {
    const compact_simulator *s = simulator;
    const compact_problem *g = s->problem;
    for (uint32_t rank = 0; rank < g->op_count; ++rank)
        of_op[g->number[s->order[rank]]] = of_rank[rank];
}

const regal_compact_operators REGAL_SIMD_WIDTH_NAME(regal_compact_operators) = {
    .refuses = compact_refuses,
    .problem_create = compact_problem_create,
    .problem_destroy = compact_problem_destroy,
    .simulator_create = compact_simulator_create,
    .simulator_destroy = compact_simulator_destroy,
    .place = place,
    .order = order,
    .simulate = run,
    .peak_place = peak_place,
    .scatter = scatter};
