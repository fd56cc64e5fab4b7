// TensorFlow's CostGraphDef, text and binary: any bytes give a graph or an error, and what gives a
// graph gives one that validates and can be digested.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "io/reader.h"
#include "regal/regal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return 0;
    const char *data = reinterpret_cast<const char *>(bytes);
    const regal_read_options options = {};
    regal_graph *graph = nullptr;
    regal_is_cost_graph(data, size);
    const regal_status status = regal_read_cost_graph(data, size, "fuzz", &options, &graph);
    if (status == REGAL_UNAVAILABLE || status == REGAL_INTERNAL ||
        (status == REGAL_OK) != (graph != nullptr))
        abort();
    if (graph != nullptr) {
        char digest[17];
        if (regal_graph_validate(graph) != REGAL_OK)
            abort();
        regal_graph_digest(graph, digest);
    }
    regal_graph_destroy(graph);
    return 0;
}
