#ifndef REGAL_EVALUATE_H
#define REGAL_EVALUATE_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How good a policy is on graphs that it has not seen: the search with it against a reference, the
 * search without, on every problem of a set (a regal-set file), with equal evaluations or equal
 * time, for several search seeds. */

/* Of both sides `policy` is a file, "auto", or a control:
 *   none          uniform keys
 *   upward-rank   priorities around the normalized upward rank
 *   bytes-freed   priorities around the bytes that an op frees less those that it defines
 *   beta:M,C      all keys from the Beta distribution of this mean and concentration
 *   heft-seed     inherit keys, the heuristics' plans as seeds
 *   untrained     roll-outs of a policy that has learned nothing
 * Objective, seed, evaluations and threads of the searches are not theirs to say. */
typedef struct regal_evaluate_options {
    regal_options search;    /* with the policy */
    regal_options reference; /* against which it is measured */
    const int64_t *budgets;  /* [budget_count] evaluations, ascending; none where search.time_limit
                                and reference.time_limit say how long (inference counted) */
    int64_t budget_count;
    int64_t repeats;      /* search seeds 1..repeats */
    int64_t problems;     /* so many of the set, evenly over it; 0: all */
    int64_t threads;      /* searches side by side; 0: one for each processor */
    const char *baseline; /* a file of regal_evaluation_write whose reference is the same: what it
                             holds is not run again (REGAL_INVALID_INPUT where that is nothing, a
                             warning where it is a part); NULL: none */
    const char *best;     /* a regal-best-known file, made if missing: the best plans' values, read
                             and then written with what is better; NULL: none */
} regal_evaluate_options;

/* The paper's way: genetic algorithm, affinity keys, no seeds, proposals for mutants alone, policy
 * "auto" against "none"; 500, 1,000 and 5,000 evaluations, three seeds. */
void regal_evaluate_options_init(regal_evaluate_options *options);
/* Such settings of the search itself, policy "none". */
void regal_evaluate_search_init(regal_options *search);

typedef struct regal_evaluate_progress {
    int64_t done, count;          /* searches */
    double seconds, seconds_left; /* left < 0: unknown */
} regal_evaluate_progress;

/* After each search and about ten times a second, from one thread at a time. Return true to stop:
 * what was finished is then the result. */
typedef bool regal_evaluate_callback(const regal_evaluate_progress *progress, void *context);

typedef struct regal_evaluation regal_evaluation;

/* The same result for any number of threads, unless time limits it. callback may be NULL. */
regal_status regal_evaluate(const char *set, const regal_evaluate_options *options,
                            regal_evaluate_callback *callback, void *context,
                            regal_evaluation **evaluation);
void regal_evaluation_destroy(regal_evaluation *evaluation);

typedef struct regal_evaluation_facts {
    const char *set, *policy, *reference; /* names; a policy's with its digest */
    regal_objective objective;
    int64_t problems, finished; /* asked for, and with all searches done */
    int64_t repeats;
    bool capped;  /* some plan could be, or is, above its caps */
    bool stopped; /* by the callback */
    double seconds;
} regal_evaluation_facts;
regal_evaluation_facts regal_evaluation_describe(const regal_evaluation *evaluation);

/* Figures over the finished problems of a group. A problem's gain is 1 - the mean value with the
 * policy / that of the reference, in percent, over the seeds for which both found plans within the
 * caps. */
typedef struct regal_evaluation_row {
    const char *group;                   /* "all", "seen", "unseen" or a family */
    int64_t budget, reference_budget;    /* evaluations; 0: limited by time */
    int64_t problems, compared;          /* in the group; of them with a gain */
    double feasible, reference_feasible; /* share of plans within the caps, 0..1 */
    double gain, error;                  /* mean and its standard error, percent; NAN: no gains */
    double low, high;                    /* its 95 % interval: bootstrap over problems; NAN, as the
                                            error, where fewer than two were compared */
    double won;                          /* share of problems, 0..1: more seeds feasible, or as many
                                            and a smaller mean */
    double captured;                     /* gain over that of the best plans known; NAN: unknown */
    double seconds, reference_seconds;   /* of a search, in the mean */
} regal_evaluation_row;

/* Index from 0; false past the last. For each budget the groups, then each smaller budget with the
 * policy against the greatest of the reference. */
bool regal_evaluation_summary(const regal_evaluation *evaluation, int64_t index,
                              regal_evaluation_row *row);

/* Everything as JSON ("-": standard output): settings, each search of each finished problem, the
 * summary. */
regal_status regal_evaluation_write(const regal_evaluation *evaluation, const char *path);

#ifdef __cplusplus
}
#endif
#endif
