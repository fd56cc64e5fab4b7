/* `check`: a plan judged by the independent checker. */
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/plan_facts.h"
#include "cli/setting.h"

static const char *plan_option(const regal_plan *plan, const char *key) {
    for (int64_t i = 0; i < plan->option_count; i++)
        if (strcmp(plan->option_keys[i], key) == 0)
            return plan->option_values[i];
    return NULL;
}

static int report(const cli_options *options, const regal_cluster *cluster,
                  const plan_facts *facts) {
    const char *path = options->arguments[1];
    if (options->json) {
        json_t *object = json_object();
        json_object_set_new(object, "graph", json_words(options->arguments[0]));
        json_object_set_new(object, "plan", json_words(path));
        json_object_set_new(object, "valid", json_true());
        plan_facts_add_json(facts, object);
        const int code = json_print_line(object);
        if (code != 0)
            return code;
    } else {
        printf("%s: valid\n", path);
        plan_facts_print(facts, cluster, stdout);
    }
    if (facts->excess == 0)
        return 0;
    console_error("%s: valid, but %s above the memory caps", path, HUMAN(bytes, facts->excess));
    return regal_status_exit_code(REGAL_INFEASIBLE);
}

static int judge(const cli_options *options, const regal_cluster *cluster, const regal_plan *plan,
                 const regal_graph *graph) {
    const char *graph_path = options->arguments[0], *plan_path = options->arguments[1];
    char digest[17];
    regal_graph_digest(graph, digest);
    if (plan->graph_digest[0] != '\0' && strcmp(plan->graph_digest, digest) != 0) {
        console_error("%s: made for another graph: its digest is %s, that of %s is %s", plan_path,
                      plan->graph_digest, graph_path, digest);
        return regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    regal_measure measure;
    regal_problem *problem = NULL;
    regal_status status = regal_plan_check(graph, cluster, plan, &measure);
    if (status == REGAL_OK)
        status = regal_problem_create(graph, cluster, &problem);
    if (status != REGAL_OK)
        return report_failure(plan_path, status);
    plan_facts facts;
    plan_facts_collect(graph, cluster, plan, &measure, regal_problem_bounds(problem), &facts);
    regal_problem_destroy(problem);
    return report(options, cluster, &facts);
}

/* The plan's own cluster, unless one is given; NULL, and the exit code, where there is none. */
static int find_cluster(const cli_options *options, const regal_plan *plan,
                        regal_cluster **cluster) {
    *cluster = NULL;
    if (!options->cluster && !plan->cluster) {
        console_error("%s: the plan carries no cluster: give it by --cluster",
                      options->arguments[1]);
        return regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    console_warnings_about(options->cluster ? options->cluster : "");
    const regal_status status = options->cluster ? regal_cluster_read(options->cluster, cluster)
                                                 : regal_cluster_clone(plan->cluster, cluster);
    return status == REGAL_OK ? 0 : report_failure(options->cluster, status);
}

static int check_plan(const cli_options *options, const regal_plan *plan) {
    regal_cluster *cluster;
    cli_setting setting;
    regal_graph *graph = NULL;
    int code = find_cluster(options, plan, &cluster);
    if (code != 0)
        return code;
    regal_status status = setting_create(options, plan_option(plan, "profile"), cluster, &setting);
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    status = setting_read_graph(&setting, options->arguments[0], &graph);
    code = status == REGAL_OK ? judge(options, cluster, plan, graph)
                              : report_failure(options->arguments[0], status);
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return code;
}

int command_check(const cli_options *options) {
    regal_plan *plan;
    const int usage = usage_check_streams(COMMAND_CHECK, options, 2);
    if (usage != 0)
        return usage;
    console_warnings_about(options->arguments[1]);
    const regal_status status = regal_plan_read(options->arguments[1], &plan);
    if (status != REGAL_OK)
        return report_failure(options->arguments[1], status);
    const int code = check_plan(options, plan);
    regal_plan_destroy(plan);
    return code;
}
