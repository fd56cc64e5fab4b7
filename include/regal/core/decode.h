/* A chromosome -> a simulated schedule (DESIGN 3). */
#ifndef REGAL_CORE_DECODE_H
#define REGAL_CORE_DECODE_H

#include "regal/chromosome.h"
#include "regal/core/placement.h"
#include "regal/core/rank.h"
#include "regal/core/simulate.h"

/* Where the genes of an individual lie (see regal_chromosome). */
REGAL_HD const uint16_t *regal_priority_keys(const uint16_t *genes) {
    return genes;
}

REGAL_HD const uint16_t *regal_placement_keys(const regal_problem_view *problem,
                                              const uint16_t *genes) {
    return genes + problem->op_count;
}

/* NULL for inherit, whose transfers go by rank. */
REGAL_HD const uint16_t *regal_transfer_keys(const regal_problem_view *problem,
                                             regal_encoding encoding, const uint16_t *genes) {
    return encoding == REGAL_AFFINITY
               ? genes + (int64_t)problem->op_count * (1 + problem->device_count)
               : 0;
}

/* Priority keys -> ranks in s->order. sequence, scratch: [op]. */
REGAL_HD void regal_decode_ranks(const regal_problem_view *problem, regal_simulation *s,
                                 const uint16_t *priority, int64_t window, regal_id *sequence,
                                 regal_id *scratch) {
    regal_order_by_key(priority, problem->op_count, sequence, scratch);
    regal_invert_order(sequence, problem->op_count, s->order);
    if (window > 0) {
        regal_kahn_order(problem, s->order, s->missing, s->links, sequence);
        regal_invert_order(sequence, problem->op_count, s->order);
    }
}

/* Genes -> s->device and s->order. */
REGAL_HD void regal_decode_placement(const regal_problem_view *problem, regal_simulation *s,
                                     regal_encoding encoding, int64_t window, const uint16_t *genes,
                                     regal_id *sequence, regal_id *scratch) {
    const uint16_t *placement = regal_placement_keys(problem, genes);
    if (encoding == REGAL_INHERIT)
        regal_place_inherit(problem, placement, s->device);
    else
        regal_place_affinity(problem, placement, s->device);
    regal_decode_ranks(problem, s, regal_priority_keys(genes), window, sequence, scratch);
}

/* Genes -> makespan (returned) and peaks (s->peak), and the schedule where s asks for it. */
REGAL_HD int64_t regal_decode(const regal_problem_view *problem, regal_simulation *s,
                              regal_encoding encoding, int64_t window, const uint16_t *genes,
                              regal_id *sequence, regal_id *scratch) {
    regal_decode_placement(problem, s, encoding, window, genes, sequence, scratch);
    return regal_simulate(problem, s, window, regal_transfer_keys(problem, encoding, genes));
}

#endif
