// Philox and what is drawn from it.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "regal/core/evolve.h"

namespace {

// Known answers of Philox4x32-10 (Random123's kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
    const uint32_t zero[4] = {0, 0, 0, 0}, zero_key[2] = {0, 0};
    const regal_random_block a = regal_philox(zero, zero_key);
    EXPECT_EQ(a.word[0], 0x6627e8d5u);
    EXPECT_EQ(a.word[1], 0xe169c58du);
    EXPECT_EQ(a.word[2], 0xbc57ac4cu);
    EXPECT_EQ(a.word[3], 0x9b00dbd8u);
    const uint32_t ones[4] = {~0u, ~0u, ~0u, ~0u}, ones_key[2] = {~0u, ~0u};
    const regal_random_block b = regal_philox(ones, ones_key);
    EXPECT_EQ(b.word[0], 0x408f276du);
    EXPECT_EQ(b.word[1], 0x41c83b0eu);
    EXPECT_EQ(b.word[2], 0xa20bc7c6u);
    EXPECT_EQ(b.word[3], 0x6d5451fdu);
}

TEST(Philox, StreamsDifferInEveryCoordinate) {
    std::set<uint32_t> first_words;
    for (const regal_stream &stream : {regal_stream_make(1, REGAL_STAGE_SEED, 0, 0, 0),
                                       regal_stream_make(2, REGAL_STAGE_SEED, 0, 0, 0),
                                       regal_stream_make(1ull << 32, REGAL_STAGE_SEED, 0, 0, 0),
                                       regal_stream_make(1, REGAL_STAGE_MUTANT, 0, 0, 0),
                                       regal_stream_make(1, REGAL_STAGE_SEED, 1, 0, 0),
                                       regal_stream_make(1, REGAL_STAGE_SEED, 0, 1, 0),
                                       regal_stream_make(1, REGAL_STAGE_SEED, 0, 0, 1)})
        for (uint32_t block : {0u, 1u})
            first_words.insert(regal_draw(&stream, block).word[0]);
    EXPECT_EQ(first_words.size(), 14u);
}

TEST(Philox, KeysAndBytesComeLowEndFirst) {
    const regal_random_block block = {{0x33221100u, 0x77665544u, 0xbbaa9988u, 0xffeeddccu}};
    EXPECT_EQ(regal_block_key(block, 0), 0x1100);
    EXPECT_EQ(regal_block_key(block, 1), 0x3322);
    EXPECT_EQ(regal_block_key(block, 7), 0xffee);
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(regal_block_byte(block, i), i * 0x11);
}

TEST(Philox, WordsSpreadOverAllNumbersBelowACount) {
    EXPECT_EQ(regal_word_below(0, 7), 0);
    EXPECT_EQ(regal_word_below(~0u, 7), 6);
    EXPECT_EQ(regal_word_below(~0u, int64_t(1) << 32), (int64_t(1) << 32) - 1);
}

// Any number of genes, also one that is no multiple of a block.
TEST(Evolve, CrossesGeneByGene) {
    const int64_t count = 1003;
    std::vector<uint16_t> elite(count, 1), other(count, 0), genes(count, 9);
    const regal_stream stream = regal_stream_make(5, REGAL_STAGE_CROSSOVER, 0, 3, 17);
    regal_cross_genes(&stream, 179, elite.data(), other.data(), count, genes.data());
    int64_t from_elite = 0;
    for (int64_t g = 0; g < count; ++g) {
        const uint8_t byte =
            regal_block_byte(regal_draw(&stream, static_cast<uint32_t>(g / 16)), g % 16);
        ASSERT_EQ(genes[g], byte < 179 ? 1 : 0);
        from_elite += genes[g];
    }
    EXPECT_NEAR(from_elite, 1003 * 0.7, 60);
    regal_cross_genes(&stream, 256, elite.data(), other.data(), count, genes.data());
    EXPECT_EQ(genes, elite);
    regal_cross_genes(&stream, 0, elite.data(), other.data(), count, genes.data());
    EXPECT_EQ(genes, other);
}

} // namespace
