/* The architectures of the zoo, each with what tests ask of it. */
#ifndef REGAL_GRAPH_ZOO_MODELS_H
#define REGAL_GRAPH_ZOO_MODELS_H

#include "base/error.h"
#include "graph/generator.h"
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

#define ZOO_PARAMETERS_OF(samples)                                                         \
    {"batch", "samples in a step", samples, 1, 1e6},                                       \
        {"microbatches", "parts that the batch is run in", 1, 1, 1000},                    \
        {"training", "1: forward, backward and update; 0: forward alone", 1, 0, 1},        \
        {"element_bytes", "of weights and activations; 2: bf16, 4: f32", 2, 2, 4}, {       \
        "colocate", "1: whoever uses a weight runs on the device that updates it", 1, 0, 1 \
    }
#define ZOO_SHARED_PARAMETERS ZOO_PARAMETERS_OF(32)

/* One microbatch of `batch` samples: forward, and zoo_backward is called after it. */
typedef void zoo_model(zoo *z, const double *values, int64_t batch);

/* Builds every microbatch. */
regal_status zoo_generate(const char *name, const double *values, zoo_optimizer optimizer,
                          const regal_read_options *options, zoo_model *model, zoo_totals *totals,
                          regal_graph **graph);

/* The architectures: zoo_<family>_generate; totals may be NULL. values: one for each parameter. */
typedef regal_status zoo_architecture(const char *name, const double *values,
                                      const regal_read_options *options, zoo_totals *totals,
                                      regal_graph **graph);
#define ZOO_FAMILY(family) zoo_architecture zoo_##family##_generate;
#include "graph/zoo_families.def"

#define ZOO_ALL_WHOLE (~(uint64_t)0)

/* The generator `word` of an architecture whose file has `parameters`, `model` and
 *   static regal_status check(const double *values);
 * that says which combinations of them there are none of. */
#define ZOO_GENERATOR(family, word, line, optimizer)                                            \
    regal_status zoo_##family##_generate(const char *name, const double *values,                \
                                         const regal_read_options *options, zoo_totals *totals, \
                                         regal_graph **graph) {                                 \
        REGAL_FORWARD(check(values));                                                           \
        return zoo_generate(name, values, optimizer, options, model, totals, graph);            \
    }                                                                                           \
    static regal_status make(const char *name, const double *values, uint64_t seed,             \
                             const regal_read_options *options, regal_graph **graph) {          \
        (void)seed;                                                                             \
        return zoo_##family##_generate(name, values, options, NULL, graph);                     \
    }                                                                                           \
    const regal_generator regal_zoo_##family = {                                                \
        {word, line, parameters, sizeof parameters / sizeof *parameters},                       \
        ZOO_ALL_WHOLE,                                                                          \
        false,                                                                                  \
        make};

#define ZOO_NEEDS(condition, ...) REGAL_FAIL_IF(!(condition), REGAL_INVALID_ARGUMENT, __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
