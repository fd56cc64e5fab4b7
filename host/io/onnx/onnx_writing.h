/* The parts of the ONNX writer. */
#ifndef REGAL_IO_ONNX_WRITING_H
#define REGAL_IO_ONNX_WRITING_H

#include "base/memory.h"
#include "io/onnx/onnx_module.h"
#include "io/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ONNX_MARK_ENTRIES = 3 };

/* A node's metadata: regal.device (its name), regal.start (tick), regal.order (the op's place among
 * all ops by start). */
typedef struct onnx_mark_text {
    regal_onnx_entry entries[ONNX_MARK_ENTRIES];
    char start[24], order[24];
} onnx_mark_text;

regal_onnx_mark regal_onnx_mark_of(const regal_plan *plan, int64_t op, int64_t order,
                                   onnx_mark_text *text);
/* places[op] is its place by start, then number. */
regal_status regal_onnx_places(const regal_plan *plan, int64_t **places);
regal_onnx_notice regal_onnx_write_notice; /* the context is the file's name */

/* onnx_write_marked.c: the source with the plan in it. */
regal_status regal_onnx_write_marked(const regal_onnx_module *module, const regal_written *what,
                                     char **bytes, size_t *size);
/* onnx_write_anew.c: any graph. */
regal_status regal_onnx_write_anew(const regal_onnx_module *module, const regal_written *what,
                                   const char *path, char **bytes, size_t *size);

/* onnx_write_names.c: the names of tensors and parameters, changed where they are empty or taken.
 * The lists are freed with free, in any case; new names lie in the arena. */
regal_status regal_onnx_settle_names(const regal_graph *graph, regal_arena *arena,
                                     const char ***tensor_names, const char ***parameter_names);

/* onnx_write_order.c: nodes as edges from the makers of values to their users. */
typedef struct onnx_edges {
    int64_t count;
    int64_t *begin, *user; /* user[begin[n]..begin[n + 1]) */
    int64_t *missing;      /* [count] edges that lead to the node */
} onnx_edges;

/* Kahn's order: of the nodes that are ready the one with the smallest key, then number. False:
 * memory ran out. *ordered < count where there is a cycle. */
bool regal_onnx_order(const onnx_edges *edges, const int64_t *keys, int64_t *order,
                      int64_t *ordered);

#ifdef __cplusplus
}
#endif
#endif
