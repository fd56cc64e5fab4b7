/* What the parts of the ONNX reader share: a parsed model, and what its nodes cost. */
#ifndef REGAL_IO_ONNX_READING_H
#define REGAL_IO_ONNX_READING_H

#include "cost/cost_model.h"
#include "io/onnx/onnx_module.h"
#include "regal/graph.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct onnx_cost {
    regal_load load;
    int64_t flops;
    int64_t workspace; /* of a node with subgraphs: what they hold at most */
} onnx_cost;

typedef struct onnx_reading {
    const regal_onnx_module *module;
    const regal_onnx_model *model;
    const char *name; /* of the file */
    const regal_read_options *options;
    onnx_cost *costs;     /* [node_count] */
    bool *used;           /* [value_count] by a node, or as the output of a graph */
    int64_t node_count;   /* of all scopes; those of a subgraph come after the node that has it */
    bool inner_assumed;   /* tensors of subgraphs have the size of options->assumed_bytes */
    int64_t guessed_runs; /* loops that count as one run */
} onnx_reading;

/* ---- onnx_value.c. Of what is unknown: type REGAL_TYPE_COUNT, bytes and dims -1, elements 0. */

regal_type regal_onnx_type(const regal_onnx_value *value);
int64_t regal_onnx_elements(const regal_onnx_value *value);
int64_t regal_onnx_bytes(const regal_onnx_value *value);
/* Dimension d, from the back where negative. */
int64_t regal_onnx_dim(const regal_onnx_value *value, int64_t d);
/* So small a thing, or a list of sizes or places that the host needs, that it counts as nothing. */
bool regal_onnx_is_nothing(const regal_onnx_value *value);
/* An input or output of a node; false where it is left out. */
bool regal_onnx_input(const onnx_reading *in, const regal_onnx_node *node, int64_t k,
                      regal_onnx_value *value);
bool regal_onnx_output(const onnx_reading *in, const regal_onnx_node *node, int64_t k,
                       regal_onnx_value *value);
int64_t regal_onnx_integer(const onnx_reading *in, int64_t node, const char *name,
                           int64_t standard);

/* ---- onnx_kinds.c: how the work of a kind of node follows from its shapes. */

typedef enum onnx_form {
    ONNX_MOVEMENT, /* all that is read and written: of unknown kinds, too */
    ONNX_ELEMENTWISE,
    ONNX_COMPARISON, /* element-wise, computed in the type of the inputs */
    ONNX_TRANSCENDENTAL,
    ONNX_CONVOLUTION,
    ONNX_TRANSPOSED_CONVOLUTION,
    ONNX_GEMM,
    ONNX_MATRIX_PRODUCT,
    ONNX_EINSUM,
    ONNX_RECURRENT,
    ONNX_ATTENTION,
    ONNX_NORMALIZATION,
    ONNX_LOCAL_RESPONSE,
    ONNX_SOFTMAX,
    ONNX_POOL,
    ONNX_REDUCTION,
    ONNX_GATHER,
    ONNX_SLICE,
    ONNX_SORT,
    ONNX_SUPPRESSION,
    ONNX_RANDOM,
    ONNX_FOURIER
} onnx_form;

typedef struct onnx_kind {
    const char *kind;
    onnx_form form;
    int flops;   /* for each element */
    int operand; /* of products: the input that is the second factor */
} onnx_kind;

/* What is known of a kind of ONNX's own domain; ONNX_MOVEMENT for others. */
onnx_kind regal_onnx_kind(const regal_onnx_node *node);

/* ---- onnx_work.c: a node that is a single launch. */
void regal_onnx_work(const onnx_reading *in, int64_t id, onnx_cost *cost);
/* ---- onnx_einsum.c: multiply-adds; 0 where the equation does not fit its operands. */
int64_t regal_onnx_einsum(const onnx_reading *in, int64_t id);

/* ---- onnx_role.c */
typedef enum onnx_role { ONNX_OP, ONNX_VIEW, ONNX_WEIGHT, ONNX_NOTHING } onnx_role;
onnx_role regal_onnx_role(const onnx_reading *in, int64_t id);

/* ---- onnx_inner.c: in->costs of all nodes. */
regal_status regal_onnx_find_costs(onnx_reading *in);

/* ---- onnx_graph.c */
regal_status regal_onnx_graph(onnx_reading *in, regal_graph **graph);
/* ---- onnx_own.c: models that REGAL wrote (regal_write_onnx) are read as they were. */
bool regal_onnx_is_own(const onnx_reading *in);
regal_status regal_onnx_own_graph(const onnx_reading *in, regal_graph **graph);

#ifdef __cplusplus
}
#endif
#endif
