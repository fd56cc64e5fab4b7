// Device functions, vector types and atomics.
#include "device_array.h"
#include "orders.h"

#include <curand_philox4x32_x.h> // wants cuda_runtime.h before it

#include "regal/core/random.h"

namespace {

TEST(SimtBuiltins, CountAndReverseBits) {
    EXPECT_EQ(__popc(0xf0f0u), 8);
    EXPECT_EQ(__popcll(~0ull), 64);
    EXPECT_EQ(__ffs(0), 0);
    EXPECT_EQ(__ffs(8), 4);
    EXPECT_EQ(__ffsll(1ll << 40), 41);
    EXPECT_EQ(__clz(0), 32);
    EXPECT_EQ(__clz(1), 31);
    EXPECT_EQ(__clzll(0), 64);
    EXPECT_EQ(__clzll(1), 63);
    EXPECT_EQ(__brev(1u), 0x80000000u);
    EXPECT_EQ(__brev(0x12345678u), 0x1e6a2c48u);
    EXPECT_EQ(__brevll(2ull), 1ull << 62);
}

TEST(SimtBuiltins, MultiplyForTheHighHalf) {
    EXPECT_EQ(__umulhi(~0u, ~0u), ~0u - 1);
    EXPECT_EQ(__mulhi(-1, 1), -1);
    EXPECT_EQ(__umul64hi(~0ull, ~0ull), ~0ull - 1);
    EXPECT_EQ(__funnelshift_l(0x80000000u, 1u, 1), 3u);
    EXPECT_EQ(__funnelshift_r(0x80000000u, 1u, 31), 3u);
}

TEST(SimtBuiltins, TakeTheSmallerOfMixedSignsAsUnsigned) {
    EXPECT_EQ(min(-1, 1), -1);
    EXPECT_EQ(max(-1, 1u), ~0u);
    EXPECT_EQ(min(1ull, -1ll), 1ull);
    EXPECT_EQ(min(int64_t{-5}, int64_t{5}), -5);
    EXPECT_EQ(max(1.5f, -2.0f), 1.5f);
    EXPECT_EQ(min(1.5, -2.0), -2.0);
}

TEST(SimtBuiltins, ReinterpretBits) {
    EXPECT_EQ(__float_as_uint(1.0f), 0x3f800000u);
    EXPECT_EQ(__int_as_float(0x40000000), 2.0f);
    EXPECT_EQ(__double_as_longlong(1.0), 0x3ff0000000000000ll);
}

TEST(SimtTypes, HaveCudasSizesAndAlignments) {
    EXPECT_EQ(sizeof(int3), 12u);
    EXPECT_EQ(alignof(uint4), 16u);
    EXPECT_EQ(alignof(float4), 16u);
    EXPECT_EQ(alignof(int2), 8u);
    EXPECT_EQ(alignof(ushort4), 8u);
    EXPECT_EQ(alignof(longlong2), 16u);
    EXPECT_EQ(make_ushort4(1, 2, 3, 4).w, 4);
    EXPECT_EQ(make_longlong2(1, 2).y, 2);
}

TEST(SimtCurand, DrawsWhatTheSearchDraws) {
    for (uint32_t i = 0; i < 100; ++i) {
        const uint32_t counter[4] = {i, i * 7, ~i, 3}, key[2] = {i + 1, i * i};
        const regal_random_block want = regal_philox(counter, key);
        const uint4 got =
            curand_Philox4x32_10(make_uint4(i, i * 7, ~i, 3), make_uint2(i + 1, i * i));
        EXPECT_EQ(got.x, want.word[0]);
        EXPECT_EQ(got.y, want.word[1]);
        EXPECT_EQ(got.z, want.word[2]);
        EXPECT_EQ(got.w, want.word[3]);
    }
}

struct Totals {
    int sum, difference, least;
    unsigned most, either, both, odd, latest;
    unsigned long long wide;
    float real;
    int swaps;
};

__global__ void total(Totals *out) {
    const int t = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
    const unsigned word = static_cast<unsigned>(t);
    atomicAdd(&out->sum, t);
    atomicSub(&out->difference, t);
    atomicMin(&out->least, -t);
    atomicMax(&out->most, word);
    atomicOr(&out->either, word);
    atomicAnd(&out->both, word | 1024u);
    atomicXor(&out->odd, word);
    atomicExch(&out->latest, word + 1);
    atomicAdd(&out->wide, 1ull << 33);
    atomicAdd(&out->real, 0.5f);
    for (int seen = 0;;) {
        const int found = atomicCAS(&out->swaps, seen, seen + 1);
        if (found == seen) {
            break;
        }
        seen = found;
    }
}

TEST(SimtAtomics, LoseNothingInAnyOrder) {
    in_every_order([] {
        DeviceArray<Totals> out(std::vector<Totals>{{0, 0, 0, 0, 0, ~0u, 0, 0, 0, 0, 0}});
        run_kernel(configuration(3, 33), total, out.data());
        const Totals got = out.fetch()[0];
        EXPECT_EQ(got.sum, 98 * 99 / 2);
        EXPECT_EQ(got.difference, -98 * 99 / 2);
        EXPECT_EQ(got.least, -98);
        EXPECT_EQ(got.most, 98u);
        EXPECT_EQ(got.either, 127u);
        EXPECT_EQ(got.both, 1024u);
        EXPECT_EQ(got.odd, 99u); // 0 ^ 1 ^ ... ^ 98
        EXPECT_NE(got.latest, 0u);
        EXPECT_EQ(got.wide, 99ull << 33);
        EXPECT_EQ(got.real, 49.5f);
        EXPECT_EQ(got.swaps, 99);
    });
}

TEST(SimtAtomics, WrapAround) {
    int value = INT32_MAX;
    EXPECT_EQ(atomicAdd(&value, 1), INT32_MAX);
    EXPECT_EQ(value, INT32_MIN);
    EXPECT_EQ(atomicSub(&value, 1), INT32_MIN);
    EXPECT_EQ(value, INT32_MAX);
}

} // namespace
