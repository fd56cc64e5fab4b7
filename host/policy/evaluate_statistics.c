#include "policy/evaluate_statistics.h"

#include <math.h>
#include <stdlib.h>

#include "policy/draws.h"

enum { RESAMPLES = 2000, CUT_OFF = RESAMPLES / 40 };

static double mean_of(const double *values, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
        sum += values[i];
    return sum / (double)count;
}

static double standard_error(const double *values, int64_t count, double mean) {
    double squares = 0;
    for (int64_t i = 0; i < count; ++i)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(count - 1) / (double)count);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void regal_sample_describe(const double *values, int64_t count, regal_sample *sample) {
    *sample = (regal_sample){NAN, NAN, NAN, NAN};
    if (count > 0)
        sample->mean = mean_of(values, count);
    if (count < 2)
        return;
    double means[RESAMPLES];
    regal_draws draws = regal_draws_make(1, REGAL_STAGE_BOOTSTRAP, 0);
    for (int r = 0; r < RESAMPLES; ++r) {
        double sum = 0;
        for (int64_t i = 0; i < count; ++i)
            sum += values[regal_draws_below(&draws, count)];
        means[r] = sum / (double)count;
    }
    qsort(means, RESAMPLES, sizeof *means, compare);
    sample->error = standard_error(values, count, sample->mean);
    sample->low = means[CUT_OFF];
    sample->high = means[RESAMPLES - 1 - CUT_OFF];
}
