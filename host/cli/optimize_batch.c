#include "cli/optimize_batch.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/json_values.h"
#include "cli/optimize_job.h"
#include "cli/output_paths.h"
#include "cli/plain_text.h"
#include "cli/progress.h"
#include "cli/run_files.h"

/* A graph that was begun; when finished, it waits for its turn to be printed. */
typedef struct batch_entry {
    bool finished;
    double begun_at, ends_at; /* of progress_clock; ends_at is estimated, 0: unknown */
    int exit_code;
    char *line;        /* NULL: nothing to print */
    double heft_ratio; /* HEFT / ours; 0: unknown */
    char policy[320];  /* in words; "": no plan */
} batch_entry;

typedef struct batch_state {
    const cli_options *options;
    const cli_setting *setting;
    int64_t count, worker_count, threads_each;
    char **names;
    pthread_mutex_t lock; /* over everything below */
    batch_entry *entries;
    int64_t next, printed, finished, failed;
    double mean; /* seconds that those which were done lately took; 0: none yet */
    int exit_code;
    bool stopped; /* nobody reads standard output any more */
    progress_meter meter;
} batch_state;

/* A search under way. */
typedef struct batch_search {
    batch_state *batch;
    int64_t index;
} batch_search;

/* From what the searches under way say of themselves, and from what finished ones took; < 0 while
 * that does not cover all. */
static double estimate_left(const batch_state *batch) {
    const int64_t waiting = batch->count - batch->next;
    const bool unknown = batch->finished == batch->failed;
    const double mean = batch->mean, time = progress_clock();
    if (waiting > 0 && unknown)
        return -1;
    double longest = 0, sum = (double)waiting * mean;
    for (int64_t i = batch->printed; i < batch->next; i++) {
        const batch_entry *entry = &batch->entries[i];
        if (entry->finished)
            continue;
        if (entry->ends_at <= 0 && unknown)
            return -1;
        const double end = entry->ends_at > 0 ? entry->ends_at : entry->begun_at + mean;
        const double left = fmax(end - time, 0);
        longest = fmax(longest, left);
        sum += left;
    }
    const double left = fmax(longest, sum / (double)batch->worker_count);
    return left > 0 ? left : -1;
}

static void show_batch(batch_state *batch) {
    if (progress_is_due(&batch->meter))
        progress_batch(batch->finished, batch->failed, batch->count, estimate_left(batch));
}

static bool note_progress(const regal_progress *progress, void *context) {
    const batch_search *search = context;
    batch_state *batch = search->batch;
    if (pthread_mutex_trylock(&batch->lock) == 0) {
        if (progress->seconds_left >= 0)
            batch->entries[search->index].ends_at = progress_clock() + progress->seconds_left;
        show_batch(batch);
        pthread_mutex_unlock(&batch->lock);
    }
    return false;
}

static const char *row_remark(const optimize_job *job, const optimize_result *result) {
    if (result->exit_code == 0)
        return "";
    if (result->exit_code == regal_status_exit_code(REGAL_INFEASIBLE) && result->plan &&
        caps_are_hopeless(job->setting->cluster, result->facts.bounds))
        return "infeasible: no plan can keep within the caps";
    return optimize_result_word(result);
}

static char *row_text(const optimize_job *job, const optimize_result *result, double heft_ratio) {
    const plan_facts *facts = &result->facts;
    const int64_t value = plan_facts_value(facts);
    const char *remark = row_remark(job, result);
    char *line = NULL;
    int length;
    if (!result->plan)
        length = asprintf(&line, "%11s %11s %8s %8s %8s  %s: %s", "-", "-", "-", "-", "-",
                          job->graph_path, remark);
    else
        length = asprintf(
            &line, "%11s %11s %8s %8s %8s  %s%s%s", HUMAN(count, facts->graph.ops),
            facts->objective == REGAL_TIME ? HUMAN(ticks, value) : HUMAN(bytes, value),
            HUMAN(ratio, (double)value, (double)plan_facts_bound(facts)),
            HUMAN(ratio, heft_ratio, heft_ratio > 0), HUMAN(seconds, result->plan->made.seconds),
            job->graph_path, *remark ? ": " : "", remark);
    if (length < 0)
        return NULL;
    plain_text_make(line);
    return line;
}

static double heft_ratio(const optimize_result *result) {
    const plan_facts *facts = &result->facts;
    const baseline_result *heft = &result->baselines[REGAL_HEFT];
    if (!result->plan || !heft->known || plan_facts_value(facts) <= 0)
        return 0;
    const int64_t value = facts->objective == REGAL_TIME ? heft->makespan : heft->max_peak;
    return (double)value / (double)plan_facts_value(facts);
}

static void note_policy(batch_entry *entry, const char *policy) {
    char text[sizeof entry->policy];
    snprintf(entry->policy, sizeof entry->policy, "%s", policy_in_words(policy, text, sizeof text));
}

static batch_entry run_graph(batch_state *batch, int64_t index) {
    const cli_options *options = batch->options;
    const char *name = batch->names[index];
    char *plan = options->output ? output_path_join(options->output, name, PLAN_SUFFIX) : NULL;
    char *trace = options->trace ? output_path_join(options->trace, name, TRACE_SUFFIX) : NULL;
    char *report = options->report ? output_path_join(options->report, name, REPORT_SUFFIX) : NULL;
    batch_search search = {batch, index};
    const optimize_job job = {.options = options,
                              .setting = batch->setting,
                              .threads = batch->threads_each,
                              .graph_path = options->arguments[index],
                              .plan_path = plan,
                              .trace_path = trace,
                              .report_path = report,
                              .progress = note_progress,
                              .context = &search};
    optimize_result result;
    batch_entry entry = {.finished = true};
    optimize_job_run(&job, &result);
    if (result.error)
        console_error("%s%s%s", result.is_of_option ? job.graph_path : "",
                      result.is_of_option ? ": " : "", result.error);
    entry.exit_code = result.exit_code;
    entry.heft_ratio = heft_ratio(&result);
    if (result.plan)
        note_policy(&entry, result.plan->made.policy);
    entry.line = options->json ? json_line(summary_json(&job, &result))
                               : row_text(&job, &result, entry.heft_ratio);
    if (!entry.line || (options->output && !plan) || (options->trace && !trace) ||
        (options->report && !report)) {
        console_error("%s: memory ran out", job.graph_path);
        entry.exit_code =
            worse_exit_code(entry.exit_code, regal_status_exit_code(REGAL_OUT_OF_MEMORY));
    }
    optimize_result_clear(&result);
    free(plan);
    free(trace);
    free(report);
    return entry;
}

static void print_entry(batch_entry *entry) {
    if (entry->line)
        puts(entry->line);
    free(entry->line);
    entry->line = NULL;
}

static void print_finished(batch_state *batch) {
    if (console_is_live())
        console_status_end();
    while (batch->printed < batch->next && batch->entries[batch->printed].finished)
        print_entry(&batch->entries[batch->printed++]);
    batch->stopped = fflush(stdout) != 0 || ferror(stdout);
}

/* Graphs that stand side by side in a list are often of like size. */
static void note_seconds(batch_state *batch, double seconds) {
    enum { LATELY = 16 };
    const int64_t known = batch->finished - batch->failed + 1;
    batch->mean += (seconds - batch->mean) / (double)(known < LATELY ? known : LATELY);
}

static void finish(batch_state *batch, int64_t index, batch_entry entry) {
    const bool failed = entry.exit_code == 1 || entry.exit_code == 2;
    pthread_mutex_lock(&batch->lock);
    if (!failed)
        note_seconds(batch, progress_clock() - batch->entries[index].begun_at);
    batch->entries[index] = entry;
    batch->exit_code = worse_exit_code(batch->exit_code, entry.exit_code);
    batch->finished++;
    batch->failed += failed;
    print_finished(batch);
    show_batch(batch);
    pthread_mutex_unlock(&batch->lock);
}

static void *work(void *context) {
    batch_state *batch = context;
    for (;;) {
        pthread_mutex_lock(&batch->lock);
        const bool over = batch->next == batch->count || interrupted() || batch->stopped;
        const int64_t index = over ? -1 : batch->next++;
        if (index >= 0)
            batch->entries[index].begun_at = progress_clock();
        pthread_mutex_unlock(&batch->lock);
        if (index < 0)
            return NULL;
        finish(batch, index, run_graph(batch, index));
    }
}

static void *work_apart(void *context) {
    interrupts_hold();
    work(context);
    interrupts_release();
    return NULL;
}

/* This thread works too; fewer threads than wanted do the job as well. */
static void run_workers(batch_state *batch) {
    pthread_t *workers = calloc((size_t)batch->worker_count, sizeof *workers);
    int64_t started = 0;
    while (workers && started < batch->worker_count - 1 &&
           pthread_create(&workers[started], NULL, work_apart, batch) == 0)
        started++;
    work(batch);
    interrupts_release(); /* a worker may be waiting for its graph */
    for (int64_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    interrupts_hold();
    free(workers);
}

/* What guided the searches, where it was one thing; a search may go without its policy. */
static void print_policy(const batch_state *batch, FILE *file) {
    const char *first = "";
    int64_t same = 0, all = 0;
    for (int64_t i = 0; i < batch->next; i++)
        if (*batch->entries[i].policy != '\0') {
            first = *first != '\0' ? first : batch->entries[i].policy;
            same += strcmp(first, batch->entries[i].policy) == 0;
            all++;
        }
    char *text = *first != '\0' ? strdup(first) : NULL;
    if (!text)
        return;
    plain_text_make(text);
    fprintf(file, "; %s", text);
    if (same < all)
        fprintf(file, " (%s of %s)", HUMAN(count, same), HUMAN(count, all));
    free(text);
}

static void print_totals(const batch_state *batch) {
    int64_t done = 0, infeasible = 0, stopped = 0, compared = 0;
    double logarithms = 0;
    for (int64_t i = 0; i < batch->next; i++) {
        const batch_entry *entry = &batch->entries[i];
        done += entry->finished && entry->exit_code == 0;
        infeasible += entry->exit_code == 3;
        stopped += entry->exit_code == EXIT_INTERRUPTED;
        if (entry->heft_ratio > 0) {
            logarithms += log(entry->heft_ratio);
            compared++;
        }
    }
    FILE *file = batch->options->json ? stderr : stdout;
    if (batch->options->json && console_is_quiet())
        return;
    fprintf(file, "%s of %s done, %s infeasible, %s failed", HUMAN(count, done),
            HUMAN(things, batch->count, "graph"), HUMAN(count, infeasible),
            HUMAN(count, batch->failed));
    if (stopped > 0)
        fprintf(file, ", %s interrupted", HUMAN(count, stopped));
    if (compared > 0)
        fprintf(file, "; HEFT needs %.3f x ours (geometric mean)",
                exp(logarithms / (double)compared));
    print_policy(batch, file);
    fputc('\n', file);
}

static int64_t thread_count(const cli_options *options) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->search.threads > 0)
        return options->search.threads;
    return processors > 0 ? processors : 1;
}

static void print_head(const cli_options *options) {
    const bool memory = strcmp(options->search.objective, "memory") == 0;
    if (!options->json)
        printf("%11s %11s %8s %8s %8s  %s\n", "ops", memory ? "max peak" : "makespan", "x bound",
               "HEFT", "seconds", "graph");
}

static int close_batch(batch_state *batch) {
    progress_end(&batch->meter);
    print_totals(batch);
    if (batch->finished < batch->count && interrupted()) {
        const int64_t left = batch->count - batch->finished;
        console_note("interrupted: %s %s not searched", HUMAN(things, left, "graph"),
                     left == 1 ? "was" : "were");
        batch->exit_code = worse_exit_code(batch->exit_code, EXIT_INTERRUPTED);
    }
    return batch->exit_code;
}

/* Ends the program while graphs are still being read. */
static int give_up(void *context) {
    batch_state *batch = context;
    for (int64_t i = batch->printed; i < batch->next; i++)
        print_entry(&batch->entries[i]);
    const int code = close_batch(batch);
    return fflush(stdout) == 0 ? code : regal_status_exit_code(REGAL_OUTPUT_FAILED);
}

static int run_batch(batch_state *batch) {
    const int64_t threads = thread_count(batch->options);
    const bool side_by_side = batch->count >= threads;
    batch->worker_count = side_by_side ? threads : 1;
    batch->threads_each = side_by_side ? 1 : threads;
    print_head(batch->options);
    progress_begin(&batch->meter);
    interrupts_hold(); /* to the end of the program */
    interrupts_on_end(NULL, give_up, batch);
    run_workers(batch);
    return close_batch(batch);
}

static void add_outputs(run_files *files, run_file_use use, const char *folder, const char *suffix,
                        const batch_state *batch) {
    for (int64_t i = 0; folder && i < batch->count; i++) {
        char *path = output_path_join(folder, batch->names[i], suffix);
        files->incomplete = files->incomplete || !path;
        run_files_add(files, use, path);
        free(path);
    }
}

/* That the results replace neither what is read nor each other. */
static int check_places(const batch_state *batch) {
    const cli_options *options = batch->options;
    run_files files = {0};
    if (!options->output && !options->trace && !options->report)
        return 0;
    run_files_add_options(&files, options);
    for (int64_t i = 0; i < batch->count; i++)
        run_files_add(&files, FILE_INPUT, options->arguments[i]);
    add_outputs(&files, FILE_PLAN, options->output, PLAN_SUFFIX, batch);
    add_outputs(&files, FILE_RESULT, options->trace, TRACE_SUFFIX, batch);
    add_outputs(&files, FILE_RESULT, options->report, REPORT_SUFFIX, batch);
    return run_files_check(&files, COMMAND_OPTIMIZE);
}

int optimize_batch(const cli_options *options, const cli_setting *setting) {
    batch_state batch = {.options = options, .setting = setting, .count = options->argument_count};
    int code = options->output ? folder_make(options->output) : 0;
    if (code == 0 && options->trace)
        code = folder_make(options->trace);
    if (code == 0 && options->report)
        code = folder_make(options->report);
    if (code != 0)
        return code;
    pthread_mutex_init(&batch.lock, NULL);
    batch.names = output_names_create(options->arguments, batch.count);
    batch.entries = calloc((size_t)batch.count, sizeof *batch.entries);
    if (batch.names && batch.entries) {
        code = check_places(&batch);
        if (code == 0)
            code = run_batch(&batch);
    } else {
        console_error("memory ran out");
        code = regal_status_exit_code(REGAL_OUT_OF_MEMORY);
    }
    output_names_free(batch.names, batch.count);
    free(batch.entries);
    pthread_mutex_destroy(&batch.lock);
    return code;
}
