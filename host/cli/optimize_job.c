#include "cli/optimize_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/search_trail.h"

enum { INSTANT = 20000 };

typedef struct search_watch {
    const optimize_job *job;
    search_trail trail; /* for the report */
    bool stopped;
} search_watch;

static bool watch_search(const regal_progress *progress, void *context) {
    search_watch *watch = context;
    if (watch->job->progress)
        watch->job->progress(progress, watch->job->context);
    if (watch->job->report_path)
        search_trail_note(&watch->trail, progress);
    watch->stopped = interrupted();
    return watch->stopped;
}

static void fail(optimize_result *result, const char *path, regal_status status) {
    const int code = regal_status_exit_code(status);
    result->exit_code = worse_exit_code(result->exit_code, code);
    free(result->error);
    result->error = failure_text(path, status);
}

/* The option whose file a failed search blames, or NULL. */
static const char *option_to_blame(const regal_options *options) {
    const struct {
        const char *flag, *path;
    } files[] = {{"--seeds", options->seeds},
                 {"--proposals", options->proposals},
                 {"--policy", options->policy},
                 {"--dump-proposals", options->dump_proposals}};
    const char *message = regal_error_message();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path[0] != '\0' && message_names_file(message, files[i].path))
            return files[i].flag;
    return NULL;
}

static void fail_search(optimize_result *result, const optimize_job *job, regal_status status) {
    const char *option = option_to_blame(&job->options->search);
    fail(result, option ? NULL : job->graph_path, status);
    char *error = result->error;
    if (!option || !error)
        return;
    result->is_of_option = true;
    result->error = NULL;
    if (asprintf(&result->error, "%s %s", option, error) < 0)
        result->error = NULL;
    free(error);
}

static regal_status measure_plan(const regal_problem *problem, const regal_plan *plan,
                                 plan_facts *facts) {
    const regal_graph *graph = regal_problem_graph(problem);
    const regal_cluster *cluster = regal_problem_cluster(problem);
    regal_measure measure;
    const regal_status status = regal_plan_measure(graph, cluster, plan, &measure);
    if (status == REGAL_OK)
        plan_facts_collect(graph, cluster, plan, &measure, regal_problem_bounds(problem), facts);
    return status;
}

/* Whether the baselines take but a moment: after an interrupt nobody waits for longer. */
static bool baselines_are_instant(const graph_counts *graph) {
    return graph->ops <= INSTANT && graph->tensors <= INSTANT && graph->controls <= INSTANT;
}

static void run_baselines(const regal_problem *problem, optimize_result *result) {
    for (regal_baseline i = 0; i < REGAL_BASELINE_COUNT; i++) {
        baseline_result *baseline = &result->baselines[i];
        const bool for_memory = i == REGAL_DEPTH_FIRST || i == REGAL_GREEDY_MEMORY;
        if (!regal_baseline_is_shown(i) || (for_memory && result->facts.objective != REGAL_MEMORY))
            continue;
        regal_plan *plan = NULL;
        baseline->known =
            regal_baseline_plan(problem, i, result->facts.objective, 0, &plan) == REGAL_OK;
        if (baseline->known) {
            baseline->excess = plan->time.value[0];
            baseline->makespan = plan->time.value[1];
            baseline->max_peak = plan->time.value[2];
        }
        regal_plan_destroy(plan);
    }
}

static void write_results(const optimize_job *job, const regal_graph *graph,
                          optimize_result *result) {
    if (job->plan_path) {
        const regal_status status = regal_plan_write(result->plan, job->plan_path);
        result->plan_written = status == REGAL_OK;
        if (status != REGAL_OK)
            fail(result, job->plan_path, status);
    }
    if (job->trace_path) {
        const regal_status status = regal_trace_write(graph, result->plan, job->trace_path);
        result->trace_written = status == REGAL_OK;
        if (status != REGAL_OK)
            fail(result, job->trace_path, status);
    }
}

static void write_report(const optimize_job *job, const regal_problem *problem,
                         const search_trail *trail, optimize_result *result) {
    regal_report_rival rivals[REGAL_BASELINE_COUNT];
    regal_report report = {.problem = problem,
                           .plan = result->plan,
                           .title = job->graph_path,
                           .points = trail->points,
                           .point_count = trail->count,
                           .rivals = rivals};
    for (regal_baseline i = 0; i < REGAL_BASELINE_COUNT; i++) {
        const baseline_result *baseline = &result->baselines[i];
        if (baseline->known)
            rivals[report.rival_count++] = (regal_report_rival){
                regal_baseline_name(i), baseline->makespan, baseline->max_peak, baseline->excess};
    }
    const regal_status status = regal_report_write(&report, job->report_path);
    result->report_written = status == REGAL_OK;
    if (status != REGAL_OK)
        fail(result, job->report_path, status);
}

static void finish_search(const optimize_job *job, const regal_problem *problem,
                          search_watch *watch, optimize_result *result) {
    result->interrupted = watch->stopped;
    if (watch->stopped)
        result->exit_code = EXIT_INTERRUPTED;
    else if (result->facts.excess > 0)
        result->exit_code = regal_status_exit_code(REGAL_INFEASIBLE);
    write_results(job, regal_problem_graph(problem), result);
    result->uncompared = interrupted() && !baselines_are_instant(&result->facts.graph);
    if (!result->uncompared)
        run_baselines(problem, result);
    if (!job->report_path)
        return;
    search_trail_end(&watch->trail, &result->facts, &result->plan->made);
    write_report(job, problem, &watch->trail, result);
}

static void search(const optimize_job *job, const regal_problem *problem, optimize_result *result) {
    search_watch watch = {.job = job};
    regal_options options = job->options->search;
    options.threads = job->threads;
    regal_status status =
        regal_optimize(problem, &options, watch_search, &watch, &result->plan, NULL);
    if (status == REGAL_OK)
        status = measure_plan(problem, result->plan, &result->facts);
    if (status != REGAL_OK) {
        fail_search(result, job, status);
        regal_plan_destroy(result->plan);
        result->plan = NULL;
    } else {
        finish_search(job, problem, &watch, result);
    }
    free(watch.trail.points);
}

void optimize_job_run(const optimize_job *job, optimize_result *result) {
    memset(result, 0, sizeof *result);
    regal_graph *graph = NULL;
    regal_problem *problem = NULL;
    interrupts_release(); /* reading may take for ever: a pipe */
    regal_status status = setting_read_graph(job->setting, job->graph_path, &graph);
    if (status == REGAL_OK)
        status = regal_problem_create(graph, job->setting->cluster, &problem);
    interrupts_hold();
    if (status != REGAL_OK)
        fail(result, job->graph_path, status);
    else if (interrupted())
        result->exit_code = EXIT_INTERRUPTED;
    else
        search(job, problem, result);
    regal_problem_destroy(problem);
    regal_graph_destroy(graph);
}

void optimize_result_clear(optimize_result *result) {
    free(result->error);
    regal_plan_destroy(result->plan);
    memset(result, 0, sizeof *result);
}

const char *optimize_result_word(const optimize_result *result) {
    switch (result->exit_code) {
    case 0:
        return "done";
    case 3:
        return "infeasible";
    case EXIT_INTERRUPTED:
        return "interrupted";
    default:
        return "failed";
    }
}

int worse_exit_code(int a, int b) {
    static const int worst_first[] = {1, 2, EXIT_INTERRUPTED, 3};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (a == worst_first[i] || b == worst_first[i])
            return worst_first[i];
    return 0;
}
