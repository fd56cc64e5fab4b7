#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/plain_text.h"
#include "cli/plan_facts.h"
#include "cli/run_files.h"
#include "cli/setting.h"

/* Keys say nothing of devices in the inherit encoding, nor where there are no ops. */
static int fit_chromosome(const char *path, const regal_problem *problem, regal_chromosome *keys) {
    const int64_t ops = regal_graph_op_count(regal_problem_graph(problem));
    const int64_t devices = regal_cluster_device_count(regal_problem_cluster(problem));
    if (keys->encoding == REGAL_INHERIT || keys->op_count == 0)
        keys->device_count = devices;
    if (keys->op_count == ops && keys->device_count == devices)
        return 0;
    console_error("%s: keys for %s on %s, but the graph has %s and the cluster %s", path,
                  HUMAN(things, keys->op_count, "op"), HUMAN(things, keys->device_count, "device"),
                  HUMAN(things, ops, "op"), HUMAN(things, devices, "device"));
    return regal_status_exit_code(REGAL_INVALID_INPUT);
}

static int write_results(const cli_options *options, const regal_problem *problem,
                         const regal_plan *plan) {
    const regal_graph *graph = regal_problem_graph(problem);
    const regal_report page = {.problem = problem, .plan = plan, .title = options->arguments[0]};
    regal_status status = REGAL_OK;
    if (options->output && (status = regal_plan_write(plan, options->output)) != REGAL_OK)
        return report_failure(options->output, status);
    if (options->trace && (status = regal_trace_write(graph, plan, options->trace)) != REGAL_OK)
        return report_failure(options->trace, status);
    if (options->report && (status = regal_report_write(&page, options->report)) != REGAL_OK)
        return report_failure(options->report, status);
    return 0;
}

static json_t *fitness_json(regal_fitness fitness) {
    return json_integers(fitness.value, 3);
}

static int print_plan(const cli_options *options, const regal_plan *plan, const plan_facts *facts,
                      const regal_cluster *cluster) {
    FILE *file = results_stream(options->output, options->trace, options->report);
    if (!options->json) {
        if (file == stderr && console_is_quiet())
            return 0;
        plain_line_print(file, "%s", options->arguments[2]);
        plan_facts_print(facts, cluster, file);
        return 0;
    }
    json_t *object = json_object();
    json_add_words(object, "graph", options->arguments[0]);
    json_add_words(object, "chromosome", options->arguments[2]);
    json_object_set_new(object, "fitness",
                        json_pack("{s:o,s:o}", "time", fitness_json(plan->time), "memory",
                                  fitness_json(plan->memory)));
    plan_facts_add_json(facts, object);
    char *line = json_line(object);
    if (!line)
        return report_failure(NULL, own_memory_failure());
    fprintf(file, "%s\n", line);
    free(line);
    return 0;
}

static int report(const cli_options *options, const regal_problem *problem,
                  const regal_plan *plan) {
    const regal_graph *graph = regal_problem_graph(problem);
    const regal_cluster *cluster = regal_problem_cluster(problem);
    regal_measure measure;
    plan_facts facts;
    const regal_status status = regal_plan_measure(graph, cluster, plan, &measure);
    if (status != REGAL_OK)
        return report_failure(NULL, REGAL_INTERNAL);
    plan_facts_collect(graph, cluster, plan, &measure, regal_problem_bounds(problem), &facts);
    int code = write_results(options, problem, plan);
    if (code == 0)
        code = print_plan(options, plan, &facts, cluster);
    if (code != 0 || facts.excess == 0)
        return code;
    console_error("%s: the plan is %s above the memory caps", options->arguments[2],
                  HUMAN(bytes, facts.excess));
    return regal_status_exit_code(REGAL_INFEASIBLE);
}

static int decode_keys(const cli_options *options, const regal_problem *problem) {
    const char *path = options->arguments[2];
    regal_chromosome *keys = NULL;
    regal_plan *plan = NULL;
    console_warnings_about(path);
    regal_status status = regal_chromosome_read(path, &keys);
    if (status != REGAL_OK)
        return report_failure(path, status);
    int code = fit_chromosome(path, problem, keys);
    if (code == 0) {
        status = regal_chromosome_decode(problem, keys, &plan);
        code = status == REGAL_OK ? report(options, problem, plan) : report_failure(path, status);
    }
    regal_plan_destroy(plan);
    regal_chromosome_destroy(keys);
    return code;
}

static int decode_with(const cli_options *options, const cli_setting *setting) {
    const char *path = options->arguments[0];
    regal_graph *graph = NULL;
    regal_problem *problem = NULL;
    regal_status status = setting_read_graph(setting, path, &graph);
    if (status == REGAL_OK)
        status = regal_problem_create(graph, setting->cluster, &problem);
    const int code =
        status == REGAL_OK ? decode_keys(options, problem) : report_failure(path, status);
    regal_problem_destroy(problem);
    regal_graph_destroy(graph);
    return code;
}

static int check_usage(const cli_options *options) {
    run_files files = {0};
    int code = usage_check_streams(COMMAND_DECODE, options, 3);
    if (code != 0)
        return code;
    for (int i = 0; i < 3; i++)
        run_files_add(&files, FILE_INPUT, options->arguments[i]);
    run_files_add(&files, FILE_INPUT, options->costs);
    run_files_add(&files, FILE_PLAN, options->output);
    run_files_add(&files, FILE_RESULT, options->trace);
    run_files_add(&files, FILE_RESULT, options->report);
    code = run_files_check(&files, COMMAND_DECODE);
    if (code == 0)
        code = output_check(options->output);
    if (code == 0)
        code = output_check(options->trace);
    return code == 0 ? output_check(options->report) : code;
}

int command_decode(const cli_options *options) {
    regal_cluster *cluster = NULL;
    cli_setting setting;
    int code = check_usage(options);
    if (code != 0)
        return code;
    console_warnings_about(options->arguments[1]);
    regal_status status = regal_cluster_read(options->arguments[1], &cluster);
    if (status == REGAL_OK)
        status = setting_create(options, NULL, cluster, &setting);
    if (status != REGAL_OK)
        return report_failure(options->arguments[1], status);
    code = decode_with(options, &setting);
    setting_destroy(&setting);
    return code;
}
