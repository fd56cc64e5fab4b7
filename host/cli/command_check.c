/* `check`: a plan judged by the independent checker. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/plain_text.h"
#include "cli/plan_facts.h"
#include "cli/setting.h"

/* How the check can end other than in a valid plan. */
typedef enum check_end { PLAN_WRONG, NOT_JUDGED } check_end;

/* Says so on standard error and, with --json, in one object too; takes text over. */
static int refuse(const cli_options *options, check_end end, int code, char *text) {
    const char *error = text ? text : "memory ran out";
    console_error("%s", error);
    if (options->json) {
        json_t *object = json_object();
        json_add_words(object, "graph", options->arguments[0]);
        json_add_words(object, "plan", options->arguments[1]);
        json_object_set_new(object, "valid", end == PLAN_WRONG ? json_false() : json_null());
        json_add_words(object, "error", error);
        const int printed = json_print_line(object);
        code = printed != 0 ? printed : code;
    }
    free(text);
    return code;
}

static int refuse_status(const cli_options *options, check_end end, const char *path,
                         regal_status status) {
    if (status == REGAL_OUT_OF_MEMORY || status == REGAL_INTERNAL)
        end = NOT_JUDGED;
    return refuse(options, end, regal_status_exit_code(status), failure_text(path, status));
}

__attribute__((format(printf, 2, 3))) static int refuse_plan(const cli_options *options,
                                                             const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return refuse(options, PLAN_WRONG, regal_status_exit_code(REGAL_INVALID_INPUT), text);
}

static int report(const cli_options *options, const regal_cluster *cluster,
                  const plan_facts *facts) {
    const char *path = options->arguments[1];
    if (options->json) {
        json_t *object = json_object();
        json_add_words(object, "graph", options->arguments[0]);
        json_add_words(object, "plan", path);
        json_object_set_new(object, "valid", json_true());
        plan_facts_add_json(facts, object);
        const int code = json_print_line(object);
        if (code != 0)
            return code;
    } else {
        plain_line_print(stdout, "%s: valid", path);
        plan_facts_print(facts, cluster, stdout);
    }
    if (facts->excess == 0)
        return 0;
    console_error("%s: valid, but %s above the memory caps", path, HUMAN(bytes, facts->excess));
    return regal_status_exit_code(REGAL_INFEASIBLE);
}

/* A claimed bound is -1 where the plan makes no claim. */
static int check_bound(const cli_options *options, const char *name, int64_t claimed,
                       int64_t bound) {
    if (claimed == -1 || claimed == bound)
        return 0;
    return refuse_plan(options,
                       "%s: bounds.%s: the plan says %" PRId64 ", but the bound is %" PRId64,
                       options->arguments[1], name, claimed, bound);
}

static int judge_figures(const cli_options *options, const regal_problem *problem,
                         const regal_plan *plan, const regal_measure *measure) {
    const regal_bounds bounds = regal_problem_bounds(problem);
    const regal_cluster *cluster = regal_problem_cluster(problem);
    int code = check_bound(options, "time", plan->bound_time, bounds.time);
    if (code == 0)
        code = check_bound(options, "memory", plan->bound_memory, bounds.memory);
    if (code != 0)
        return code;
    plan_facts facts;
    plan_facts_collect(regal_problem_graph(problem), cluster, plan, measure, bounds, &facts);
    return report(options, cluster, &facts);
}

static int judge(const cli_options *options, const regal_cluster *cluster, const regal_plan *plan,
                 const regal_graph *graph) {
    const char *graph_path = options->arguments[0], *plan_path = options->arguments[1];
    char digest[17];
    regal_graph_digest(graph, digest);
    if (plan->graph_digest[0] != '\0' && strcmp(plan->graph_digest, digest) != 0)
        return refuse_plan(options,
                           "%s: made for another graph: its digest is %s, that of %s is %s",
                           plan_path, plan->graph_digest, graph_path, digest);
    regal_measure measure;
    regal_problem *problem = NULL;
    regal_status status = regal_plan_check(graph, cluster, plan, &measure);
    if (status != REGAL_OK)
        return refuse_status(options, PLAN_WRONG, plan_path, status);
    status = regal_problem_create(graph, cluster, &problem);
    if (status != REGAL_OK)
        return refuse_status(options, NOT_JUDGED, graph_path, status);
    const int code = judge_figures(options, problem, plan, &measure);
    regal_problem_destroy(problem);
    return code;
}

/* The plan's own cluster, unless one is given; NULL, and the exit code, where there is none. */
static int find_cluster(const cli_options *options, const regal_plan *plan,
                        regal_cluster **cluster) {
    *cluster = NULL;
    if (!options->cluster && !plan->cluster) {
        char *text;
        if (asprintf(&text, "%s: the plan carries no cluster: give it by --cluster",
                     options->arguments[1]) < 0)
            text = NULL;
        return refuse(options, NOT_JUDGED, regal_status_exit_code(REGAL_INVALID_INPUT), text);
    }
    console_warnings_about(options->cluster ? options->cluster : "");
    const regal_status status = options->cluster ? regal_cluster_read(options->cluster, cluster)
                                                 : regal_cluster_clone(plan->cluster, cluster);
    return status == REGAL_OK ? 0 : refuse_status(options, NOT_JUDGED, options->cluster, status);
}

static int check_plan(const cli_options *options, const regal_plan *plan) {
    regal_cluster *cluster;
    cli_setting setting;
    regal_graph *graph = NULL;
    int code = find_cluster(options, plan, &cluster);
    if (code != 0)
        return code;
    regal_status status = setting_create(options, plan, cluster, &setting);
    if (status != REGAL_OK)
        return refuse_status(options, NOT_JUDGED, NULL, status);
    status = setting_read_graph(&setting, options->arguments[0], &graph);
    code = status == REGAL_OK ? judge(options, cluster, plan, graph)
                              : refuse_status(options, NOT_JUDGED, options->arguments[0], status);
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
        return refuse_status(options, PLAN_WRONG, options->arguments[1], status);
    const int code = check_plan(options, plan);
    regal_plan_destroy(plan);
    return code;
}
