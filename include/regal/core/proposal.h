/* Keys drawn from Beta distributions (paper, section on BRKGA; DESIGN 4).
 *
 * A proposal is 0 for uniform, or 1 + mean_bin * 10 + concentration_bin into a table of quantiles:
 * table[bin][i] = the quantile at i / 256, in 65536ths of the unit interval (65535 at most), of the
 * Beta distribution with mean m and concentration c, that is Beta(m c, (1 - m) c). */
#ifndef REGAL_CORE_PROPOSAL_H
#define REGAL_CORE_PROPOSAL_H

#include "regal/core/host_device.h"

enum {
    REGAL_MEAN_BINS = 41,          /* 0.02, 0.044, ..., 0.98 */
    REGAL_CONCENTRATION_BINS = 10, /* 10^(bin / 3): 1 ... 1000 */
    REGAL_PROPOSAL_COUNT = 1 + REGAL_MEAN_BINS * REGAL_CONCENTRATION_BINS,
    REGAL_QUANTILES = 257
};

/* A key for a uniform draw: linear between quantiles, in integers. */
REGAL_HD uint16_t regal_proposal_key(const uint16_t *table, uint16_t proposal, uint16_t draw) {
    if (proposal == 0)
        return draw;
    const uint16_t *quantile = table + (proposal - 1) * REGAL_QUANTILES + (draw >> 8);
    const uint32_t low = quantile[0], high = quantile[1];
    return (uint16_t)(low + ((high - low) * (uint32_t)(draw & 255) >> 8));
}

#endif
