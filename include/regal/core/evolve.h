/* How individuals come about (DESIGN 4). The rules of one individual; a backend runs them for many,
 * gene by gene or many genes at a time. */
#ifndef REGAL_CORE_EVOLVE_H
#define REGAL_CORE_EVOLVE_H

#include "regal/core/proposal.h"
#include "regal/core/random.h"

/* Genes of an individual drawn from proposals (one for each gene; NULL: uniform). */
REGAL_HD void regal_draw_genes(const regal_stream *stream, const uint16_t *table,
                               const uint16_t *proposals, int64_t gene_count, uint16_t *genes) {
    for (int64_t g = 0; g < gene_count; g += 8) {
        const regal_random_block block = regal_draw(stream, (uint32_t)(g >> 3));
        const int count = gene_count - g < 8 ? (int)(gene_count - g) : 8;
        for (int i = 0; i < count; ++i) {
            const uint16_t draw = regal_block_key(block, i);
            genes[g + i] =
                proposals != 0 ? regal_proposal_key(table, proposals[g + i], draw) : draw;
        }
    }
}

/* Genes of an offspring. rho: 0..256, the chance of the elite's gene in 256ths. */
REGAL_HD void regal_cross_genes(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                                const uint16_t *other, int64_t gene_count, uint16_t *genes) {
    for (int64_t g = 0; g < gene_count; g += 16) {
        const regal_random_block block = regal_draw(stream, (uint32_t)(g >> 4));
        const int count = gene_count - g < 16 ? (int)(gene_count - g) : 16;
        for (int i = 0; i < count; ++i)
            genes[g + i] = regal_block_byte(block, i) < rho ? elite[g + i] : other[g + i];
    }
}

#endif
