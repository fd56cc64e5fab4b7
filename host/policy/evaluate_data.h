/* Inside a regal_evaluation. */
#ifndef REGAL_POLICY_EVALUATE_DATA_H
#define REGAL_POLICY_EVALUATE_DATA_H

#include "policy/controls.h"
#include "policy/graph_set.h"
#include "regal/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REGAL_WITH_POLICY, REGAL_REFERENCE, REGAL_SIDES };

/* One search. */
typedef struct regal_evaluated_run {
    int64_t value, excess;
    double seconds;
} regal_evaluated_run;

typedef struct regal_evaluated_side {
    regal_options options; /* but for seed and evaluations */
    regal_control control;
    char *name;  /* of the policy */
    char *words; /* options as a JSON object */
} regal_evaluated_side;

typedef struct regal_evaluated_problem {
    int64_t index; /* in the set */
    char *name;    /* NULL: not begun; the rest follows it */
    char digest[17];
    const char *family; /* the set's */
    bool unseen;
    int64_t op_count, bound;
    int64_t best;              /* known, within the caps; -1: none */
    int64_t done;              /* repeats */
    regal_evaluated_run *runs; /* [side][budget][repeat] */
} regal_evaluated_problem;

struct regal_evaluation {
    regal_graph_set *set;
    regal_objective objective;
    regal_evaluated_side side[REGAL_SIDES];
    int64_t *budgets; /* one of 0 where time is the limit */
    int64_t budget_count, repeats;
    regal_evaluated_problem *problems;
    int64_t problem_count;
    bool capped, stopped, with_best;
    double seconds;
    regal_evaluation_row *rows;
    int64_t row_count;
};

static inline regal_evaluated_run *regal_evaluated_runs(const regal_evaluation *evaluation,
                                                        const regal_evaluated_problem *problem,
                                                        int side, int64_t budget) {
    return problem->runs + (side * evaluation->budget_count + budget) * evaluation->repeats;
}

static inline bool regal_evaluated_fully(const regal_evaluation *evaluation,
                                         const regal_evaluated_problem *problem) {
    return problem->done == evaluation->repeats;
}

/* ---- evaluate_create.c: everything but the searches. */
regal_status regal_evaluation_create(const char *set, const regal_evaluate_options *options,
                                     regal_evaluation **evaluation);

/* ---- evaluate_summary.c: fills in the rows from what is done. */
regal_status regal_evaluation_summarize(regal_evaluation *evaluation);

/* ---- evaluate_baseline.c */

typedef struct regal_baseline_runs regal_baseline_runs;
/* Reads the file of an earlier evaluation whose set, objective and reference must be this one's. */
regal_status regal_baseline_runs_read(const char *path, const regal_evaluation *evaluation,
                                      regal_baseline_runs **runs);
/* The same from memory. */
regal_status regal_baseline_runs_parse(const char *data, size_t size, const char *name,
                                       const regal_evaluation *evaluation,
                                       regal_baseline_runs **runs);
void regal_baseline_runs_destroy(regal_baseline_runs *runs);
/* Whether the reference has been run on a problem. runs may be NULL. */
bool regal_baseline_runs_find(const regal_baseline_runs *runs,
                              const regal_evaluated_problem *problem, int64_t budget,
                              int64_t repeat, regal_evaluated_run *run);

/* ---- evaluate_best.c: the values of the best plans known, by name and digest of problems. */

typedef struct regal_best_known regal_best_known;
/* Of no values where there is no such file. */
regal_status regal_best_known_read(const char *path, regal_best_known **best);
/* The same from memory. */
regal_status regal_best_known_parse(const char *data, size_t size, const char *name,
                                    regal_best_known **best);
void regal_best_known_destroy(regal_best_known *best);
/* Sets the problems' best from the file and their runs, and the file's from the problems'. */
regal_status regal_best_known_join(regal_best_known *best, regal_evaluation *evaluation);
regal_status regal_best_known_write(const regal_best_known *best, const char *path);

#ifdef __cplusplus
}
#endif
#endif
