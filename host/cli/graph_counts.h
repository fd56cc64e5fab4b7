/* What a graph holds, as every command that speaks of one tells it. */
#ifndef REGAL_CLI_GRAPH_COUNTS_H
#define REGAL_CLI_GRAPH_COUNTS_H

#include <jansson.h>

#include "regal/regal.h"

typedef struct graph_counts {
    char digest[17];
    int64_t ops, tensors, controls, parameters;
} graph_counts;

graph_counts graph_counts_of(const regal_graph *graph);
void graph_counts_add_json(const graph_counts *counts, json_t *object);

#endif
