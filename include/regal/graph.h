#ifndef REGAL_GRAPH_H
#define REGAL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A computation graph: ops, tensors, control edges and parameters, numbered from 0 in the order in
 * which they were added (which need not be topological). Time is in ticks, memory in bytes. */
typedef struct regal_graph regal_graph;

/* A device that an op may run on: an index, or, where pattern is not NULL, every device of the
 * cluster whose name matches the pattern (shell wildcards). */
typedef struct regal_allowed {
    int64_t device;
    const char *pattern;
} regal_allowed;

typedef struct regal_op {
    const char *name;             /* unique; NULL when added: "op<index>" */
    const char *kind;             /* "MatMul", ...; NULL when added: "" */
    const int64_t *cost;          /* [class_count] ticks on each device class; lasts max(1, cost) */
    int64_t workspace;            /* bytes held while it runs */
    const char *group;            /* colocation group; NULL: none */
    const regal_allowed *allowed; /* [allowed_count]; NULL: every device */
    int64_t allowed_count;
    int64_t flops; /* floating-point operations, a multiply-add counts two; for people only; 0: none
                      or unknown */
} regal_op;

typedef struct regal_tensor {
    const char *name; /* unique; NULL when added: "tensor<index>" */
    int64_t producer; /* op */
    int64_t bytes;
    const int64_t *consumers; /* [consumer_count] ops; duplicates count once */
    int64_t consumer_count;
    bool output;      /* its storage on the producer's device is kept to the end */
    int64_t alias_of; /* the tensor whose storage it shares, or -1 */
} regal_tensor;

/* Weights: resident for the whole run on every device that hosts one of the ops. */
typedef struct regal_parameter {
    const char *name; /* unique; NULL when added: "parameter<index>" */
    int64_t bytes;
    const int64_t *ops; /* [op_count]; duplicates count once */
    int64_t op_count;
} regal_parameter;

typedef struct regal_control_edge {
    int64_t before, after; /* `after` starts no earlier than `before` finishes */
} regal_control_edge;

/* Building. Everything passed in is copied; ids may refer to items that are added later. *id, where
 * not NULL, receives the new item's number. Only memory and malformed arguments fail here;
 * regal_graph_validate checks the rest. */
regal_status regal_graph_create(const char *name, int64_t class_count,
                                const char *const *class_names, regal_graph **graph);
void regal_graph_destroy(regal_graph *graph);
regal_status regal_graph_add_op(regal_graph *graph, const regal_op *op, int64_t *id);
regal_status regal_graph_add_tensor(regal_graph *graph, const regal_tensor *tensor, int64_t *id);
regal_status regal_graph_add_control(regal_graph *graph, int64_t before, int64_t after);
regal_status regal_graph_add_parameter(regal_graph *graph, const regal_parameter *parameter,
                                       int64_t *id);
/* One more consumer for the tensor added last (readers that meet consumers one by one). */
regal_status regal_graph_add_consumer(regal_graph *graph, int64_t consumer);

/* How the graph came about (a profile, bound dimensions, ...), carried into plans so that `check`
 * can read the graph the same way. */
regal_status regal_graph_set_option(regal_graph *graph, const char *key, const char *value);
/* Value of an option, or NULL. */
const char *regal_graph_option(const regal_graph *graph, const char *key);

/* What the file held that a graph was read from, for people: no plan depends on it. */
typedef struct regal_source {
    const char *format;               /* "onnx", ...: regal_format_info.name */
    const char *unit;                 /* what the format calls them: "nodes", "instructions" */
    int64_t nodes;                    /* in the file's main graph */
    int64_t ops, parameters, nothing; /* what they became: the sum is nodes */
} regal_source;
/* The strings must be literals. */
void regal_graph_set_source(regal_graph *graph, const regal_source *source);
/* NULL where the graph was not read from a format with nodes of its own. */
const regal_source *regal_graph_source(const regal_graph *graph);

/* Reading. Views stay valid until the graph is changed or destroyed. */
const char *regal_graph_name(const regal_graph *graph);
int64_t regal_graph_class_count(const regal_graph *graph);
const char *regal_graph_class_name(const regal_graph *graph, int64_t index);
int64_t regal_graph_op_count(const regal_graph *graph);
int64_t regal_graph_tensor_count(const regal_graph *graph);
int64_t regal_graph_control_count(const regal_graph *graph);
int64_t regal_graph_parameter_count(const regal_graph *graph);
int64_t regal_graph_option_count(const regal_graph *graph);
regal_op regal_graph_op(const regal_graph *graph, int64_t index);
regal_tensor regal_graph_tensor(const regal_graph *graph, int64_t index);
regal_control_edge regal_graph_control(const regal_graph *graph, int64_t index);
regal_parameter regal_graph_parameter(const regal_graph *graph, int64_t index);
void regal_graph_option_at(const regal_graph *graph, int64_t index, const char **key,
                           const char **value);

/* The rules of DESIGN 2 that need no cluster: names, references, signs, limits, cycles of ops
 * (printed op by op) and of aliases. Every reader calls it before it hands a graph out. */
regal_status regal_graph_validate(const regal_graph *graph);

/* A digest of everything that affects plans (not names of tensors, nor of the graph): 16
 * hexadecimal digits and a terminator. */
void regal_graph_digest(const regal_graph *graph, char digest[17]);

#ifdef __cplusplus
}
#endif
#endif
