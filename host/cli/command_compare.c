#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/optimize_job.h"
#include "cli/output_paths.h"
#include "cli/run_files.h"

static const char REFERENCE[] = "brkga-5k";

typedef struct comparison {
    const cli_options *options;
    compare_sources sources;
    compare_plans plans;
    compare_results results;
} comparison;

/* ---- what is asked for */

static bool is_standard(const char *path) {
    return path && strcmp(path, "-") == 0;
}

static int check_streams(const cli_options *options) {
    const int outputs =
        is_standard(options->raw) + is_standard(options->csv) + is_standard(options->plot);
    if (outputs > 1)
        return usage_error(COMMAND_COMPARE, "only one result can go to standard output");
    return usage_check_streams(COMMAND_COMPARE, options, options->argument_count);
}

static int check_search(const cli_options *options) {
    if (regal_options_validate(&options->search) != REGAL_OK)
        return usage_error(COMMAND_COMPARE, "%s", regal_error_message());
    const regal_status status = regal_environment_check(&options->search);
    return status == REGAL_OK ? 0 : report_failure(NULL, status);
}

static int check_outputs(const cli_options *options) {
    const char *outputs[] = {options->raw, options->csv, options->plot};
    int code = 0;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && code == 0; i++)
        code = output_check(outputs[i]);
    return code;
}

static int check_files(const comparison *all) {
    const cli_options *options = all->options;
    run_files files = {0};
    for (int64_t i = 0; i < all->sources.path_count; i++)
        run_files_add(&files, FILE_INPUT, all->sources.paths[i]);
    for (int64_t i = 0; i < all->plans.count; i++)
        run_files_add(&files, FILE_INPUT, all->plans.items[i].path);
    run_files_add(&files, FILE_INPUT, options->cluster);
    run_files_add(&files, FILE_INPUT, options->costs);
    if (options->set)
        run_files_add(&files, FILE_INPUT, options->set);
    run_files_add(&files, FILE_RESULT, options->raw);
    run_files_add(&files, FILE_RESULT, options->csv);
    run_files_add(&files, FILE_RESULT, options->plot);
    const int code = run_files_check(&files, COMMAND_COMPARE);
    return code == 0 ? check_outputs(options) : code;
}

static int settle_reference(const cli_options *options, compare_results *results) {
    const char *word = options->reference ? options->reference : REFERENCE;
    results->reference = compare_methods_find(&results->methods, word);
    if (results->reference < 0 && options->reference)
        return usage_error(COMMAND_COMPARE,
                           "--reference: \"%.100s\" is not among the methods of this comparison",
                           word);
    return 0;
}

static void settle_objective(const comparison *all, compare_results *results) {
    const char *word = all->options->objective;
    results->objective = REGAL_TIME;
    if (word)
        results->objective = strcmp(word, "memory") == 0 ? REGAL_MEMORY : REGAL_TIME;
    else if (all->sources.set)
        results->objective = regal_graph_set_objective(all->sources.set);
}

static int open_comparison(comparison *all) {
    const cli_options *options = all->options;
    compare_results *results = &all->results;
    int code = check_streams(options);
    if (code == 0)
        code = check_search(options);
    if (code == 0)
        code = compare_methods_choose(options->methods, &results->methods);
    if (code == 0)
        code = compare_plans_read(options->plans, &all->plans, &results->methods);
    if (code == 0)
        code = compare_sources_open(options, compare_plans_example(&all->plans), &all->sources);
    if (code == 0)
        code = settle_reference(options, results);
    if (code == 0)
        code = check_files(all);
    if (code != 0)
        return code;
    settle_objective(all, results);
    results->seed = options->search.seed;
    results->graph_count = all->sources.count;
    results->graphs = calloc((size_t)results->graph_count + 1, sizeof *results->graphs);
    results->runs = calloc((size_t)results->graph_count + 1,
                           (size_t)results->methods.count * sizeof *results->runs);
    return results->graphs && results->runs ? 0 : report_failure(NULL, own_memory_failure());
}

/* ---- what comes of it */

static int write_result(const char *path, regal_status status, int code) {
    return status == REGAL_OK ? code : worse_exit_code(code, report_failure(path, status));
}

static int write_results(const comparison *all, const compare_figures *figures, int code) {
    const cli_options *options = all->options;
    const compare_results *results = &all->results;
    if (options->raw)
        code = write_result(options->raw, compare_json_write(results, figures, options->raw), code);
    if (options->csv)
        code = write_result(options->csv, compare_csv_write(results, options->csv), code);
    if (options->plot)
        code =
            write_result(options->plot, compare_plot_write(results, figures, options->plot), code);
    return code;
}

static void tell_rest(const compare_results *results) {
    int64_t done = 0;
    const int64_t all = results->graph_count * results->methods.count;
    for (int64_t i = 0; i < all; i++)
        done += results->runs[i].done;
    if (results->stopped)
        console_note("interrupted: %s of %s done", HUMAN(count, done), HUMAN(things, all, "run"));
}

static int tell(const comparison *all, int code) {
    const compare_results *results = &all->results;
    compare_figures figures;
    const regal_status status = compare_figures_make(results, &figures);
    if (status != REGAL_OK) {
        code = worse_exit_code(code, report_failure(NULL, status));
    } else if (figures.graph_count > 0) {
        const cli_options *options = all->options;
        const bool taken =
            is_standard(options->raw) || is_standard(options->csv) || is_standard(options->plot);
        FILE *file = taken ? stderr : stdout;
        if (!(taken && console_is_quiet()))
            compare_table_print(results, &figures, file);
        code = write_results(all, &figures, code);
    }
    compare_figures_clear(&figures);
    tell_rest(results);
    return code;
}

static void close_comparison(comparison *all) {
    compare_results *results = &all->results;
    const int64_t runs = results->runs ? results->graph_count * results->methods.count : 0;
    for (int64_t i = 0; i < runs; i++)
        regal_run_clear(&results->runs[i].run);
    for (int64_t g = 0; results->graphs && g < results->graph_count; g++)
        free(results->graphs[g].name);
    free(results->runs);
    free(results->graphs);
    compare_methods_clear(&results->methods);
    compare_plans_clear(&all->plans);
    compare_sources_close(&all->sources);
}

int command_compare(const cli_options *options) {
    if (options->methods && strcmp(options->methods, "list") == 0) {
        compare_methods_print(stdout);
        return 0;
    }
    if (options->argument_count == 0 && !options->set)
        return usage_error(COMMAND_COMPARE, "what is to be compared on? GRAPH... or --set SET");
    interrupts_on_end("interrupted before a method was run", NULL, NULL);
    comparison all = {.options = options};
    int code = open_comparison(&all);
    if (code == 0) {
        interrupts_hold(); /* to the end of the program */
        code = compare_run_all(options, &all.sources, &all.plans, &all.results);
        code = tell(&all, code);
    }
    close_comparison(&all);
    return code;
}
