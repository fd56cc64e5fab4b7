/* TensorFlow CostGraphDef, out. */
#ifndef REGAL_IO_COST_GRAPH_WRITE_H
#define REGAL_IO_COST_GRAPH_WRITE_H

#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the graph as CostGraphDef text, which reads back as the same graph (cost_graph_map.h), but
 * for the names of tensors and parameters, kinds, and the order of tensors: they follow their
 * producers. What the format has no room for is REGAL_INVALID_ARGUMENT, with the op: costs on
 * several device classes or of parts of a unit (1,000 ticks), groups, allowed devices, parameters
 * of several ops, nodes with outputs of which some are kept to the end. */
regal_status regal_cost_graph_write(const regal_graph *graph, const char *path);

#ifdef __cplusplus
}
#endif
#endif
