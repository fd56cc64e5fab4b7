#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "policy/feature_parts.h"
#include "regal/core/placement.h"

static void put_neighbours(const regal_feature_work *work) {
    const regal_op_pairs *pairs = work->pairs;
    for (int64_t op = 0; op < pairs->op_count; ++op) {
        const int32_t *in = &pairs->in_begin[op], *out = &pairs->out_begin[op];
        const double before = in[1] - in[0], after = out[1] - out[0];
        double control = 0;
        for (int32_t p = in[0]; p < in[1]; ++p)
            control += pairs->bytes[p] < 0;
        for (int32_t p = out[0]; p < out[1]; ++p)
            control += pairs->bytes[pairs->out_pair[p]] < 0;
        regal_feature_put(work, op, REGAL_FEATURE_IN_DEGREE, log1p(before) - 1);
        regal_feature_put(work, op, REGAL_FEATURE_OUT_DEGREE, log1p(after) - 1);
        regal_feature_put(work, op, REGAL_FEATURE_SOURCE, before == 0);
        regal_feature_put(work, op, REGAL_FEATURE_SINK, after == 0);
        regal_feature_put(work, op, REGAL_FEATURE_CONTROL_SHARE,
                          regal_ratio(control, before + after));
    }
}

static void put_levels(const regal_feature_work *work, const int32_t *level,
                       regal_feature feature) {
    int32_t most = 1;
    for (int64_t op = 0; op < work->view->op_count; ++op)
        most = level[op] > most ? level[op] : most;
    for (int64_t op = 0; op < work->view->op_count; ++op)
        regal_feature_put(work, op, feature, 2.0 * level[op] / most - 1);
}

static void put_depths(const regal_feature_work *work, int32_t *level) {
    const regal_problem_view *view = work->view;
    const regal_op_pairs *pairs = work->pairs;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i];
        level[op] = 0;
        for (int32_t p = pairs->in_begin[op]; p < pairs->in_begin[op + 1]; ++p) {
            const int32_t next = level[pairs->source[p]] + 1;
            level[op] = next > level[op] ? next : level[op];
        }
    }
    put_levels(work, level, REGAL_FEATURE_DEPTH);
    for (int64_t i = view->op_count - 1; i >= 0; --i) {
        const regal_id op = view->canonical[i];
        level[op] = 0;
        for (int32_t p = pairs->out_begin[op]; p < pairs->out_begin[op + 1]; ++p) {
            const int32_t next = level[pairs->target[pairs->out_pair[p]]] + 1;
            level[op] = next > level[op] ? next : level[op];
        }
    }
    put_levels(work, level, REGAL_FEATURE_HEIGHT);
}

static regal_status put_reach(const regal_feature_work *work, float *ancestors,
                              float *descendants) {
    const double n = (double)work->view->op_count;
    REGAL_FORWARD(regal_estimate_reach(work->view, work->pairs, ancestors, descendants));
    for (int64_t op = 0; op < work->view->op_count; ++op) {
        const double before = (double)ancestors[op] / n, after = (double)descendants[op] / n;
        regal_feature_put(work, op, REGAL_FEATURE_ANCESTORS, 2 * before - 0.5);
        regal_feature_put(work, op, REGAL_FEATURE_DESCENDANTS, 2 * after - 0.5);
        regal_feature_put(work, op, REGAL_FEATURE_ORDER, before - after);
    }
    return REGAL_OK;
}

static const float SPECTRAL_STEPS = 4096; /* of a standard deviation, in ranks */

static regal_status put_spectral(const regal_feature_work *work, float *coordinates) {
    static const regal_feature feature[REGAL_SPECTRAL_COUNT][2] = {
        {REGAL_FEATURE_SPECTRAL_1, REGAL_FEATURE_SPECTRAL_RANK_1},
        {REGAL_FEATURE_SPECTRAL_2, REGAL_FEATURE_SPECTRAL_RANK_2},
        {REGAL_FEATURE_SPECTRAL_3, REGAL_FEATURE_SPECTRAL_RANK_3}};
    REGAL_FORWARD(
        regal_spectral_coordinates(work->pairs, work->position, work->early, coordinates));
    for (int i = 0; i < REGAL_SPECTRAL_COUNT; ++i) {
        for (int64_t op = 0; op < work->view->op_count; ++op) {
            const float value = coordinates[REGAL_SPECTRAL_COUNT * op + i];
            regal_feature_put(work, op, feature[i][0], (double)value);
            work->value[op] =
                roundf(value * SPECTRAL_STEPS); /* what differs by rounding is equal */
        }
        regal_feature_put_rank(work, feature[i][1]);
    }
    return REGAL_OK;
}

static void put_groups(const regal_feature_work *work, int32_t *members) {
    const regal_problem_view *view = work->view;
    for (regal_id op = 0; op < view->op_count; ++op)
        members[op] = 0;
    for (regal_id op = 0; op < view->op_count; ++op)
        members[view->leader[op]]++;
    for (regal_id op = 0; op < view->op_count; ++op)
        regal_feature_put(work, op, REGAL_FEATURE_GROUP_SIZE,
                          0.5 * log((double)members[view->leader[op]]));
}

regal_status regal_features_of_shape(regal_feature_work *work) {
    const int64_t n = work->view->op_count;
    float *numbers = regal_allocate(n, REGAL_SPECTRAL_COUNT * sizeof *numbers);
    REGAL_FAIL_IF_NULL(numbers);
    put_neighbours(work);
    put_depths(work, work->items);
    put_groups(work, work->items);
    regal_status status = put_reach(work, numbers, numbers + n);
    if (status == REGAL_OK)
        status = put_spectral(work, numbers);
    free(numbers);
    return status;
}

/* How much one device would take, over what all together have, were each as small as the smallest.
 */
static double pressure(const regal_feature_work *work, double *capped) {
    const regal_problem_view *view = work->view;
    double smallest = 0;
    *capped = 0;
    for (int32_t d = 0; d < view->device_count; ++d) {
        const double capacity = (double)view->capacity[d];
        if (capacity > 0) {
            smallest = *capped == 0 || capacity < smallest ? capacity : smallest;
            ++*capped;
        }
    }
    return regal_log_ratio(work->one_device_bytes, smallest * view->device_count);
}

void regal_features_of_problem(regal_feature_work *work) {
    const regal_problem_view *view = work->view;
    const double n = (double)view->op_count, devices = (double)view->device_count;
    double sent = 0, capped;
    for (regal_id t = 0; t < view->tensor_count; ++t)
        sent += (double)work->tensor_ticks[t];
    const double density = (double)work->pairs->pair_count / n;
    regal_feature_put_all(work, REGAL_FEATURE_OPS, 0.5 * log(n / 400));
    regal_feature_put_all(work, REGAL_FEATURE_DENSITY, density > 0 ? log(density) - 1 : -3);
    regal_feature_put_all(work, REGAL_FEATURE_DEVICES, 0.5 * log(devices / 4));
    regal_feature_put_all(work, REGAL_FEATURE_COMMUNICATION,
                          (double)regal_log_ratio(sent, work->total_ticks));
    regal_feature_put_all(work, REGAL_FEATURE_PARALLELISM,
                          (double)regal_log_ratio(work->longest_way * devices, work->total_ticks));
    regal_feature_put_all(work, REGAL_FEATURE_PRESSURE, pressure(work, &capped));
    regal_feature_put_all(work, REGAL_FEATURE_CAPPED, capped / devices);
    regal_feature_put_all(work, REGAL_FEATURE_FOR_MEMORY, work->objective == REGAL_MEMORY);
}
