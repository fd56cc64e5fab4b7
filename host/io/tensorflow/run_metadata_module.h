/* The step stats of TensorFlow's RunMetadata, as libregal_tensorflow.so hands them to libregal. */
#ifndef REGAL_IO_RUN_METADATA_MODULE_H
#define REGAL_IO_RUN_METADATA_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void regal_notice_handler(void *context, bool error, int64_t line, int64_t column,
                                  const char *message); /* as in tensorflow_module.h */

typedef struct regal_step_stats regal_step_stats;

/* A run of a node. */
typedef struct regal_node_run {
    const char *name; /* any bytes, not terminated */
    size_t name_size;
    int64_t start, finish; /* ns, since the same moment; from a file: anything */
} regal_node_run;

typedef struct regal_run_metadata_module {
    /* Any content is fine. A failure has sent an error notice. */
    regal_status (*parse)(const char *data, size_t size, bool text, regal_notice_handler *notice,
                          void *context, regal_step_stats **stats);
    void (*destroy)(regal_step_stats *stats);
    int64_t (*count)(const regal_step_stats *stats);
    /* In the order of the file; it lives as long as stats. */
    regal_node_run (*run)(const regal_step_stats *stats, int64_t index);
} regal_run_metadata_module;

#ifdef __cplusplus
}
#endif
#endif
