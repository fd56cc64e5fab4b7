#ifndef REGAL_GENERATE_H
#define REGAL_GENERATE_H

#include <stdint.h>

#include "regal/graph.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Graphs made from a recipe: the synthetic families of the paper (section on synthetic data) and
 * real architectures unrolled into training steps. */

typedef struct regal_parameter_value {
    const char *name; /* "ops", "layers", "batch", ... */
    double value;
} regal_parameter_value;

/* One generator and what it takes. Index from 0; false past the last. */
typedef struct regal_generator_parameter {
    const char *name, *help;
    double standard, least, greatest;
} regal_generator_parameter;
typedef struct regal_generator_info {
    const char *name; /* "erdos-renyi", "transformer", ... */
    const char *line;
    const regal_generator_parameter *parameters;
    int64_t parameter_count;
} regal_generator_info;
int regal_generator_describe(int64_t index, regal_generator_info *info);

/* The same name, parameters and seed give the same graph on every machine. options: the device
 * profiles of architectures (NULL: default). Unknown names and values out of range are
 * REGAL_INVALID_ARGUMENT with the list of what there is. */
regal_status regal_graph_generate(const char *generator, const regal_parameter_value *values,
                                  int64_t value_count, uint64_t seed,
                                  const regal_read_options *options, regal_graph **graph);

#ifdef __cplusplus
}
#endif
#endif
