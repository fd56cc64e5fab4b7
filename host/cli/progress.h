/* How far a search or a batch is: one line that is rewritten on a terminal, a line now and then
 * elsewhere, nothing when the console is quiet. Not for several threads at once. */
#ifndef REGAL_CLI_PROGRESS_H
#define REGAL_CLI_PROGRESS_H

#include <stdint.h>

#include "regal/regal.h"

typedef struct progress_meter {
    double shown_at; /* seconds of a steady clock */
    double begun_at;
    bool told; /* the user knows that the search is being stopped */
} progress_meter;

void progress_begin(progress_meter *meter);
void progress_search(progress_meter *meter, regal_objective objective,
                     const regal_progress *progress);
void progress_batch(progress_meter *meter, int64_t done, int64_t failed, int64_t count);
void progress_end(progress_meter *meter);

#endif
