#include "simd/gene_operators.h"

#include "regal/core/evolve.h"

static void draw(const regal_stream *stream, const uint16_t *table, const uint16_t *proposals,
                 int64_t gene_count, uint16_t *genes) {
    regal_draw_genes(stream, table, proposals, gene_count, genes);
}

static void cross(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                  const uint16_t *other, int64_t gene_count, uint16_t *genes) {
    regal_cross_genes(stream, rho, elite, other, gene_count, genes);
}

const regal_gene_operators REGAL_SIMD_NAME(regal_gene_operators) = {.draw = draw, .cross = cross};
