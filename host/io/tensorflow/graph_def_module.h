/* GraphDef, MetaGraphDef and SavedModel as libregal_tensorflow.so hands them to libregal: views
 * into a parsed file, and the few changes that a writer makes to it. Views live as long as the file
 * is not changed. Indices are those of the counts; others are the caller's fault. */
#ifndef REGAL_IO_GRAPH_DEF_MODULE_H
#define REGAL_IO_GRAPH_DEF_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives what a parser has to say, one line at a time. Line and column count from 1; 0: unknown.
 */
typedef void regal_notice_handler(void *context, bool error, int64_t line, int64_t column,
                                  const char *message);

typedef enum regal_graph_def_form {
    REGAL_GRAPH_DEF_NONE,
    REGAL_GRAPH_DEF_GRAPH,
    REGAL_GRAPH_DEF_META,
    REGAL_GRAPH_DEF_SAVED
} regal_graph_def_form;

/* Any bytes, not terminated. */
typedef struct regal_tf_text {
    const char *data;
    size_t size;
} regal_tf_text;

typedef struct regal_tf_file regal_tf_file;

typedef struct regal_tf_node {
    regal_tf_text name, op, device;
    int64_t input_count;
    const void *handle;
} regal_tf_node;

typedef struct regal_tf_function {
    regal_tf_text name;
    int64_t argument_count, result_count;
} regal_tf_function;

typedef struct regal_tf_argument {
    regal_tf_text name;
    int64_t type;
    const void *shapes; /* its attribute _output_shapes, or NULL */
} regal_tf_argument;

/* A single value is a list of one. */
typedef struct regal_tf_attribute {
    int64_t string_count, integer_count, type_count, shape_count, function_count;
    bool boolean, tensor; /* tensor: has one */
} regal_tf_attribute;

typedef struct regal_tf_tensor {
    int64_t type;
    const void *shape;
    int64_t string_bytes; /* of all strings in it */
} regal_tf_tensor;

enum { REGAL_TF_MAIN = -1 }; /* the scope of the graph's own nodes; functions are 0... */

typedef struct regal_graph_def_module {
    /* Any content is fine. A failure has sent an error notice. strict: a field of the text form
     * that would be lost is a failure. The first GraphDef of the file is selected. */
    regal_status (*parse)(const char *data, size_t size, regal_graph_def_form form, bool text,
                          bool strict, regal_notice_handler *notice, void *context,
                          regal_tf_file **file);
    regal_status (*create)(regal_tf_file **file); /* an empty GraphDef */
    void (*destroy)(regal_tf_file *file);

    /* Of a SavedModel: its meta graphs, by tags. */
    int64_t (*meta_count)(const regal_tf_file *file);
    int64_t (*tag_count)(const regal_tf_file *file, int64_t meta);
    regal_tf_text (*tag)(const regal_tf_file *file, int64_t meta, int64_t k);
    void (*select)(regal_tf_file *file, int64_t meta);

    /* The tensors that signatures of the selected meta graph name as outputs, ascending. */
    int64_t (*output_count)(const regal_tf_file *file);
    regal_tf_text (*output)(const regal_tf_file *file, int64_t k);

    int64_t (*function_count)(const regal_tf_file *file);
    regal_tf_function (*function)(const regal_tf_file *file, int64_t function);
    regal_tf_argument (*argument)(const regal_tf_file *file, int64_t function, int64_t k);
    /* The value in the body that result k is; empty where the function names none. */
    regal_tf_text (*result)(const regal_tf_file *file, int64_t function, int64_t k,
                            regal_tf_text *name);

    int64_t (*node_count)(const regal_tf_file *file, int64_t scope);
    regal_tf_node (*node)(const regal_tf_file *file, int64_t scope, int64_t index);
    regal_tf_text (*input)(const void *node, int64_t k);

    /* NULL where the node has no such attribute; else its handle, and *view. */
    const void *(*attribute)(const void *node, const char *name, regal_tf_attribute *view);
    regal_tf_text (*string)(const void *attribute, int64_t k);
    int64_t (*integer)(const void *attribute, int64_t k);
    int64_t (*type)(const void *attribute, int64_t k);
    const void *(*shape)(const void *attribute, int64_t k);
    int64_t (*shape_count)(const void *attribute);
    regal_tf_text (*called)(const void *attribute, int64_t k); /* the name of a function */
    regal_tf_tensor (*tensor)(const void *attribute);
    /* The `count` elements of a tensor of 32- or 64-bit integers; false where it is not that. */
    bool (*integers)(const void *attribute, int64_t *numbers, int64_t count);
    int64_t (*rank)(const void *shape); /* -1: unknown */
    int64_t (*dimension)(const void *shape, int64_t k);

    /* Changes to the main nodes. Lists are written as such. */
    regal_status (*add_node)(regal_tf_file *file, const char *name, const char *op);
    regal_status (*set_device)(regal_tf_file *file, int64_t node, const char *device);
    regal_status (*add_input)(regal_tf_file *file, int64_t node, const char *input);
    regal_status (*put_strings)(regal_tf_file *file, int64_t node, const char *attribute,
                                const char *const *texts, int64_t count);
    regal_status (*put_integers)(regal_tf_file *file, int64_t node, const char *attribute,
                                 const int64_t *numbers, int64_t count);
    /* Whether there is a field in a binary file that its text form has no name for: "field 9 of a
     * Node". */
    bool (*unknown_field)(const regal_tf_file *file, char *text, size_t room);
    void (*drop_unknown)(regal_tf_file *file);
    /* The whole file, unknown fields too; freed with free. */
    regal_status (*serialize)(const regal_tf_file *file, bool text, char **data, size_t *size);
} regal_graph_def_module;

#ifdef __cplusplus
}
#endif
#endif
