/* Names of an ONNX model's values: tensors and parameters share one space there. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/name_table.h"
#include "io/onnx/onnx_writing.h"

/* The wanted name or, where that is taken or empty, one with its word and number. */
static const char *settle_name(regal_arena *arena, regal_name_table *names, const char *wanted,
                               const char *word, int64_t id) {
    char text[64];
    const char *name = wanted;
    for (int64_t tries = 0; name[0] == '\0' || regal_name_table_add(names, name, id) != id;
         ++tries) {
        snprintf(text, sizeof text, "%s%" PRId64 "#%" PRId64, word, id, tries);
        name = regal_arena_copy(arena, text, strlen(text));
        if (name == NULL)
            return NULL;
    }
    return name;
}

regal_status regal_onnx_settle_names(const regal_graph *graph, regal_arena *arena,
                                     const char ***tensor_names, const char ***parameter_names) {
    const int64_t tensors = regal_graph_tensor_count(graph);
    const int64_t parameters = regal_graph_parameter_count(graph);
    regal_name_table names;
    *tensor_names = regal_allocate(tensors, sizeof **tensor_names);
    *parameter_names = regal_allocate(parameters, sizeof **parameter_names);
    if (*tensor_names == NULL || *parameter_names == NULL ||
        !regal_name_table_create(&names, tensors + parameters))
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    bool ok = true;
    for (int64_t t = 0; ok && t < tensors; ++t) {
        (*tensor_names)[t] =
            settle_name(arena, &names, regal_graph_tensor(graph, t).name, "tensor", t);
        ok = (*tensor_names)[t] != NULL;
    }
    for (int64_t p = 0; ok && p < parameters; ++p) {
        (*parameter_names)[p] = settle_name(arena, &names, regal_graph_parameter(graph, p).name,
                                            "parameter", tensors + p);
        ok = (*parameter_names)[p] != NULL;
    }
    regal_name_table_destroy(&names);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}
