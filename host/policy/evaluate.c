/* regal_evaluate: every search of an evaluation, on all threads. */
#include "regal/evaluate.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/file.h"
#include "policy/evaluate_data.h"
#include "search/optimize_proposed.h"

static const double REPORT_INTERVAL = 0.1;

/* An evaluation under way. An item is a problem with one search seed. */
typedef struct evaluating {
    regal_evaluation *evaluation;
    const regal_baseline_runs *baseline;
    regal_evaluate_callback *callback;
    void *context;
    double started;
    atomic_bool stop;     /* asked for, or something has failed */
    pthread_mutex_t lock; /* over everything below, and over problems */
    double last_report;
    int64_t searches;            /* done */
    int64_t missed;              /* of the reference, that the baseline does not hold */
    double work, worked, passed; /* evaluations: in all, searched, not searched again */
    regal_status failure;
    char message[1024];
} evaluating;

/* ---- progress */

static double work_of(const regal_evaluation *evaluation, int64_t budget) {
    return evaluation->budgets[budget] > 0 ? (double)evaluation->budgets[budget] : 1;
}

/* Asks the caller whether to stop, unless it is too soon again. */
static void report(evaluating *e, double interval) {
    const double now = regal_clock();
    pthread_mutex_lock(&e->lock);
    if (e->callback != NULL && now - e->last_report >= interval && !atomic_load(&e->stop)) {
        e->last_report = now;
        const double seconds = now - e->started, left = e->work - e->worked - e->passed;
        const regal_evaluation *evaluation = e->evaluation;
        const regal_evaluate_progress progress = {
            .done = e->searches,
            .count = REGAL_SIDES * evaluation->problem_count * evaluation->budget_count *
                     evaluation->repeats,
            .seconds = seconds,
            .seconds_left = e->worked > 0 ? seconds * left / e->worked : -1};
        if (e->callback(&progress, e->context)) {
            e->evaluation->stopped = true;
            atomic_store(&e->stop, true);
        }
    }
    pthread_mutex_unlock(&e->lock);
}

static bool is_to_stop(const regal_progress *progress, void *context) {
    evaluating *e = context;
    (void)progress;
    report(e, REPORT_INTERVAL);
    return atomic_load(&e->stop);
}

static void note_search(evaluating *e, int64_t budget, int side, bool searched) {
    pthread_mutex_lock(&e->lock);
    e->searches++;
    e->missed += e->baseline != NULL && side == REGAL_REFERENCE && searched;
    *(searched ? &e->worked : &e->passed) += work_of(e->evaluation, budget);
    pthread_mutex_unlock(&e->lock);
    report(e, 0);
}

/* ---- one search */

/* What is proposed takes of the time that there is. */
static regal_status search(const regal_evaluated_side *side, const regal_problem *problem,
                           regal_options *options, evaluating *e, regal_plan **plan) {
    const double started = regal_clock();
    const regal_encoding encoding =
        strcmp(options->encoding, "affinity") == 0 ? REGAL_AFFINITY : REGAL_INHERIT;
    if (side->control.kind == REGAL_NO_CONTROL)
        return regal_optimize(problem, options, is_to_stop, e, plan, NULL);
    uint16_t *genes;
    int64_t rows;
    REGAL_FORWARD(regal_control_propose(&side->control, problem, e->evaluation->objective, encoding,
                                        options->seed, &genes, &rows));
    if (options->time_limit >= 0) {
        const double left = options->time_limit - (regal_clock() - started);
        options->time_limit = left > 0 ? left : 0;
    }
    const regal_status status =
        regal_optimize_proposed(problem, options, genes, rows, is_to_stop, e, plan, NULL);
    free(genes);
    return status;
}

static regal_status run_search(evaluating *e, const regal_evaluated_side *side,
                               const regal_problem *problem, int64_t budget, int64_t repeat,
                               regal_evaluated_run *run) {
    const double started = regal_clock();
    regal_options options = side->options;
    regal_plan *plan = NULL;
    options.seed = (uint64_t)repeat + 1;
    if (e->evaluation->budgets[budget] > 0)
        options.evaluations = e->evaluation->budgets[budget];
    REGAL_FORWARD(search(side, problem, &options, e, &plan));
    const regal_fitness fitness = regal_plan_fitness(plan, e->evaluation->objective);
    *run = (regal_evaluated_run){
        .value = fitness.value[1], .excess = fitness.value[0], .seconds = regal_clock() - started};
    regal_plan_destroy(plan);
    return REGAL_OK;
}

/* ---- one item */

static regal_status describe(evaluating *e, const regal_set_problem *made,
                             regal_evaluated_problem *problem) {
    pthread_mutex_lock(&e->lock);
    if (problem->name == NULL) {
        const regal_bounds bounds = regal_problem_bounds(made->problem);
        regal_graph_digest(made->graph, problem->digest);
        problem->family = made->family;
        problem->unseen = made->unseen;
        problem->op_count = regal_graph_op_count(made->graph);
        problem->bound = e->evaluation->objective == REGAL_TIME ? bounds.time : bounds.memory;
        for (int64_t d = 0; d < regal_cluster_device_count(made->cluster); ++d)
            if (regal_cluster_device(made->cluster, d).memory > 0)
                e->evaluation->capped = true;
        problem->name = strdup(made->name);
    }
    pthread_mutex_unlock(&e->lock);
    REGAL_FAIL_IF_NULL(problem->name);
    return REGAL_OK;
}

static regal_status run_searches(evaluating *e, const regal_set_problem *made,
                                 regal_evaluated_problem *problem, int64_t repeat) {
    const regal_evaluation *evaluation = e->evaluation;
    for (int64_t budget = 0; budget < evaluation->budget_count; ++budget)
        for (int side = 0; side < REGAL_SIDES; ++side) {
            regal_evaluated_run *run =
                &regal_evaluated_runs(evaluation, problem, side, budget)[repeat];
            const bool known = side == REGAL_REFERENCE &&
                               regal_baseline_runs_find(e->baseline, problem,
                                                        evaluation->budgets[budget], repeat, run);
            if (!known)
                REGAL_FORWARD(
                    run_search(e, &evaluation->side[side], made->problem, budget, repeat, run));
            if (atomic_load(&e->stop))
                return REGAL_OK;
            note_search(e, budget, side, !known);
        }
    pthread_mutex_lock(&e->lock);
    problem->done++;
    pthread_mutex_unlock(&e->lock);
    return REGAL_OK;
}

static regal_status run_item(evaluating *e, regal_evaluated_problem *problem, int64_t repeat) {
    regal_set_problem made;
    REGAL_FORWARD(regal_graph_set_problem(e->evaluation->set, problem->index, &made));
    regal_status status = describe(e, &made, problem);
    if (status == REGAL_OK)
        status = run_searches(e, &made, problem, repeat);
    if (status != REGAL_OK)
        regal_error_prefix(status, "%s", made.name);
    regal_set_problem_destroy(&made);
    return status;
}

/* The first one is told: others may only follow from the end that it puts to their searches. */
static void note_failure(evaluating *e, regal_status status) {
    pthread_mutex_lock(&e->lock);
    if (e->failure == REGAL_OK && !e->evaluation->stopped) {
        e->failure = status;
        snprintf(e->message, sizeof e->message, "%s", regal_error_message());
    }
    atomic_store(&e->stop, true);
    pthread_mutex_unlock(&e->lock);
}

static void run_one(void *context, int64_t item, int64_t worker) {
    evaluating *e = context;
    const int64_t repeats = e->evaluation->repeats;
    (void)worker;
    if (atomic_load(&e->stop))
        return;
    const regal_status status =
        run_item(e, &e->evaluation->problems[item / repeats], item % repeats);
    if (status != REGAL_OK)
        note_failure(e, status);
}

static regal_status run_all(evaluating *e, int64_t threads) {
    regal_evaluation *evaluation = e->evaluation;
    const int64_t items = evaluation->problem_count * evaluation->repeats;
    for (int64_t b = 0; b < evaluation->budget_count; ++b)
        e->work += REGAL_SIDES * (double)items * work_of(evaluation, b);
    regal_thread_pool *pool;
    REGAL_FORWARD(regal_thread_pool_create(threads, &pool));
    regal_thread_pool_run(pool, items, run_one, e);
    regal_thread_pool_destroy(pool);
    evaluation->seconds = regal_clock() - e->started;
    REGAL_FAIL_IF(e->failure != REGAL_OK, e->failure, "%s", e->message);
    return REGAL_OK;
}

/* ---- the whole */

static regal_status join_best(const char *path, regal_evaluation *evaluation) {
    regal_best_known *best = NULL;
    REGAL_FORWARD(regal_best_known_read(path, &best));
    regal_status status = regal_best_known_join(best, evaluation);
    if (status == REGAL_OK)
        status = regal_best_known_write(best, path);
    regal_best_known_destroy(best);
    evaluation->with_best = status == REGAL_OK;
    return status;
}

/* What is wrong with the file is told before the first search. */
static regal_status check_best(const char *path) {
    regal_best_known *best = NULL;
    REGAL_FORWARD(regal_file_check_regular(path));
    const regal_status status = regal_best_known_read(path, &best);
    regal_best_known_destroy(best);
    return status;
}

static bool holds_search(const evaluating *e, const regal_evaluated_problem *problem) {
    const regal_evaluation *evaluation = e->evaluation;
    regal_evaluated_run run;
    for (int64_t b = 0; b < evaluation->budget_count; ++b)
        if (regal_baseline_runs_find(e->baseline, problem, evaluation->budgets[b], 0, &run))
            return true;
    return false;
}

/* Whether the file has any search that is needed. What problems are called only their graphs can
 * tell; the first is there unless the file is of something else, or of a few of many. */
static regal_status check_baseline(evaluating *e, const char *path) {
    const regal_evaluation *evaluation = e->evaluation;
    for (int64_t i = 0; i < evaluation->problem_count; ++i) {
        regal_set_problem made;
        REGAL_FORWARD(
            regal_graph_set_problem(evaluation->set, evaluation->problems[i].index, &made));
        regal_evaluated_problem problem = {.name = made.name};
        regal_graph_digest(made.graph, problem.digest);
        const bool found = holds_search(e, &problem);
        regal_set_problem_destroy(&made);
        report(e, REPORT_INTERVAL);
        if (found || atomic_load(&e->stop))
            return REGAL_OK;
    }
    REGAL_FAIL(REGAL_INVALID_INPUT,
               "%s: holds no search that this evaluation needs: it is of other graphs or budgets",
               regal_file_label(path));
}

static void warn_of_lack(const evaluating *e, const char *path) {
    if (e->missed > 0)
        regal_warn("%s: of the searches of the reference that it lacks %lld were run",
                   regal_file_label(path), (long long)e->missed);
}

static regal_status evaluate(evaluating *e, const regal_evaluate_options *options) {
    regal_baseline_runs *baseline = NULL;
    regal_status status = REGAL_OK;
    if (options->best != NULL)
        REGAL_FORWARD(check_best(options->best));
    if (options->baseline != NULL)
        REGAL_FORWARD(regal_baseline_runs_read(options->baseline, e->evaluation, &baseline));
    e->baseline = baseline;
    if (baseline != NULL)
        status = check_baseline(e, options->baseline);
    if (status == REGAL_OK)
        status = run_all(e, options->threads);
    regal_baseline_runs_destroy(baseline);
    REGAL_FORWARD(status);
    warn_of_lack(e, options->baseline);
    if (options->best != NULL)
        REGAL_FORWARD(join_best(options->best, e->evaluation));
    return regal_evaluation_summarize(e->evaluation);
}

regal_status regal_evaluate(const char *set, const regal_evaluate_options *options,
                            regal_evaluate_callback *callback, void *context,
                            regal_evaluation **evaluation) {
    *evaluation = NULL;
    evaluating e = {.callback = callback,
                    .context = context,
                    .started = regal_clock(),
                    .lock = PTHREAD_MUTEX_INITIALIZER};
    REGAL_FORWARD(regal_evaluation_create(set, options, &e.evaluation));
    const regal_status status = evaluate(&e, options);
    if (status == REGAL_OK)
        *evaluation = e.evaluation;
    else
        regal_evaluation_destroy(e.evaluation);
    return status;
}
