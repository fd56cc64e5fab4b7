/* Inside the making of a scope (graph_def_scope.c, graph_def_values.c). */
#ifndef REGAL_IO_GRAPH_DEF_SCOPE_H
#define REGAL_IO_GRAPH_DEF_SCOPE_H

#include "io/tensorflow/graph_def.h"

/* An input as it is written: output `port` of a node, or an argument (node -1), or a control input
 * (port GD_CONTROL). */
typedef struct gd_reference {
    int64_t node, port;
} gd_reference;

enum { GD_CONTROL = -1 };

/* The values of a scope whose nodes have first_input and input_count set: the outputs that
 * something uses or that a node is known to have. Then the scope's inputs and results are these.
 * references: of all nodes, by first_input; results: node -2 is left open. */
regal_status gd_scope_values(gd_file *file, gd_scope *scope, const gd_reference *references,
                             const gd_reference *results);

#endif
