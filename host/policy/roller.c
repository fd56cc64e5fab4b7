#include "policy/roller.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/activation.h"
#include "regal/core/chain_move.h"
#include "regal/core/fitness.h"

static regal_status create_parts(const regal_policy_settings *settings, regal_roller *r) {
    const regal_problem_view *view = r->graph->view;
    regal_simd_level level;
    REGAL_FORWARD(regal_simd_level_find(&level));
    REGAL_FORWARD(regal_walker_create(r->graph, REGAL_PLACEMENT_INPUT_COUNT + settings->channels,
                                      settings->hidden, &r->walker));
    REGAL_FORWARD(regal_order_scratch_create(view->op_count, &r->order));
    REGAL_FORWARD(regal_evaluators_create(view, level, 1, &r->evaluators));
    r->key = regal_allocate(view->op_count, sizeof *r->key);
    REGAL_FAIL_IF_NULL(r->key);
    return REGAL_OK;
}

regal_status regal_roller_create(const regal_walk_graph *graph,
                                 const regal_policy_settings *settings, regal_roller *roller) {
    *roller = (regal_roller){.graph = graph, .objective = settings->objective};
    const regal_status status = create_parts(settings, roller);
    if (status != REGAL_OK)
        regal_roller_destroy(roller);
    return status;
}

void regal_roller_destroy(regal_roller *roller) {
    regal_walker_destroy(roller->walker);
    regal_order_scratch_destroy(&roller->order);
    regal_evaluators_destroy(&roller->evaluators);
    free(roller->key);
    *roller = (regal_roller){0};
}

regal_fitness regal_roller_evaluate(regal_roller *roller, const regal_id *sequence,
                                    const uint8_t *device) {
    const regal_problem_view *view = roller->graph->view;
    const int64_t n = view->op_count, window = roller->objective == REGAL_TIME ? 0 : 1;
    regal_evaluator *evaluator = roller->evaluators.items;
    for (int64_t i = 0; i < n; ++i)
        roller->key[sequence[i]] = regal_position_key(i, n);
    regal_evaluator_order(evaluator, device, roller->key, window);
    const int64_t makespan = regal_evaluator_run(evaluator, window, NULL);
    return regal_fitness_of(roller->objective, makespan, evaluator->peak, view->capacity,
                            view->device_count);
}

void regal_policy_heads(const regal_policy_settings *settings, const regal_walk_graph *graph,
                        const float *output, float *score, float *channel, float *slope) {
    const int64_t channels = settings->channels, width = 1 + channels;
    const float limit = (float)settings->score_limit, weight = (float)settings->rank_weight;
    for (int64_t op = 0; op < graph->op_count; ++op) {
        const float *y = output + op * width;
        const float bounded = regal_tanh(y[0] / limit);
        score[op] = weight * graph->rank[op] + limit * bounded;
        if (slope != NULL)
            slope[op * width] = regal_tanh_slope(bounded);
        for (int64_t c = 0; c < channels; ++c) {
            const float value = regal_tanh(y[1 + c]);
            channel[op * channels + c] = value;
            if (slope != NULL)
                slope[op * width + 1 + c] = regal_tanh_slope(value);
        }
    }
}

regal_status regal_walk_question_make(const regal_policy_settings *settings, float *parameters,
                                      regal_walk_question *question) {
    const regal_network_shape shape = regal_policy_network(settings);
    regal_simd_level level;
    REGAL_FORWARD(regal_simd_level_find(&level));
    *question = (regal_walk_question){
        .operators = regal_placement_operators_for(level),
        .weights = {.inputs = REGAL_PLACEMENT_INPUT_COUNT + settings->channels,
                    .hidden = settings->hidden,
                    .at = parameters + regal_network_parameter_count(&shape)},
        .channels = settings->channels};
    return REGAL_OK;
}
