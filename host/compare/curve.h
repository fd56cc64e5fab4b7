/* The quality of a run over time. */
#ifndef REGAL_COMPARE_CURVE_H
#define REGAL_COMPARE_CURVE_H

#include "regal/compare.h"

typedef struct regal_curve {
    regal_run *run; /* that holds the points */
    int64_t room;
    bool memory_ran_out;
} regal_curve;

/* Takes the point if it is better than the last one. A value < 0: no plan yet. */
void regal_curve_note(regal_curve *curve, regal_run_point point);
/* Takes it in any case: where the run ended. */
void regal_curve_end(regal_curve *curve, regal_run_point point);

#endif
