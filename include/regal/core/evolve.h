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
        uint16_t draw[8];
        for (int i = 0; i < 8; ++i)
            draw[i] = regal_block_key(block, i);
        for (int i = 0; i < count; ++i)
            genes[g + i] =
                proposals != 0 ? regal_proposal_key(table, proposals[g + i], draw[i]) : draw[i];
    }
}

/* a where chosen, else b; no branch, since it could not be predicted. */
REGAL_HD uint16_t regal_choose(bool chosen, uint16_t a, uint16_t b) {
    return (uint16_t)(b ^ ((a ^ b) & (uint16_t) - (int)chosen));
}

/* Genes of an offspring. rho: 0..256, the chance of the elite's gene in 256ths. */
REGAL_HD void regal_cross_genes(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                                const uint16_t *other, int64_t gene_count, uint16_t *genes) {
    for (int64_t g = 0; g < gene_count; g += 16) {
        const regal_random_block block = regal_draw(stream, (uint32_t)(g >> 4));
        const int count = gene_count - g < 16 ? (int)(gene_count - g) : 16;
        for (int i = 0; i < count; ++i)
            genes[g + i] =
                regal_choose(regal_block_byte(block, i) < rho, elite[g + i], other[g + i]);
    }
}

#endif
