/* Graphs of any format: recognized by content, read by the format's own reader. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/costs/costs_apply.h"
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

/* Is "NAME=SIZE" one of these, which commas part? */
static bool is_among(const char *settled, const char *dimension) {
    const char *equals = strrchr(dimension, '=');
    const size_t length = equals != NULL ? (size_t)(equals + 1 - dimension) : 0;
    for (const char *at = settled; length > 0 && at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, dimension, length) != 0)
            continue;
        char *end;
        const long long size = strtoll(at + length, &end, 10);
        if ((*end == '\0' || *end == ',') && size == strtoll(equals + 1, NULL, 10))
            return true;
    }
    return false;
}

/* Sizes that the file has no names for; those of a graph that REGAL wrote are settled, as it says.
 */
static regal_status settle_dimensions(const regal_read_options *options, const char *name,
                                      const regal_graph *graph) {
    const char *settled = regal_graph_option(graph, "dim");
    if (options->dimension_count == 0)
        return REGAL_OK;
    REGAL_FAIL_IF(settled == NULL, REGAL_INVALID_ARGUMENT,
                  "%s: has no dimension \"%.200s\": no size in it is open", name,
                  options->dimensions[0]);
    for (int64_t i = 0; i < options->dimension_count; ++i)
        REGAL_FAIL_IF(!is_among(settled, options->dimensions[i]), REGAL_INVALID_ARGUMENT,
                      "%s: its sizes are settled: %.1000s", name, settled);
    return REGAL_OK;
}

/* Costs that a regal-graph says were put into it need not be put there again: it may have been
 * changed since. */
static regal_status settle_costs(const regal_read_options *options, const char *own,
                                 regal_graph *graph) {
    if (options->costs == NULL ||
        (own != NULL && strcmp(own, regal_costs_text(options->costs)) == 0))
        return REGAL_OK;
    return regal_costs_apply(options->costs, graph);
}

/* What is the same for all formats. */
static regal_status settle(const regal_read_options *options, const char *name,
                           regal_graph *graph) {
    REGAL_FORWARD(settle_dimensions(options, name, graph));
    return settle_costs(options, regal_graph_option(graph, "costs"), graph);
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
    const regal_format *format = regal_format_recognize(data, size);
    if (format == NULL)
        return fail_unknown(name);
    REGAL_FORWARD(format->read(data, size, name, options, graph));
    const regal_status status = settle(options, name, *graph);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
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
