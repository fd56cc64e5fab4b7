/* The seam between regal_graph_generate and the generators, one table entry each. */
#ifndef REGAL_GRAPH_GENERATOR_H
#define REGAL_GRAPH_GENERATOR_H

#include <stdbool.h>

#include "regal/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the graph (not yet validated). values holds one value for each of the generator's
 * parameters, in their order and in range. options is never NULL. */
typedef regal_status regal_generator_make(const char *name, const double *values, uint64_t seed,
                                          const regal_read_options *options, regal_graph **graph);

typedef struct regal_generator {
    regal_generator_info info;
    uint64_t whole; /* bit i: parameter i is a whole number */
    bool seeded;    /* the seed changes the graph */
    regal_generator_make *make;
} regal_generator;

/* Checks a generator's name and values as regal_graph_generate would. */
regal_status regal_generator_check(const char *generator, const regal_parameter_value *values,
                                   int64_t value_count);

/* values[parameter_count]: what is given, else the standard. */
regal_status regal_generator_values(const regal_generator *generator,
                                    const regal_parameter_value *given, int64_t count,
                                    double *values);

/* generate_families.c */
extern const regal_generator regal_erdos_renyi, regal_watts_strogatz, regal_barabasi_albert,
    regal_stochastic_block, regal_layered, regal_banded;
/* generate_layered_large.c, generate_transformer_step.c */
extern const regal_generator regal_layered_large, regal_transformer_step;
/* zoo_<family>.c */
#define ZOO_FAMILY(family) extern const regal_generator regal_zoo_##family;
#include "graph/zoo_families.def"

/* The greatest value of a parameter "ops". */
#define REGAL_GENERATOR_OPS_GREATEST 1e8

#ifdef __cplusplus
}
#endif
#endif
