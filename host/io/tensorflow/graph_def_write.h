/* Inside the writer of GraphDefs. */
#ifndef REGAL_IO_GRAPH_DEF_WRITE_H
#define REGAL_IO_GRAPH_DEF_WRITE_H

#include "io/tensorflow/graph_def.h"
#include "io/writer.h"

/* The plan, into the file that the graph was read from (gd_file_open, not yet more). Every node has
 * the device of its op, or if it is none, of one of its users. Control inputs make each device's
 * order the only one: an op waits for the one before it there, unless it does so anyhow; a loop's
 * Enters wait, and its Exits are waited for. Two things cannot be said: the order of transfers, and
 * what follows an op in a branch that may not be taken, for which its successors would not run
 * either. REGAL_INVALID_ARGUMENT where the plan's ops are not those of the file, or where the order
 * does not go with it. graph_def_plan.c */
regal_status gd_put_plan(gd_file *file, const regal_graph *graph, const regal_plan *plan);

/* The order of a plan's ops on one device. */
typedef struct gd_chain {
    int64_t *ops;   /* by device, then start; owned */
    int64_t *begin; /* [device_count + 1] */
} gd_chain;
regal_status gd_chain_make(const regal_plan *plan, gd_chain *chain);
void gd_chain_free(gd_chain *chain);

/* A GraphDef made of the graph, with the plan (or NULL): graph_def_remade.h. graph_def_made.c */
regal_status gd_make(gd_file *file, const regal_graph *graph, const regal_plan *plan);

#endif
