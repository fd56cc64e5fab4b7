/* What the policy's network is told of a problem: numbers of each op and of each message between
 * ops, in which units cancel. Linear in edges, but for sorting. */
#ifndef REGAL_POLICY_FEATURES_H
#define REGAL_POLICY_FEATURES_H

#include "graph/problem_data.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Features of an op, each about -3..3. A policy knows them by their place in the
 * list: to change it is to train anew. X(NAME, "name", "what it is") in features.def. */
typedef enum regal_feature {
#define REGAL_FEATURE(NAME, name, text) REGAL_FEATURE_##NAME,
#include "policy/features.def"
    REGAL_FEATURE_COUNT
} regal_feature;

/* Name ("log_cost") and a line of words; NULL past the last. */
const char *regal_feature_name(int64_t index);
const char *regal_feature_text(int64_t index);

/* features [op][REGAL_FEATURE_COUNT], by row. The same on every run and for any number of threads.
 */
regal_status regal_features_compute(const regal_problem_view *view, regal_objective objective,
                                    float *features);

#ifdef __cplusplus
}
#endif
#endif
