// Host code with a planted fault each; in brackets what must find it.
#include <cuda_runtime.h>

#include "faults.h"

namespace {

constexpr int kInts = 64;

__global__ void set(int *out, int value) {
    out[threadIdx.x] = value;
}
__global__ void twice(const int *in, int *out) {
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

void launch_set(int *out, int value, cudaStream_t stream) {
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = kInts;
    config.stream = stream;
    cudaLaunchKernelEx(&config, set, out, value);
}

// [ASan] The host reads device memory.
bool touch_device(bool faulty) {
    int *array = nullptr, value = 0;
    cudaMalloc(&array, kInts * sizeof(int));
    launch_set(array, 5, nullptr);
    cudaDeviceSynchronize();
    if (faulty) {
        value = array[0];
    } else {
        cudaMemcpy(&value, array, sizeof value, cudaMemcpyDeviceToHost);
    }
    cudaFree(array);
    return value == 5;
}

// [ASan] A kernel runs after its memory was freed.
__global__ void follow(int *const *where) {
    **where = 7;
}

bool use_after_free(bool faulty) {
    int *array = nullptr, **where = nullptr;
    cudaMalloc(&array, kInts * sizeof(int));
    cudaMalloc(&where, sizeof *where);
    cudaMemcpy(where, &array, sizeof array, cudaMemcpyHostToDevice);
    if (faulty) {
        cudaFree(array);
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    cudaLaunchKernelEx(&config, follow, where);
    cudaDeviceSynchronize();
    if (!faulty) {
        cudaFree(array);
    }
    cudaFree(where);
    return true;
}

// [stand-in] A copy to the device that says it is one from it.
bool wrong_direction(bool faulty) {
    int *array = nullptr, values[kInts] = {};
    cudaMalloc(&array, sizeof values);
    cudaMemcpy(array, values, sizeof values,
               faulty ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
    cudaFree(array);
    return true;
}

// [stand-in] A copy of more than was allocated.
bool wrong_size(bool faulty) {
    int *array = nullptr, values[kInts + 1] = {};
    cudaMalloc(&array, kInts * sizeof(int));
    cudaMemcpy(array, values, (kInts + faulty) * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(array);
    return true;
}

// [stand-in] A memset that runs over.
bool wrong_memset(bool faulty) {
    int *array = nullptr;
    cudaMalloc(&array, kInts * sizeof(int));
    cudaMemset(array, 0, (kInts + faulty) * sizeof(int));
    cudaFree(array);
    return true;
}

// [lazy streams] A stream reads what another writes, without an event between.
bool no_event(bool faulty) {
    int *from = nullptr, *to = nullptr, value = 0;
    cudaStream_t first = nullptr, second = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMalloc(&from, kInts * sizeof(int));
    cudaMalloc(&to, kInts * sizeof(int));
    launch_set(from, 21, first);
    cudaEventRecord(event, first);
    if (!faulty) {
        cudaStreamWaitEvent(second, event);
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = kInts;
    config.stream = second;
    cudaLaunchKernelEx(&config, twice, static_cast<const int *>(from), to);
    cudaMemcpyAsync(&value, to, sizeof value, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(from);
    cudaFree(to);
    return value == 42;
}

// [lazy streams] The host reads a result before it has waited.
bool no_wait(bool faulty) {
    int *array = nullptr, value = 0;
    cudaMalloc(&array, kInts * sizeof(int));
    launch_set(array, 3, nullptr);
    cudaMemcpyAsync(&value, array, sizeof value, cudaMemcpyDeviceToHost);
    if (!faulty) {
        cudaStreamSynchronize(nullptr);
    }
    const bool right = value == 3;
    cudaFree(array);
    return right;
}

// [LeakSanitizer] Device memory that is never freed.
bool leak(bool faulty) {
    int *array = nullptr;
    cudaMalloc(&array, kInts * sizeof(int));
    if (!faulty) {
        cudaFree(array);
    }
    return true;
}

} // namespace

#define FAULT(function) \
    { #function, function }
const Fault kHostFaults[] = {
    FAULT(touch_device), FAULT(use_after_free), FAULT(wrong_direction),
    FAULT(wrong_size),   FAULT(wrong_memset),   FAULT(no_event),
    FAULT(no_wait),      FAULT(leak),           {nullptr, nullptr},
};
