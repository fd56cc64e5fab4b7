/* A policy trained on the graph itself, as one method of a comparison. */
#include "base/error.h"
#include "compare/curve.h"
#include "compare/method.h"
#include "policy/train/single.h"
#include "regal/version.h"

/* Half a minute on a graph of 150 ops. */
enum { STEPS = 2000, SAMPLES = 32 };

typedef struct training {
    const regal_run_request *request;
    regal_run *run;
    regal_curve curve;
    int64_t bound;
} training;

static bool watch(const regal_single_progress *progress, void *context) {
    training *t = context;
    const regal_run_point point = {progress->seconds, progress->evaluations,
                                   progress->best.value[1], progress->best.value[0]};
    regal_curve_note(&t->curve, point);
    const regal_progress told = {.seconds = progress->seconds,
                                 .stage = "training",
                                 .evaluations = progress->evaluations,
                                 .share = (double)progress->step / STEPS,
                                 .value = point.value,
                                 .excess = point.excess,
                                 .bound = t->bound,
                                 .seconds_left = progress->seconds / (double)progress->step *
                                                 (double)(STEPS - progress->step)};
    if (t->request->callback != NULL)
        t->run->stopped = t->request->callback(&told, t->request->context);
    return t->run->stopped || t->curve.memory_ran_out;
}

regal_status regal_run_reinforce(const regal_method *method, const regal_problem *problem,
                                 const regal_run_request *request, regal_run *run,
                                 regal_plan **plan) {
    const regal_bounds bounds = regal_problem_bounds(problem);
    const regal_single_options options = {request->seed, STEPS, SAMPLES};
    training t = {.request = request,
                  .run = run,
                  .curve = {.run = run},
                  .bound = request->objective == REGAL_TIME ? bounds.time : bounds.memory};
    int64_t evaluations;
    REGAL_FORWARD(
        regal_train_single(problem, request->objective, &options, watch, &t, plan, &evaluations));
    run->evaluations = evaluations;
    const regal_made made = {.version = REGAL_VERSION,
                             .origin = method->word,
                             .window = request->objective == REGAL_TIME ? 0 : 1,
                             .seed = request->seed,
                             .evaluations = evaluations,
                             .generations = -1,
                             .rounds = -1,
                             .threads = 1,
                             .seconds = -1};
    const regal_status status = regal_plan_set_made(*plan, &made);
    if (status == REGAL_OK && !t.curve.memory_ran_out)
        return REGAL_OK;
    regal_plan_destroy(*plan);
    *plan = NULL;
    REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
}
