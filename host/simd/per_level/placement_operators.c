#include "simd/placement_operators.h"

#include "regal/core/activation.h"

/* Hidden units at a time. */
enum { UNITS = 8 };

static inline float *bias_of(const regal_placement_weights *w) {
    return w->at + w->inputs * w->hidden;
}

static inline float *output_of(const regal_placement_weights *w) {
    return bias_of(w) + w->hidden;
}

static inline float *direct_of(const regal_placement_weights *w) {
    return output_of(w) + w->hidden;
}

/* unit[0..UNITS) = tanh of the sums of one block of hidden units, for one device. */
static inline void block_units(const regal_placement_weights *w, int64_t block, int64_t devices,
                               const float *input, float *restrict unit) {
    const float *restrict weight = w->at + block;
    float sum[UNITS];
    for (int j = 0; j < UNITS; ++j)
        sum[j] = bias_of(w)[block + j];
    for (int64_t i = 0; i < w->inputs; ++i, weight += w->hidden) {
        const float x = input[i * devices];
        for (int j = 0; j < UNITS; ++j)
            sum[j] += x * weight[j];
    }
    for (int j = 0; j < UNITS; ++j)
        unit[j] = regal_tanh(sum[j]);
}

static float device_score(const regal_placement_weights *w, int64_t devices, const float *input,
                          float *unit) {
    float score = 0;
    for (int64_t i = 0; i < w->inputs; ++i)
        score += input[i * devices] * direct_of(w)[i];
    for (int64_t block = 0; block < w->hidden; block += UNITS) {
        block_units(w, block, devices, input, unit + block);
        for (int j = 0; j < UNITS; ++j)
            score += unit[block + j] * output_of(w)[block + j];
    }
    return score;
}

static void score(const regal_placement_weights *weights, int64_t devices, const float *input,
                  float *unit, float *score) {
    for (int64_t d = 0; d < devices; ++d)
        score[d] = device_score(weights, devices, input + d, unit + d * weights->hidden);
}

/* Of one block of hidden units and one device. */
static inline void learn_block(const regal_placement_weights *w, int64_t block, int64_t devices,
                               const float *input, const float *unit, float share,
                               const regal_placement_weights *g, int64_t first,
                               float *input_gradient) {
    float slope[UNITS];
    float *restrict bias = bias_of(g) + block, *restrict output = output_of(g) + block;
    for (int j = 0; j < UNITS; ++j) {
        slope[j] = share * output_of(w)[block + j] * regal_tanh_slope(unit[block + j]);
        output[j] += share * unit[block + j];
        bias[j] += slope[j];
    }
    float *restrict weight = g->at + block;
    for (int64_t i = 0; i < w->inputs; ++i, weight += w->hidden) {
        const float x = input[i * devices];
        for (int j = 0; j < UNITS; ++j)
            weight[j] += x * slope[j];
    }
    for (int64_t i = first; i < w->inputs; ++i)
        for (int j = 0; j < UNITS; ++j)
            input_gradient[i - first] += slope[j] * w->at[i * w->hidden + block + j];
}

static void learn(const regal_placement_weights *weights, int64_t devices, const float *input,
                  const float *unit, const float *share, const regal_placement_weights *gradient,
                  int64_t first, float *input_gradient) {
    for (int64_t d = 0; d < devices; ++d) {
        for (int64_t i = 0; i < weights->inputs; ++i)
            direct_of(gradient)[i] += share[d] * input[i * devices + d];
        for (int64_t i = first; i < weights->inputs; ++i)
            input_gradient[i - first] += share[d] * direct_of(weights)[i];
        for (int64_t block = 0; block < weights->hidden; block += UNITS)
            learn_block(weights, block, devices, input + d, unit + d * weights->hidden, share[d],
                        gradient, first, input_gradient);
    }
}

const regal_placement_operators REGAL_SIMD_NAME(regal_placement_operators) = {.score = score,
                                                                              .learn = learn};
