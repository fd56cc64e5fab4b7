/* Graphs of any format: recognized by content, read by the format's own reader. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "io/formats.h"
#include "io/json_out.h"

static regal_status fail_unknown(const char *name) {
    regal_out list = {0};
    const regal_format *format;
    for (int64_t i = 0; (format = regal_format_at(i)) != NULL; ++i)
        if (format->read != NULL)
            regal_out_format(&list, "%s%s (%s)", i > 0 ? ", " : "", format->info.name,
                             format->info.line);
    regal_out_bytes(&list, "", 1);
    const regal_status status = regal_error_set(
        list.failed ? REGAL_OUT_OF_MEMORY : REGAL_INVALID_INPUT, __FILE__, __LINE__,
        "%s: is of no known graph format; those known are %s", name, list.failed ? "" : list.data);
    free(list.data);
    return status;
}

regal_status regal_graph_parse(const char *data, size_t size, const char *name,
                               const regal_read_options *options, regal_graph **graph) {
    static const regal_read_options STANDARD = {0};
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *graph = NULL;
    if (options == NULL)
        options = &STANDARD;
    if (size >= 3 && memcmp(data, byte_order_mark, 3) == 0) {
        data += 3;
        size -= 3;
    }
    REGAL_FAIL_IF(size == 0, REGAL_INVALID_INPUT, "%s: is empty", name);
    REGAL_FAIL_IF(regal_is_graph_def(data, size), REGAL_INVALID_INPUT,
                  "%s: is a TensorFlow GraphDef, which has no costs and is not read yet; a "
                  "CostGraphDef is",
                  name);
    const regal_format *format = regal_format_recognize(data, size);
    if (format == NULL)
        return fail_unknown(name);
    return format->read(data, size, name, options, graph);
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
