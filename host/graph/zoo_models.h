/* The architectures of the zoo, each with what tests ask of it. */
#ifndef REGAL_GRAPH_ZOO_MODELS_H
#define REGAL_GRAPH_ZOO_MODELS_H

#include "graph/zoo_builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters that all architectures have, the first of each. */
enum {
    ZOO_BATCH,
    ZOO_MICROBATCHES,
    ZOO_TRAINING,
    ZOO_ELEMENT_BYTES,
    ZOO_COLOCATE,
    ZOO_OWN /* the architecture's own parameters start here */
};

#define ZOO_SHARED_PARAMETERS                                                              \
    {"batch", "samples in a step", 32, 1, 1e6},                                            \
        {"microbatches", "parts that the batch is run in", 1, 1, 1000},                    \
        {"training", "1: forward, backward and update; 0: forward alone", 1, 0, 1},        \
        {"element_bytes", "of weights and activations; 2: bf16, 4: f32", 2, 2, 4}, {       \
        "colocate", "1: whoever uses a weight runs on the device that updates it", 1, 0, 1 \
    }

/* One microbatch of `batch` samples: forward, and zoo_backward is called after it. */
typedef void zoo_model(zoo *z, const double *values, int64_t batch);

/* Builds every microbatch. */
regal_status zoo_generate(const char *name, const double *values, zoo_optimizer optimizer,
                          const regal_read_options *options, zoo_model *model, zoo_totals *totals,
                          regal_graph **graph);

/* The architectures; totals may be NULL. values: one for each parameter. */
regal_status zoo_transformer_generate(const char *name, const double *values,
                                      const regal_read_options *options, zoo_totals *totals,
                                      regal_graph **graph);
regal_status zoo_resnet_generate(const char *name, const double *values,
                                 const regal_read_options *options, zoo_totals *totals,
                                 regal_graph **graph);

#define ZOO_ALL_WHOLE (~(uint64_t)0)

#ifdef __cplusplus
}
#endif
#endif
