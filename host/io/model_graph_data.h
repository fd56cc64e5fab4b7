/* Inside a regal_model. */
#ifndef REGAL_IO_MODEL_GRAPH_DATA_H
#define REGAL_IO_MODEL_GRAPH_DATA_H

#include "base/memory.h"
#include "cost/device_profile.h"
#include "io/model_graph.h"

typedef struct model_value {
    const char *name, *shape;
    int64_t bytes;
    bool output, nothing;
} model_value;

/* The lists lie in model->ids: inputs, outputs and, where has_alias, aliases one behind the other.
 */
typedef struct model_node {
    const char *name, *kind, *group;
    regal_node_role role;
    int64_t first, input_count, output_count;
    bool has_alias, has_cost;
    int64_t first_cost; /* in model->costs: [class_count] where has_cost */
    regal_load load;
    int64_t flops, workspace, nodes;
    int64_t first_allowed, allowed_count; /* count -1: every device */
} model_node;

struct regal_model {
    const char *file;
    const regal_read_options *options;
    regal_graph *graph;
    const regal_device_profile **profiles;
    int64_t profile_count;
    regal_arena strings;
    model_value *values;
    int64_t value_count, value_capacity;
    model_node *nodes;
    int64_t node_count, node_capacity;
    regal_control_edge *controls; /* between nodes */
    int64_t control_count, control_capacity;
    int64_t *ids, id_count, id_capacity;
    int64_t *costs, cost_count, cost_capacity;
    regal_allowed *allowed;
    int64_t allowed_count, allowed_capacity;

    /* Of regal_model_finish. */
    int64_t *producer;    /* [value_count] node, or -1 */
    int64_t *root;        /* [value_count] the value that it is a view of, or itself */
    int64_t *op;          /* [node_count] op of the graph, or -1 */
    int64_t *users_begin; /* [value_count + 1] of roots, in users */
    int64_t *users;       /* ops, ascending, each once for a value */
    int64_t *tensor;      /* [value_count] tensor of the graph, or -1 */
    bool *kept;           /* [value_count] of roots: it or a view of it is an output */
};

/* An op: what has control inputs is one, whatever its role. */
static inline bool model_is_op(const regal_model *model, int64_t node) {
    return node >= 0 && model->op[node] >= 0;
}

/* Which values nodes make and which they see (producer, root). */
regal_status regal_model_trace(regal_model *model);

#endif
