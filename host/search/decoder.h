/* A decoder: one problem's simulation with its memory. One per thread. */
#ifndef REGAL_SEARCH_DECODER_H
#define REGAL_SEARCH_DECODER_H

#include "graph/problem_data.h"
#include "regal/chromosome.h"
#include "regal/core/simulate.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_decoder {
    const regal_problem_view *view;
    regal_simulation simulation;
    regal_id *sequence, *scratch; /* [op] */
    void *memory;
} regal_decoder;

regal_status regal_decoder_create(const regal_problem_view *view, regal_decoder *decoder);
void regal_decoder_destroy(regal_decoder *decoder);

/* Simulates a placement, device [op], and ranks, rank [op] (a permutation; topological if window >=
 * 1), under inherit's rule for transfers: the plan, attached, with bounds. */
regal_status regal_plan_from_ranks(const regal_problem *problem, const uint8_t *device,
                                   const regal_id *rank, int64_t window, regal_plan **plan);

#ifdef __cplusplus
}
#endif
#endif
