/* Limits of numbers from the outside (DESIGN 2). */
#ifndef REGAL_GRAPH_GRAPH_LIMITS_H
#define REGAL_GRAPH_GRAPH_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#define REGAL_NUMBER_MAX ((int64_t)1 << 53) /* of one number of ticks or bytes */
#define REGAL_SUM_MAX    ((int64_t)1 << 62) /* of a worst-case sum */

/* *sum += count * value for non-negative numbers; false, with *sum unspecified, above
 * REGAL_SUM_MAX. */
static inline bool regal_sum_add(int64_t *sum, int64_t count, int64_t value) {
    int64_t product;
    return !__builtin_mul_overflow(count, value, &product) &&
           !__builtin_add_overflow(*sum, product, sum) && *sum <= REGAL_SUM_MAX;
}

#endif
