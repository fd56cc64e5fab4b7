/* `convert`: a graph, or a plan for it, in another format. */
#include <string.h>

#include "cli/console.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/run_files.h"
#include "cli/setting.h"

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

static int check_usage(const cli_options *options) {
    const char *from = options->arguments[0], *to = options->arguments[1];
    run_files files = {0};
    run_files_add(&files, FILE_INPUT, from);
    run_files_add(&files, FILE_INPUT, options->plan);
    run_files_add(&files, FILE_INPUT, options->costs);
    run_files_add(&files, FILE_RESULT, to);
    int code = usage_check_streams(COMMAND_CONVERT, options, 1);
    if (code == 0 && options->plan && strcmp(options->plan, "-") == 0)
        code = usage_error(COMMAND_CONVERT, "--plan has to be a file");
    if (code == 0 && options->to)
        code = check_format(options);
    if (code == 0)
        code = run_files_check(&files, COMMAND_CONVERT);
    return code == 0 && !takes_folder(options->to) ? output_check(to) : code;
}

/* The plan, judged as `check` does, and made to be of this graph. */
static regal_status settle_plan(const regal_graph *graph, regal_plan *plan) {
    regal_measure measure;
    const regal_status status = regal_plan_check(graph, plan->cluster, plan, &measure);
    return status == REGAL_OK ? regal_plan_attach(plan, graph, plan->cluster) : status;
}

static int write_graph(const cli_options *options, const regal_graph *graph, regal_plan *plan) {
    const char *from = options->arguments[0], *to = options->arguments[1];
    regal_status status = plan ? settle_plan(graph, plan) : REGAL_OK;
    if (status != REGAL_OK)
        return report_failure(options->plan, status);
    const regal_write_options how = {
        .format = options->to, .plan = plan, .source = from, .drop_unknown = options->drop_unknown};
    console_warnings_about(to);
    status = regal_graph_write_as(graph, &how, to);
    if (status == REGAL_OK)
        return 0;
    return report_failure(status == REGAL_OUTPUT_FAILED ? to : from, status);
}

static int convert_with(const cli_options *options, regal_plan *plan) {
    const char *from = options->arguments[0];
    regal_cluster *cluster = NULL;
    regal_graph *graph = NULL;
    cli_setting setting;
    regal_status status = plan ? regal_cluster_clone(plan->cluster, &cluster) : REGAL_OK;
    if (status == REGAL_OK)
        status = setting_create(options, plan, cluster, &setting);
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    status = setting_read_graph(&setting, from, &graph);
    const int code =
        status == REGAL_OK ? write_graph(options, graph, plan) : report_failure(from, status);
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return code;
}

static int load_plan(const cli_options *options, regal_plan **plan) {
    *plan = NULL;
    if (!options->plan)
        return 0;
    console_warnings_about(options->plan);
    const regal_status status = regal_plan_read(options->plan, plan);
    if (status != REGAL_OK)
        return report_failure(options->plan, status);
    if ((*plan)->cluster)
        return 0;
    console_error("%s: the plan carries no cluster", options->plan);
    regal_plan_destroy(*plan);
    return regal_status_exit_code(REGAL_INVALID_INPUT);
}

int command_convert(const cli_options *options) {
    regal_plan *plan;
    int code = check_usage(options);
    if (code == 0)
        code = load_plan(options, &plan);
    if (code != 0)
        return code;
    code = convert_with(options, plan);
    regal_plan_destroy(plan);
    return code;
}
