#ifndef REGAL_IO_GRAPH_DEF_MAP_H
#define REGAL_IO_GRAPH_DEF_MAP_H

#include "io/model_graph.h"
#include "io/tensorflow/graph_def.h"
#include "regal/graph.h"

/* The validated graph of an evaluated file.
 *
 * - A node is an op of its name and kind; its outputs are the tensors "name:port".
 * - Constants of more than 8 bytes, variables (a resource handle stands for its variable),
 *   placeholders and arguments are resident parameters; smaller constants, and what follows from
 *   the shapes of these alone, are nothing.
 * - Identity, Reshape, ReadVariableOp and the like are views: no ops, unless they wait for more
 * than what they see: control inputs, a shape that an op computes. They then cost nothing.
 * - A call of functions is one op: the work of the body (of a choice its dearest branch, of a loop
 *   one run), with the body's peak as workspace. So is an outermost while loop of Enter and Exit,
 *   under the name of its frame.
 * - A dimension of -1 is unknown, but the first one of a placeholder is what "batch=SIZE" among the
 *   options says: TensorFlow has no names for dimensions.
 * - `_class` groups ops transitively; `device` restricts them (graph_def_devices.h).
 * - What a signature of the MetaGraphDef or a _Retval names is kept to the end as an output; any
 *   other tensor that nothing uses is not: a GraphDef does not say what is fetched. */
regal_status gd_map(gd_file *file, regal_graph **graph);

/* What each node of the main graph is: role[main.count]. graph_def_roles.c */
regal_status gd_roles_find(const gd_file *file, regal_node_role *role);
/* Whether a value of this node is a resident parameter. */
bool gd_is_weight(const gd_node *node, const gd_shape *shape);
/* Whether the op costs nothing. */
bool gd_is_free(const gd_scope *scope, const gd_node *node);

#endif
