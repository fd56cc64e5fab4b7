/* Every method on every graph, on all threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/optimize_job.h"
#include "cli/progress.h"

/* A comparison under way. An item is a method on a graph; graphs are read as they are reached and
 * kept until their last item is done. */
typedef struct comparing {
    const cli_options *options;
    const compare_sources *sources;
    compare_plans *plans;
    compare_results *results;
    pthread_mutex_t lock;        /* over everything below, and the results */
    regal_set_problem *problems; /* [graph_count] */
    int64_t next, taken, finished;
    double *seconds; /* [method_count] of all its runs so far */
    int64_t *counts; /* of them */
    progress_meter meter;
    int exit_code;
} comparing;

typedef struct compare_item {
    comparing *comparing;
    int64_t graph, method;
} compare_item;

/* ---- progress */

/* < 0: unknown until each method has been run once. */
static double seconds_left(const comparing *c) {
    const compare_results *results = c->results;
    const int64_t methods = results->methods.count;
    double left = 0;
    for (int64_t m = 0; m < methods; m++) {
        if (c->counts[m] == 0)
            return -1;
        const int64_t runs = results->graph_count - c->counts[m];
        left += (double)runs * c->seconds[m] / (double)c->counts[m];
    }
    return left / (double)results->workers;
}

static void show(comparing *c, const compare_item *item) {
    const compare_results *results = c->results;
    if (interrupted() && !c->meter.told) {
        c->meter.told = true;
        console_note("stopping with the runs that are done; another signal ends at once");
    }
    if (!progress_is_due(&c->meter))
        return;
    char line[512];
    const double left = seconds_left(c);
    const int64_t all = results->graph_count * results->methods.count;
    int used = snprintf(line, sizeof line, "%s of %s", HUMAN(count, c->finished),
                        HUMAN(things, all, "run"));
    if (left >= 0)
        used +=
            snprintf(line + used, sizeof line - (size_t)used, "  %s left", HUMAN(seconds, left));
    snprintf(line + used, sizeof line - (size_t)used, "  %s on %.300s",
             results->methods.items[item->method].name, results->graphs[item->graph].name);
    if (!console_is_live()) {
        console_plain("%s", line);
        return;
    }
    if (console_width() <= sizeof line)
        line[console_width() - 1] = '\0';
    console_status(line);
}

static bool watch(const regal_progress *progress, void *context) {
    const compare_item *item = context;
    comparing *c = item->comparing;
    (void)progress;
    if (pthread_mutex_trylock(&c->lock) == 0) {
        show(c, item);
        pthread_mutex_unlock(&c->lock);
    }
    return interrupted();
}

/* ---- graphs; with the lock held */

static void note_exit(comparing *c, int code) {
    c->exit_code = worse_exit_code(c->exit_code, code);
}

static bool has_caps(const regal_cluster *cluster) {
    for (int64_t d = 0; d < regal_cluster_device_count(cluster); d++)
        if (regal_cluster_device(cluster, d).memory > 0)
            return true;
    return false;
}

static void mark_plans(comparing *c, const char *digest, const regal_cluster *cluster) {
    for (int64_t i = 0; i < c->plans->count; i++)
        if (compare_plan_fits(c->plans->items[i].plan, digest, cluster))
            c->plans->items[i].used = true;
}

static bool read_graph(comparing *c, int64_t index) {
    compare_graph *graph = &c->results->graphs[index];
    regal_set_problem *made = &c->problems[index];
    const char *label = compare_sources_label(c->sources, index);
    const regal_status status = compare_sources_get(c->sources, index, made);
    graph->name = strdup(status == REGAL_OK ? made->name : label);
    if (status != REGAL_OK || !graph->name) {
        if (!interrupted()) {
            graph->exit_code =
                report_failure(label, status == REGAL_OK ? own_memory_failure() : status);
            note_exit(c, graph->exit_code);
        }
        return false;
    }
    const regal_bounds bounds = regal_problem_bounds(made->problem);
    regal_graph_digest(made->graph, graph->digest);
    graph->ops = regal_graph_op_count(made->graph);
    graph->devices = regal_cluster_device_count(made->cluster);
    graph->bound = c->results->objective == REGAL_TIME ? bounds.time : bounds.memory;
    graph->capped = has_caps(made->cluster);
    graph->left = c->results->methods.count;
    graph->read = true;
    mark_plans(c, graph->digest, made->cluster);
    return true;
}

/* False where there is nothing left to do. */
static bool take_item(comparing *c, compare_item *item) {
    const int64_t methods = c->results->methods.count;
    bool taken = false;
    pthread_mutex_lock(&c->lock);
    while (!taken && !interrupted() && c->next < c->results->graph_count * methods) {
        const int64_t graph = c->next / methods;
        if (c->next % methods == 0 && !read_graph(c, graph)) {
            c->next += methods;
            continue;
        }
        *item = (compare_item){c, graph, c->next % methods};
        c->next++;
        taken = true;
    }
    pthread_mutex_unlock(&c->lock);
    return taken;
}

/* ---- runs */

static int compare_quality(const regal_run *a, const regal_run *b) {
    if ((a->status == REGAL_OK) != (b->status == REGAL_OK))
        return a->status == REGAL_OK ? -1 : 1;
    if (a->excess != b->excess)
        return a->excess < b->excess ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static void tell_invalid(comparing *c, const char *path, const regal_run *run) {
    console_error("%s: not valid: %s", path, run->reason);
    pthread_mutex_lock(&c->lock);
    note_exit(c, regal_status_exit_code(run->status));
    pthread_mutex_unlock(&c->lock);
}

/* The best of the row's plans that are of this graph; without one there is no reason either. */
static regal_status measure_plans(comparing *c, const compare_item *item, regal_run *run) {
    const regal_set_problem *made = &c->problems[item->graph];
    *run = (regal_run){.status = REGAL_UNAVAILABLE, .seconds = -1, .evaluations = -1};
    bool found = false;
    for (int64_t i = 0; i < c->plans->count; i++) {
        const compare_plan *plan = &c->plans->items[i];
        if (plan->row != item->method ||
            !compare_plan_fits(plan->plan, c->results->graphs[item->graph].digest, made->cluster))
            continue;
        regal_run own;
        const regal_status status =
            regal_run_of_plan(made->problem, c->results->objective, plan->plan, &own);
        if (status != REGAL_OK)
            return status;
        if (own.status != REGAL_OK)
            tell_invalid(c, plan->path, &own);
        if (!found || compare_quality(&own, run) < 0) {
            regal_run_clear(run);
            *run = own;
        } else {
            regal_run_clear(&own);
        }
        found = true;
    }
    return REGAL_OK;
}

static regal_status run_item(comparing *c, compare_item *item, regal_run *run) {
    const compare_results *results = c->results;
    const int64_t method = results->methods.items[item->method].method;
    if (method < 0)
        return measure_plans(c, item, run);
    const regal_run_request request = {.objective = results->objective,
                                       .seed = results->seed,
                                       .threads = results->threads,
                                       .backend = c->options->search.backend,
                                       .gpu = c->options->search.gpu,
                                       .callback = watch,
                                       .context = item};
    const regal_status status =
        regal_method_run(c->problems[item->graph].problem, method, &request, run);
    regal_plan_destroy(run->plan);
    run->plan = NULL;
    return status;
}

static void tell_broken(comparing *c, const compare_item *item, const regal_run *run) {
    if (run->status != REGAL_INTERNAL)
        return;
    console_error("%s: %s is broken: %s", c->results->graphs[item->graph].name,
                  c->results->methods.items[item->method].name, run->reason);
    note_exit(c, regal_status_exit_code(run->status));
}

static void finish_item(comparing *c, compare_item *item, regal_status status, regal_run *run) {
    compare_results *results = c->results;
    compare_graph *graph = &results->graphs[item->graph];
    compare_run *place = &results->runs[item->graph * results->methods.count + item->method];
    pthread_mutex_lock(&c->lock);
    if (status != REGAL_OK) {
        note_exit(c, report_failure(graph->name, status));
    } else if (run->stopped) {
        regal_run_clear(run);
    } else {
        *place = (compare_run){true, *run};
        graph->left--;
        c->finished++;
        c->seconds[item->method] += run->seconds > 0 ? run->seconds : 0;
        c->counts[item->method]++;
        tell_broken(c, item, run);
    }
    if (graph->left == 0)
        regal_set_problem_destroy(&c->problems[item->graph]);
    show(c, item);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *context) {
    comparing *c = context;
    compare_item item;
    while (take_item(c, &item)) {
        regal_run run = {0};
        const regal_status status = run_item(c, &item, &run);
        finish_item(c, &item, status, &run);
    }
    return NULL;
}

static void *work_apart(void *context) {
    interrupts_hold();
    work(context);
    interrupts_release();
    return NULL;
}

/* This thread works too; fewer threads than wanted do the job as well. */
static void run_workers(comparing *c) {
    const int64_t count = c->results->workers - 1;
    pthread_t *threads = calloc((size_t)count + 1, sizeof *threads);
    int64_t started = 0;
    while (threads && started < count &&
           pthread_create(&threads[started], NULL, work_apart, c) == 0)
        started++;
    work(c);
    for (int64_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- the whole */

/* Over the caps counts where nobody was within them. */
static bool is_infeasible(const compare_results *results, int64_t graph) {
    bool over = false;
    for (int64_t m = 0; m < results->methods.count; m++) {
        const compare_run *run = compare_run_at(results, graph, m);
        if (compare_run_serves(run) && run->run.excess == 0)
            return false;
        over = over || compare_run_serves(run);
    }
    return over;
}

static void close_all(comparing *c) {
    compare_results *results = c->results;
    for (int64_t g = 0; g < results->graph_count; g++) {
        const compare_graph *graph = &results->graphs[g];
        results->stopped = results->stopped || (graph->exit_code == 0 && !graph->read) ||
                           (graph->read && graph->left > 0);
        if (graph->read && graph->left == 0 && is_infeasible(results, g))
            note_exit(c, regal_status_exit_code(REGAL_INFEASIBLE));
        regal_set_problem_destroy(&c->problems[g]);
    }
    results->stopped = results->stopped && interrupted();
    if (results->stopped)
        note_exit(c, EXIT_INTERRUPTED);
    for (int64_t i = 0; i < c->plans->count && !results->stopped; i++)
        if (!c->plans->items[i].used) {
            console_error("%s: of none of the graphs here on these devices and links (graph %s)",
                          c->plans->items[i].path, c->plans->items[i].plan->graph_digest);
            note_exit(c, regal_status_exit_code(REGAL_INVALID_INPUT));
        }
}

static void share_threads(const cli_options *options, compare_results *results) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t threads = options->search.threads > 0 ? options->search.threads
                            : processors > 0            ? processors
                                                        : 1;
    const bool side_by_side = results->graph_count >= threads;
    results->workers = side_by_side ? threads : 1;
    results->threads = side_by_side ? 1 : threads;
}

int compare_run_all(const cli_options *options, const compare_sources *sources,
                    compare_plans *plans, compare_results *results) {
    comparing c = {options, sources, plans, results, .next = 0};
    share_threads(options, results);
    c.problems = calloc((size_t)results->graph_count + 1, sizeof *c.problems);
    c.seconds = calloc((size_t)results->methods.count + 1, sizeof *c.seconds);
    c.counts = calloc((size_t)results->methods.count + 1, sizeof *c.counts);
    if (c.problems && c.seconds && c.counts) {
        const double started = progress_clock();
        pthread_mutex_init(&c.lock, NULL);
        progress_begin(&c.meter);
        run_workers(&c);
        progress_end(&c.meter);
        pthread_mutex_destroy(&c.lock);
        results->seconds = progress_clock() - started;
        close_all(&c);
    } else {
        c.exit_code = report_failure(NULL, own_memory_failure());
    }
    free(c.problems);
    free(c.seconds);
    free(c.counts);
    return c.exit_code;
}
