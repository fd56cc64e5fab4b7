#include "io/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json_out.h"

#ifndef REGAL_HAS_TENSORFLOW
#define REGAL_HAS_TENSORFLOW 0
#endif
#ifndef REGAL_HAS_ONNX
#define REGAL_HAS_ONNX 0
#endif

#define TENSORFLOW                 \
    .reads = REGAL_HAS_TENSORFLOW, \
    .reason =                      \
        REGAL_HAS_TENSORFLOW ? "" : "built without TensorFlow's formats (REGAL_TENSORFLOW=OFF)"

#define ONNX                                           \
    .reads = REGAL_HAS_ONNX, .writes = REGAL_HAS_ONNX, \
    .reason = REGAL_HAS_ONNX ? "" : "built without ONNX (REGAL_ONNX=OFF)"

static const regal_format FORMATS[] = {
    {.info = {.name = "regal-graph",
              .line = "REGAL's own graphs, JSON",
              .endings = ".json",
              .reads = true,
              .writes = true,
              .reason = ""},
     .recognize = regal_is_json,
     .read = regal_read_regal_graph,
     .write = regal_write_regal_graph,
     .lacks_plan = true},
    {.info = {.name = "graph-def",
              .line = "TensorFlow GraphDef, MetaGraphDef, SavedModel, text or binary",
              .endings = ".pb .pbtxt",
              .writes = REGAL_HAS_TENSORFLOW,
              TENSORFLOW},
     .recognize = regal_is_graph_def,
     .read = regal_read_graph_def,
     .write = regal_write_graph_def,
     .keeps_source = true},
    {.info = {.name = "cost-graph",
              .line = "TensorFlow CostGraphDef, text or binary",
              .endings = "",
              .writes = true,
              TENSORFLOW},
     .recognize = regal_is_cost_graph,
     .read = regal_read_cost_graph,
     .write = regal_write_cost_graph,
     .lacks_plan = true},
    {.info = {.name = "onnx", .line = "ONNX models", .endings = ".onnx", ONNX},
     .recognize = regal_is_onnx,
     .read = regal_read_onnx,
     .write = regal_write_onnx,
     .keeps_source = true},
    {.info =
         {.name = "hlo", .line = "XLA HLO text", .endings = ".hlo", .reads = true, .reason = ""},
     .recognize = regal_is_hlo,
     .read = regal_read_hlo},
    {.info = {.name = "html",
              .line = "report of a plan: one page that needs nothing else",
              .endings = ".html .htm",
              .writes = true,
              .of_plan = true,
              .reason = ""},
     .write = regal_write_html},
    {.info = {.name = "trace",
              .line = "Chrome trace of a plan, for Perfetto",
              .endings = "",
              .writes = true,
              .of_plan = true,
              .reason = ""},
     .write = regal_write_trace},
    {.info = {.name = "csv",
              .line = "a plan's ops and transfers, a line for each",
              .endings = ".csv",
              .writes = true,
              .of_plan = true,
              .reason = ""},
     .write = regal_write_plan_csv},
    {.info = {.name = "minimalloc",
              .line = "buffers of a plan, a CSV for each device in a folder",
              .endings = "",
              .writes = true,
              .of_plan = true,
              .reason = ""},
     .write = regal_write_minimalloc},
    {.info = {.name = "dot",
              .line = "drawing by Graphviz of a graph of up to 2,000 ops, or of its plan",
              .endings = ".dot .gv",
              .writes = true,
              .reason = ""},
     .write = regal_write_dot},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

const regal_format *regal_format_at(int64_t index) {
    return index >= 0 && index < FORMAT_COUNT ? &FORMATS[index] : NULL;
}

int regal_format_describe(int64_t index, regal_format_info *info) {
    const regal_format *format = regal_format_at(index);
    if (format != NULL)
        *info = format->info;
    return format != NULL;
}

const regal_format *regal_format_recognize(const char *data, size_t size) {
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (FORMATS[i].recognize != NULL && FORMATS[i].recognize(data, size))
            return &FORMATS[i];
    return NULL;
}

regal_status regal_format_find(const char *name, const regal_format **format) {
    regal_out list = {0};
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (strcmp(FORMATS[i].info.name, name) == 0) {
            free(list.data);
            *format = &FORMATS[i];
            return REGAL_OK;
        }
        regal_out_format(&list, "%s%s", i > 0 ? ", " : "", FORMATS[i].info.name);
    }
    regal_out_bytes(&list, "", 1);
    const regal_status status = regal_error_set(
        list.failed ? REGAL_OUT_OF_MEMORY : REGAL_INVALID_ARGUMENT, __FILE__, __LINE__,
        "no format is named \"%s\": there are %s", name, list.failed ? "" : list.data);
    free(list.data);
    return status;
}
