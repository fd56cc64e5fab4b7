/* The table of Beta quantiles (include/regal/core/proposal.h), worked out with Boost.Math. Used by
 * the tool that writes models/beta_quantiles.bin and by the test that holds the file to it. */
#ifndef REGAL_MODELS_BETA_QUANTILES_H
#define REGAL_MODELS_BETA_QUANTILES_H

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "regal/core/proposal.h"

/* The quantile of Beta(a, b) at p, in 65536ths, rounded: the least q below 65535 whose upper edge
 * (q + 0.5) / 65536 the distribution function takes to p or above. Boost's own inverse fails at
 * some of these points; a search over integers cannot. */
inline uint16_t regal_beta_quantile(double a, double b, double p) {
    int low = 0, high = 65535;
    while (low < high) {
        const int q = (low + high) / 2;
        if (boost::math::ibeta(a, b, (q + 0.5) / 65536.0) >= p)
            high = q;
        else
            low = q + 1;
    }
    return static_cast<uint16_t>(low);
}

/* [mean bin][concentration bin][quantile] */
inline std::vector<uint16_t> regal_beta_quantiles() {
    std::vector<uint16_t> table;
    for (int mean_bin = 0; mean_bin < REGAL_MEAN_BINS; ++mean_bin)
        for (int bin = 0; bin < REGAL_CONCENTRATION_BINS; ++bin) {
            const double mean = 0.02 + 0.024 * mean_bin, concentration = std::pow(10.0, bin / 3.0);
            for (int i = 0; i < REGAL_QUANTILES - 1; ++i)
                table.push_back(i == 0
                                    ? 0
                                    : regal_beta_quantile(mean * concentration,
                                                          (1 - mean) * concentration, i / 256.0));
            table.push_back(65535);
        }
    return table;
}

#endif
