/* A GraphDef that REGAL itself made of a graph of another format: attributes that begin with
 * "_regal_" hold all that the graph has. graph_def_made.c writes it. */
#ifndef REGAL_IO_GRAPH_DEF_REMADE_H
#define REGAL_IO_GRAPH_DEF_REMADE_H

#include "io/tensorflow/graph_def.h"
#include "regal/graph.h"

/* The first node, which stands for the graph as a whole. */
#define GD_GRAPH_NODE "RegalGraph"
/* The kind of ops without a kind. */
#define GD_PLAIN_OP "RegalOp"
/* The kind of parameters. */
#define GD_PARAMETER "RegalParameter"

bool gd_is_remade(const gd_file *file);
regal_status gd_read_remade(gd_file *file, regal_graph **graph);

#endif
