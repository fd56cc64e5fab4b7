/* A 64-bit digest of what affects plans: FNV-1a over the numbers and names, in order. */
#include <string.h>

#include "base/fnv.h"
#include "graph/graph_data.h"

/* With its end, so that neighbours do not run into each other; NULL differs from "". */
static uint64_t add_text(uint64_t hash, const char *text) {
    return text != NULL ? regal_fnv_bytes(hash, text, strlen(text) + 1)
                        : regal_fnv_number(hash, -1);
}

static uint64_t add_numbers(uint64_t hash, const int64_t *numbers, int64_t count) {
    hash = regal_fnv_number(hash, count);
    for (int64_t i = 0; i < count; ++i)
        hash = regal_fnv_number(hash, numbers[i]);
    return hash;
}

static uint64_t add_op(uint64_t hash, const regal_graph *graph, int64_t index) {
    const regal_op op = regal_graph_op(graph, index);
    hash = add_text(hash, op.name);
    hash = add_numbers(hash, op.cost, graph->class_count);
    hash = regal_fnv_number(hash, op.workspace);
    hash = add_text(hash, op.group);
    hash = regal_fnv_number(hash, op.allowed != NULL ? op.allowed_count : -1);
    for (int64_t i = 0; i < op.allowed_count; ++i) {
        const bool by_name = op.allowed[i].pattern != NULL;
        hash = add_text(hash, op.allowed[i].pattern);
        hash = regal_fnv_number(hash, by_name ? 0 : op.allowed[i].device);
    }
    return hash;
}

static uint64_t add_tensor(uint64_t hash, const regal_graph *graph, int64_t index) {
    const regal_tensor tensor = regal_graph_tensor(graph, index);
    hash = regal_fnv_number(hash, tensor.producer);
    hash = regal_fnv_number(hash, tensor.bytes);
    hash = regal_fnv_number(hash, tensor.output);
    hash = regal_fnv_number(hash, tensor.alias_of);
    return add_numbers(hash, tensor.consumers, tensor.consumer_count);
}

void regal_graph_digest(const regal_graph *graph, char digest[17]) {
    uint64_t hash = REGAL_FNV_START;
    hash = regal_fnv_number(hash, graph->class_count);
    for (int64_t i = 0; i < graph->class_count; ++i)
        hash = add_text(hash, graph->class_names[i]);
    hash = regal_fnv_number(hash, graph->op_count);
    for (int64_t i = 0; i < graph->op_count; ++i)
        hash = add_op(hash, graph, i);
    hash = regal_fnv_number(hash, graph->tensor_count);
    for (int64_t i = 0; i < graph->tensor_count; ++i)
        hash = add_tensor(hash, graph, i);
    hash = regal_fnv_number(hash, graph->control_count);
    for (int64_t i = 0; i < graph->control_count; ++i) {
        hash = regal_fnv_number(hash, graph->controls[i].before);
        hash = regal_fnv_number(hash, graph->controls[i].after);
    }
    hash = regal_fnv_number(hash, graph->parameter_count);
    for (int64_t i = 0; i < graph->parameter_count; ++i) {
        const regal_parameter parameter = regal_graph_parameter(graph, i);
        hash = regal_fnv_number(hash, parameter.bytes);
        hash = add_numbers(hash, parameter.ops, parameter.op_count);
    }
    regal_fnv_print(hash, digest);
}
