/* Graphs, and plans for them, in any format. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "io/file.h"
#include "io/formats.h"

static bool ends_with(const char *path, const char *ending, size_t length) {
    const size_t size = strlen(path);
    return size > length && strncasecmp(path + size - length, ending, length) == 0;
}

static bool has_ending(const char *path, const char *endings) {
    while (*endings != '\0') {
        const size_t length = strcspn(endings, " ");
        if (length > 0 && ends_with(path, endings, length))
            return true;
        endings += length + (endings[length] == ' ');
    }
    return false;
}

static regal_status choose_format(const regal_write_options *options, const char *path,
                                  const regal_format **format) {
    if (options->format != NULL)
        return regal_format_find(options->format, format);
    const regal_format *one;
    *format = regal_format_at(0);
    for (int64_t i = 0; (one = regal_format_at(i)) != NULL; ++i)
        if (has_ending(path, one->info.endings)) {
            *format = one;
            break;
        }
    REGAL_FAIL_IF((*format)->write == NULL, REGAL_INVALID_ARGUMENT,
                  "the ending of %s says %s, which is read only: give --to, or another ending",
                  path, (*format)->info.name);
    return REGAL_OK;
}

/* Is there more to keep than the graph has? A pipe has nothing left to read. */
static regal_status check_source(const regal_write_options *options, const regal_format *format,
                                 const regal_graph *graph, bool *readable) {
    const regal_source *from = regal_graph_source(graph);
    const char *name = format->info.name;
    *readable = false;
    if (options->source == NULL || !format->keeps_source ||
        (from != NULL && strcmp(from->format, name) != 0))
        return REGAL_OK;
    *readable = regal_file_check_regular(options->source) == REGAL_OK;
    REGAL_FAIL_IF(!*readable && from != NULL && !options->drop_unknown, REGAL_INVALID_ARGUMENT,
                  "%s: has to be read twice to keep what only %s knows of: give a file that is no "
                  "pipe, or leave that out with --drop-unknown",
                  regal_file_label(options->source), name);
    return REGAL_OK;
}

/* The file that the graph came from counts only where it is of the format that is written. */
static regal_status read_source(const regal_write_options *options, const regal_format *format,
                                const regal_graph *graph, regal_written *what) {
    char *data;
    size_t size;
    bool readable;
    REGAL_FORWARD(check_source(options, format, graph, &readable));
    if (!readable)
        return REGAL_OK;
    REGAL_FORWARD(regal_file_read(options->source, &data, &size));
    if (size == 0 || regal_format_recognize(data, size) != format) {
        free(data);
        return REGAL_OK;
    }
    what->source = data;
    what->source_size = size;
    what->source_name = options->source;
    return REGAL_OK;
}

/* Writers rely on it. */
static regal_status check_plan(const regal_graph *graph, const regal_plan *plan) {
    char digest[17];
    REGAL_FAIL_IF(plan->op_count != regal_graph_op_count(graph), REGAL_INVALID_INPUT,
                  "the plan is for another graph: it has %lld ops, not %lld",
                  (long long)plan->op_count, (long long)regal_graph_op_count(graph));
    regal_graph_digest(graph, digest);
    REGAL_FAIL_IF(
        plan->cluster == NULL || plan->finish == NULL || strcmp(plan->graph_digest, digest) != 0,
        REGAL_INVALID_ARGUMENT, "the plan is not attached to this graph (regal_plan_attach)");
    const int64_t tensors = regal_graph_tensor_count(graph);
    for (int64_t i = 0; i < plan->transfer_count; ++i)
        REGAL_FAIL_IF(plan->transfers[i].tensor >= tensors, REGAL_INVALID_ARGUMENT,
                      "the plan moves tensor %lld, which the graph does not have",
                      (long long)plan->transfers[i].tensor);
    return REGAL_OK;
}

regal_status regal_graph_write_as(const regal_graph *graph, const regal_write_options *options,
                                  const char *path) {
    const regal_format *format;
    REGAL_FORWARD(choose_format(options, path, &format));
    const char *name = format->info.name;
    REGAL_FAIL_IF(format->write == NULL, REGAL_INVALID_ARGUMENT,
                  "%s is read only: `regal backends` lists the formats that are written", name);
    REGAL_FAIL_IF(format->info.of_plan && options->plan == NULL, REGAL_INVALID_ARGUMENT,
                  "%s describes a plan: give one", name);
    REGAL_FAIL_IF(format->lacks_plan && options->plan != NULL, REGAL_INVALID_ARGUMENT,
                  "%s has no room for a plan: write another format, such as trace or csv (--to)",
                  name);
    if (options->plan != NULL)
        REGAL_FORWARD(check_plan(graph, options->plan));
    regal_written what = {.graph = graph,
                          .plan = options->plan,
                          .text = has_ending(path, ".pbtxt .txt .prototxt"),
                          .drop_unknown = options->drop_unknown};
    REGAL_FORWARD(read_source(options, format, graph, &what));
    const regal_status status = format->write(&what, path);
    free((char *)what.source);
    return status;
}
