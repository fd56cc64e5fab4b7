/* What `inspect` tells of a graph. */
#ifndef REGAL_CLI_GRAPH_FACTS_H
#define REGAL_CLI_GRAPH_FACTS_H

#include "cli/graph_counts.h"

typedef struct kind_facts {
    const char *name; /* a view of the graph */
    int64_t ops;
    int64_t work; /* ticks on class 0 */
} kind_facts;

typedef struct graph_facts {
    graph_counts counts;
    int64_t classes;
    int64_t tensor_bytes, largest_bytes,
        largest_tensor; /* largest_tensor: -1 where there is none */
    int64_t parameter_bytes, greatest_workspace;
    int64_t outputs, aliases, unused_tensors, zero_tensors;
    int64_t groups, grouped_ops, restricted_ops, free_ops; /* free: cost 0 on every class */
    int64_t control_fan_in, control_fan_in_op; /* most control edges into one op; -1: none */
    int64_t costliest_op;                      /* on class 0; -1: none */
    int64_t depth, width; /* ops on the longest chain; most ops at one distance from the start */
    int64_t *work, *critical_path; /* [classes] ticks */
    kind_facts *kinds;             /* [kind_count], most work first */
    int64_t kind_count;
} graph_facts;

/* *facts wants graph_facts_clear, also after a failure. */
regal_status graph_facts_collect(const regal_graph *graph, graph_facts *facts);
void graph_facts_clear(graph_facts *facts);

#endif
