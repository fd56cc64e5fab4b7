/* Graphs of any format: recognized by content, read by the format's own reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "io/reader.h"

#ifndef REGAL_HAS_TENSORFLOW
#define REGAL_HAS_TENSORFLOW 0
#endif

typedef struct format {
    regal_format_info info;
    regal_recognizer *recognize;
    regal_reader *read;
} format;

static const format FORMATS[] = {
    {{"regal-graph", "REGAL's own graphs, JSON", true, true, ""},
     regal_is_json,
     regal_read_regal_graph},
    {{"cost-graph", "TensorFlow CostGraphDef, text or binary", REGAL_HAS_TENSORFLOW, false,
      REGAL_HAS_TENSORFLOW ? "" : "built without TensorFlow's formats (REGAL_TENSORFLOW=OFF)"},
     regal_is_cost_graph,
     regal_read_cost_graph},
    {{"hlo", "XLA HLO text", true, false, ""}, regal_is_hlo, regal_read_hlo},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

int regal_format_describe(int64_t index, regal_format_info *info) {
    if (index < 0 || index >= FORMAT_COUNT)
        return false;
    *info = FORMATS[index].info;
    return true;
}

static regal_status fail_unknown(const char *name) {
    char list[512] = "";
    size_t used = 0;
    for (int i = 0; i < FORMAT_COUNT && used < sizeof list; ++i)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%s)", i > 0 ? ", " : "",
                                 FORMATS[i].info.name, FORMATS[i].info.line);
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s: is of no known graph format; those known are %s", name,
               list);
}

regal_status regal_graph_parse(const char *data, size_t size, const char *name,
                               const regal_read_options *options, regal_graph **graph) {
    static const regal_read_options STANDARD = {0};
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *graph = NULL;
    if (size >= 3 && memcmp(data, byte_order_mark, 3) == 0) {
        data += 3;
        size -= 3;
    }
    REGAL_FAIL_IF(size == 0, REGAL_INVALID_INPUT, "%s: is empty", name);
    REGAL_FAIL_IF(regal_is_graph_def(data, size), REGAL_INVALID_INPUT,
                  "%s: is a TensorFlow GraphDef, which has no costs and is not read yet; a "
                  "CostGraphDef is",
                  name);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (FORMATS[i].recognize(data, size))
            return FORMATS[i].read(data, size, name, options != NULL ? options : &STANDARD, graph);
    return fail_unknown(name);
}

regal_status regal_graph_read(const char *path, const regal_read_options *options,
                              regal_graph **graph) {
    char *data;
    size_t size;
    *graph = NULL;
    REGAL_FORWARD(regal_file_read(path, &data, &size));
    const regal_status status =
        regal_graph_parse(data, size, regal_file_label(path), options, graph);
    free(data);
    return status;
}
