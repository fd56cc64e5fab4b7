// Crossover and drawing of each instruction set that this machine has, against core/evolve.h.
#include "simd/gene_operators.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/embedded.h"
#include "regal/core/evolve.h"

namespace {

constexpr uint16_t UNTOUCHED = 0xA5A5;
constexpr int64_t MARGIN = 40;

class GeneOperators : public testing::TestWithParam<regal_simd_level> {
  protected:
    void SetUp() override {
        if (!regal_simd_level_available(GetParam()))
            GTEST_SKIP() << "this processor or build lacks it";
        operators = regal_gene_operators_for(GetParam());
    }

    regal_stream stream() {
        regal_stream s = regal_stream_make(random64(), REGAL_STAGE_SEED, 0, 0, 0);
        s.individual = static_cast<uint32_t>(random());
        s.generation = static_cast<uint32_t>(random());
        s.place = static_cast<uint32_t>(random());
        return s;
    }

    std::vector<uint16_t> numbers(int64_t count, int below) {
        std::vector<uint16_t> made(static_cast<size_t>(count));
        for (uint16_t &number : made)
            number = static_cast<uint16_t>(random() % static_cast<uint32_t>(below));
        return made;
    }

    // 0 to 200, and at times much more.
    int64_t some_count() { return random() % 50 == 0 ? random() % 5000 : random() % 201; }

    // Nothing but the genes [offset, offset + expected) of `row` may have been written.
    static void expect_row(const std::vector<uint16_t> &row, int64_t offset,
                           const std::vector<uint16_t> &expected) {
        std::vector<uint16_t> whole(row.size(), UNTOUCHED);
        std::copy(expected.begin(), expected.end(), whole.begin() + offset);
        ASSERT_EQ(row, whole);
    }

    void expect_draw(const regal_stream &s, int64_t count, const std::vector<uint16_t> *proposals,
                     int64_t offset) {
        size_t size;
        const uint16_t *table = proposals != nullptr ? regal_embedded_beta(&size) : nullptr;
        const uint16_t *given = proposals != nullptr ? proposals->data() + offset : nullptr;
        std::vector<uint16_t> expected(count), row(count + MARGIN, UNTOUCHED);
        regal_draw_genes(&s, table, given, count, expected.data());
        operators->draw(&s, table, given, count, row.data() + offset);
        expect_row(row, offset, expected);
    }

    std::mt19937 random{GetParam() + 1u};
    std::mt19937_64 random64{GetParam() + 1u};
    const regal_gene_operators *operators = nullptr;
};

TEST_P(GeneOperators, DrawUniformKeysAsTheRuleDoes) {
    for (int i = 0; i < 20000 && !HasFatalFailure(); ++i)
        expect_draw(stream(), some_count(), nullptr, random() % MARGIN);
}

TEST_P(GeneOperators, DrawFromProposalsAsTheRuleDoes) {
    for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
        const int64_t count = some_count();
        std::vector<uint16_t> proposals = numbers(count + MARGIN, REGAL_PROPOSAL_COUNT);
        for (uint16_t &proposal : proposals)
            if (random() % 4 == 0)
                proposal = 0;
        expect_draw(stream(), count, &proposals, random() % MARGIN);
    }
}

TEST_P(GeneOperators, DrawFromEveryProposalAsTheRuleDoes) {
    for (uint16_t proposal = 0; proposal < REGAL_PROPOSAL_COUNT && !HasFatalFailure(); ++proposal) {
        const std::vector<uint16_t> proposals(3000 + MARGIN, proposal);
        expect_draw(stream(), 3000, &proposals, 1);
    }
}

TEST_P(GeneOperators, CrossAsTheRuleDoes) {
    for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
        const int64_t count = some_count(), offset = random() % MARGIN;
        const int64_t elite_offset = random() % MARGIN, other_offset = random() % MARGIN;
        const uint32_t rho = i < 257 ? i : random() % 257;
        const std::vector<uint16_t> elite = numbers(count + MARGIN, 65536),
                                    other = numbers(count + MARGIN, 65536);
        const regal_stream s = stream();
        std::vector<uint16_t> expected(count), row(count + MARGIN, UNTOUCHED);
        regal_cross_genes(&s, rho, elite.data() + elite_offset, other.data() + other_offset, count,
                          expected.data());
        operators->cross(&s, rho, elite.data() + elite_offset, other.data() + other_offset, count,
                         row.data() + offset);
        expect_row(row, offset, expected);
    }
}

TEST_P(GeneOperators, TakeOneParentWhereNoChanceIsLeft) {
    const std::vector<uint16_t> elite(1000, 1), other(1000, 2);
    for (uint32_t rho : {0u, 256u, 257u}) {
        const regal_stream s = stream();
        std::vector<uint16_t> genes(1000);
        operators->cross(&s, rho, elite.data(), other.data(), 1000, genes.data());
        EXPECT_EQ(genes, rho == 0 ? other : elite);
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, GeneOperators,
                         testing::Values(REGAL_SIMD_PLAIN, REGAL_SIMD_AVX2, REGAL_SIMD_AVX512),
                         [](const auto &level) {
                             return std::string(regal_simd_level_name(level.param));
                         });

} // namespace
