/* All methods by one number: the classical ones first. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "compare/method.h"
#include "regal/baseline.h"
#include "regal/check.h"

static const regal_method methods[] = {
#define SEARCH(word_, name_, standard_, settings_, line_) \
    {.word = word_,                                       \
     .name = name_,                                       \
     .standard = standard_,                               \
     .run = regal_run_search,                             \
     .settle = settings_,                                 \
     .line = line_},
#define METHOD(word_, name_, standard_, runner_, line_) \
    {.word = word_, .name = name_, .standard = standard_, .run = runner_, .line = line_},
#include "compare/methods.def"
};
enum { METHODS = sizeof methods / sizeof *methods };

static bool is_classical(int64_t method) {
    return method >= 0 && method < REGAL_BASELINE_COUNT;
}

/* NULL: classical, or there is none. */
static const regal_method *method_at(int64_t method) {
    const int64_t index = method - REGAL_BASELINE_COUNT;
    return index >= 0 && index < METHODS ? &methods[index] : NULL;
}

bool regal_method_describe(int64_t method, regal_method_info *info) {
    const regal_method *own = method_at(method);
    *info = (regal_method_info){0};
    if (own != NULL) {
        *info = (regal_method_info){own->word, own->name, own->line, own->standard, true};
    } else if (is_classical(method)) {
        const regal_baseline baseline = (regal_baseline)method;
        *info = (regal_method_info){regal_baseline_word(baseline), regal_baseline_name(baseline),
                                    regal_baseline_line(baseline), true, false};
    }
    return info->word != NULL;
}

int64_t regal_method_find(const char *word) {
    regal_method_info info;
    for (int64_t i = 0; regal_method_describe(i, &info); ++i)
        if (strcmp(info.word, word) == 0)
            return i;
    return -1;
}

regal_status regal_method_options(int64_t method, regal_objective objective, int64_t op_count,
                                  regal_options *options) {
    const regal_method *own = method_at(method);
    REGAL_FAIL_IF(own == NULL || own->settle == NULL, REGAL_INVALID_ARGUMENT,
                  "method %lld has no settings of a search", (long long)method);
    regal_options_init(options);
    options->objective = regal_objective_name(objective);
    own->settle(options, objective, op_count);
    return REGAL_OK;
}

/* ---- runs */

void regal_run_request_init(regal_run_request *request) {
    regal_options standard;
    regal_options_init(&standard);
    *request = (regal_run_request){
        .seed = standard.seed, .backend = standard.backend, .gpu = standard.gpu};
}

void regal_run_clear(regal_run *run) {
    free(run->reason);
    free(run->curve);
    regal_plan_destroy(run->plan);
    *run = (regal_run){0};
}

/* The status and this thread's message in place of a plan. */
static regal_status refuse(regal_run *run, regal_status status) {
    REGAL_FAIL_IF(status == REGAL_OUT_OF_MEMORY, status, "memory ran out");
    run->status = status;
    free(run->reason);
    run->reason = strdup(regal_error_message());
    REGAL_FAIL_IF_NULL(run->reason);
    return REGAL_OK;
}

static regal_status judge(const regal_problem *problem, regal_objective objective,
                          const regal_plan *plan, bool claims, regal_run *run) {
    const regal_graph *graph = regal_problem_graph(problem);
    const regal_cluster *cluster = regal_problem_cluster(problem);
    regal_measure measure;
    const regal_status status = claims ? regal_plan_check(graph, cluster, plan, &measure)
                                       : regal_plan_measure(graph, cluster, plan, &measure);
    if (status != REGAL_OK)
        return refuse(run, claims && status == REGAL_INVALID_INPUT ? REGAL_INTERNAL : status);
    run->status = REGAL_OK;
    run->excess = measure.time.value[0];
    run->makespan = measure.time.value[1];
    run->max_peak = measure.time.value[2];
    run->value = objective == REGAL_TIME ? run->makespan : run->max_peak;
    return REGAL_OK;
}

regal_status regal_run_judge(const regal_problem *problem, regal_objective objective,
                             regal_plan *plan, regal_run *run) {
    const regal_status status = judge(problem, objective, plan, true, run);
    if (status == REGAL_OK && run->status == REGAL_OK)
        run->plan = plan;
    else
        regal_plan_destroy(plan);
    return status;
}

regal_status regal_run_of_plan(const regal_problem *problem, regal_objective objective,
                               const regal_plan *plan, regal_run *run) {
    *run = (regal_run){.seconds = plan->made.seconds, .evaluations = plan->made.evaluations};
    return judge(problem, objective, plan, false, run);
}

static regal_status run_method(const regal_problem *problem, int64_t method,
                               const regal_run_request *request, regal_run *run,
                               regal_plan **plan) {
    const regal_method *own = method_at(method);
    if (own != NULL)
        return own->run(own, problem, request, run, plan);
    return regal_baseline_plan(problem, (regal_baseline)method, request->objective, request->seed,
                               plan);
}

regal_status regal_method_run(const regal_problem *problem, int64_t method,
                              const regal_run_request *request, regal_run *run) {
    *run = (regal_run){.seconds = -1, .evaluations = -1};
    REGAL_FAIL_IF(!is_classical(method) && method_at(method) == NULL, REGAL_INVALID_ARGUMENT,
                  "there is no method %lld", (long long)method);
    const double started = regal_clock();
    regal_plan *plan = NULL;
    regal_status status = run_method(problem, method, request, run, &plan);
    run->seconds = regal_clock() - started;
    status = status == REGAL_OK ? regal_run_judge(problem, request->objective, plan, run)
                                : refuse(run, status);
    if (status != REGAL_OK)
        regal_run_clear(run);
    return status;
}
