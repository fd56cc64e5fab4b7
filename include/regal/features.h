#ifndef REGAL_FEATURES_H
#define REGAL_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a policy's network is told of an op: numbers of about -3 to 3 in which units cancel, so that
 * one policy serves microseconds and bytes of any size. */
int64_t regal_feature_count(void);

/* Name ("cost_rank") and meaning, a line of words, of a feature; false, and NULL, past the last. */
bool regal_feature_describe(int64_t index, const char **name, const char **text);

/* features [op][regal_feature_count()], by row. */
regal_status regal_problem_features(const regal_problem *problem, regal_objective objective,
                                    float *features);

#ifdef __cplusplus
}
#endif
#endif
