/* What `inspect` tells of a graph. */
#ifndef REGAL_CLI_GRAPH_FACTS_H
#define REGAL_CLI_GRAPH_FACTS_H

#include "cli/graph_counts.h"
#include "cli/graph_shape.h"

enum { TOP_SHOWN = 5 };

/* The greatest, greatest first; of equals the one with the lowest index. */
typedef struct top_item {
    int64_t index, value;
} top_item;
typedef struct top_list {
    top_item items[TOP_SHOWN];
    int count;
} top_list;

typedef struct kind_facts {
    const char *name; /* a view of the graph */
    int64_t ops;
    int64_t work;                /* ticks on class 0 */
    int64_t output_bytes, flops; /* bytes of its tensors that are no aliases */
} kind_facts;

typedef struct graph_facts {
    graph_counts counts;
    int64_t classes;
    int64_t tensor_bytes, activation_bytes; /* of all; of those that are no aliases */
    int64_t parameter_bytes, greatest_workspace, flops;
    top_list largest_tensors, largest_parameters; /* bytes; no aliases */
    top_list costliest_ops;                       /* ticks on class 0 */
    int64_t outputs, aliases, unused_tensors, zero_tensors, unused_parameters;
    int64_t groups, grouped_ops, restricted_ops, free_ops; /* free: cost 0 on every class */
    int64_t control_fan_in, control_fan_in_op; /* most control edges into one op; -1: none */
    graph_shape shape;
    int64_t *work, *critical_path; /* [classes] ticks */
    kind_facts *kinds;             /* [kind_count], most work first */
    int64_t kind_count;
} graph_facts;

/* *facts wants graph_facts_clear, also after a failure. */
regal_status graph_facts_collect(const regal_graph *graph, graph_facts *facts);
void graph_facts_clear(graph_facts *facts);

#endif
