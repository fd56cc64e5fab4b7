/* Inside a regal_graph. Ops, tensors and parameters are kept in arrays in the order of their
 * numbers; lists of variable length lie in pools, one behind the other. */
#ifndef REGAL_GRAPH_GRAPH_DATA_H
#define REGAL_GRAPH_GRAPH_DATA_H

#include "base/memory.h"
#include "regal/graph.h"

/* A growing array of int64_t. */
typedef struct regal_pool {
    int64_t *items;
    int64_t count, capacity;
} regal_pool;

typedef struct regal_op_record {
    const char *name, *kind, *group;
    int64_t workspace, flops;
    int64_t allowed_begin, allowed_count; /* in graph->allowed; count -1: every device */
} regal_op_record;

typedef struct regal_tensor_record {
    const char *name;
    int64_t producer, bytes, alias_of;
    int64_t consumer_begin, consumer_count; /* in graph->consumers */
    bool output;
} regal_tensor_record;

typedef struct regal_parameter_record {
    const char *name;
    int64_t bytes;
    int64_t op_begin, op_count; /* in graph->parameter_ops */
} regal_parameter_record;

typedef struct regal_graph_setting {
    const char *key, *value;
} regal_graph_setting;

struct regal_graph {
    regal_arena strings;
    const char *name;
    int64_t class_count;
    const char **class_names;

    int64_t op_count, op_capacity;
    regal_op_record *ops;
    regal_pool costs; /* [op_count][class_count] */
    int64_t allowed_count, allowed_capacity;
    regal_allowed *allowed;

    int64_t tensor_count, tensor_capacity;
    regal_tensor_record *tensors;
    regal_pool consumers;

    int64_t control_count, control_capacity;
    regal_control_edge *controls;

    int64_t parameter_count, parameter_capacity;
    regal_parameter_record *parameters;
    regal_pool parameter_ops;

    int64_t option_count, option_capacity;
    regal_graph_setting *options;

    regal_source source; /* format NULL: none */
};

/* Times that are known later than the op. */
static inline void regal_graph_set_cost(regal_graph *graph, int64_t op, int64_t class_index,
                                        int64_t ticks) {
    graph->costs.items[op * graph->class_count + class_index] = ticks;
}

#endif
