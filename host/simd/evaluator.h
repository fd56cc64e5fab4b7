/* Evaluates chromosomes of one problem: by the fast simulation (compact/) where it covers the
 * problem, else by the rules of core/. Same results. */
#ifndef REGAL_SIMD_EVALUATOR_H
#define REGAL_SIMD_EVALUATOR_H

#include "regal/backend/problem_view.h"
#include "regal/chromosome.h"
#include "search/decoder.h"
#include "simd/compact/operators.h"
#include "simd/simd_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one thread. */
typedef struct regal_evaluator {
    const regal_problem_view *view;
    const regal_compact_operators *fast; /* NULL: the rules of core/ */
    void *simulator;
    regal_decoder decoder; /* without `fast` */
    const int64_t *peak;   /* [device] of the last run */
    int64_t tick_limit;    /* a plan of a greater makespan, */
    int64_t peak_limit;    /* or max peak, is of no interest; INT64_MAX: none */
} regal_evaluator;

typedef struct regal_evaluators {
    const regal_problem_view *view;
    const regal_compact_operators *fast;
    const char *refusal; /* why there is no `fast`; NULL if there is */
    void *problem;
    regal_evaluator *items; /* [count] */
    int64_t count;
} regal_evaluators;

/* `count` evaluators of a view that outlives them. REGAL_OUT_OF_MEMORY. */
regal_status regal_evaluators_create(const regal_problem_view *view, regal_simd_level level,
                                     int64_t count, regal_evaluators *evaluators);
void regal_evaluators_destroy(regal_evaluators *evaluators);

/* Genes -> makespan; -1 if and only if a limit is exceeded. */
int64_t regal_evaluator_decode(regal_evaluator *evaluator, regal_encoding encoding, int64_t window,
                               const uint16_t *genes);

/* The devices of leaders, at [leader], and priority keys [op] -> the order; then, with transfer
 * keys [op] or inherit's rule (NULL), the makespan likewise. */
void regal_evaluator_order(regal_evaluator *evaluator, const uint8_t *leader_device,
                           const uint16_t *priority, int64_t window);
int64_t regal_evaluator_run(regal_evaluator *evaluator, int64_t window,
                            const uint16_t *transfer_key);

/* Where the last run, if within its limits, reached its max peak. */
regal_peak_place regal_evaluator_peak_place(const regal_evaluator *evaluator);

/* of_op[op] = of_rank[its rank], in the order last set. */
void regal_evaluator_scatter(const regal_evaluator *evaluator, const uint16_t *of_rank,
                             uint16_t *of_op);

#ifdef __cplusplus
}
#endif
#endif
