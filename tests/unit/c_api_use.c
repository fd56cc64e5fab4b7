/* The public API as a C program uses it: nothing but regal.h. Returns NULL, or what went wrong. */
#include <stddef.h>

#include "regal/regal.h"

const char *c_api_use(void);

static regal_status build_graph(regal_graph **graph) {
    const char *classes[] = {"gpu"};
    const int64_t cost[] = {100};
    const int64_t consumers[] = {1};
    regal_status status = regal_graph_create("two ops", 1, classes, graph);
    for (int i = 0; status == REGAL_OK && i < 2; ++i) {
        const regal_op op = {.kind = "MatMul", .cost = cost};
        status = regal_graph_add_op(*graph, &op, NULL);
    }
    if (status == REGAL_OK) {
        const regal_tensor tensor = {
            .bytes = 64, .consumers = consumers, .consumer_count = 1, .alias_of = -1};
        status = regal_graph_add_tensor(*graph, &tensor, NULL);
    }
    return status == REGAL_OK ? regal_graph_validate(*graph) : status;
}

const char *c_api_use(void) {
    regal_graph *graph = NULL;
    regal_cluster *cluster = NULL;
    regal_problem *problem = NULL;
    regal_plan *plan = NULL;
    regal_measure measure;
    regal_options options;
    regal_options_init(&options);
    options.evaluations = 50;
    const char *fault = NULL;
    if (build_graph(&graph) != REGAL_OK ||
        regal_cluster_parse("2x1GB", REGAL_DEFAULT_LINK, &cluster) != REGAL_OK ||
        regal_problem_create(graph, cluster, &problem) != REGAL_OK ||
        regal_optimize(problem, &options, NULL, NULL, &plan, NULL) != REGAL_OK ||
        regal_plan_check(graph, cluster, plan, &measure) != REGAL_OK)
        fault = regal_error_message();
    else if (plan->makespan != 200 || measure.makespan != 200)
        fault = "the makespan is not 200";
    regal_plan_destroy(plan);
    regal_problem_destroy(problem);
    regal_cluster_destroy(cluster);
    regal_graph_destroy(graph);
    return fault;
}
