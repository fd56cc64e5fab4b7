// The choice of an instruction set, and that REGAL_SIMD forces one.
#include "simd/simd_level.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/refusal.h"

namespace {

class SimdLevel : public testing::Test {
  protected:
    void SetUp() override {
        const char *word = getenv("REGAL_SIMD");
        before = word != nullptr ? word : "";
    }
    void TearDown() override { setenv("REGAL_SIMD", before.c_str(), 1); }

    static regal_status find(const char *word, regal_simd_level *level) {
        setenv("REGAL_SIMD", word, 1);
        return regal_simd_level_find(level);
    }

  private:
    std::string before;
};

TEST_F(SimdLevel, IsTheBestAvailableUnlessForced) {
    regal_simd_level unset, empty;
    unsetenv("REGAL_SIMD");
    ASSERT_EQ(regal_simd_level_find(&unset), REGAL_OK);
    ASSERT_EQ(find("", &empty), REGAL_OK);
    EXPECT_EQ(unset, empty);
    for (int level = REGAL_SIMD_PLAIN; level < REGAL_SIMD_LEVEL_COUNT; ++level)
        EXPECT_EQ(regal_simd_level_available(static_cast<regal_simd_level>(level)), level <= unset);
}

TEST_F(SimdLevel, IsTheForcedOneOrRefused) {
    for (int i = REGAL_SIMD_PLAIN; i < REGAL_SIMD_LEVEL_COUNT; ++i) {
        const auto forced = static_cast<regal_simd_level>(i);
        const char *name = regal_simd_level_name(forced);
        regal_simd_level level = REGAL_SIMD_LEVEL_COUNT;
        const regal_status status = find(name, &level);
        if (regal_simd_level_available(forced))
            EXPECT_EQ(level, forced);
        else
            EXPECT_TRUE(refused_with(status, REGAL_UNAVAILABLE, std::string("REGAL_SIMD=") + name));
    }
}

TEST_F(SimdLevel, RefusesOtherWords) {
    regal_simd_level level;
    for (const char *word : {"avx", "AVX2", "avx2 ", " plain", "avx2,plain", "0", "sse2"})
        EXPECT_TRUE(refused_with(find(word, &level), REGAL_INVALID_ARGUMENT,
                                 std::string("REGAL_SIMD=") + word + ":"))
            << word;
}

} // namespace
