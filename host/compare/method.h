/* Inside the table of methods. */
#ifndef REGAL_COMPARE_METHOD_H
#define REGAL_COMPARE_METHOD_H

#include "regal/compare.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_method regal_method;

/* Makes a plan; may fill the run's curve, evaluations and stopped. What fails is the method's. */
typedef regal_status regal_method_runner(const regal_method *method, const regal_problem *problem,
                                         const regal_run_request *request, regal_run *run,
                                         regal_plan **plan);

/* Changes what is not as the defaults have it; seed, threads, objective and backend are not its to
 * say. Texts are constants. */
typedef void regal_method_settings(regal_options *options, regal_objective objective,
                                   int64_t op_count);

struct regal_method {
    const char *word, *name;
    bool standard;
    regal_method_runner *run;
    regal_method_settings *settle; /* NULL: there are none */
    const char *line;
};

/* Runs regal_optimize with the method's settings. */
regal_method_runner regal_run_search;

#define SEARCH(word, name, standard, settings, line) regal_method_settings settings;
#define METHOD(word, name, standard, runner, line)   regal_method_runner runner;
#include "compare/methods.def"

/* Whatever a plan claims is held against the checker's own figures, which the run then has. The
 * plan is taken over, also on failure; a broken one gives REGAL_INTERNAL in the run's status. */
regal_status regal_run_judge(const regal_problem *problem, regal_objective objective,
                             regal_plan *plan, regal_run *run);

#ifdef __cplusplus
}
#endif
#endif
