/* What the steps of a walk have in common. */
#ifndef REGAL_POLICY_WALK_STEPS_H
#define REGAL_POLICY_WALK_STEPS_H

#include "policy/walk_state.h"

/* Each step is compiled for 2, 4 and any number of devices: with a known number, loops over
 * them become vectors. */
#define INLINE     static inline __attribute__((always_inline))
#define EACH(d, D) for (int d = 0; d < (D); ++d)

INLINE float larger(float a, float b) {
    return a > b ? a : b;
}

INLINE float smaller(float a, float b) {
    return a < b ? a : b;
}

INLINE float least_of(const float *x, const int D) {
    float least = x[0];
    EACH(d, D) least = smaller(least, x[d]);
    return least;
}

/* Like x where it is small, at most 8. */
INLINE float soft(float x) {
    const float size = x < 0 ? -x : x;
    return x / (1.0f + 0.125f * size);
}

#endif
