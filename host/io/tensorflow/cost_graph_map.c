#include "io/tensorflow/cost_graph_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph_limits.h"
#include "io/utf8.h"

enum { TICKS_PER_COST = 1000, CONTROL_PORT = -1 };

typedef struct node_id {
    int64_t id, node;
} node_id;

typedef struct mapping {
    const regal_tensorflow_module *module;
    const regal_cost_graph *source;
    const char *name; /* of the file */
    regal_graph *graph;
    int64_t count;           /* nodes */
    node_id *ids;            /* [count] ascending */
    char **names;            /* [count] */
    int64_t *first_tensor;   /* [count + 1] */
    int64_t *first_input;    /* [count + 1] */
    int64_t *input;          /* [first_input[count]] tensor, or -1 - op for a control input */
    int64_t *first_consumer; /* [tensors + 1] */
    int64_t *consumer;       /* [first_consumer[tensors]] op */
    int64_t unknown_sizes;
} mapping;

static regal_cost_node node_at(const mapping *map, int64_t node) {
    return map->module->cost_graph_node(map->source, node);
}

static int compare_ids(const void *left, const void *right) {
    const node_id *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* The op of this id, or -1. */
static int64_t find_node(const mapping *map, int64_t id) {
    int64_t low = 0, high = map->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (map->ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->count && map->ids[low].id == id ? map->ids[low].node : -1;
}

static regal_status check_name(const char *name, size_t size, int64_t node) {
    for (size_t i = 0; i < size;) {
        const size_t length = regal_utf8_length((const unsigned char *)name + i, size - i);
        REGAL_FAIL_IF(length == 0 || name[i] == '\0', REGAL_INVALID_INPUT,
                      "node[%" PRId64 "]: the name holds %s at byte %zu", node,
                      length == 0 ? "bytes that are not UTF-8" : "a NUL", i);
        i += length;
    }
    return REGAL_OK;
}

/* Names are the format's key for people, ids for references; a node without a name is named after
 * its id. */
static regal_status read_name(mapping *map, int64_t node) {
    const regal_cost_node view = node_at(map, node);
    REGAL_FORWARD(check_name(view.name, view.name_size, node));
    enum { ROOM = 32 };
    char *name = regal_allocate((int64_t)view.name_size + ROOM, 1);
    REGAL_FAIL_IF_NULL(name);
    if (view.name_size == 0)
        snprintf(name, ROOM, "#%" PRId64, view.id);
    else
        memcpy(name, view.name, view.name_size);
    name[view.name_size == 0 ? strlen(name) : view.name_size] = '\0';
    map->names[node] = name;
    return REGAL_OK;
}

static regal_status read_nodes(mapping *map) {
    int64_t tensors = 0, inputs = 0;
    for (int64_t v = 0; v < map->count; ++v) {
        const regal_cost_node node = node_at(map, v);
        REGAL_FORWARD(read_name(map, v));
        map->ids[v] = (node_id){node.id, v};
        map->first_tensor[v] = tensors;
        map->first_input[v] = inputs;
        tensors += node.output_count;
        inputs += node.input_count;
    }
    map->first_tensor[map->count] = tensors;
    map->first_input[map->count] = inputs;
    qsort(map->ids, (size_t)map->count, sizeof *map->ids, compare_ids);
    for (int64_t i = 1; i < map->count; ++i)
        REGAL_FAIL_IF(map->ids[i].id == map->ids[i - 1].id, REGAL_INVALID_INPUT,
                      "node[%" PRId64 "] '%s' and node[%" PRId64 "] '%s' have the same id %" PRId64,
                      map->ids[i - 1].node, map->names[map->ids[i - 1].node], map->ids[i].node,
                      map->names[map->ids[i].node], map->ids[i].id);
    return REGAL_OK;
}

static regal_status resolve_input(mapping *map, int64_t node, int64_t k) {
    const regal_cost_input input = map->module->cost_graph_input(map->source, node, k);
    const int64_t from = find_node(map, input.node);
    REGAL_FAIL_IF(from < 0, REGAL_INVALID_INPUT,
                  "node[%" PRId64 "] '%s': input_info[%" PRId64 "] comes from node id %" PRId64
                  ", which no node has",
                  node, map->names[node], k, input.node);
    int64_t *resolved = &map->input[map->first_input[node] + k];
    if (input.port == CONTROL_PORT) {
        *resolved = -1 - from;
        return REGAL_OK;
    }
    const int64_t ports = map->first_tensor[from + 1] - map->first_tensor[from];
    REGAL_FAIL_IF(input.port < 0 || input.port >= ports, REGAL_INVALID_INPUT,
                  "node[%" PRId64 "] '%s': input_info[%" PRId64 "] is output %" PRId64
                  " of node '%s', which has %" PRId64,
                  node, map->names[node], k, input.port, map->names[from], ports);
    *resolved = map->first_tensor[from] + input.port;
    return REGAL_OK;
}

/* Inputs become tensors, and these learn who consumes them. */
static regal_status resolve_inputs(mapping *map) {
    const int64_t tensors = map->first_tensor[map->count], inputs = map->first_input[map->count];
    map->input = regal_allocate(inputs, sizeof *map->input);
    map->first_consumer = regal_allocate_zeroed(tensors + 2, sizeof *map->first_consumer);
    map->consumer = regal_allocate(inputs, sizeof *map->consumer);
    REGAL_FAIL_IF(map->input == NULL || map->first_consumer == NULL || map->consumer == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t v = 0; v < map->count; ++v)
        for (int64_t k = 0; k < map->first_input[v + 1] - map->first_input[v]; ++k)
            REGAL_FORWARD(resolve_input(map, v, k));
    /* A counting sort: the ends are shifted by one place until the lists are filled. */
    int64_t *end = map->first_consumer + 1;
    for (int64_t i = 0; i < inputs; ++i)
        if (map->input[i] >= 0)
            end[map->input[i] + 1]++;
    for (int64_t t = 1; t <= tensors; ++t)
        end[t] += end[t - 1];
    for (int64_t v = 0; v < map->count; ++v)
        for (int64_t i = map->first_input[v]; i < map->first_input[v + 1]; ++i)
            if (map->input[i] >= 0)
                map->consumer[end[map->input[i]]++] = v;
    return REGAL_OK;
}

static regal_status check_amount(const mapping *map, int64_t node, const char *field,
                                 int64_t value) {
    REGAL_FAIL_IF(value < 0 || value > REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                  "node[%" PRId64 "] '%s': %s is %" PRId64 "; it must be in 0..2^53", node,
                  map->names[node], field, value);
    return REGAL_OK;
}

static regal_status add_op(mapping *map, int64_t v) {
    const regal_cost_node node = node_at(map, v);
    REGAL_FORWARD(check_amount(map, v, "temporary_memory_size", node.temporary_bytes));
    REGAL_FORWARD(check_amount(map, v, "device_temp_memory_size", node.device_temporary_bytes));
    REGAL_FORWARD(check_amount(map, v, "compute_cost", node.compute_cost));
    REGAL_FAIL_IF(node.compute_cost > REGAL_NUMBER_MAX / TICKS_PER_COST, REGAL_INVALID_INPUT,
                  "node[%" PRId64 "] '%s': compute_cost is %" PRId64
                  ", which is above 2^53 ticks of 1/%d unit",
                  v, map->names[v], node.compute_cost, TICKS_PER_COST);
    const int64_t cost = node.compute_cost * TICKS_PER_COST;
    const regal_op op = {.name = map->names[v],
                         .cost = &cost,
                         .workspace = node.temporary_bytes + node.device_temporary_bytes};
    return regal_graph_add_op(map->graph, &op, NULL);
}

/* The tensor that an output shares its storage with, or -1. proto3 leaves a zero out, so an absent
 * alias_input_port is input 0, where the node has one. */
static regal_status find_alias(const mapping *map, int64_t v, int64_t k, int64_t port,
                               int64_t *alias) {
    const int64_t inputs = map->first_input[v + 1] - map->first_input[v];
    *alias = -1;
    if (port < 0 || (port == 0 && inputs == 0))
        return REGAL_OK;
    REGAL_FAIL_IF(port >= inputs || map->input[map->first_input[v] + port] < 0, REGAL_INVALID_INPUT,
                  "node[%" PRId64 "] '%s': output_info[%" PRId64 "] is an alias of input %" PRId64
                  ", which is not there",
                  v, map->names[v], k, port);
    *alias = map->input[map->first_input[v] + port];
    return REGAL_OK;
}

static regal_status add_tensor(mapping *map, int64_t v, int64_t k, bool output, char *name,
                               size_t name_size) {
    const regal_cost_output info = map->module->cost_graph_output(map->source, v, k);
    const int64_t t = map->first_tensor[v] + k, begin = map->first_consumer[t];
    if (info.size < 0)
        map->unknown_sizes++;
    else
        REGAL_FORWARD(check_amount(map, v, "the size of an output", info.size));
    snprintf(name, name_size, "%s:%" PRId64, map->names[v], k);
    regal_tensor tensor = {.name = name,
                           .producer = v,
                           .bytes = info.size > 0 ? info.size : 0,
                           .consumers = map->consumer + begin,
                           .consumer_count = map->first_consumer[t + 1] - begin,
                           .output = output};
    REGAL_FORWARD(find_alias(map, v, k, info.alias_input_port, &tensor.alias_of));
    return regal_graph_add_tensor(map->graph, &tensor, NULL);
}

static regal_status add_persistent(mapping *map, int64_t v, const regal_cost_node *node, char *name,
                                   size_t name_size) {
    REGAL_FORWARD(check_amount(map, v, "persistent_memory_size", node->persistent_bytes));
    REGAL_FORWARD(
        check_amount(map, v, "device_persistent_memory_size", node->device_persistent_bytes));
    const int64_t bytes = node->persistent_bytes + node->device_persistent_bytes;
    if (bytes == 0)
        return REGAL_OK;
    snprintf(name, name_size, "%s:persistent", map->names[v]);
    const regal_parameter parameter = {.name = name, .bytes = bytes, .ops = &v, .op_count = 1};
    return regal_graph_add_parameter(map->graph, &parameter, NULL);
}

static regal_status add_memory(mapping *map, int64_t v) {
    const regal_cost_node node = node_at(map, v);
    const size_t name_size = strlen(map->names[v]) + 32;
    char *name = regal_allocate((int64_t)name_size, 1);
    REGAL_FAIL_IF_NULL(name);
    regal_status status = REGAL_OK;
    for (int64_t k = 0; status == REGAL_OK && k < node.output_count; ++k)
        status = add_tensor(map, v, k, node.is_final, name, name_size);
    if (status == REGAL_OK)
        status = add_persistent(map, v, &node, name, name_size);
    free(name);
    return status;
}

static regal_status add_controls(mapping *map, int64_t v) {
    for (int64_t i = map->first_input[v]; i < map->first_input[v + 1]; ++i)
        if (map->input[i] < 0)
            REGAL_FORWARD(regal_graph_add_control(map->graph, -1 - map->input[i], v));
    const int64_t count = node_at(map, v).control_count;
    for (int64_t k = 0; k < count; ++k) {
        const int64_t id = map->module->cost_graph_control(map->source, v, k);
        const int64_t from = find_node(map, id);
        REGAL_FAIL_IF(from < 0, REGAL_INVALID_INPUT,
                      "node[%" PRId64 "] '%s': control_input[%" PRId64 "] is node id %" PRId64
                      ", which no node has",
                      v, map->names[v], k, id);
        REGAL_FORWARD(regal_graph_add_control(map->graph, from, v));
    }
    return REGAL_OK;
}

static regal_status build(mapping *map) {
    REGAL_FORWARD(read_nodes(map));
    REGAL_FORWARD(resolve_inputs(map));
    for (int64_t v = 0; v < map->count; ++v)
        REGAL_FORWARD(add_op(map, v));
    for (int64_t v = 0; v < map->count; ++v)
        REGAL_FORWARD(add_memory(map, v));
    for (int64_t v = 0; v < map->count; ++v)
        REGAL_FORWARD(add_controls(map, v));
    regal_graph_set_source(map->graph, &(regal_source){.format = "cost-graph",
                                                       .unit = "nodes",
                                                       .nodes = map->count,
                                                       .ops = map->count});
    if (map->unknown_sizes > 0)
        regal_warn("%s: %" PRId64 " output%s of unknown size, taken as 0 bytes", map->name,
                   map->unknown_sizes, map->unknown_sizes == 1 ? "" : "s");
    return regal_graph_validate(map->graph);
}

static void release(mapping *map) {
    for (int64_t v = 0; map->names != NULL && v < map->count; ++v)
        free(map->names[v]);
    free(map->names);
    free(map->ids);
    free(map->first_tensor);
    free(map->first_input);
    free(map->input);
    free(map->first_consumer);
    free(map->consumer);
}

regal_status regal_cost_graph_map(const regal_tensorflow_module *module,
                                  const regal_cost_graph *source, const char *name,
                                  regal_graph **graph) {
    static const char *const classes[] = {"default"};
    mapping map = {.module = module,
                   .source = source,
                   .name = name,
                   .count = module->cost_graph_node_count(source)};
    map.ids = regal_allocate(map.count, sizeof *map.ids);
    map.names = regal_allocate_zeroed(map.count, sizeof *map.names);
    map.first_tensor = regal_allocate(map.count + 1, sizeof *map.first_tensor);
    map.first_input = regal_allocate(map.count + 1, sizeof *map.first_input);
    regal_status status;
    if (map.ids == NULL || map.names == NULL || map.first_tensor == NULL || map.first_input == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else if ((status = regal_graph_create("", 1, classes, &map.graph)) == REGAL_OK)
        status = build(&map);
    release(&map);
    if (status != REGAL_OK) {
        regal_graph_destroy(map.graph);
        map.graph = NULL;
    }
    *graph = map.graph;
    return status;
}
