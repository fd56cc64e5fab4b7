/* How individuals come about, many genes at a time: as include/regal/core/evolve.h, bit for bit. */
#ifndef REGAL_SIMD_GENE_OPERATORS_H
#define REGAL_SIMD_GENE_OPERATORS_H

#include "regal/core/random.h"
#include "simd/simd_level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_gene_operators {
    /* regal_draw_genes */
    void (*draw)(const regal_stream *stream, const uint16_t *table, const uint16_t *proposals,
                 int64_t gene_count, uint16_t *genes);
    /* regal_cross_genes; genes overlaps neither parent */
    void (*cross)(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                  const uint16_t *other, int64_t gene_count, uint16_t *genes);
} regal_gene_operators;

/* Those of an available level. */
const regal_gene_operators *regal_gene_operators_for(regal_simd_level level);

extern const regal_gene_operators regal_gene_operators_plain, regal_gene_operators_avx2,
    regal_gene_operators_avx512;

#ifdef __cplusplus
}
#endif
#endif
