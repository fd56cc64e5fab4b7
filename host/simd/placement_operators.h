/* The placement head's little network (policy/placement.h), forward and backward, for all devices
 * of a step. The same bits at every level: hidden units are done side by side. */
#ifndef REGAL_SIMD_PLACEMENT_OPERATORS_H
#define REGAL_SIMD_PLACEMENT_OPERATORS_H

#include <stdint.h>

#include "simd/simd_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters, or their gradient, as regal_placement_tensor has them. */
typedef struct regal_placement_weights {
    int64_t inputs, hidden; /* hidden: a multiple of 8 */
    float *at; /* weight [inputs][hidden], bias [hidden], output [hidden], direct [inputs] */
} regal_placement_weights;

typedef struct regal_placement_operators {
    /* input [inputs][devices] -> unit [device][hidden], score [device] */
    void (*score)(const regal_placement_weights *weights, int64_t devices, const float *input,
                  float *unit, float *score);
    /* Adds the gradient of sum over d of share[d] score(d) to that of the weights, and by the
     * inputs from `first` on to input_gradient [inputs - first]. */
    void (*learn)(const regal_placement_weights *weights, int64_t devices, const float *input,
                  const float *unit, const float *share, const regal_placement_weights *gradient,
                  int64_t first, float *input_gradient);
} regal_placement_operators;

/* Those of an available level. */
const regal_placement_operators *regal_placement_operators_for(regal_simd_level level);

extern const regal_placement_operators regal_placement_operators_plain,
    regal_placement_operators_avx2, regal_placement_operators_avx512;

#ifdef __cplusplus
}
#endif
#endif
