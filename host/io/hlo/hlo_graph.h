/* The entry computation of an analyzed module as a graph. */
#ifndef REGAL_IO_HLO_GRAPH_H
#define REGAL_IO_HLO_GRAPH_H

#include "io/hlo/hlo_module.h"
#include "regal/graph.h"

/* Adds ops, tensors, control edges and parameters to an empty graph whose classes are the profiles
 * of the analysis. */
regal_status regal_hlo_graph_fill(hlo_module *module, regal_graph *graph);

/* The rest serves hlo_graph.c and hlo_graph_values.c. Leaves are counted from the entry's first. */
typedef struct hlo_graph_builder {
    hlo_module *module;
    regal_graph *graph;
    const hlo_computation *entry;
    int64_t first_leaf, leaf_count;
    int64_t *op;        /* [entry->count], -1: none */
    int64_t *visited;   /* [entry->count] scratch */
    int64_t *use_begin; /* [leaf_count + 2] */
    int64_t *uses;      /* the ops that use leaf l, ascending: uses[use_begin[l]..use_begin[l+1]) */
    int64_t *last_user; /* [leaf_count] scratch */
    int64_t *tensor;    /* [leaf_count], -1: none */
    int64_t *donated;   /* [leaf_count] of a parameter's leaf: the output kept in it, or -1 */
    int64_t *home;      /* [leaf_count] of an output's leaf: the parameter it is kept in, or -1 */
    int64_t resident_count;               /* instructions of which an array became a parameter */
    const hlo_instruction *last_resident; /* the last of them, or NULL */
    char *name;                           /* scratch */
    int64_t name_capacity;
} hlo_graph_builder;

/* Who uses which leaf; tensors and parameters. */
regal_status regal_hlo_graph_add_values(hlo_graph_builder *build);
/* build->name = the instruction's name; of one array (leaf >= 0) of a tuple: "name{leaf}". */
regal_status regal_hlo_graph_set_name(hlo_graph_builder *build, const hlo_instruction *instruction,
                                      int64_t leaf);

#endif
