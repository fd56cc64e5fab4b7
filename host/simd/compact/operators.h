/* The fast simulation, compiled for each SIMD level and width of ids (per_level_and_width/). Same
 * results as core/decode.h, which stays the reference. */
#ifndef REGAL_SIMD_COMPACT_OPERATORS_H
#define REGAL_SIMD_COMPACT_OPERATORS_H

#include "regal/backend/problem_view.h"
#include "regal/chromosome.h"
#include "regal/core/simulate.h"
#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_compact_operators {
    /* NULL if the problem can be had in this form, else why not. */
    const char *(*refuses)(const regal_problem_view *view);

    /* The problem, read by any number of simulators; the view must outlive it. NULL: no memory. */
    void *(*problem_create)(const regal_problem_view *view);
    void (*problem_destroy)(void *problem);

    /* One for each thread. NULL: no memory. */
    void *(*simulator_create)(const void *problem);
    void (*simulator_destroy)(void *simulator);

    /* Genes -> placement and ranks, as regal_decode has them. */
    void (*place)(void *simulator, regal_encoding encoding, int64_t window, const uint16_t *genes);

    /* The devices of leaders, at [leader], and priority keys [op] -> placement and ranks. */
    void (*order)(void *simulator, const uint8_t *leader_device, const uint16_t *priority,
                  int64_t window);

    /* Runs the placement and ranks last set, as regal_simulate: the makespan, with the peaks in
     * *peak [device] until the next run; -1 if and only if one of them exceeds its limit. */
    int64_t (*simulate)(void *simulator, int64_t window, const uint16_t *transfer_key,
                        int64_t tick_limit, int64_t peak_limit, const int64_t **peak);

    /* Where the last run, if within its limits, reached its max peak. */
    regal_peak_place (*peak_place)(const void *simulator);

    /* of_op[op] = of_rank[its rank], in the order last set. */
    void (*scatter)(const void *simulator, const uint16_t *of_rank, uint16_t *of_op);
} regal_compact_operators;

extern const regal_compact_operators regal_compact_operators_plain_16,
    regal_compact_operators_plain_32, regal_compact_operators_avx2_16,
    regal_compact_operators_avx2_32, regal_compact_operators_avx512_16,
    regal_compact_operators_avx512_32;

#ifdef __cplusplus
}
#endif

#endif
