// TensorFlow's GraphDef, MetaGraphDef and SavedModel, text and binary: any bytes give a graph or an
// error, however they are read; what gives a graph gives one that validates, and whose plan can be
// written into it unless that is refused. The first byte chooses the options.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "io/file.h"
#include "io/reader.h"
#include "io/writer.h"
#include "regal/regal.h"

namespace {

void check_status(regal_status status, const void *made) {
    if (status == REGAL_UNAVAILABLE || status == REGAL_INTERNAL ||
        (status == REGAL_OK) != (made != nullptr))
        abort();
}

// One op after the other, in the order that the ops have, where that is one that runs.
void write_plan(const regal_graph *graph, const regal_cluster *cluster, const char *data,
                size_t size, bool text) {
    regal_problem *problem = nullptr;
    regal_plan *plan = nullptr;
    if (regal_problem_create(graph, cluster, &problem) == REGAL_OK &&
        regal_baseline_plan(problem, REGAL_RANDOM, REGAL_TIME, 1, &plan) == REGAL_OK) {
        regal_written what = {};
        what.graph = graph;
        what.plan = plan;
        what.source = data;
        what.source_size = size;
        what.source_name = "fuzz";
        what.text = text;
        what.drop_unknown = true;
        if (regal_write_graph_def(&what, "/dev/null") == REGAL_INTERNAL)
            abort();
    }
    regal_plan_destroy(plan);
    regal_problem_destroy(problem);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 2)
        return 0;
    const uint8_t choice = *bytes;
    const char *data = reinterpret_cast<const char *>(bytes + 1);
    size -= 1;
    const char *const batch[] = {"batch=3"};
    regal_cluster *cluster = nullptr;
    if (regal_cluster_parse("2", "free", &cluster) != REGAL_OK)
        abort();
    regal_read_options options = {};
    options.dimensions = batch;
    options.dimension_count = choice & 1;
    options.assume_bytes = (choice & 2) != 0;
    options.assumed_bytes = 100;
    options.stated_devices = static_cast<regal_stated_devices>((choice >> 2 & 3) % 3);
    options.cluster = (choice & 16) != 0 ? cluster : nullptr;
    regal_graph *graph = nullptr;
    regal_is_graph_def(data, size);
    const regal_status status = regal_read_graph_def(data, size, "fuzz", &options, &graph);
    check_status(status, graph);
    if (graph != nullptr) {
        if (regal_graph_validate(graph) != REGAL_OK)
            abort();
        if (regal_graph_op_count(graph) < 2000)
            write_plan(graph, cluster, data, size, (choice & 32) != 0);
    }
    regal_graph_destroy(graph);
    regal_cluster_destroy(cluster);
    return 0;
}
