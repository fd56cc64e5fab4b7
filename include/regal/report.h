#ifndef REGAL_REPORT_H
#define REGAL_REPORT_H

#include <stdint.h>

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the best value fell during the search. */
typedef struct regal_report_point {
    double seconds;
    int64_t evaluations;
    int64_t value; /* makespan or greatest peak, whichever is the objective */
    int64_t excess;
} regal_report_point;

/* A plan that the report compares with. */
typedef struct regal_report_rival {
    const char *name; /* "HEFT", ... */
    int64_t makespan, max_peak, excess;
} regal_report_rival;

typedef struct regal_report {
    const regal_problem *problem;
    const regal_plan *plan;           /* attached, valid */
    const char *title;                /* the graph's file; NULL: the graph's name */
    const regal_report_point *points; /* [point_count], in time; none: no convergence is shown */
    int64_t point_count;
    const regal_report_rival *rivals;
    int64_t rival_count;
} regal_report;

/* One HTML file that needs nothing else: timeline of devices and links, memory, critical path,
 * convergence, comparison, busiest links, findings in words. */
regal_status regal_report_write(const regal_report *report, const char *path);

#ifdef __cplusplus
}
#endif
#endif
