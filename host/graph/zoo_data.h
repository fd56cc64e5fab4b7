/* Inside a zoo builder. */
#ifndef REGAL_GRAPH_ZOO_DATA_H
#define REGAL_GRAPH_ZOO_DATA_H

#include "base/memory.h"
#include "cost/device_profile.h"
#include "graph/generate_edges.h"
#include "graph/zoo_builder.h"

enum { ZOO_NAME_SIZE = 256, ZOO_SCOPES = 16 };

typedef struct zoo_op_record {
    const char *name, *kind;
    zoo_weight home; /* whose group it is in, or ZOO_NONE */
    int64_t flops;
} zoo_op_record;

typedef struct zoo_value_record {
    const char *name;
    int64_t op;
    zoo_shape shape;
    int64_t bytes;
    regal_type type;
    bool constant, output;
    zoo_value alias_of, gradient; /* ZOO_NONE: none */
    int64_t gradient_parts;
} zoo_value_record;

typedef struct zoo_weight_record {
    const char *name;
    int64_t elements, bytes, touched; /* touched: elements of its gradient */
    bool trained;
    zoo_weight group;   /* union-find: another weight of its group, or itself */
    zoo_value gradient; /* sum up to now, or ZOO_NONE */
} zoo_weight_record;

typedef struct zoo_step_record {
    zoo_step step;
    int64_t layer;    /* its forward op */
    const char *name; /* the layer's */
    int64_t others;   /* where the step's other values begin in zoo.others */
} zoo_step_record;

struct zoo {
    zoo_settings settings;
    regal_status status;
    regal_arena strings;
    const regal_device_profile **profiles;
    int64_t profile_count;

    int64_t op_count, op_capacity, cost_capacity;
    zoo_op_record *ops;
    int64_t *costs; /* [op_count][profile_count] */

    int64_t value_count, value_capacity;
    zoo_value_record *values;
    regal_edge_list consumers; /* value -> op */

    int64_t weight_count, weight_capacity, weight_cursor;
    zoo_weight_record *weights;
    regal_edge_list users; /* weight -> op */
    regal_edge_list late;  /* weight -> backward op that reads it */
    regal_edge_list waits; /* op -> op */

    int64_t step_count, step_capacity;
    zoo_step_record *steps;
    int64_t other_count, other_capacity;
    zoo_value *others;
    int64_t layer; /* the op that begins the layer now being noted */
    bool backward;

    char scope[ZOO_NAME_SIZE];
    size_t scope_end[ZOO_SCOPES]; /* of the scopes around */
    int scope_depth;
    size_t microbatch_end; /* of the microbatch's part of the scope */
    zoo_totals totals;
};

/* An op under a full name. */
int64_t zoo_add_named_op(zoo *z, const char *name, const zoo_op *op);

/* zoo_update.c: an update op for each weight that has a gradient. */
void zoo_add_updates(zoo *z);

#endif
