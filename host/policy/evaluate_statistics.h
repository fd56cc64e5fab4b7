/* What a sample says of the mean that it is drawn from. */
#ifndef REGAL_POLICY_EVALUATE_STATISTICS_H
#define REGAL_POLICY_EVALUATE_STATISTICS_H

#include "regal/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All NAN of no value, all but the mean of one. */
typedef struct regal_sample {
    double mean;
    double error;     /* standard error of the mean; 0 for one value */
    double low, high; /* 95 % interval: percentiles of the means of 2,000 samples drawn from the
                         values with replacement, always the same ones */
} regal_sample;

/* All NAN without values. */
void regal_sample_describe(const double *values, int64_t count, regal_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
