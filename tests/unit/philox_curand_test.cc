// Our Philox against cuRAND's device header, compiled for the host.
#ifdef REGAL_HAVE_CURAND
#include <cuda_runtime.h>

#include <curand_philox4x32_x.h>
#include <gtest/gtest.h>

#include "regal/core/random.h"

namespace {

TEST(Philox, EqualsCurand) {
    uint64_t state = 1;
    const auto word = [&state] { // a plain LCG: any inputs will do
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<uint32_t>(state >> 32);
    };
    for (int i = 0; i < 10000; ++i) {
        const uint32_t counter[4] = {word(), word(), word(), word()}, key[2] = {word(), word()};
        const regal_random_block ours = regal_philox(counter, key);
        const uint4 theirs = curand_Philox4x32_10(
            make_uint4(counter[0], counter[1], counter[2], counter[3]), make_uint2(key[0], key[1]));
        ASSERT_EQ(ours.word[0], theirs.x);
        ASSERT_EQ(ours.word[1], theirs.y);
        ASSERT_EQ(ours.word[2], theirs.z);
        ASSERT_EQ(ours.word[3], theirs.w);
    }
}

} // namespace
#endif
