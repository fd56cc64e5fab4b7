#include "policy/features.h"

#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "policy/feature_parts.h"
#include "regal/features.h"

static const struct {
    const char *name, *text;
} feature_table[] = {
#define REGAL_FEATURE(NAME, name, text) {name, text},
#include "policy/features.def"
};

const char *regal_feature_name(int64_t index) {
    return index >= 0 && index < REGAL_FEATURE_COUNT ? feature_table[index].name : NULL;
}

const char *regal_feature_text(int64_t index) {
    return index >= 0 && index < REGAL_FEATURE_COUNT ? feature_table[index].text : NULL;
}

static void carve(regal_feature_work *work, regal_carver *carver) {
    const int64_t n = work->view->op_count;
    work->op_ticks = regal_carve(carver, n, sizeof *work->op_ticks);
    work->tensor_ticks = regal_carve(carver, work->view->tensor_count, sizeof *work->tensor_ticks);
    work->input_bytes = regal_carve(carver, n, sizeof *work->input_bytes);
    work->made_bytes = regal_carve(carver, n, sizeof *work->made_bytes);
    work->upward = regal_carve(carver, n, sizeof *work->upward);
    work->downward = regal_carve(carver, n, sizeof *work->downward);
    work->depth_first = regal_carve(carver, n, sizeof *work->depth_first);
    work->greedy = regal_carve(carver, n, sizeof *work->greedy);
    work->position = regal_carve(carver, n, sizeof *work->position);
    work->early = regal_carve(carver, n, sizeof *work->early);
    work->value = regal_carve(carver, n, sizeof *work->value);
    work->keys = regal_carve(carver, 2 * n, sizeof *work->keys);
    work->items = regal_carve(carver, 2 * n, sizeof *work->items);
}

static regal_status fill(regal_feature_work *work) {
    REGAL_FORWARD(regal_features_of_time(work));
    REGAL_FORWARD(regal_features_of_bytes(work));
    REGAL_FORWARD(regal_features_of_shape(work));
    regal_features_of_problem(work);
    return REGAL_OK;
}

regal_status regal_features_of_pairs(const regal_problem_view *view, const regal_op_pairs *pairs,
                                     regal_objective objective, float *features) {
    if (view->op_count == 0)
        return REGAL_OK;
    regal_feature_work work = {
        .view = view, .pairs = pairs, .objective = objective, .features = features};
    regal_carver carver = {0};
    carve(&work, &carver);
    void *memory = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(memory);
    carver = (regal_carver){.base = memory};
    carve(&work, &carver);
    const regal_status status = fill(&work);
    free(memory);
    return status;
}

regal_status regal_features_compute(const regal_problem_view *view, regal_objective objective,
                                    float *features) {
    regal_op_pairs pairs;
    REGAL_FORWARD(regal_op_pairs_create(view, &pairs));
    const regal_status status = regal_features_of_pairs(view, &pairs, objective, features);
    regal_op_pairs_destroy(&pairs);
    return status;
}

bool regal_feature_describe(int64_t index, const char **name, const char **text) {
    *name = regal_feature_name(index);
    *text = regal_feature_text(index);
    return *name != NULL;
}

int64_t regal_feature_count(void) {
    return REGAL_FEATURE_COUNT;
}

regal_status regal_problem_features(const regal_problem *problem, regal_objective objective,
                                    float *features) {
    return regal_features_compute(regal_problem_get_view(problem), objective, features);
}
