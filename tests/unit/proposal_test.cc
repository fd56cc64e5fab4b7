// The table of Beta quantiles and the keys drawn from it.
#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <vector>

#include "base/embedded.h"
#include "regal/core/evolve.h"

namespace {

const uint16_t *table() {
    size_t count;
    return regal_embedded_beta(&count);
}

const uint16_t *quantiles(int proposal) {
    return table() + (proposal - 1) * REGAL_QUANTILES;
}

TEST(BetaTable, HoldsEveryProposal) {
    size_t count;
    regal_embedded_beta(&count);
    EXPECT_EQ(count, size_t{(REGAL_PROPOSAL_COUNT - 1) * REGAL_QUANTILES});
}

// Each entry is the one number that models/beta_quantiles.h would write: the least q whose upper
// edge the distribution function takes to p.
TEST(BetaTable, IsTheOneThatBoostGives) {
    for (int proposal = 1; proposal < REGAL_PROPOSAL_COUNT; ++proposal) {
        const double mean = 0.02 + 0.024 * ((proposal - 1) / REGAL_CONCENTRATION_BINS);
        const double concentration =
            std::pow(10.0, (proposal - 1) % REGAL_CONCENTRATION_BINS / 3.0);
        const double a = mean * concentration, b = (1 - mean) * concentration;
        const auto edge = [&](int q) { return boost::math::ibeta(a, b, (q + 0.5) / 65536.0); };
        ASSERT_EQ(quantiles(proposal)[0], 0);
        ASSERT_EQ(quantiles(proposal)[REGAL_QUANTILES - 1], 65535);
        for (int i = 1; i < REGAL_QUANTILES - 1; ++i) {
            const int q = quantiles(proposal)[i];
            ASSERT_TRUE(q == 65535 || edge(q) >= i / 256.0) << proposal << " " << i;
            ASSERT_TRUE(q == 0 || edge(q - 1) < i / 256.0) << proposal << " " << i;
        }
    }
}

TEST(Proposal, ZeroIsUniform) {
    for (int draw : {0, 1, 255, 256, 32768, 65535})
        EXPECT_EQ(regal_proposal_key(table(), 0, static_cast<uint16_t>(draw)), draw);
}

TEST(Proposal, KeysRiseWithTheDrawAndStayBetweenQuantiles) {
    for (int proposal : {1, 10, 205, 410}) {
        uint16_t last = 0;
        for (int draw = 0; draw < 65536; ++draw) {
            const uint16_t key =
                regal_proposal_key(table(), static_cast<uint16_t>(proposal), draw & 0xffff);
            ASSERT_GE(key, last);
            ASSERT_GE(key, quantiles(proposal)[draw >> 8]);
            ASSERT_LE(key, quantiles(proposal)[(draw >> 8) + 1]);
            last = key;
        }
    }
}

TEST(Proposal, KeysHaveTheMeanAskedFor) {
    const int64_t count = 40000;
    for (int mean_bin : {0, 10, 20, 40})
        for (int concentration_bin : {3, 9}) {
            const std::vector<uint16_t> proposals(
                count, static_cast<uint16_t>(1 + mean_bin * 10 + concentration_bin));
            std::vector<uint16_t> genes(count);
            const regal_stream stream = regal_stream_make(3, REGAL_STAGE_MUTANT, 0, 0, 0);
            regal_draw_genes(&stream, table(), proposals.data(), count, genes.data());
            double sum = 0;
            for (const uint16_t gene : genes)
                sum += gene / 65536.0;
            EXPECT_NEAR(sum / count, 0.02 + 0.024 * mean_bin, 0.01);
        }
}

} // namespace
