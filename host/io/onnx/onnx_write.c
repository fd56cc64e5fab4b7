/* ONNX models out: the plan in the model that the graph was read from, or a graph as a model. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/onnx/onnx_writing.h"
#include "io/writer.h"

void regal_onnx_write_notice(void *context, bool error, const char *message) {
    const char *name = context;
    if (error)
        regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__, "%s: %s", name, message);
    else
        regal_warn("%s: %s", name, message);
}

regal_onnx_mark regal_onnx_mark_of(const regal_plan *plan, int64_t op, int64_t order,
                                   onnx_mark_text *text) {
    snprintf(text->start, sizeof text->start, "%" PRId64, plan->start[op]);
    snprintf(text->order, sizeof text->order, "%" PRId64, order);
    text->entries[0] = (regal_onnx_entry){
        "regal.device", regal_cluster_device(plan->cluster, plan->placement[op]).name};
    text->entries[1] = (regal_onnx_entry){"regal.start", text->start};
    text->entries[2] = (regal_onnx_entry){"regal.order", text->order};
    return (regal_onnx_mark){text->entries, ONNX_MARK_ENTRIES};
}

typedef struct started {
    int64_t start, op;
} started;

static int compare_starts(const void *a, const void *b) {
    const started *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return (left->op > right->op) - (left->op < right->op);
}

regal_status regal_onnx_places(const regal_plan *plan, int64_t **places) {
    started *sorted = regal_allocate(plan->op_count, sizeof *sorted);
    *places = regal_allocate(plan->op_count, sizeof **places);
    if (sorted == NULL || *places == NULL) {
        free(sorted);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (int64_t v = 0; v < plan->op_count; ++v)
        sorted[v] = (started){plan->start[v], v};
    if (plan->op_count > 0)
        qsort(sorted, (size_t)plan->op_count, sizeof *sorted, compare_starts);
    for (int64_t k = 0; k < plan->op_count; ++k)
        (*places)[sorted[k].op] = k;
    free(sorted);
    return REGAL_OK;
}

regal_status regal_write_onnx(const regal_written *what, const char *path) {
    const regal_onnx_module *module;
    char *bytes = NULL;
    size_t size;
    REGAL_FORWARD(regal_onnx_load(&module));
    const regal_status status = what->source != NULL
                                    ? regal_onnx_write_marked(module, what, &bytes, &size)
                                    : regal_onnx_write_anew(module, what, path, &bytes, &size);
    if (status == REGAL_OK) {
        const regal_status written = regal_file_write(path, bytes, size);
        free(bytes);
        return written;
    }
    free(bytes);
    return status;
}
