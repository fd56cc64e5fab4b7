/* `convert`: a graph, or a plan for it, in another format. */
#include <string.h>

#include "cli/checked_plan.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/run_files.h"

/* Formats that are written to a folder; their writers make it. */
static bool takes_folder(const char *format) {
    return format && strcmp(format, "minimalloc") == 0;
}

/* What --to asks for, found out before anything is read. */
static int check_format(const cli_options *options) {
    regal_format_info info;
    bool known = false;
    for (int64_t i = 0; !known && regal_format_describe(i, &info); i++)
        known = strcmp(info.name, options->to) == 0;
    if (!known)
        return usage_error(COMMAND_CONVERT,
                           "--to: no format is named \"%.100s\": `regal backends` "
                           "lists them",
                           options->to);
    if (!info.writes)
        return usage_error(COMMAND_CONVERT, "--to: %s is read only", info.name);
    if (info.of_plan && !options->plan)
        return usage_error(COMMAND_CONVERT, "--to: %s describes a plan: give one by --plan",
                           info.name);
    return 0;
}

static int check_files(const cli_options *options) {
    run_files files = {0};
    run_files_add(&files, FILE_INPUT, options->arguments[0]);
    run_files_add(&files, FILE_INPUT, options->plan);
    run_files_add(&files, FILE_INPUT, options->costs);
    run_files_add(&files, FILE_RESULT, options->arguments[1]);
    return run_files_check(&files, COMMAND_CONVERT);
}

static int check_usage(const cli_options *options) {
    int code = usage_check_streams(COMMAND_CONVERT, options, 1);
    if (code == 0 && options->plan && strcmp(options->plan, "-") == 0)
        code = usage_error(COMMAND_CONVERT, "--plan has to be a file");
    if (code == 0 && options->to)
        code = check_format(options);
    if (code == 0)
        code = check_files(options);
    return code == 0 && !takes_folder(options->to) ? output_check(options->arguments[1]) : code;
}

static int write_graph(const cli_options *options, const regal_graph *graph,
                       const regal_plan *plan) {
    const char *from = options->arguments[0], *to = options->arguments[1];
    const regal_write_options how = {
        .format = options->to, .plan = plan, .source = from, .drop_unknown = options->drop_unknown};
    console_warnings_about(to);
    const regal_status status = regal_graph_write_as(graph, &how, to);
    if (status == REGAL_OK)
        return 0;
    return report_failure(status == REGAL_OUTPUT_FAILED ? to : from, status);
}

static int convert_plan(const cli_options *options) {
    checked_plan loaded;
    int code = checked_plan_load(options, options->arguments[0], options->plan, &loaded);
    if (code != 0)
        return code;
    code = write_graph(options, loaded.graph, loaded.plan);
    checked_plan_destroy(&loaded);
    return code;
}

static int convert_graph(const cli_options *options) {
    const char *from = options->arguments[0];
    regal_graph *graph = NULL;
    cli_setting setting;
    regal_status status = setting_create(options, NULL, NULL, &setting);
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    status = setting_read_graph(&setting, from, &graph);
    const int code =
        status == REGAL_OK ? write_graph(options, graph, NULL) : report_failure(from, status);
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return code;
}

int command_convert(const cli_options *options) {
    const int code = check_usage(options);
    if (code != 0)
        return code;
    return options->plan ? convert_plan(options) : convert_graph(options);
}
