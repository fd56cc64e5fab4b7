// Warp collectives against their definitions, in every order.
#include "device_array.h"
#include "orders.h"

namespace {

constexpr unsigned kFull = 0xffffffffu;

struct Shuffled {
    int indexed, up, down, exchanged;
    unsigned long long wide;
    double real;
};

__global__ void shuffle_all(Shuffled *out, int width) {
    const int lane = static_cast<int>(threadIdx.x);
    const long long wide = (1ll << 40) * lane;
    out[lane].indexed = __shfl_sync(kFull, lane * 10, lane + 3, width);
    out[lane].up = __shfl_up_sync(kFull, lane * 10, 3, width);
    out[lane].down = __shfl_down_sync(kFull, lane * 10, 3, width);
    out[lane].exchanged = __shfl_xor_sync(kFull, lane * 10, 5, width);
    out[lane].wide = static_cast<unsigned long long>(__shfl_sync(kFull, wide, 7));
    out[lane].real = __shfl_xor_sync(kFull, lane + 0.5, 1);
}

void expect_shuffled(const std::vector<Shuffled> &out, int width) {
    for (int l = 0; l < 32; ++l) {
        SCOPED_TRACE("width " + std::to_string(width) + ", lane " + std::to_string(l));
        const Shuffled &got = out[static_cast<size_t>(l)];
        const int base = l / width * width, end = base + width;
        EXPECT_EQ(got.indexed, 10 * (base + (l + 3) % width));
        EXPECT_EQ(got.up, 10 * (l - 3 >= base ? l - 3 : l));
        EXPECT_EQ(got.down, 10 * (l + 3 < end ? l + 3 : l));
        EXPECT_EQ(got.exchanged, 10 * ((l ^ 5) < end ? l ^ 5 : l));
        EXPECT_EQ(got.wide, 7ull << 40);
        EXPECT_EQ(got.real, (l ^ 1) + 0.5);
    }
}

TEST(SimtCollectives, ShufflesMoveValuesWithinSegments) {
    in_every_order([] {
        for (const int width : {32, 16, 8}) {
            DeviceArray<Shuffled> out(32);
            run_kernel(configuration(1, 32), shuffle_all, out.data(), width);
            expect_shuffled(out.fetch(), width);
        }
    });
}

struct Votes {
    unsigned ballot, match;
    int any, all, none;
    unsigned sum, least, most, both, either, odd;
    int signed_least, signed_most;
};

// Even and odd lanes are groups of their own, which come by different lines.
__global__ void vote_by_parity(const int *values, Votes *out) {
    const unsigned lane = threadIdx.x & 31;
    const unsigned mask = lane & 1 ? 0xaaaaaaaau : 0x55555555u;
    const int value = values[threadIdx.x];
    Votes *mine = &out[threadIdx.x];
    const unsigned word = static_cast<unsigned>(value);
    mine->ballot = __ballot_sync(mask, value > 0);
    mine->match = __match_any_sync(mask, value);
    mine->any = __any_sync(mask, value > 0);
    mine->all = __all_sync(mask, value < 100);
    mine->none = __all_sync(mask, value > 0);
    if (lane & 1) {
        mine->sum = __reduce_add_sync(mask, word);
    } else {
        mine->sum = __reduce_add_sync(mask, word);
    }
    mine->least = __reduce_min_sync(mask, word);
    mine->most = __reduce_max_sync(mask, word);
    mine->signed_least = __reduce_min_sync(mask, value);
    mine->signed_most = __reduce_max_sync(mask, value);
    mine->both = __reduce_and_sync(mask, word);
    mine->either = __reduce_or_sync(mask, word);
    mine->odd = __reduce_xor_sync(mask, word);
}

Votes expected_votes(const std::vector<int> &values, size_t thread) {
    Votes want = {0, 0, 0, 1, 1, 0, UINT32_MAX, 0, UINT32_MAX, 0, 0, INT32_MAX, INT32_MIN};
    for (size_t other = thread / 32 * 32 + thread % 2; other < thread / 32 * 32 + 32; other += 2) {
        const int value = values[other];
        const unsigned word = static_cast<unsigned>(value), bit = 1u << other % 32;
        want.ballot |= value > 0 ? bit : 0;
        want.match |= value == values[thread] ? bit : 0;
        want.any |= value > 0;
        want.none &= value > 0;
        want.sum += word;
        want.least = std::min(want.least, word);
        want.most = std::max(want.most, word);
        want.signed_least = std::min(want.signed_least, value);
        want.signed_most = std::max(want.signed_most, value);
        want.both &= word;
        want.either |= word;
        want.odd ^= word;
    }
    return want;
}

TEST(SimtCollectives, VotesAndReductionsHonourTheirMask) {
    std::vector<int> values;
    for (int i = 0; i < 64; ++i) {
        values.push_back(i * 37 % 11 - 5);
    }
    in_every_order([&values] {
        DeviceArray<int> in(values);
        DeviceArray<Votes> out(64);
        run_kernel(configuration(1, 64), vote_by_parity, in.data(), out.data());
        const std::vector<Votes> got = out.fetch();
        for (size_t t = 0; t < 64; ++t) {
            const Votes want = expected_votes(values, t);
            EXPECT_EQ(memcmp(&got[t], &want, sizeof want), 0) << "thread " << t;
        }
    });
}

__global__ void count_in_short_warp(unsigned *out) {
    out[threadIdx.x] = __ballot_sync(kFull, 1);
    __syncwarp();
}

TEST(SimtCollectives, TheFullMaskFitsAShortLastWarp) {
    in_every_order([] {
        DeviceArray<unsigned> out(40);
        run_kernel(configuration(1, 40), count_in_short_warp, out.data());
        const std::vector<unsigned> got = out.fetch();
        EXPECT_EQ(got[0], kFull);
        EXPECT_EQ(got[39], 0xffu);
    });
}

// Warps come to the block's barrier after different numbers of collectives.
__global__ void rotate_then_sum(int *out) {
    __shared__ int sums[4];
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    int value = lane;
    for (int i = 0; i <= warp; ++i) {
        value = __shfl_sync(kFull, value, (lane + 1) % 32);
    }
    if (lane == 0) {
        sums[warp] = value;
    }
    __syncthreads();
    out[threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

TEST(SimtCollectives, WarpsRunApartUntilABarrier) {
    in_every_order([] {
        DeviceArray<int> out(128);
        run_kernel(configuration(1, 128), rotate_then_sum, out.data());
        for (const int sum : out.fetch()) {
            EXPECT_EQ(sum, 1 + 2 + 3 + 4);
        }
    });
}

__global__ void barriers(int *out) {
    const int t = static_cast<int>(threadIdx.x);
    if (t >= 90) {
        return; // those that are gone don't count
    }
    const int count = __syncthreads_count(t % 3 == 0);
    const int all = __syncthreads_and(t < 90), not_all = __syncthreads_and(t < 89);
    const int any = __syncthreads_or(t == 50), none = __syncthreads_or(t > 95);
    out[t] = count * 16 + all * 8 + not_all * 4 + any * 2 + none;
}

TEST(SimtBarriers, CountThreadsThatHaveNotExited) {
    in_every_order([] {
        DeviceArray<int> out(90);
        run_kernel(configuration(1, 96), barriers, out.data());
        for (const int word : out.fetch()) {
            EXPECT_EQ(word, 30 * 16 + 8 + 2);
        }
    });
}

} // namespace
