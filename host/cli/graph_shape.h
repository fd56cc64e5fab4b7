/* How the ops of a graph hang together. */
#ifndef REGAL_CLI_GRAPH_SHAPE_H
#define REGAL_CLI_GRAPH_SHAPE_H

#include "regal/regal.h"

typedef struct graph_shape {
    int64_t depth, width; /* ops on the longest chain; most ops at one distance from the start */
    int64_t parts;        /* that no edge joins */
} graph_shape;

/* critical_path[class_count] in ticks: the longest chain of a class. The graph is valid. */
regal_status graph_shape_measure(const regal_graph *graph, graph_shape *shape,
                                 int64_t *critical_path);

#endif
