#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/json_values.h"
#include "cli/optimize_batch.h"
#include "cli/optimize_job.h"
#include "cli/output_paths.h"
#include "cli/progress.h"
#include "cli/run_files.h"

typedef struct search_display {
    progress_meter meter;
    regal_objective objective;
} search_display;

static bool show_search(const regal_progress *progress, void *context) {
    search_display *display = context;
    progress_search(&display->meter, display->objective, progress);
    return false;
}

static regal_objective objective_of(const cli_options *options) {
    const bool memory = strcmp(options->search.objective, regal_objective_name(REGAL_MEMORY)) == 0;
    return memory ? REGAL_MEMORY : REGAL_TIME;
}

static void tell_excess(const optimize_job *job, const plan_facts *facts) {
    const char *excess = HUMAN(bytes, facts->excess);
    if (caps_are_hopeless(job->setting->cluster, facts->bounds))
        console_error("%s: no plan can keep within the caps: some device needs at least %s; the "
                      "least-violating plan found is %s above them",
                      job->graph_path, HUMAN(bytes, facts->bounds.memory), excess);
    else
        console_error("%s: no plan within the memory caps was found: the least-violating plan "
                      "found is %s above them",
                      job->graph_path, excess);
}

static void tell_outcome(const optimize_job *job, const optimize_result *result) {
    if (result->interrupted)
        console_note("%s: interrupted: this is the best plan so far", job->graph_path);
    if (result->plan && result->facts.excess > 0)
        tell_excess(job, &result->facts);
    if (result->error)
        console_error("%s", result->error);
    else if (!result->plan)
        console_error("%s: interrupted before a plan was found", job->graph_path);
}

static int print_result(const optimize_job *job, const optimize_result *result) {
    const char *dump = job->options->search.dump_proposals;
    FILE *file = strcmp(dump, "-") == 0
                     ? stderr
                     : results_stream(job->plan_path, job->trace_path, job->report_path);
    if (!job->options->json) {
        if (result->plan && !(file == stderr && console_is_quiet()))
            summary_print(job, result, file);
        return result->exit_code;
    }
    char *line = json_line(summary_json(job, result));
    if (!line) {
        console_error("memory ran out");
        return worse_exit_code(result->exit_code, regal_status_exit_code(REGAL_OUT_OF_MEMORY));
    }
    fprintf(file, "%s\n", line);
    free(line);
    return result->exit_code;
}

static int optimize_one(optimize_job *job) {
    search_display display = {.objective = objective_of(job->options)};
    optimize_result result;
    job->progress = show_search;
    job->context = &display;
    progress_begin(&display.meter);
    interrupts_hold(); /* to the end of the program */
    optimize_job_run(job, &result);
    progress_end(&display.meter);
    const int code = print_result(job, &result);
    tell_outcome(job, &result);
    optimize_result_clear(&result);
    return code;
}

/* What is read again for each graph. */
static int check_rereadable(const cli_options *options) {
    const struct {
        const char *flag, *path;
    } inputs[] = {{"seeds", options->search.seeds},
                  {"proposals", options->search.proposals},
                  {"policy", options->search.policy}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (is_stream(inputs[i].path))
            return usage_error(COMMAND_OPTIMIZE,
                               "--%s %.400s is read for each graph: it has to be a regular file",
                               inputs[i].flag, inputs[i].path);
    return 0;
}

static int check_usage(const cli_options *options) {
    const int code = usage_check_streams(COMMAND_OPTIMIZE, options, options->argument_count);
    if (code != 0)
        return code;
    if (options->argument_count > 1 &&
        results_stream(options->output, options->trace, options->report) != stdout)
        return usage_error(COMMAND_OPTIMIZE,
                           "several graphs need a folder for -o, --trace and --report");
    if (options->argument_count > 1 && options->search.dump_proposals[0] != '\0')
        return usage_error(COMMAND_OPTIMIZE, "--dump-proposals serves one graph");
    if (options->argument_count > 1 && check_rereadable(options) != 0)
        return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    if (regal_options_validate(&options->search) != REGAL_OK)
        return usage_error(COMMAND_OPTIMIZE, "%s", regal_error_message());
    const regal_status status = regal_environment_check(&options->search);
    return status == REGAL_OK ? 0 : report_failure(NULL, status);
}

/* Where a single graph's result goes: path itself, or, where that is a folder, a file in it that is
 * named after the graph; *place (NULL where path is) is freed by the caller. */
static int place_output(const cli_options *options, const char *path, const char *suffix,
                        char **place) {
    const char *graph_path = options->arguments[0];
    *place = NULL;
    if (!path)
        return 0;
    if (!is_folder(path)) {
        *place = strdup(path);
    } else {
        char **names = output_names_create((char *const *)&graph_path, 1);
        const int code = folder_make(path);
        if (names && code == 0)
            *place = output_path_join(path, names[0], suffix);
        output_names_free(names, 1);
        if (code != 0)
            return code;
    }
    if (!*place)
        return report_failure(NULL, own_memory_failure());
    return 0;
}

static int check_places(const cli_options *options, const optimize_job *job) {
    run_files files = {0};
    run_files_add(&files, FILE_INPUT, options->arguments[0]);
    run_files_add_options(&files, options);
    run_files_add(&files, FILE_PLAN, job->plan_path);
    run_files_add(&files, FILE_RESULT, job->trace_path);
    run_files_add(&files, FILE_RESULT, job->report_path);
    const char *dump = options->search.dump_proposals;
    int code = run_files_check(&files, COMMAND_OPTIMIZE);
    if (code == 0)
        code = output_check(job->plan_path);
    if (code == 0)
        code = output_check(job->trace_path);
    if (code == 0)
        code = output_check(job->report_path);
    return code == 0 && *dump != '\0' ? output_check(dump) : code;
}

static int optimize_single(const cli_options *options, const cli_setting *setting) {
    optimize_job job = {.options = options,
                        .setting = setting,
                        .threads = options->search.threads,
                        .graph_path = options->arguments[0]};
    char *plan_path = NULL, *trace_path = NULL, *report_path = NULL;
    int code = place_output(options, options->output, PLAN_SUFFIX, &plan_path);
    if (code == 0)
        code = place_output(options, options->trace, TRACE_SUFFIX, &trace_path);
    if (code == 0)
        code = place_output(options, options->report, REPORT_SUFFIX, &report_path);
    job.plan_path = plan_path;
    job.trace_path = trace_path;
    job.report_path = report_path;
    if (code == 0)
        code = check_places(options, &job);
    if (code == 0)
        code = optimize_one(&job);
    free(plan_path);
    free(trace_path);
    free(report_path);
    return code;
}

int command_optimize(const cli_options *options) {
    cli_setting setting;
    int code = check_usage(options);
    if (code != 0)
        return code;
    interrupts_on_end("interrupted before a plan was found", NULL, NULL);
    code = setting_load(COMMAND_OPTIMIZE, options, NULL, &setting);
    if (code != 0)
        return code;
    code = options->argument_count > 1 ? optimize_batch(options, &setting)
                                       : optimize_single(options, &setting);
    setting_destroy(&setting);
    return code;
}
