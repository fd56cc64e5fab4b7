#include "simd/evaluator.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/decode.h"

/* Up to about so many ops a problem fits in the near caches with ids of 16 bits. */
enum { MOST_NARROW_OPS = 8192 };

/* Sets the operators, or why there are none. */
static void choose_operators(regal_evaluators *evaluators, regal_simd_level level) {
    static const regal_compact_operators *const narrow[REGAL_SIMD_LEVEL_COUNT] =
        REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(regal_compact_operators, 16);
    static const regal_compact_operators *const wide[REGAL_SIMD_LEVEL_COUNT] =
        REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(regal_compact_operators, 32);
    const regal_problem_view *view = evaluators->view;
    evaluators->refusal = wide[level]->refuses(view);
    if (evaluators->refusal != NULL)
        return;
    const bool fits = view->op_count <= MOST_NARROW_OPS && narrow[level]->refuses(view) == NULL;
    evaluators->fast = fits ? narrow[level] : wide[level];
}

static bool create_one(const regal_evaluators *evaluators, regal_evaluator *evaluator) {
    evaluator->view = evaluators->view;
    evaluator->fast = evaluators->fast;
    evaluator->tick_limit = evaluator->peak_limit = INT64_MAX;
    if (evaluators->fast == NULL)
        return regal_decoder_create(evaluators->view, &evaluator->decoder) == REGAL_OK;
    evaluator->simulator = evaluators->fast->simulator_create(evaluators->problem);
    return evaluator->simulator != NULL;
}

regal_status regal_evaluators_create(const regal_problem_view *view, regal_simd_level level,
                                     int64_t count, regal_evaluators *evaluators) {
    *evaluators = (regal_evaluators){.view = view, .count = count};
    choose_operators(evaluators, level);
    evaluators->items = regal_allocate_zeroed(count, sizeof *evaluators->items);
    bool ok = evaluators->items != NULL;
    if (ok && evaluators->fast != NULL) {
        evaluators->problem = evaluators->fast->problem_create(view);
        ok = evaluators->problem != NULL;
    }
    for (int64_t i = 0; ok && i < count; ++i)
        ok = create_one(evaluators, &evaluators->items[i]);
    if (ok)
        return REGAL_OK;
    regal_evaluators_destroy(evaluators);
    REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
}

void regal_evaluators_destroy(regal_evaluators *evaluators) {
    for (int64_t i = 0; evaluators->items != NULL && i < evaluators->count; ++i) {
        regal_evaluator *evaluator = &evaluators->items[i];
        if (evaluators->fast != NULL)
            evaluators->fast->simulator_destroy(evaluator->simulator);
        else
            regal_decoder_destroy(&evaluator->decoder);
    }
    if (evaluators->fast != NULL)
        evaluators->fast->problem_destroy(evaluators->problem);
    free(evaluators->items);
    evaluators->items = NULL;
    evaluators->problem = NULL;
}

int64_t regal_evaluator_decode(regal_evaluator *evaluator, regal_encoding encoding, int64_t window,
                               const uint16_t *genes) {
    regal_decoder *decoder = &evaluator->decoder;
    if (evaluator->fast != NULL)
        evaluator->fast->place(evaluator->simulator, encoding, window, genes);
    else
        regal_decode_placement(decoder->view, &decoder->simulation, encoding, window, genes,
                               decoder->sequence, decoder->scratch);
    return regal_evaluator_run(evaluator, window,
                               regal_transfer_keys(evaluator->view, encoding, genes));
}

void regal_evaluator_order(regal_evaluator *evaluator, const uint8_t *leader_device,
                           const uint16_t *priority, int64_t window) {
    regal_decoder *decoder = &evaluator->decoder;
    if (evaluator->fast != NULL) {
        evaluator->fast->order(evaluator->simulator, leader_device, priority, window);
        return;
    }
    for (regal_id op = 0; op < decoder->view->op_count; ++op)
        decoder->simulation.device[op] = leader_device[decoder->view->leader[op]];
    regal_decode_ranks(decoder->view, &decoder->simulation, priority, window, decoder->sequence,
                       decoder->scratch);
}

int64_t regal_evaluator_run(regal_evaluator *evaluator, int64_t window,
                            const uint16_t *transfer_key) {
    regal_decoder *decoder = &evaluator->decoder;
    if (evaluator->fast != NULL)
        return evaluator->fast->simulate(evaluator->simulator, window, transfer_key,
                                         evaluator->tick_limit, evaluator->peak_limit,
                                         &evaluator->peak);
    decoder->simulation.tick_limit = evaluator->tick_limit;
    decoder->simulation.peak_limit = evaluator->peak_limit;
    evaluator->peak = decoder->simulation.peak;
    return regal_simulate(decoder->view, &decoder->simulation, window, transfer_key);
}

regal_peak_place regal_evaluator_peak_place(const regal_evaluator *evaluator) {
    if (evaluator->fast != NULL)
        return evaluator->fast->peak_place(evaluator->simulator);
    return evaluator->decoder.simulation.peak_place;
}

void regal_evaluator_scatter(const regal_evaluator *evaluator, const uint16_t *of_rank,
                             uint16_t *of_op) {
    if (evaluator->fast != NULL) {
        evaluator->fast->scatter(evaluator->simulator, of_rank, of_op);
        return;
    }
    for (regal_id rank = 0; rank < evaluator->view->op_count; ++rank)
        of_op[evaluator->decoder.sequence[rank]] = of_rank[rank];
}
