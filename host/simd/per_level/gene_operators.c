#include "simd/gene_operators.h"

#include "regal/core/evolve.h"

#if REGAL_SIMD_BITS == 0

static void draw(const regal_stream *stream, const uint16_t *table, const uint16_t *proposals,
                 int64_t gene_count, uint16_t *genes) {
    regal_draw_genes(stream, table, proposals, gene_count, genes);
}

static void cross(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                  const uint16_t *other, int64_t gene_count, uint16_t *genes) {
    regal_cross_genes(stream, rho, elite, other, gene_count, genes);
}

#else

#include "simd/lanes_philox.h"

/* A run of genes is what one lanes_draw serves. */
enum {
    CROSS_RUN = LANES_DRAWN * LANES_BYTES,
    DRAW_RUN = LANES_DRAWN * LANES_BYTES / 2,
    VECTOR = LANES_BYTES / 2 /* genes in a vector */
};

static lanes32 interpolate(const uint16_t *table, lanes32 bin, lanes32 draw) {
    const lanes32 pair = lanes_gather_pairs(table, bin * (uint32_t)REGAL_QUANTILES + (draw >> 8));
    const lanes32 low = pair & 0xFFFFu, high = pair >> 16;
    return (low + ((high - low) * (draw & 255u) >> 8)) & 0xFFFFu;
}

/* regal_proposal_key. A proposal of 0 looks up the first bin, and the look-up goes unused. */
static lanes16 proposal_keys(const uint16_t *table, lanes16 proposal, lanes16 draw) {
    const lanes16 uniform = (lanes16)(proposal == 0), bin = proposal - 1u + (uniform & 1u);
    const lanes16 key =
        lanes_narrow(interpolate(table, lanes_widen_lower(bin), lanes_widen_lower(draw)),
                     interpolate(table, lanes_widen_upper(bin), lanes_widen_upper(draw)));
    return key ^ ((key ^ draw) & uniform);
}

static inline void draw_run(const lanes_stream *stream, int64_t first, const uint16_t *table,
                            const uint16_t *proposals, uint16_t *genes) {
    lanes8 drawn[LANES_DRAWN];
    lanes_draw(stream, (uint64_t)first / 8, drawn);
    for (int i = 0; i < LANES_DRAWN; ++i) {
        const int at = i * VECTOR;
        lanes16 keys = (lanes16)drawn[i];
        if (proposals != NULL)
            keys = proposal_keys(table, lanes_load16(proposals + at), keys);
        lanes_store16(genes + at, keys);
    }
}

static void draw(const regal_stream *stream, const uint16_t *table, const uint16_t *proposals,
                 int64_t gene_count, uint16_t *genes) {
    lanes_stream lanes;
    lanes_stream_set(&lanes, stream);
    int64_t g = 0;
    for (; gene_count - g >= DRAW_RUN; g += DRAW_RUN)
        draw_run(&lanes, g, table, proposals != NULL ? proposals + g : NULL, genes + g);
    if (g == gene_count)
        return;
    const size_t rest = (size_t)(gene_count - g) * sizeof *genes;
    uint16_t last_proposals[DRAW_RUN] = {0}, last_genes[DRAW_RUN];
    if (proposals != NULL)
        memcpy(last_proposals, proposals + g, rest);
    draw_run(&lanes, g, table, proposals != NULL ? last_proposals : NULL, last_genes);
    memcpy(genes + g, last_genes, rest);
}

static inline void cross_run(const lanes_stream *stream, int64_t first, lanes8 limit,
                             const uint16_t *elite, const uint16_t *other, uint16_t *genes) {
    lanes8 drawn[LANES_DRAWN];
    lanes_draw(stream, (uint64_t)first / 16, drawn);
    for (int i = 0; i < LANES_DRAWN; ++i) {
        const int at = i * LANES_BYTES;
        lanes_choose_up_to(drawn[i], limit, elite + at, other + at, genes + at);
    }
}

static void cross(const regal_stream *stream, uint32_t rho, const uint16_t *elite,
                  const uint16_t *other, int64_t gene_count, uint16_t *genes) {
    if (rho == 0 || rho > 255) { /* all from one parent; below, rho - 1 is a byte */
        memcpy(genes, rho == 0 ? other : elite, (size_t)gene_count * sizeof *genes);
        return;
    }
    const lanes8 zero = {0}, limit = zero + (uint8_t)(rho - 1);
    lanes_stream lanes;
    lanes_stream_set(&lanes, stream);
    int64_t g = 0;
    for (; gene_count - g >= CROSS_RUN; g += CROSS_RUN)
        cross_run(&lanes, g, limit, elite + g, other + g, genes + g);
    if (g == gene_count)
        return;
    const size_t rest = (size_t)(gene_count - g) * sizeof *genes;
    uint16_t last_elite[CROSS_RUN] = {0}, last_other[CROSS_RUN] = {0}, last_genes[CROSS_RUN];
    memcpy(last_elite, elite + g, rest);
    memcpy(last_other, other + g, rest);
    cross_run(&lanes, g, limit, last_elite, last_other, last_genes);
    memcpy(genes + g, last_genes, rest);
}

#endif

const regal_gene_operators REGAL_SIMD_NAME(regal_gene_operators) = {.draw = draw, .cross = cross};
