#include "cli/checked_plan.h"

#include <string.h>

#include "cli/console.h"

static int refuse(const char *plan_path, const char *what) {
    console_error("%s: %s", plan_path, what);
    return regal_status_exit_code(REGAL_INVALID_INPUT);
}

/* The plan's own cluster, unless one is given. */
static int find_cluster(const cli_options *options, const char *plan_path, const regal_plan *plan,
                        regal_cluster **cluster) {
    *cluster = NULL;
    if (!options->cluster && !plan->cluster)
        return refuse(plan_path, "the plan carries no cluster: give it by --cluster");
    console_warnings_about(options->cluster ? options->cluster : "");
    const regal_status status = options->cluster ? regal_cluster_read(options->cluster, cluster)
                                                 : regal_cluster_clone(plan->cluster, cluster);
    return status == REGAL_OK ? 0 : report_failure(options->cluster, status);
}

static int judge(const char *graph_path, const char *plan_path, checked_plan *loaded) {
    char digest[17];
    regal_measure measure;
    regal_graph_digest(loaded->graph, digest);
    if (loaded->plan->graph_digest[0] != '\0' && strcmp(loaded->plan->graph_digest, digest) != 0) {
        console_error("%s: made for another graph: its digest is %s, that of %s is %s", plan_path,
                      loaded->plan->graph_digest, graph_path, digest);
        return regal_status_exit_code(REGAL_INVALID_INPUT);
    }
    regal_status status =
        regal_plan_check(loaded->graph, loaded->setting.cluster, loaded->plan, &measure);
    if (status == REGAL_OK)
        status = regal_plan_attach(loaded->plan, loaded->graph, loaded->setting.cluster);
    return status == REGAL_OK ? 0 : report_failure(plan_path, status);
}

static int load_graph(const cli_options *options, const char *graph_path, const char *plan_path,
                      checked_plan *loaded) {
    regal_cluster *cluster;
    const int code = find_cluster(options, plan_path, loaded->plan, &cluster);
    if (code != 0)
        return code;
    regal_status status = setting_create(options, loaded->plan, cluster, &loaded->setting);
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    status = setting_read_graph(&loaded->setting, graph_path, &loaded->graph);
    return status == REGAL_OK ? judge(graph_path, plan_path, loaded)
                              : report_failure(graph_path, status);
}

int checked_plan_load(const cli_options *options, const char *graph_path, const char *plan_path,
                      checked_plan *loaded) {
    memset(loaded, 0, sizeof *loaded);
    console_warnings_about(plan_path);
    const regal_status status = regal_plan_read(plan_path, &loaded->plan);
    const int code = status == REGAL_OK ? load_graph(options, graph_path, plan_path, loaded)
                                        : report_failure(plan_path, status);
    if (code != 0)
        checked_plan_destroy(loaded);
    return code;
}

void checked_plan_destroy(checked_plan *loaded) {
    regal_graph_destroy(loaded->graph);
    regal_plan_destroy(loaded->plan);
    setting_destroy(&loaded->setting);
    memset(loaded, 0, sizeof *loaded);
}
