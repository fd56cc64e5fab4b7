#ifndef REGAL_TRAIN_H
#define REGAL_TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Training of a policy (paper, section on training; DESIGN 5): REINFORCE throughout, in three
 * stages. 1: orders drawn from the policy under random placements; 2: whole plans drawn from it;
 * the reward of both is what the plan costs. 3: the search with the policy's proposals against the
 * search without. */

/* One member for each line of train_options.def. Strings are not copied. */
typedef struct regal_train_options {
#define REGAL_TRAIN_INT(field, flag, argument, standard, low, high, help)  int64_t field;
#define REGAL_TRAIN_SEED(field, flag, argument, standard, help)            uint64_t field;
#define REGAL_TRAIN_REAL(field, flag, argument, standard, low, high, help) double field;
#define REGAL_TRAIN_TEXT(field, flag, argument, standard, help)            const char *field;
#include "regal/train_options.def"
} regal_train_options;

void regal_train_options_init(regal_train_options *options);
regal_status regal_train_options_validate(const regal_train_options *options);

/* Where a training stands: after each step, and while it validates (with the figures of before). */
typedef struct regal_train_progress {
    const char *stage;            /* "order", "plans", "search" */
    int64_t step, steps;          /* of all stages */
    double seconds, seconds_left; /* of this run */
    double cost;                  /* mean cost of what was drawn over its lower bound */
    double gain_1000, gain_5000;  /* percent, last validation; NAN before the first */
    double best;                  /* greatest gain_5000 so far */
    bool validated;               /* in this step */
} regal_train_progress;

/* Return true to stop: the state is then kept in the checkpoint. */
typedef bool regal_train_callback(const regal_train_progress *progress, void *context);

/* Trains on a regal-set file and writes the policy that was best in validation to `output`;
 * *stopped (not NULL) tells whether the callback ended it before. The same options and sets give
 * the same policy for any number of threads, also if stopped and gone on with: a checkpoint of
 * other options or sets is REGAL_INVALID_INPUT. */
regal_status regal_train(const char *set, const char *output, const regal_train_options *options,
                         regal_train_callback *callback, void *context, bool *stopped);

#ifdef __cplusplus
}
#endif
#endif
