/* A drawing for Graphviz: ops, the tensors between them with their bytes, control edges dashed;
 * with a plan the devices as clusters, ops in their order, and what is sent in bold. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_out.h"
#include "io/writer.h"

enum { GREATEST_OPS = 2000 };

typedef struct dot_writing {
    regal_out out;
    const regal_graph *graph;
    const regal_plan *plan; /* NULL: none */
    int64_t *seen;          /* [op_count] the last tensor that it was drawn to use, from 1 */
} dot_writing;

/* The inside of a string in quotes. */
static void put_text(regal_out *out, const char *text) {
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            regal_out_text(out, "\\");
        if (c == '\n')
            regal_out_text(out, "\\n");
        else
            regal_out_bytes(out, c < 0x20 ? " " : text, 1);
    }
}

static void put_node(dot_writing *dot, int64_t index) {
    regal_out *out = &dot->out;
    const regal_op op = regal_graph_op(dot->graph, index);
    regal_out_format(out, "  op%lld [label=\"", (long long)index);
    put_text(out, op.name);
    if (op.kind[0] != '\0') {
        regal_out_text(out, "\\n");
        put_text(out, op.kind);
    }
    if (dot->plan != NULL)
        regal_out_format(out, "\\n%lld to %lld", (long long)dot->plan->start[index],
                         (long long)dot->plan->finish[index]);
    regal_out_text(out, "\"];\n");
}

typedef struct started_op {
    int64_t start, index;
} started_op;

static int compare_starts(const void *left, const void *right) {
    const started_op *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void put_device(dot_writing *dot, const started_op *order, int64_t device) {
    const regal_plan *plan = dot->plan;
    regal_out_format(&dot->out, "subgraph cluster_%lld {\n  label=\"", (long long)device);
    put_text(&dot->out, regal_cluster_device(plan->cluster, device).name);
    regal_out_text(&dot->out, "\";\n");
    for (int64_t i = 0; i < plan->op_count; ++i)
        if (plan->placement[order[i].index] == device)
            put_node(dot, order[i].index);
    regal_out_text(&dot->out, "}\n");
}

static regal_status put_devices(dot_writing *dot) {
    const regal_plan *plan = dot->plan;
    started_op *order = regal_allocate(plan->op_count, sizeof *order);
    REGAL_FAIL_IF_NULL(order);
    for (int64_t i = 0; i < plan->op_count; ++i)
        order[i] = (started_op){plan->start[i], i};
    qsort(order, (size_t)plan->op_count, sizeof *order, compare_starts);
    for (int64_t d = 0; d < plan->device_count; ++d)
        put_device(dot, order, d);
    free(order);
    return REGAL_OK;
}

static void put_tensor(dot_writing *dot, int64_t index) {
    const regal_tensor tensor = regal_graph_tensor(dot->graph, index);
    const int64_t *placement = dot->plan != NULL ? dot->plan->placement : NULL;
    for (int64_t i = 0; i < tensor.consumer_count; ++i) {
        const int64_t op = tensor.consumers[i];
        if (dot->seen[op] == index + 1)
            continue;
        dot->seen[op] = index + 1;
        const bool sent = placement != NULL && placement[op] != placement[tensor.producer];
        regal_out_format(&dot->out, "op%lld -> op%lld [label=\"%lld B\"%s];\n",
                         (long long)tensor.producer, (long long)op, (long long)tensor.bytes,
                         sent ? ", style=bold" : "");
    }
}

static regal_status put_graph(dot_writing *dot) {
    const regal_graph *graph = dot->graph;
    dot->seen = regal_allocate_zeroed(regal_graph_op_count(graph), sizeof *dot->seen);
    REGAL_FAIL_IF_NULL(dot->seen);
    regal_out_text(&dot->out, "digraph \"");
    put_text(&dot->out, regal_graph_name(graph));
    regal_out_text(&dot->out, "\" {\nnode [shape=box];\n");
    if (dot->plan != NULL)
        REGAL_FORWARD(put_devices(dot));
    for (int64_t i = 0; dot->plan == NULL && i < regal_graph_op_count(graph); ++i)
        put_node(dot, i);
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t)
        put_tensor(dot, t);
    for (int64_t i = 0; i < regal_graph_control_count(graph); ++i) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        regal_out_format(&dot->out, "op%lld -> op%lld [style=dashed];\n", (long long)edge.before,
                         (long long)edge.after);
    }
    regal_out_text(&dot->out, "}\n");
    return REGAL_OK;
}

regal_status regal_write_dot(const regal_written *what, const char *path) {
    const int64_t ops = regal_graph_op_count(what->graph);
    REGAL_FAIL_IF(ops > GREATEST_OPS, REGAL_INVALID_ARGUMENT,
                  "a drawing of %lld ops could not be read: dot takes at most %d; a trace or an "
                  "HTML report shows plans of any size",
                  (long long)ops, GREATEST_OPS);
    dot_writing dot = {.graph = what->graph, .plan = what->plan};
    const regal_status status = put_graph(&dot);
    free(dot.seen);
    if (status == REGAL_OK)
        return regal_out_save(&dot.out, path);
    free(dot.out.data);
    return status;
}
