/* How far a search or a batch is: one line that is rewritten on a terminal, a line now and then
 * elsewhere (the first after a second), nothing when the console is quiet. What a terminal is too
 * narrow for is left out, the least important first. Not for several threads at once. */
#ifndef REGAL_CLI_PROGRESS_H
#define REGAL_CLI_PROGRESS_H

#include <stdint.h>

#include "cli/spark_line.h"
#include "regal/regal.h"

typedef struct progress_meter {
    double shown_at, begun_at; /* of progress_clock */
    bool shown;
    bool told; /* the user knows that the search is being stopped */
    spark_line best;
    bool best_is_excess; /* no plan within the caps yet: the line is of what is above them */
} progress_meter;

/* Seconds of a steady clock. */
double progress_clock(void);

void progress_begin(progress_meter *meter);
/* Whether it is time to show something again, which is then taken to happen. */
bool progress_is_due(progress_meter *meter);
void progress_search(progress_meter *meter, regal_objective objective,
                     const regal_progress *progress);
/* Where progress_is_due; seconds_left < 0: unknown. */
void progress_batch(int64_t finished, int64_t failed, int64_t count, double seconds_left);
void progress_end(progress_meter *meter);

#endif
