/* The model that a graph was read from, with the plan in its nodes' metadata and its nodes in the
 * plan's order. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "io/onnx/onnx_writing.h"

typedef struct marking {
    const regal_onnx_module *module;
    const regal_onnx_model *model;
    const regal_written *what;
    int64_t count;
    int64_t *op;    /* [count] of the node, or -1 */
    int64_t *maker; /* [values] */
    int64_t *keys, *order, *places;
    onnx_edges edges;
    regal_onnx_mark *marks;
    onnx_mark_text *texts; /* [op_count] */
} marking;

/* Every op is a node of that name. */
static regal_status find_ops(marking *at) {
    const regal_graph *graph = at->what->graph;
    const int64_t ops = regal_graph_op_count(graph);
    regal_name_table names;
    int64_t found = 0;
    REGAL_FAIL_IF(!regal_name_table_create(&names, ops), REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t v = 0; v < ops; ++v)
        regal_name_table_add(&names, regal_graph_op(graph, v).name, v);
    for (int64_t n = 0; n < at->count; ++n) {
        at->op[n] = regal_name_table_find(&names, at->module->node(at->model, n).name);
        found += at->op[n] >= 0;
    }
    regal_name_table_destroy(&names);
    REGAL_FAIL_IF(found != ops, REGAL_INVALID_INPUT,
                  "%s: is not the model that the graph was read from: of its %lld ops %lld are not "
                  "in it",
                  at->what->source_name, (long long)ops, (long long)(ops - found));
    return REGAL_OK;
}

/* ---- edges */

static void visit_inputs(marking *at, int64_t n, const int64_t *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const int64_t maker = values[i] >= 0 ? at->maker[values[i]] : -1;
        if (maker < 0)
            continue;
        if (at->edges.user == NULL)
            ++at->edges.begin[maker + 2];
        else
            at->edges.user[at->edges.begin[maker + 1]++] = n;
        at->edges.missing[n] += at->edges.user != NULL;
    }
}

static void visit_edges(marking *at) {
    for (int64_t n = 0; n < at->count; ++n) {
        const regal_onnx_node node = at->module->node(at->model, n);
        visit_inputs(at, n, node.inputs, node.input_count);
        visit_inputs(at, n, node.captured, node.captured_count);
    }
}

static regal_status find_edges(marking *at) {
    const int64_t values = at->module->value_count(at->model);
    at->maker = regal_allocate(values, sizeof *at->maker);
    at->edges.begin = regal_allocate_zeroed(at->count + 2, sizeof *at->edges.begin);
    at->edges.missing = regal_allocate_zeroed(at->count, sizeof *at->edges.missing);
    REGAL_FAIL_IF(at->maker == NULL || at->edges.begin == NULL || at->edges.missing == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    at->edges.count = at->count;
    for (int64_t v = 0; v < values; ++v)
        at->maker[v] = -1;
    for (int64_t n = 0; n < at->count; ++n) {
        const regal_onnx_node node = at->module->node(at->model, n);
        for (int64_t k = 0; k < node.output_count; ++k)
            if (node.outputs[k] >= 0)
                at->maker[node.outputs[k]] = n;
    }
    visit_edges(at);
    for (int64_t n = 0; n < at->count; ++n)
        at->edges.begin[n + 2] += at->edges.begin[n + 1];
    at->edges.user = regal_allocate(at->edges.begin[at->count + 1], sizeof *at->edges.user);
    REGAL_FAIL_IF_NULL(at->edges.user);
    visit_edges(at);
    return REGAL_OK;
}

/* ---- order and marks */

/* What is no op comes as early as it can; without a plan the file's order stays as far as it can
 * run. */
static regal_status find_order(marking *at) {
    const regal_plan *plan = at->what->plan;
    int64_t ordered = 0;
    for (int64_t n = 0; n < at->count; ++n)
        at->keys[n] = plan == NULL || at->op[n] < 0 ? -1 : plan->start[at->op[n]];
    REGAL_FAIL_IF(!regal_onnx_order(&at->edges, at->keys, at->order, &ordered), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    REGAL_FAIL_IF(ordered < at->count, REGAL_INVALID_INPUT, "%s: its nodes form a cycle",
                  at->what->source_name);
    return REGAL_OK;
}

static regal_status find_marks(marking *at) {
    const regal_plan *plan = at->what->plan;
    if (plan == NULL)
        return REGAL_OK;
    REGAL_FORWARD(regal_onnx_places(plan, &at->places));
    at->texts = regal_allocate(plan->op_count, sizeof *at->texts);
    REGAL_FAIL_IF_NULL(at->texts);
    for (int64_t n = 0; n < at->count; ++n)
        if (at->op[n] >= 0)
            at->marks[n] =
                regal_onnx_mark_of(plan, at->op[n], at->places[at->op[n]], &at->texts[at->op[n]]);
    return REGAL_OK;
}

static regal_status mark(marking *at, char **bytes, size_t *size) {
    at->count = at->module->node_count(at->model);
    at->op = regal_allocate(at->count, sizeof *at->op);
    at->keys = regal_allocate(at->count, sizeof *at->keys);
    at->order = regal_allocate(at->count, sizeof *at->order);
    at->marks = regal_allocate_zeroed(at->count, sizeof *at->marks);
    REGAL_FAIL_IF(at->op == NULL || at->keys == NULL || at->order == NULL || at->marks == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    REGAL_FORWARD(find_ops(at));
    REGAL_FORWARD(find_edges(at));
    REGAL_FORWARD(find_order(at));
    REGAL_FORWARD(find_marks(at));
    return at->module->mark(at->what->source, at->what->source_size, at->order, at->marks,
                            at->count, regal_onnx_write_notice, (void *)at->what->source_name,
                            bytes, size);
}

regal_status regal_onnx_write_marked(const regal_onnx_module *module, const regal_written *what,
                                     char **bytes, size_t *size) {
    const regal_onnx_options options = {.names_only = true,
                                        .notice = regal_onnx_write_notice,
                                        .context = (void *)what->source_name};
    regal_onnx_model *model;
    REGAL_FORWARD(module->parse(what->source, what->source_size, &options, &model));
    marking at = {.module = module, .model = model, .what = what};
    const regal_status status = mark(&at, bytes, size);
    module->destroy(model);
    free(at.op);
    free(at.maker);
    free(at.keys);
    free(at.order);
    free(at.places);
    free(at.edges.begin);
    free(at.edges.user);
    free(at.edges.missing);
    free(at.marks);
    free(at.texts);
    return status;
}
