/* The parts that features are made of: what they share, and each part's own. */
#ifndef REGAL_POLICY_FEATURE_PARTS_H
#define REGAL_POLICY_FEATURE_PARTS_H

#include <math.h>

#include "policy/features.h"
#include "policy/op_pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REGAL_FEATURE_LIMIT 3.0 /* no feature of an op or edge is beyond */

/* What is known of a problem while its features are made. */
typedef struct regal_feature_work {
    const regal_problem_view *view;
    const regal_op_pairs *pairs;
    regal_objective objective;
    float *features; /* [op][REGAL_FEATURE_COUNT] */

    int64_t *op_ticks, *tensor_ticks; /* [op], [tensor] means (baselines/upward_rank.h) */
    double total_ticks, longest_way;  /* of all ops; with transfers */
    double one_device_bytes;          /* what one device would take */
    double *input_bytes;              /* [op] of the storages that it reads */
    double *made_bytes;               /* [op] of the storages that it makes */
    int64_t *upward, *downward;       /* [op] */
    regal_id *depth_first, *greedy;   /* [op] orders */
    float *position;                  /* [op] in the depth-first order, -1..1 */
    float *early;                     /* [op] share of the longest way that comes before it */
    float *value;                     /* [op] to be ranked */
    uint32_t *keys;                   /* [2][op] */
    int32_t *items;                   /* [2][op] */
} regal_feature_work;

static inline float regal_feature_limit(double value) {
    value = value < REGAL_FEATURE_LIMIT ? value : REGAL_FEATURE_LIMIT;
    return (float)(value > -REGAL_FEATURE_LIMIT ? value : -REGAL_FEATURE_LIMIT);
}

static inline void regal_feature_put(const regal_feature_work *work, int64_t op,
                                     regal_feature feature, double value) {
    work->features[op * REGAL_FEATURE_COUNT + feature] = regal_feature_limit(value);
}

static inline void regal_feature_put_all(const regal_feature_work *work, regal_feature feature,
                                         double value) {
    for (int64_t op = 0; op < work->view->op_count; ++op)
        regal_feature_put(work, op, feature, value);
}

/* Half the logarithm of value / unit, limited; 0 without a unit. */
static inline float regal_log_ratio(double value, double unit) {
    if (!(unit > 0))
        return 0;
    return regal_feature_limit(value > 0 ? 0.5 * log(value / unit) : -REGAL_FEATURE_LIMIT);
}

static inline double regal_ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* 0..n-1 -> -1..1 */
static inline double regal_position(int64_t place, int64_t count) {
    return (double)(2 * place + 1) / (double)count - 1;
}

/* Ranks of work->value among all ops; ties share the middle. */
void regal_feature_put_rank(const regal_feature_work *work, regal_feature feature);

/* Logarithms of work->value (none below 0) in standard deviations from the mean of those above 0;
 * a 0 is far below. */
void regal_feature_put_deviation(const regal_feature_work *work, regal_feature feature);

/* Each fills its features, from what those before it have left in `work`. */
regal_status regal_features_of_time(regal_feature_work *work);
regal_status regal_features_of_bytes(regal_feature_work *work);
regal_status regal_features_of_shape(regal_feature_work *work);
void regal_features_of_problem(regal_feature_work *work);

/* ancestors, descendants [op]: about how many ops come before and after each, by the least of
 * random numbers over all of them (Cohen 1997): linear, the standard error a fifth. */
regal_status regal_estimate_reach(const regal_problem_view *view, const regal_op_pairs *pairs,
                                  float *ancestors, float *descendants);

enum { REGAL_SPECTRAL_COUNT = 3 };

/* coordinates [op][REGAL_SPECTRAL_COUNT], of mean 0 and variance 1 (all 0 where there is nothing
 * to tell apart), each growing along `early` [op]. position [op]: where power iteration starts from
 * is a smooth function of it. */
regal_status regal_spectral_coordinates(const regal_op_pairs *pairs, const float *position,
                                        const float *early, float *coordinates);

/* As regal_features_compute. */
regal_status regal_features_of_pairs(const regal_problem_view *view, const regal_op_pairs *pairs,
                                     regal_objective objective, float *features);

#ifdef __cplusplus
}
#endif
#endif
