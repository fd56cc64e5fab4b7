// regal-graph JSON: what is read is a problem or is refused, and its plans pass the checker.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "regal/regal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    regal_graph *graph = nullptr;
    const regal_status status =
        regal_graph_parse(reinterpret_cast<const char *>(bytes), size, "fuzz", nullptr, &graph);
    if ((status == REGAL_OK) != (graph != nullptr))
        abort();
    regal_cluster *cluster = nullptr;
    regal_problem *problem = nullptr;
    if (graph != nullptr && regal_graph_op_count(graph) < 10000 &&
        regal_cluster_parse("3x1MB", REGAL_DEFAULT_LINK, &cluster) == REGAL_OK &&
        regal_problem_create(graph, cluster, &problem) == REGAL_OK) {
        // What is a problem has a plan, and the checker agrees with the decoder.
        regal_chromosome *keys = nullptr;
        regal_plan *plan = nullptr;
        regal_measure measure;
        if (regal_chromosome_create(REGAL_INHERIT, 2, regal_graph_op_count(graph), 3, &keys) !=
                REGAL_OK ||
            regal_chromosome_decode(problem, keys, &plan) != REGAL_OK ||
            regal_plan_check(graph, cluster, plan, &measure) != REGAL_OK)
            abort();
        regal_plan_destroy(plan);
        regal_chromosome_destroy(keys);
    }
    regal_problem_destroy(problem);
    regal_cluster_destroy(cluster);
    regal_graph_destroy(graph);
    return 0;
}
