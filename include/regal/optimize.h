#ifndef REGAL_OPTIMIZE_H
#define REGAL_OPTIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/chromosome.h"
#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The settings of a search, one member for each line of options.def (types int64_t, uint64_t,
 * double, const char *). Strings are not copied: they must outlive the calls that use them. */
typedef struct regal_options {
#define REGAL_OPTION_INT(field, flag, argument, standard, low, high, help)  int64_t field;
#define REGAL_OPTION_SEED(field, flag, argument, standard, help)            uint64_t field;
#define REGAL_OPTION_REAL(field, flag, argument, standard, low, high, help) double field;
#define REGAL_OPTION_TEXT(field, flag, argument, standard, choices, help)   const char *field;
#include "regal/options.def"
} regal_options;

/* Sets every member to its default. */
void regal_options_init(regal_options *options);

/* Checks every member against its range or choices, and the combinations. */
regal_status regal_options_validate(const regal_options *options);

/* One JSON object with every setting (owned by the caller, freed with free), or NULL. */
char *regal_options_json(const regal_options *options);

/* Where a search stands; sent about ten times a second and whenever the best plan improves. */
typedef struct regal_progress {
    double seconds;
    const char *stage; /* "seeds", "policy", "brkga", "anneal", "local" */
    int64_t evaluations;
    int64_t generation;  /* of the genetic algorithm; 0: its first population */
    int64_t rounds;      /* of the annealing chains */
    double share;        /* of the budget, 0..1 */
    int64_t value;       /* makespan or max peak of the best so far; -1: none yet */
    int64_t excess;      /* bytes above the caps */
    int64_t bound;       /* lower bound of value */
    double seconds_left; /* estimated from the speed of late; < 0: unknown */
} regal_progress;

/* Return true to stop; the best plan so far is then the result. */
typedef bool regal_progress_callback(const regal_progress *progress, void *context);

/* The search: the best plan found within the budget, checked by regal_plan_measure, attached to its
 * graph and cluster, with plan->made filled. REGAL_OK also when stopped early (made.stopped says by
 * what) and when no plan within the caps was found (fitness.value[0] > 0: the least-violating one).
 * The same options and problem give the same plan whatever the threads, unless time_limit or the
 * callback stopped it. callback may be NULL. *best (where best is not NULL) receives the
 * chromosome behind the plan, or NULL where the plan is a seed's own. */
regal_status regal_optimize(const regal_problem *problem, const regal_options *options,
                            regal_progress_callback *callback, void *context, regal_plan **plan,
                            regal_chromosome **best);

/* Backends: what is there, and why another is not. Index from 0; false past the last. A backend
 * comes once for each of its devices. */
typedef struct regal_backend_info {
    const char *name;   /* "cpu", "cuda" */
    int64_t number;     /* of the device among the backend's, from 0 */
    const char *device; /* processor or GPU, in words */
    bool available;
    const char *reason; /* why not available; "" otherwise */
    int64_t threads;
    int64_t memory;          /* bytes */
    int64_t multiprocessors; /* of a GPU; else 0 */
    const char *simd;        /* instructions of the CPU: "plain", "avx2", "avx512"; else "" */
} regal_backend_info;
bool regal_backend_describe(int64_t index, regal_backend_info *info);

/* Whether searches can do as the options and the environment ask: the backend can be had
 * (REGAL_UNAVAILABLE); REGAL_SIMD names an instruction set (REGAL_INVALID_ARGUMENT) that is there
 * (REGAL_UNAVAILABLE). They fail likewise. */
regal_status regal_environment_check(const regal_options *options);

#ifdef __cplusplus
}
#endif
#endif
