/* What the readers of whole models (ONNX, TensorFlow GraphDef) share: nodes and the values between
 * them, in any order, become a graph.
 *
 * Values that no node makes are the caller's (weights, inputs): resident parameters, as for HLO. A
 * value that nothing uses and that is no output is left out where no node makes it. A node that is
 * no op but has control inputs becomes an op that costs nothing, so that the order holds. A control
 * input that names a view waits for whatever computes the view's value. */
#ifndef REGAL_IO_MODEL_GRAPH_H
#define REGAL_IO_MODEL_GRAPH_H

#include "cost/cost_model.h"
#include "regal/graph.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_model regal_model;

typedef struct regal_model_value {
    const char *name;  /* unique among values */
    int64_t bytes;     /* < 0: unknown */
    const char *shape; /* for messages, "f32 [N, 3]"; NULL: nothing is known */
    bool output;       /* of the model: kept to the end */
} regal_model_value;

typedef enum regal_node_role {
    REGAL_NODE_OP,
    REGAL_NODE_VIEW,   /* every output is the first input seen otherwise (Identity, Reshape) */
    REGAL_NODE_WEIGHT, /* its outputs are resident parameters (variables, constants) */
    REGAL_NODE_NOTHING /* its outputs hold nothing that counts (scalars, shapes known beforehand) */
} regal_node_role;

typedef struct regal_model_node {
    const char *name, *kind; /* name unique among nodes */
    regal_node_role role;
    const int64_t *inputs; /* [input_count] values; -1: left out */
    int64_t input_count;
    const int64_t *outputs; /* [output_count] values, each made by this node only; -1: left out */
    int64_t output_count;
    const int64_t *alias; /* [output_count] the input value whose storage an output shares, or -1;
                             NULL: none. Ignored where that is no op's tensor */
    const int64_t *cost;  /* [class_count] ticks; NULL: of load */
    regal_load load;      /* arithmetic and bytes of an op (cost/cost_model.h) */
    int64_t flops;        /* for people; multiply-adds count two */
    int64_t workspace;
    int64_t nodes;                /* how many nodes of the file it stands for; 0: one */
    const char *group;            /* colocation; NULL: none */
    const regal_allowed *allowed; /* [allowed_count]; NULL: every device */
    int64_t allowed_count;
} regal_model_node;

/* A model whose device classes are the profiles of the options. file: for messages. Everything
 * passed in later is copied; options must live until the end. */
regal_status regal_model_create(const char *file, const char *graph_name,
                                const regal_read_options *options, regal_model **model);
void regal_model_destroy(regal_model *model);

/* Numbers from 0. Nodes may name values, and control edges nodes, that are added later. */
regal_status regal_model_add_value(regal_model *model, const regal_model_value *value, int64_t *id);
regal_status regal_model_add_node(regal_model *model, const regal_model_node *node, int64_t *id);
/* `after` starts no earlier than `before` has finished; repeated ones count once. */
regal_status regal_model_add_control(regal_model *model, int64_t before, int64_t after);
/* A value that no node makes is not a parameter but nothing (scalars, shapes). */
void regal_model_set_nothing(regal_model *model, int64_t value);

int64_t regal_model_class_count(const regal_model *model);

/* The graph, validated, with the source counts of format and unit (literals). Tensors and
 * parameters that count and whose size is unknown are listed, as warnings; then that is
 * REGAL_INVALID_INPUT, or they have the assumed size. Two nodes that make one value, and cycles,
 * are REGAL_INVALID_INPUT. */
regal_status regal_model_finish(regal_model *model, const char *format, const char *unit,
                                regal_graph **graph);

#ifdef __cplusplus
}
#endif
#endif
