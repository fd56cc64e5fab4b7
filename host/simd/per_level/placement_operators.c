#include "simd/placement_operators.h"

#include <string.h>

#include "regal/core/activation.h"

#define INLINE static inline __attribute__((always_inline))

/* Hidden units at a time; devices at a time, so that their sums need not wait for one another. */
enum { UNITS = 8, TOGETHER = 4 };
typedef float units __attribute__((vector_size(UNITS * sizeof(float))));

INLINE units load(const float *at) {
    units x;
    memcpy(&x, at, sizeof x);
    return x;
}

INLINE void store(float *at, units x) {
    memcpy(at, &x, sizeof x);
}

INLINE float *bias_of(const regal_placement_weights *w) {
    return w->at + w->inputs * w->hidden;
}

INLINE float *output_of(const regal_placement_weights *w) {
    return bias_of(w) + w->hidden;
}

INLINE float *direct_of(const regal_placement_weights *w) {
    return output_of(w) + w->hidden;
}

INLINE units tanh_of(units x) {
    float in[UNITS], out[UNITS];
    store(in, x);
    for (int j = 0; j < UNITS; ++j)
        out[j] = regal_tanh(in[j]);
    return load(out);
}

/* Devices [0, count) of one block of hidden units. */
INLINE void block_units(const regal_placement_weights *w, int64_t block, int64_t devices,
                        const float *input, float *unit, const int count) {
    units sum[TOGETHER];
    for (int d = 0; d < count; ++d)
        sum[d] = load(bias_of(w) + block);
    for (int64_t i = 0; i < w->inputs; ++i) {
        const units weight = load(w->at + i * w->hidden + block);
        for (int d = 0; d < count; ++d)
            sum[d] += input[i * devices + d] * weight;
    }
    for (int d = 0; d < count; ++d)
        store(unit + d * w->hidden + block, tanh_of(sum[d]));
}

INLINE void score_some(const regal_placement_weights *w, int64_t devices, const float *input,
                       float *unit, float *score, const int count) {
    float sum[TOGETHER] = {0};
    for (int64_t i = 0; i < w->inputs; ++i)
        for (int d = 0; d < count; ++d)
            sum[d] += input[i * devices + d] * direct_of(w)[i];
    for (int64_t block = 0; block < w->hidden; block += UNITS)
        block_units(w, block, devices, input, unit, count);
    for (int d = 0; d < count; ++d) {
        units part = {0};
        for (int64_t block = 0; block < w->hidden; block += UNITS)
            part += load(unit + d * w->hidden + block) * load(output_of(w) + block);
        score[d] = sum[d] + (((part[0] + part[4]) + (part[2] + part[6])) +
                             ((part[1] + part[5]) + (part[3] + part[7])));
    }
}

static void score(const regal_placement_weights *weights, int64_t devices, const float *input,
                  float *unit, float *score) {
    const int64_t hidden = weights->hidden;
    int64_t d = 0;
    for (; d + TOGETHER <= devices; d += TOGETHER)
        score_some(weights, devices, input + d, unit + d * hidden, score + d, TOGETHER);
    for (; d + 2 <= devices; d += 2)
        score_some(weights, devices, input + d, unit + d * hidden, score + d, 2);
    for (; d < devices; ++d)
        score_some(weights, devices, input + d, unit + d * hidden, score + d, 1);
}

/* share[d] times the derivative of score(d) by the sums of one block of hidden units. */
INLINE units slope_of(const regal_placement_weights *w, int64_t block, float share, units unit) {
    return share * load(output_of(w) + block) * (1.0f - unit * unit);
}

/* Adds to the gradient of one block of hidden units, for devices [0, count), and their slopes to
 * `all`. */
INLINE void learn_block(const regal_placement_weights *w, int64_t block, int64_t devices,
                        const float *input, const float *unit, const float *share,
                        const regal_placement_weights *g, units *all, const int count) {
    units slope[TOGETHER];
    units output = load(output_of(g) + block), bias = load(bias_of(g) + block);
    for (int d = 0; d < count; ++d) {
        const units x = load(unit + d * w->hidden + block);
        slope[d] = slope_of(w, block, share[d], x);
        output += share[d] * x;
        bias += slope[d];
        *all += slope[d];
    }
    store(output_of(g) + block, output);
    store(bias_of(g) + block, bias);
    for (int64_t i = 0; i < w->inputs; ++i) {
        float *at = g->at + i * w->hidden + block;
        units weight = load(at);
        for (int d = 0; d < count; ++d)
            weight += input[i * devices + d] * slope[d];
        store(at, weight);
    }
}

static void learn(const regal_placement_weights *weights, int64_t devices, const float *input,
                  const float *unit, const float *share, const regal_placement_weights *gradient,
                  int64_t first, float *input_gradient) {
    const int64_t hidden = weights->hidden;
    float shares = 0;
    for (int64_t d = 0; d < devices; ++d)
        shares += share[d];
    for (int64_t i = 0; i < weights->inputs; ++i)
        for (int64_t d = 0; d < devices; ++d)
            direct_of(gradient)[i] += share[d] * input[i * devices + d];
    for (int64_t i = first; i < weights->inputs; ++i)
        input_gradient[i - first] += shares * direct_of(weights)[i];
    for (int64_t block = 0; block < hidden; block += UNITS) {
        units all = {0};
        int64_t d = 0;
        for (; d + TOGETHER <= devices; d += TOGETHER)
            learn_block(weights, block, devices, input + d, unit + d * hidden, share + d, gradient,
                        &all, TOGETHER);
        for (; d < devices; ++d)
            learn_block(weights, block, devices, input + d, unit + d * hidden, share + d, gradient,
                        &all, 1);
        for (int64_t i = first; i < weights->inputs; ++i) {
            const units part = all * load(weights->at + i * hidden + block);
            input_gradient[i - first] += ((part[0] + part[4]) + (part[2] + part[6])) +
                                         ((part[1] + part[5]) + (part[3] + part[7]));
        }
    }
}

const regal_placement_operators REGAL_SIMD_NAME(regal_placement_operators) = {.score = score,
                                                                              .learn = learn};
