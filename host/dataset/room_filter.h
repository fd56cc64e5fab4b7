/* "Room for improvement": the public filter of the paper's dataset. */
#ifndef REGAL_DATASET_ROOM_FILTER_H
#define REGAL_DATASET_ROOM_FILTER_H

#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct room_filter {
    int64_t low, high; /* evaluations */
    double faster;     /* percent */
} room_filter;

/* Whether uniform BRKGA (affinity keys, no start individuals, seed 1) for time breaks the memory
 * limits with the low budget and keeps them with the high one, or keeps them with both and is so
 * much faster with the high one. Once callback has returned true the answer means nothing. */
regal_status room_filter_judge(const room_filter *filter, const regal_problem *problem,
                               regal_progress_callback *callback, void *context, bool *passes);

#ifdef __cplusplus
}
#endif
#endif
