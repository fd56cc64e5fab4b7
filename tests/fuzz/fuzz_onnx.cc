// ONNX models: any bytes give a graph or an error. What gives a graph gives one that validates, and
// that is the same after it was written anew; the model can be written with its nodes in order.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "io/onnx/onnx_writing.h"
#include "io/reader.h"
#include "regal/regal.h"

static void check_written(const regal_graph *graph, const char *data, size_t size) {
    const regal_onnx_module *module;
    regal_written what = {};
    char *bytes, before[17], after[17];
    size_t count;
    regal_graph *again;
    const regal_read_options options = {};
    what.graph = graph;
    what.source_name = "fuzz";
    if (regal_onnx_load(&module) != REGAL_OK ||
        regal_onnx_write_anew(module, &what, "fuzz", &bytes, &count) != REGAL_OK ||
        regal_read_onnx(bytes, count, "again", &options, &again) != REGAL_OK)
        abort();
    regal_graph_digest(graph, before);
    regal_graph_digest(again, after);
    if (strcmp(before, after) != 0)
        abort();
    regal_graph_destroy(again);
    free(bytes);
    what.source = data;
    what.source_size = size;
    if (regal_onnx_write_marked(module, &what, &bytes, &count) == REGAL_OK)
        free(bytes);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0)
        return 0;
    const char *data = reinterpret_cast<const char *>(input);
    regal_is_onnx(data, size);
    for (int assume = 0; assume < 2; ++assume) {
        const char *const dimensions[] = {"N=8"};
        regal_read_options options = {};
        options.dimensions = dimensions;
        options.dimension_count = assume;
        options.assume_bytes = assume == 0;
        options.assumed_bytes = 1000;
        regal_graph *graph = nullptr;
        const regal_status status = regal_read_onnx(data, size, "fuzz", &options, &graph);
        if (status == REGAL_UNAVAILABLE || status == REGAL_INTERNAL ||
            (status == REGAL_OK) != (graph != nullptr))
            abort();
        if (graph != nullptr && regal_graph_validate(graph) != REGAL_OK)
            abort();
        if (graph != nullptr)
            check_written(graph, data, size);
        regal_graph_destroy(graph);
    }
    return 0;
}
