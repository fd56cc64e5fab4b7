#include <stddef.h>

#include "simd/gene_operators.h"

const regal_gene_operators *regal_gene_operators_for(regal_simd_level level) {
    static const regal_gene_operators *const levels[REGAL_SIMD_LEVEL_COUNT] =
        REGAL_SIMD_OF_EACH_LEVEL(regal_gene_operators);
    return levels[level];
}
