// Kernels with a planted fault each; in brackets what must find it.
#include <cuda_runtime.h>

#include <vector>

#include "faults.h"

namespace {

constexpr unsigned kFull = 0xffffffffu;
constexpr int kThreads = 64;

// [ASan] One past a static shared array, where UBSan knows no bounds.
__attribute__((noinline)) __device__ void store(int *array, int i) {
    array[i] = 1;
}

__global__ void past_static(int *out, int faulty) {
    __shared__ int array[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    store(array, t + faulty);
    __syncthreads();
    out[t] = faulty ? t : array[t] + t - 1;
}

// [ASan] One past the dynamic shared memory that was asked for.
__global__ void past_dynamic(int *out, int faulty) {
    int *array = static_cast<int *>(simt_dynamic_shared());
    const int t = static_cast<int>(threadIdx.x);
    array[t + faulty] = 1;
    __syncthreads();
    out[t] = faulty ? t : array[t] + t - 1;
}

// [ASan] One past device memory.
__global__ void past_device(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = t;
    if (faulty && t == 0) {
        out[kThreads] = 1;
    }
}

// [UBSan] A shift by as many bits as there are.
__global__ void shift_too_far(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x), one = 1;
    out[t] = faulty && t == 0 ? one << (32 + t) : t;
}

// [random order, TSan] A thread reads what another wrote, without a barrier between.
__global__ void no_syncthreads(int *out, int faulty) {
    __shared__ int array[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    array[t] = t;
    if (!faulty) {
        __syncthreads();
    }
    out[t] = array[t ^ 32] ^ 32;
}

// [TSan] The lanes meet at a ballot, which orders nothing in memory.
__global__ void no_syncwarp(int *out, int faulty) {
    __shared__ int array[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    array[t] = t;
    if (!faulty) {
        __syncwarp();
    }
    const unsigned all = __ballot_sync(kFull, 1);
    out[t] = all == kFull ? array[t ^ 1] ^ 1 : -1;
}

// [TSan] A shuffle taken for a memory barrier.
__global__ void shuffle_as_barrier(int *out, int faulty) {
    __shared__ int array[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    array[t] = t;
    const int one = __shfl_sync(kFull, 1, 0);
    if (!faulty) {
        __syncwarp();
    }
    out[t] = array[t ^ one] ^ 1;
}

// [stand-in] Threads of one block at two barriers.
__global__ void divergent_barrier(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    if (faulty && t < 16) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[t] = t;
}

// [stand-in] Lanes that the mask names have exited.
__global__ void exited_lane(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = t;
    if (faulty && t % 32 >= 16) {
        return;
    }
    out[t] = __shfl_sync(kFull, t, t % 32);
}

// [stand-in] Lanes that the mask names wait at a barrier of the block.
__global__ void lane_elsewhere(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = t;
    if (faulty && t % 32 == 0) {
        __syncthreads();
    } else {
        __syncwarp();
        __syncthreads();
    }
}

// [stand-in] Lanes of one warp at two collectives.
__global__ void different_collectives(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    unsigned lanes = kFull;
    if (faulty && t % 2) {
        lanes = __ballot_sync(kFull, 1);
    } else {
        lanes = __ballot_sync(kFull, 1);
    }
    out[t] = lanes == kFull ? t : -1;
}

// [stand-in] The calling lane is not in its mask.
__global__ void caller_not_in_mask(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = t;
    __syncwarp(faulty ? 0x7fffffffu : kFull);
}

// [stand-in] A shuffle from a lane that is not in the mask.
__global__ void source_not_in_mask(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    const unsigned half = t % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    out[t] = __shfl_xor_sync(half, t, faulty ? 16 : 1) ^ 1;
}

// [stand-in] A lane leaves a loop of collectives early, for the barrier behind it.
__global__ void one_round_less(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    int lanes = 0;
    for (int i = 0; i < (faulty && t % 32 == 5 ? 2 : 3); ++i) {
        lanes = __popc(__ballot_sync(kFull, 1));
    }
    __syncthreads();
    out[t] = lanes == 32 ? t : -1;
}

// [result] Shared memory read before it is written.
__global__ void uninitialized_shared(int *out, int faulty) {
    __shared__ int sum[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    if (!faulty) {
        sum[t] = 0;
    }
    sum[t] += t;
    out[t] = sum[t];
}

// [stand-in] A kernel that finds itself wrong.
__global__ void trap(int *out, int faulty) {
    const int t = static_cast<int>(threadIdx.x);
    if (faulty && t == 3) {
        __trap();
    }
    out[t] = t;
}

// All kernels leave out[t] = t.
template <void (*kernel)(int *, int)> bool run(bool faulty) {
    int *out = nullptr;
    std::vector<int> result(kThreads);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = kThreads;
    config.dynamicSmemBytes = kThreads * sizeof(int);
    cudaMalloc(&out, kThreads * sizeof(int));
    cudaLaunchKernelEx(&config, kernel, out, static_cast<int>(faulty));
    cudaMemcpy(result.data(), out, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int t = 0; t < kThreads; ++t) {
        if (result[static_cast<size_t>(t)] != t) {
            return false;
        }
    }
    return true;
}

} // namespace

#define FAULT(kernel) \
    { #kernel, run < kernel> }
const Fault kKernelFaults[] = {
    FAULT(past_static),           FAULT(past_dynamic),
    FAULT(past_device),           FAULT(shift_too_far),
    FAULT(no_syncthreads),        FAULT(no_syncwarp),
    FAULT(shuffle_as_barrier),    FAULT(divergent_barrier),
    FAULT(exited_lane),           FAULT(lane_elsewhere),
    FAULT(different_collectives), FAULT(caller_not_in_mask),
    FAULT(source_not_in_mask),    FAULT(one_round_less),
    FAULT(uninitialized_shared),  FAULT(trap),
    {nullptr, nullptr},
};
