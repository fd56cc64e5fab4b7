#include <stddef.h>

#include "simd/placement_operators.h"

const regal_placement_operators *regal_placement_operators_for(regal_simd_level level) {
    static const regal_placement_operators *const levels[REGAL_SIMD_LEVEL_COUNT] =
        REGAL_SIMD_OF_EACH_LEVEL(regal_placement_operators);
    return levels[level];
}
