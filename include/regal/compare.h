#ifndef REGAL_COMPARE_H
#define REGAL_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every method by name, run on a problem under the same performance model and checked by the same
 * checker: the classical ones (baseline.h), then searches (host/compare/methods.def). */
typedef struct regal_method_info {
    const char *word; /* "brkga-5k" */
    const char *name; /* in tables */
    const char *line;
    bool standard; /* among those that `regal compare` runs unless told otherwise */
    bool searches; /* goes on improving: heeds the callback, has a curve */
} regal_method_info;

/* Index from 0; false past the last. */
bool regal_method_describe(int64_t method, regal_method_info *info);
/* By its word; -1 where there is none such. */
int64_t regal_method_find(const char *word);

/* The settings of a search on a graph of so many ops. REGAL_INVALID_ARGUMENT for methods that are
 * none, or that have none. The policy may be a control (evaluate.h). */
regal_status regal_method_options(int64_t method, regal_objective objective, int64_t op_count,
                                  regal_options *options);

typedef struct regal_run_request {
    regal_objective objective;
    uint64_t seed;
    int64_t threads;     /* 0: one for each processor */
    const char *backend; /* as in regal_options */
    int64_t gpu;
    regal_progress_callback *callback; /* of searches; may be NULL */
    void *context;
} regal_run_request;

void regal_run_request_init(regal_run_request *request);

/* The best plan of a search from this moment on. */
typedef struct regal_run_point {
    double seconds;
    int64_t evaluations, value, excess;
} regal_run_point;

/* What a method made of a problem. Figures are the checker's. */
typedef struct regal_run {
    regal_status status; /* REGAL_OK: there is a plan, and it is valid. REGAL_INFEASIBLE,
                            REGAL_UNAVAILABLE: the method cannot serve the problem. REGAL_INTERNAL:
                            its plan is broken */
    char *reason;        /* where there is no plan */
    bool stopped;        /* by the callback: what it had then */
    regal_plan *plan;
    int64_t value; /* makespan or max peak, by the objective */
    int64_t excess, makespan, max_peak;
    double seconds;         /* -1: unknown */
    int64_t evaluations;    /* -1: the method has none */
    regal_run_point *curve; /* [point_count], of a search: each gain, then the end */
    int64_t point_count;
} regal_run;

/* Fails only where memory runs out or there is no such method; all else is in the run. */
regal_status regal_method_run(const regal_problem *problem, int64_t method,
                              const regal_run_request *request, regal_run *run);
/* The same of a plan from elsewhere: measured anew, seconds and evaluations as it tells them; the
 * run has no plan. REGAL_INVALID_INPUT in the status where it breaks a rule. */
regal_status regal_run_of_plan(const regal_problem *problem, regal_objective objective,
                               const regal_plan *plan, regal_run *run);
void regal_run_clear(regal_run *run);

/* ---- what many runs say */

typedef struct regal_compare_cell {
    bool known; /* there is a valid plan */
    int64_t value, excess;
    double seconds; /* < 0: unknown */
} regal_compare_cell;

/* One method over graphs. The best of a graph is the least value of any method's within the caps.
 */
typedef struct regal_compare_row {
    int64_t served, feasible; /* graphs with a plan; with one within the caps */
    int64_t won;              /* with the best value */
    int64_t compared;         /* within the caps here and for the reference */
    double gain, error;       /* 1 - value / that of the reference, percent: mean and its standard
                                 error; NAN: none compared */
    double ratio;             /* value / best: geometric mean over the feasible; NAN: none */
    double seconds;           /* mean; NAN: unknown */
} regal_compare_row;

/* cells: [graph_count][method_count]; rows: [method_count]; reference: a method, or -1. */
regal_status regal_compare_summarize(const regal_compare_cell *cells, int64_t graph_count,
                                     int64_t method_count, int64_t reference,
                                     regal_compare_row *rows);

/* The best value among a graph's cells, or -1. */
int64_t regal_compare_best(const regal_compare_cell *cells, int64_t method_count);

/* value / best; 1 for 0 / 0; NAN where there is no such number. */
double regal_compare_ratio(int64_t value, int64_t best);

#ifdef __cplusplus
}
#endif
#endif
