/* The seam between libregal and libregal_onnx.so, the module that holds ONNX because it needs
 * libonnx and libprotobuf, whose start-up nobody else should pay for. The module parses models,
 * binds symbolic dimensions, folds constants, infers shapes and writes models; it knows nothing of
 * graphs and costs. libregal loads it when first needed (onnx_load.c). */
#ifndef REGAL_IO_ONNX_MODULE_H
#define REGAL_IO_ONNX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REGAL_ONNX_MODULE_VERSION 1

/* Receives what the module has to say: one error for each failing call, and warnings. */
typedef void regal_onnx_notice(void *context, bool error, const char *message);

typedef enum regal_onnx_form {
    REGAL_ONNX_DENSE,
    REGAL_ONNX_SPARSE,
    REGAL_ONNX_OTHER /* sequences, optionals, maps, nothing known */
} regal_onnx_form;

/* Views into a model; they live as long as it. Values, nodes and scopes are numbered from 0. */
typedef struct regal_onnx_value {
    const char *name;
    const char *shape; /* "f32 [N, 3, ?]" */
    regal_onnx_form form;
    int32_t element;     /* TensorProto.DataType; 0: unknown */
    int64_t rank;        /* -1: unknown */
    const int64_t *dims; /* [rank]; -1: unknown */
    int64_t stored;      /* of a sparse initializer: its elements; else -1 */
    bool input, initializer, output;
    const int64_t *content; /* [content_count] integers that are known beforehand, or NULL */
    int64_t content_count;
    bool known; /* all of its content is known beforehand, and small */
} regal_onnx_value;

typedef struct regal_onnx_node {
    const char *name;                /* unique in its scope */
    const char *kind;                /* op_type */
    const char *domain;              /* "": ONNX's own */
    const int64_t *inputs, *outputs; /* values; -1: left out */
    int64_t input_count, output_count;
    const int64_t *captured; /* values from outside that its subgraphs use */
    int64_t captured_count;
    const int64_t *scopes; /* its subgraphs, or the body of the function that it calls */
    int64_t scope_count;
    bool folded; /* all that it makes is known beforehand */
} regal_onnx_node;

/* The main graph (scope 0), a subgraph, or the body of a function for one call. */
typedef struct regal_onnx_scope {
    const char *label;    /* "then_branch", "body", ...; "" of a function */
    const int64_t *nodes; /* in the file's order in scope 0, else in an order that can run */
    int64_t node_count;
    const int64_t *inputs, *outputs, *initializers; /* values */
    int64_t input_count, output_count, initializer_count;
} regal_onnx_scope;

typedef enum regal_onnx_attribute_type {
    REGAL_ONNX_INTEGER,
    REGAL_ONNX_FLOAT,
    REGAL_ONNX_TEXT,
    REGAL_ONNX_INTEGERS,
    REGAL_ONNX_TEXTS
} regal_onnx_attribute_type;

/* For reading and writing. */
typedef struct regal_onnx_attribute {
    const char *name;
    regal_onnx_attribute_type type;
    int64_t integer;
    double number;
    const char *text; /* a NUL ends it */
    const int64_t *integers;
    const char *const *texts;
    int64_t count; /* of integers or texts */
} regal_onnx_attribute;

typedef struct regal_onnx_entry {
    const char *key, *value;
} regal_onnx_entry;

typedef struct regal_onnx_model regal_onnx_model;

typedef struct regal_onnx_options {
    const char *const *dimensions; /* "N=8" */
    int64_t dimension_count;
    bool names_only; /* nothing is inferred or folded, no subgraph looked into */
    regal_onnx_notice *notice;
    void *context;
} regal_onnx_options;

/* What is written beside a source: for node n of its main graph. */
typedef struct regal_onnx_mark {
    const regal_onnx_entry *entries; /* take the place of the metadata whose keys begin "regal." */
    int64_t entry_count;
} regal_onnx_mark;

/* A model that is made anew. */
typedef struct regal_onnx_new_value {
    const char *name;
    int64_t bytes;
    bool output;
} regal_onnx_new_value;

typedef struct regal_onnx_new_node {
    const char *name, *kind;
    const char *const *inputs, *const *outputs;
    int64_t input_count, output_count;
    const regal_onnx_attribute *attributes;
    int64_t attribute_count;
    regal_onnx_mark mark;
} regal_onnx_new_node;

typedef struct regal_onnx_draft regal_onnx_draft;

typedef struct regal_onnx_module {
    int64_t version;

    /* Any content is fine. REGAL_INVALID_INPUT or _ARGUMENT have sent an error notice. */
    regal_status (*parse)(const char *data, size_t size, const regal_onnx_options *options,
                          regal_onnx_model **model);
    void (*destroy)(regal_onnx_model *model);
    const char *(*graph_name)(const regal_onnx_model *model);
    int64_t (*value_count)(const regal_onnx_model *model);
    int64_t (*node_count)(const regal_onnx_model *model);
    int64_t (*scope_count)(const regal_onnx_model *model);
    regal_onnx_value (*value)(const regal_onnx_model *model, int64_t value);
    regal_onnx_node (*node)(const regal_onnx_model *model, int64_t node);
    regal_onnx_scope (*scope)(const regal_onnx_model *model, int64_t scope);
    /* False where the node has none of that name and type. */
    bool (*attribute)(const regal_onnx_model *model, int64_t node, const char *name,
                      regal_onnx_attribute_type type, regal_onnx_attribute *attribute);
    /* One of the attribute's texts (REGAL_ONNX_TEXTS, of which the above tells the count only);
     * NULL past the last. */
    const char *(*text)(const regal_onnx_model *model, int64_t node, const char *name,
                        int64_t index);
    /* Of the model; false past the last. */
    bool (*metadata)(const regal_onnx_model *model, int64_t index, regal_onnx_entry *entry);

    /* The model that was parsed (data), its main graph's nodes in this order (order[k] is the k-th;
     * both are [node count]), marked. *bytes is freed with free. */
    regal_status (*mark)(const char *data, size_t size, const int64_t *order,
                         const regal_onnx_mark *marks, int64_t count, regal_onnx_notice *notice,
                         void *context, char **bytes, size_t *byte_count);

    /* A model in the domain "regal". Where memory runs out, the last call says so. */
    regal_onnx_draft *(*draft_create)(const char *graph_name, const char *version);
    void (*draft_destroy)(regal_onnx_draft *draft);
    void (*draft_metadata)(regal_onnx_draft *draft, const regal_onnx_entry *entry);
    void (*draft_parameter)(regal_onnx_draft *draft, const regal_onnx_new_value *value);
    void (*draft_value)(regal_onnx_draft *draft, const regal_onnx_new_value *value);
    void (*draft_node)(regal_onnx_draft *draft, const regal_onnx_new_node *node);
    regal_status (*draft_finish)(regal_onnx_draft *draft, regal_onnx_notice *notice, void *context,
                                 char **bytes, size_t *byte_count);
} regal_onnx_module;

/* The one symbol of the module: const regal_onnx_module *regal_onnx(void). */
typedef const regal_onnx_module *regal_onnx_entry_point(void);
#define REGAL_ONNX_ENTRY "regal_onnx"
#define REGAL_ONNX_FILE  "libregal_onnx.so"

/* Loads the module, once. REGAL_UNAVAILABLE, with what to do, where there is none. */
regal_status regal_onnx_load(const regal_onnx_module **module);

#ifdef __cplusplus
}
#endif
#endif
