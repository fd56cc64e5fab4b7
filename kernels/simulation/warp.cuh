/* A warp as one worker: collectives on 64 bits, counters that lanes share. Every function that is
 * not said to be a lane's own is called by all 32 lanes together. */
#ifndef REGAL_KERNELS_SIMULATION_WARP_CUH
#define REGAL_KERNELS_SIMULATION_WARP_CUH

#include "launch.cuh"

#define ALL_LANES 0xffffffffu

static __device__ __forceinline__ int32_t lane_number(void) {
    return (int32_t)(threadIdx.x % REGAL_WARP);
}

/* A lane's own: the lanes of a set below it. */
static __device__ __forceinline__ int32_t lanes_before(uint32_t set, int32_t lane) {
    return __popc(set & ((1u << lane) - 1));
}

static __device__ __forceinline__ uint32_t warp_min(uint32_t value) {
    return __reduce_min_sync(ALL_LANES, value);
}

static __device__ __forceinline__ uint64_t warp_min(uint64_t value) {
    const uint32_t high = (uint32_t)(value >> 32);
    const uint32_t least = __reduce_min_sync(ALL_LANES, high);
    const uint32_t low = high == least ? (uint32_t)value : 0xffffffffu;
    return (uint64_t)least << 32 | __reduce_min_sync(ALL_LANES, low);
}

static __device__ __forceinline__ uint64_t warp_or(uint64_t value) {
    const uint32_t low = __reduce_or_sync(ALL_LANES, (uint32_t)value);
    return (uint64_t)__reduce_or_sync(ALL_LANES, (uint32_t)(value >> 32)) << 32 | low;
}

static __device__ __forceinline__ int64_t warp_sum(int64_t value) {
    for (int32_t distance = REGAL_WARP / 2; distance > 0; distance /= 2)
        value += (int64_t)__shfl_xor_sync(ALL_LANES, (long long)value, distance);
    return value;
}

/* The value of lane 0 for all. */
static __device__ __forceinline__ int64_t from_first_lane(int64_t value) {
    return (int64_t)__shfl_sync(ALL_LANES, (long long)value, 0);
}

/* Counters that lanes change at the same time, one of each id; two share a word where ids have 16
 * bits. None ever goes below zero or above what its id type holds, so that no carry crosses. */
template <class Id> struct counters;

template <> struct counters<uint32_t> {
    uint32_t *word;
    static __host__ __device__ int64_t words(int64_t count) { return count; }
    __device__ __forceinline__ uint32_t get(uint32_t i) const { return word[i]; }
    __device__ __forceinline__ void add(uint32_t i, uint32_t value) const {
        atomicAdd(&word[i], value);
    }
    /* Takes one; returns what was there. */
    __device__ __forceinline__ uint32_t take(uint32_t i) const { return atomicSub(&word[i], 1u); }
};

template <> struct counters<uint16_t> {
    uint32_t *word;
    static __host__ __device__ int64_t words(int64_t count) { return count / 2 + count % 2; }
    __device__ __forceinline__ uint32_t get(uint32_t i) const {
        return word[i / 2] >> i % 2 * 16 & 0xffffu;
    }
    __device__ __forceinline__ void add(uint32_t i, uint32_t value) const {
        atomicAdd(&word[i / 2], value << i % 2 * 16);
    }
    __device__ __forceinline__ uint32_t take(uint32_t i) const {
        return atomicSub(&word[i / 2], 1u << i % 2 * 16) >> i % 2 * 16 & 0xffffu;
    }
};

/* Sets the words of counters, or of anything else, to zero. No barrier. */
static __device__ __forceinline__ void clear_words(uint32_t *word, int64_t count) {
    for (int64_t i = lane_number(); i < count; i += REGAL_WARP)
        word[i] = 0;
}

#endif
