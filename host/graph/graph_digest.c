/* A 64-bit digest of what affects plans: FNV-1a over the numbers and names, in order. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph/graph_data.h"

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Byte by byte from the low end, so that the digest is the same on every machine. */
static uint64_t add_number(uint64_t hash, int64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
        hash = (hash ^ ((uint64_t)number >> shift & 0xff)) * 0x100000001b3u;
    return hash;
}

/* With its end, so that neighbours do not run into each other; NULL differs from "". */
static uint64_t add_text(uint64_t hash, const char *text) {
    return text != NULL ? add_bytes(hash, text, strlen(text) + 1) : add_number(hash, -1);
}

static uint64_t add_numbers(uint64_t hash, const int64_t *numbers, int64_t count) {
    hash = add_number(hash, count);
    for (int64_t i = 0; i < count; ++i)
        hash = add_number(hash, numbers[i]);
    return hash;
}

static uint64_t add_op(uint64_t hash, const regal_graph *graph, int64_t index) {
    const regal_op op = regal_graph_op(graph, index);
    hash = add_text(hash, op.name);
    hash = add_numbers(hash, op.cost, graph->class_count);
    hash = add_number(hash, op.workspace);
    hash = add_text(hash, op.group);
    hash = add_number(hash, op.allowed != NULL ? op.allowed_count : -1);
    for (int64_t i = 0; i < op.allowed_count; ++i) {
        const bool by_name = op.allowed[i].pattern != NULL;
        hash = add_text(hash, op.allowed[i].pattern);
        hash = add_number(hash, by_name ? 0 : op.allowed[i].device);
    }
    return hash;
}

static uint64_t add_tensor(uint64_t hash, const regal_graph *graph, int64_t index) {
    const regal_tensor tensor = regal_graph_tensor(graph, index);
    hash = add_number(hash, tensor.producer);
    hash = add_number(hash, tensor.bytes);
    hash = add_number(hash, tensor.output);
    hash = add_number(hash, tensor.alias_of);
    return add_numbers(hash, tensor.consumers, tensor.consumer_count);
}

void regal_graph_digest(const regal_graph *graph, char digest[17]) {
    uint64_t hash = 0xcbf29ce484222325u;
    hash = add_number(hash, graph->class_count);
    for (int64_t i = 0; i < graph->class_count; ++i)
        hash = add_text(hash, graph->class_names[i]);
    hash = add_number(hash, graph->op_count);
    for (int64_t i = 0; i < graph->op_count; ++i)
        hash = add_op(hash, graph, i);
    hash = add_number(hash, graph->tensor_count);
    for (int64_t i = 0; i < graph->tensor_count; ++i)
        hash = add_tensor(hash, graph, i);
    hash = add_number(hash, graph->control_count);
    for (int64_t i = 0; i < graph->control_count; ++i) {
        hash = add_number(hash, graph->controls[i].before);
        hash = add_number(hash, graph->controls[i].after);
    }
    hash = add_number(hash, graph->parameter_count);
    for (int64_t i = 0; i < graph->parameter_count; ++i) {
        const regal_parameter parameter = regal_graph_parameter(graph, i);
        hash = add_number(hash, parameter.bytes);
        hash = add_numbers(hash, parameter.ops, parameter.op_count);
    }
    snprintf(digest, 17, "%016" PRIx64, hash);
}
