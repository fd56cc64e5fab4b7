/* The seam between libregal and libregal_tensorflow.so, the module that holds the TensorFlow
 * formats because they need libprotobuf, whose start-up nobody else should pay for. The module
 * knows protobuf and nothing of graphs; libregal loads it when first needed (tensorflow_load.c). */
#ifndef REGAL_IO_TENSORFLOW_MODULE_H
#define REGAL_IO_TENSORFLOW_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/tensorflow/graph_def_module.h"
#include "io/tensorflow/run_metadata_module.h"
#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REGAL_TENSORFLOW_MODULE_VERSION 3

/* Views into a parsed CostGraphDef; they live as long as it. Absent fields are 0. */
typedef struct regal_cost_node {
    const char *name; /* any bytes */
    size_t name_size;
    int64_t id;
    int64_t input_count, output_count, control_count;
    int64_t compute_cost;
    int64_t temporary_bytes, device_temporary_bytes;
    int64_t persistent_bytes, device_persistent_bytes;
    bool is_final;
} regal_cost_node;

typedef struct regal_cost_input {
    int64_t node, port;
} regal_cost_input;

typedef struct regal_cost_output {
    int64_t size, alias_input_port;
} regal_cost_output;

typedef struct regal_cost_graph regal_cost_graph;

typedef struct regal_tensorflow_module {
    int64_t version;

    /* Any content is fine. A failure has sent an error notice. */
    regal_status (*cost_graph_parse)(const char *data, size_t size, bool text,
                                     regal_notice_handler *notice, void *context,
                                     regal_cost_graph **graph);
    void (*cost_graph_destroy)(regal_cost_graph *graph);
    int64_t (*cost_graph_node_count)(const regal_cost_graph *graph);
    regal_cost_node (*cost_graph_node)(const regal_cost_graph *graph, int64_t node);
    regal_cost_input (*cost_graph_input)(const regal_cost_graph *graph, int64_t node, int64_t k);
    regal_cost_output (*cost_graph_output)(const regal_cost_graph *graph, int64_t node, int64_t k);
    int64_t (*cost_graph_control)(const regal_cost_graph *graph, int64_t node, int64_t k);

    const regal_graph_def_module *graph_def;
    const regal_run_metadata_module *run_metadata;
} regal_tensorflow_module;

/* The one symbol of the module: const regal_tensorflow_module *regal_tensorflow(void). */
typedef const regal_tensorflow_module *regal_tensorflow_entry(void);
#define REGAL_TENSORFLOW_ENTRY "regal_tensorflow"
#define REGAL_TENSORFLOW_FILE  "libregal_tensorflow.so"

/* Of a parser, about the file whose name the context is: an error becomes this thread's, the rest
 * warnings. */
regal_notice_handler regal_tensorflow_notice;

/* Loads the module, once. REGAL_UNAVAILABLE, with what to do, where there is none. */
regal_status regal_tensorflow_load(const regal_tensorflow_module **module);

#ifdef __cplusplus
}
#endif
#endif
