/* The main graph of an ONNX model as a graph. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "io/json_out.h"
#include "io/model_graph.h"
#include "io/onnx/onnx_reading.h"

typedef struct mapping {
    const onnx_reading *in;
    regal_model *model;
    int64_t *id;                /* [value_count] in the model; -1: none of the main graph's */
    int64_t *owner;             /* [node_count] the node of the main graph that it is, or lies in */
    int64_t *more_begin, *more; /* [main nodes + 1] initializers of subgraphs, by main node */
    int64_t *list, list_capacity;
    regal_name_table names; /* of values */
    regal_arena strings;
} mapping;

static regal_status no_memory(void) {
    return regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
}

/* ---- values */

static regal_status add_value(mapping *at, int64_t v, const char *name) {
    const regal_onnx_value value = at->in->module->value(at->in->model, v);
    const regal_model_value added = {.name = name,
                                     .bytes = regal_onnx_bytes(&value),
                                     .shape = value.shape,
                                     .output = value.output};
    REGAL_FORWARD(regal_model_add_value(at->model, &added, &at->id[v]));
    const bool scalar = regal_onnx_is_nothing(&value) && (value.initializer || value.rank == 0);
    if (scalar)
        regal_model_set_nothing(at->model, at->id[v]);
    return REGAL_OK;
}

static void mark(mapping *at, const int64_t *values, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        if (values[i] >= 0)
            at->id[values[i]] = 0;
}

static regal_status add_main_values(mapping *at) {
    const regal_onnx_scope main = at->in->module->scope(at->in->model, 0);
    const int64_t count = at->in->module->value_count(at->in->model);
    for (int64_t v = 0; v < count; ++v)
        at->id[v] = -1;
    mark(at, main.inputs, main.input_count);
    mark(at, main.initializers, main.initializer_count);
    mark(at, main.outputs, main.output_count);
    for (int64_t n = 0; n < main.node_count; ++n) {
        const regal_onnx_node node = at->in->module->node(at->in->model, main.nodes[n]);
        mark(at, node.outputs, node.output_count);
    }
    for (int64_t v = 0; v < count; ++v) {
        if (at->id[v] < 0)
            continue;
        const char *name = at->in->module->value(at->in->model, v).name;
        REGAL_FORWARD(add_value(at, v, name));
        regal_name_table_add(&at->names, name, v);
    }
    return REGAL_OK;
}

/* ---- subgraphs: their initializers are parameters of the node around them */

static void find_owners(mapping *at) {
    const onnx_reading *in = at->in;
    const int64_t main_count = in->module->scope(in->model, 0).node_count;
    for (int64_t n = 0; n < in->node_count; ++n) {
        if (n < main_count)
            at->owner[n] = n;
        const regal_onnx_node node = in->module->node(in->model, n);
        for (int64_t s = 0; s < node.scope_count; ++s) {
            const regal_onnx_scope scope = in->module->scope(in->model, node.scopes[s]);
            for (int64_t i = 0; i < scope.node_count; ++i)
                at->owner[scope.nodes[i]] = at->owner[n];
        }
    }
}

typedef regal_status visit_initializer(mapping *at, int64_t owner, int64_t value);

static regal_status visit_initializers(mapping *at, visit_initializer *act) {
    const onnx_reading *in = at->in;
    for (int64_t n = 0; n < in->node_count; ++n) {
        const regal_onnx_node node = in->module->node(in->model, n);
        if (at->owner[n] < 0)
            continue;
        for (int64_t s = 0; s < node.scope_count; ++s) {
            const regal_onnx_scope scope = in->module->scope(in->model, node.scopes[s]);
            for (int64_t i = 0; i < scope.initializer_count; ++i)
                REGAL_FORWARD(act(at, at->owner[n], scope.initializers[i]));
        }
    }
    return REGAL_OK;
}

static regal_status count_initializer(mapping *at, int64_t owner, int64_t value) {
    (void)value;
    ++at->more_begin[owner + 1];
    return REGAL_OK;
}

/* "node/name", with a number where that is taken. */
static regal_status name_inner(mapping *at, int64_t owner, int64_t value, const char **name) {
    regal_out text = {0};
    const char *given = at->in->module->value(at->in->model, value).name;
    regal_out_text(&text, at->in->module->node(at->in->model, owner).name);
    regal_out_text(&text, "/");
    regal_out_text(&text, given);
    regal_out_bytes(&text, "", 1);
    if (!text.failed && regal_name_table_find(&at->names, text.data) >= 0) {
        --text.size;
        regal_out_format(&text, "#%" PRId64, value);
        regal_out_bytes(&text, "", 1);
    }
    *name = text.failed ? NULL : regal_arena_copy(&at->strings, text.data, strlen(text.data));
    free(text.data);
    return *name != NULL ? REGAL_OK : no_memory();
}

static regal_status add_initializer(mapping *at, int64_t owner, int64_t value) {
    const char *name;
    REGAL_FORWARD(name_inner(at, owner, value, &name));
    REGAL_FORWARD(add_value(at, value, name));
    regal_name_table_add(&at->names, name, value);
    at->more[at->more_begin[owner]++] = at->id[value];
    return REGAL_OK;
}

static regal_status add_inner_values(mapping *at) {
    const int64_t nodes = at->in->module->scope(at->in->model, 0).node_count;
    find_owners(at);
    REGAL_FORWARD(visit_initializers(at, count_initializer));
    for (int64_t n = 0; n < nodes; ++n)
        at->more_begin[n + 1] += at->more_begin[n];
    at->more = regal_allocate(at->more_begin[nodes], sizeof *at->more);
    REGAL_FAIL_IF_NULL(at->more);
    REGAL_FORWARD(visit_initializers(at, add_initializer));
    for (int64_t n = nodes; n > 0; --n) /* each begin was moved to its end */
        at->more_begin[n] = at->more_begin[n - 1];
    at->more_begin[0] = 0;
    return REGAL_OK;
}

/* ---- nodes */

/* Inputs, what the subgraphs use from outside, and their initializers; then outputs. */
static regal_status list_values(mapping *at, int64_t n, const regal_onnx_node *node,
                                int64_t *input_count) {
    const int64_t more = at->more_begin[n + 1] - at->more_begin[n];
    *input_count = node->input_count + node->captured_count + more;
    if (!regal_array_reserve(&at->list, &at->list_capacity, *input_count + node->output_count + 1,
                             sizeof *at->list))
        return no_memory();
    int64_t *next = at->list;
    for (int64_t k = 0; k < node->input_count; ++k)
        *next++ = node->inputs[k] >= 0 ? at->id[node->inputs[k]] : -1;
    for (int64_t k = 0; k < node->captured_count; ++k)
        *next++ = at->id[node->captured[k]];
    for (int64_t k = 0; k < more; ++k)
        *next++ = at->more[at->more_begin[n] + k];
    for (int64_t k = 0; k < node->output_count; ++k)
        *next++ = node->outputs[k] >= 0 ? at->id[node->outputs[k]] : -1;
    return REGAL_OK;
}

static regal_status check_outputs(const mapping *at, const regal_onnx_node *node) {
    for (int64_t k = 0; k < node->output_count; ++k) {
        regal_onnx_value value;
        if (!regal_onnx_output(at->in, node, k, &value))
            continue;
        REGAL_FAIL_IF(value.input || value.initializer, REGAL_INVALID_INPUT,
                      "%s: node '%s' makes '%s', which is an %s of the graph", at->in->name,
                      node->name, value.name, value.initializer ? "initializer" : "input");
    }
    return REGAL_OK;
}

static regal_status add_node(mapping *at, int64_t n) {
    static const regal_node_role ROLES[] = {[ONNX_OP] = REGAL_NODE_OP,
                                            [ONNX_VIEW] = REGAL_NODE_VIEW,
                                            [ONNX_WEIGHT] = REGAL_NODE_WEIGHT,
                                            [ONNX_NOTHING] = REGAL_NODE_NOTHING};
    const regal_onnx_node node = at->in->module->node(at->in->model, n);
    const onnx_cost *cost = &at->in->costs[n];
    int64_t input_count;
    REGAL_FORWARD(check_outputs(at, &node));
    REGAL_FORWARD(list_values(at, n, &node, &input_count));
    const regal_model_node added = {.name = node.name,
                                    .kind = node.kind,
                                    .role = ROLES[regal_onnx_role(at->in, n)],
                                    .inputs = at->list,
                                    .input_count = input_count,
                                    .outputs = at->list + input_count,
                                    .output_count = node.output_count,
                                    .load = cost->load,
                                    .flops = cost->flops,
                                    .workspace = cost->workspace};
    return regal_model_add_node(at->model, &added, NULL);
}

static regal_status fill(mapping *at) {
    const int64_t nodes = at->in->module->scope(at->in->model, 0).node_count;
    const int64_t values = at->in->module->value_count(at->in->model);
    at->id = regal_allocate(values, sizeof *at->id);
    at->owner = regal_allocate(at->in->node_count, sizeof *at->owner);
    at->more_begin = regal_allocate_zeroed(nodes + 1, sizeof *at->more_begin);
    if (at->id == NULL || at->owner == NULL || at->more_begin == NULL ||
        !regal_name_table_create(&at->names, values))
        return no_memory();
    for (int64_t n = 0; n < at->in->node_count; ++n)
        at->owner[n] = -1;
    REGAL_FORWARD(add_main_values(at));
    REGAL_FORWARD(add_inner_values(at));
    for (int64_t n = 0; n < nodes; ++n)
        REGAL_FORWARD(add_node(at, n));
    return REGAL_OK;
}

/* ---- */

/* The list joined by commas. */
static regal_status set_dimensions(const onnx_reading *in, regal_graph *graph) {
    regal_out text = {0};
    if (in->options->dimension_count == 0)
        return REGAL_OK;
    for (int64_t i = 0; i < in->options->dimension_count; ++i) {
        regal_out_text(&text, i > 0 ? "," : "");
        regal_out_text(&text, in->options->dimensions[i]);
    }
    regal_out_bytes(&text, "", 1);
    const regal_status status =
        text.failed ? no_memory() : regal_graph_set_option(graph, "dim", text.data);
    free(text.data);
    return status;
}

static regal_status set_options(const onnx_reading *in, regal_graph *graph) {
    REGAL_FORWARD(set_dimensions(in, graph));
    if (!in->inner_assumed)
        return REGAL_OK;
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, in->options->assumed_bytes);
    return regal_graph_set_option(graph, "assume-bytes", text);
}

regal_status regal_onnx_graph(onnx_reading *in, regal_graph **graph) {
    mapping at = {.in = in};
    *graph = NULL;
    regal_status status = regal_onnx_find_costs(in);
    if (status == REGAL_OK)
        status =
            regal_model_create(in->name, in->module->graph_name(in->model), in->options, &at.model);
    if (status == REGAL_OK)
        status = fill(&at);
    if (status == REGAL_OK)
        status = regal_model_finish(at.model, "onnx", "nodes", graph);
    if (status == REGAL_OK)
        status = set_options(in, *graph);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    regal_model_destroy(at.model);
    regal_name_table_destroy(&at.names);
    regal_arena_free(&at.strings);
    free(at.id);
    free(at.owner);
    free(at.more_begin);
    free(at.more);
    free(at.list);
    return status;
}
