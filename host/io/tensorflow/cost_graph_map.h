#ifndef REGAL_IO_COST_GRAPH_MAP_H
#define REGAL_IO_COST_GRAPH_MAP_H

#include "io/tensorflow/tensorflow_module.h"
#include "regal/graph.h"

/* The validated graph that a CostGraphDef describes. Each node is an op, each of its outputs k a
 * tensor "<node>:<k>"; persistent bytes are a parameter "<node>:persistent", temporary bytes the
 * workspace. One unit of compute_cost is 1,000 ticks of the one device class "default". `name`
 * stands for the file in warnings; errors do not name it. */
regal_status regal_cost_graph_map(const regal_tensorflow_module *module,
                                  const regal_cost_graph *source, const char *name,
                                  regal_graph **graph);

#endif
