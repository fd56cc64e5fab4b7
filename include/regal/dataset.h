#ifndef REGAL_DATASET_H
#define REGAL_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Datasets: graphs to train policies on, and others to judge them by. Each is made in a folder, for
 * either objective, as the regal-set files
 *   time/train.json time/validation.json time/test.json
 *   memory/train.json memory/validation.json memory/test.json
 * and, where asked for, the graphs themselves in graphs/train, graphs/validation and graphs/test.
 */

/* The datasets and what they take, as regal_generator_describe. */
int regal_dataset_describe(int64_t index, regal_generator_info *info);

/* How far it is; sent now and then, from the thread that made the call. */
typedef struct regal_dataset_progress {
    const char *stage; /* "recipes", "filter", "graphs" */
    int64_t done, count;
} regal_dataset_progress;
/* Return true to stop. */
typedef bool regal_dataset_callback(const regal_dataset_progress *progress, void *context);

/* What there is now. */
typedef struct regal_dataset_made {
    bool complete;                   /* not stopped */
    int64_t train, validation, test; /* graphs, where it is complete */
    bool files;                      /* the graphs themselves were asked for */
} regal_dataset_made;

/* Makes the dataset in `folder`, which is made unless it is there. The same values give the same
 * files, byte for byte, whatever the threads. made->complete (made may be NULL) is false where the
 * callback (or NULL) stopped it; the same call then goes on from there, with the same result. A
 * folder that holds another dataset is REGAL_INVALID_ARGUMENT. A dataset of no graphs is
 * REGAL_INVALID_ARGUMENT too, and one whose filter lets no graph pass, of very many in a row, is
 * REGAL_INFEASIBLE; neither leaves a file. */
regal_status regal_dataset_generate(const char *dataset, const regal_parameter_value *values,
                                    int64_t value_count, const char *folder,
                                    regal_dataset_callback *callback, void *context,
                                    regal_dataset_made *made);

#ifdef __cplusplus
}
#endif
#endif
