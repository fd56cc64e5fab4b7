/* Adam, the same bits everywhere (as core/activation.h). */
#ifndef REGAL_CORE_ADAM_H
#define REGAL_CORE_ADAM_H

#include <math.h>

#include "regal/core/host_device.h"

/* A step of Adam on parameters [count], in place. The gradient counts `gradient_scale` times (for
 * clipping); corrections are 1 - beta^t of step t = 1, 2, ...
 *   mean = beta1 mean + (1 - beta1) g
 *   square = beta2 square + (1 - beta2) g^2
 *   parameter -= rate (mean / mean_correction) / (sqrt(square / square_correction) + epsilon) */
typedef struct regal_adam_step {
    int64_t count;
    float *parameter, *mean, *square;
    const float *gradient;
    float gradient_scale, rate, beta1, beta2, mean_correction, square_correction, epsilon;
} regal_adam_step;

REGAL_HD void regal_adam_update(const regal_adam_step *s, float gradient, float *parameter,
                                float *mean, float *square) {
    const float g = s->gradient_scale * gradient;
    *mean = s->beta1 * *mean + (1.0f - s->beta1) * g;
    *square = s->beta2 * *square + (1.0f - s->beta2) * (g * g);
    *parameter -= s->rate * (*mean / s->mean_correction) /
                  (sqrtf(*square / s->square_correction) + s->epsilon);
}

#endif
