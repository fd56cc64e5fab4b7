/* A search as one method of a comparison, with its quality over time. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/curve.h"
#include "compare/method.h"
#include "policy/controls.h"
#include "search/optimize_proposed.h"

typedef struct watched_search {
    const regal_run_request *request;
    regal_run *run;
    regal_curve curve;
} watched_search;

static bool watch(const regal_progress *progress, void *context) {
    watched_search *watched = context;
    regal_run *run = watched->run;
    regal_curve_note(&watched->curve, (regal_run_point){progress->seconds, progress->evaluations,
                                                        progress->value, progress->excess});
    if (watched->request->callback != NULL)
        run->stopped = watched->request->callback(progress, watched->request->context);
    return run->stopped || watched->curve.memory_ran_out;
}

/* With a policy, or with what a control proposes in its place. */
static regal_status search(const regal_problem *problem, regal_objective objective,
                           const regal_options *options, watched_search *watched,
                           regal_plan **plan) {
    regal_control control;
    REGAL_FORWARD(regal_control_read(options->policy, &control));
    if (control.kind == REGAL_NO_CONTROL)
        return regal_optimize(problem, options, watch, watched, plan, NULL);
    const regal_encoding encoding =
        strcmp(options->encoding, "affinity") == 0 ? REGAL_AFFINITY : REGAL_INHERIT;
    uint16_t *genes;
    int64_t rows;
    REGAL_FORWARD(regal_control_propose(&control, problem, objective, encoding, options->seed,
                                        &genes, &rows));
    const regal_status status =
        regal_optimize_proposed(problem, options, genes, rows, watch, watched, plan, NULL);
    free(genes);
    return status;
}

regal_status regal_run_search(const regal_method *method, const regal_problem *problem,
                              const regal_run_request *request, regal_run *run, regal_plan **plan) {
    watched_search watched = {.request = request, .run = run, .curve = {.run = run}};
    regal_options options;
    regal_options_init(&options);
    method->settle(&options, request->objective,
                   regal_graph_op_count(regal_problem_graph(problem)));
    options.objective = regal_objective_name(request->objective);
    options.seed = request->seed;
    options.threads = request->threads;
    options.backend = request->backend;
    options.gpu = request->gpu;
    REGAL_FORWARD(search(problem, request->objective, &options, &watched, plan));
    const regal_made *made = &(*plan)->made;
    const regal_fitness fitness = regal_plan_fitness(*plan, request->objective);
    run->evaluations = made->evaluations;
    regal_curve_end(&watched.curve, (regal_run_point){made->seconds, made->evaluations,
                                                      fitness.value[1], fitness.value[0]});
    if (!watched.curve.memory_ran_out)
        return REGAL_OK;
    regal_plan_destroy(*plan);
    *plan = NULL;
    REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
}
