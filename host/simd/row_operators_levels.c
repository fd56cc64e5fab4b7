#include <stddef.h>

#include "simd/row_operators.h"

const regal_row_operators *regal_row_operators_for(regal_simd_level level) {
    static const regal_row_operators *const levels[REGAL_SIMD_LEVEL_COUNT] =
        REGAL_SIMD_OF_EACH_LEVEL(regal_row_operators);
    return levels[level];
}
