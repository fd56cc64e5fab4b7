// The made-up device.
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "host_state.h"

namespace simt {
namespace {

thread_local int current_device;

size_t number_of_environment(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    if (!text || !*text) {
        return otherwise;
    }
    char *end = nullptr;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*end) {
        fail("%s is '%s', not a number", name, text);
    }
    return static_cast<size_t>(number);
}

Device device_of_environment() {
    Device made;
    made.count = static_cast<int>(number_of_environment("SIMT_DEVICES", 1));
    made.memory = number_of_environment("SIMT_MEMORY", size_t{1} << 30);
    made.shared_bytes = number_of_environment("SIMT_SHARED_BYTES", size_t{227} << 10);
    made.multiprocessors = static_cast<int>(number_of_environment("SIMT_MULTIPROCESSORS", 2));
    return made;
}

} // namespace

Device &device() {
    static Device made = device_of_environment();
    return made;
}

} // namespace simt

namespace {

constexpr size_t kReservedShared = 1024;
constexpr size_t kSharedByDefault = size_t{48} << 10;
constexpr int kRegisters = 65536, kThreadsPerMultiprocessor = 2048, kBlocksPerMultiprocessor = 32;

size_t shared_by_default() {
    const size_t most = simt::device().shared_bytes;
    return most < kSharedByDefault ? most : kSharedByDefault;
}

cudaError_t check_device(int device) {
    if (simt::device().count == 0) {
        return simt::note(cudaErrorNoDevice);
    }
    if (device < 0 || device >= simt::device().count) {
        return simt::note(cudaErrorInvalidDevice);
    }
    return cudaSuccess;
}

cudaDeviceProp properties_of(int device) {
    cudaDeviceProp made = {};
    snprintf(made.name, sizeof made.name, "SIMT stand-in %d", device);
    made.totalGlobalMem = simt::device().memory;
    made.sharedMemPerBlock = shared_by_default();
    made.sharedMemPerBlockOptin = simt::device().shared_bytes;
    made.sharedMemPerMultiprocessor = simt::device().shared_bytes + kReservedShared;
    made.reservedSharedMemPerBlock = kReservedShared;
    made.regsPerBlock = made.regsPerMultiprocessor = kRegisters;
    made.warpSize = 32;
    made.maxThreadsPerBlock = made.maxThreadsDim[0] = made.maxThreadsDim[1] = 1024;
    made.maxThreadsDim[2] = 64;
    made.maxGridSize[0] = INT_MAX;
    made.maxGridSize[1] = made.maxGridSize[2] = 65535;
    made.major = 9;
    made.multiProcessorCount = simt::device().multiprocessors;
    made.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
    made.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
    made.l2CacheSize = 50 << 20;
    made.memoryBusWidth = 5120;
    return made;
}

bool attribute_of(const cudaDeviceProp &of, cudaDeviceAttr attribute, int *value) {
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = of.maxThreadsPerBlock;
        return true;
    case cudaDevAttrMaxGridDimX:
        *value = of.maxGridSize[0];
        return true;
    case cudaDevAttrMaxGridDimY:
        *value = of.maxGridSize[1];
        return true;
    case cudaDevAttrMaxGridDimZ:
        *value = of.maxGridSize[2];
        return true;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = static_cast<int>(of.sharedMemPerBlock);
        return true;
    case cudaDevAttrWarpSize:
        *value = of.warpSize;
        return true;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = of.regsPerBlock;
        return true;
    case cudaDevAttrMultiProcessorCount:
        *value = of.multiProcessorCount;
        return true;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = of.memoryBusWidth;
        return true;
    case cudaDevAttrL2CacheSize:
        *value = of.l2CacheSize;
        return true;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = of.maxThreadsPerMultiProcessor;
        return true;
    case cudaDevAttrComputeCapabilityMajor:
        *value = of.major;
        return true;
    case cudaDevAttrComputeCapabilityMinor:
        *value = of.minor;
        return true;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = static_cast<int>(of.sharedMemPerMultiprocessor);
        return true;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = static_cast<int>(of.sharedMemPerBlockOptin);
        return true;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = of.maxBlocksPerMultiProcessor;
        return true;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = static_cast<int>(of.reservedSharedMemPerBlock);
        return true;
    }
    return false;
}

} // namespace

extern "C" cudaError_t cudaDriverGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

extern "C" cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// As CUDA without a device: an error, and *count left as it was.
extern "C" cudaError_t cudaGetDeviceCount(int *count) {
    if (simt::device().count == 0) {
        return simt::note(cudaErrorNoDevice);
    }
    *count = simt::device().count;
    return cudaSuccess;
}

extern "C" cudaError_t cudaSetDevice(int device) {
    const cudaError_t error = check_device(device);
    if (error == cudaSuccess) {
        simt::current_device = device;
    }
    return error;
}

extern "C" cudaError_t cudaGetDevice(int *device) {
    const cudaError_t error = check_device(simt::current_device);
    if (error == cudaSuccess) {
        *device = simt::current_device;
    }
    return error;
}

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    const cudaError_t error = check_device(device);
    if (error == cudaSuccess) {
        *properties = properties_of(device);
    }
    return error;
}

extern "C" cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    const cudaError_t error = check_device(device);
    if (error != cudaSuccess) {
        return error;
    }
    return attribute_of(properties_of(device), attribute, value)
               ? cudaSuccess
               : simt::note(cudaErrorInvalidValue);
}

namespace simt {

cudaError_t occupancy(int *blocks, int threads, size_t dynamic_shared) {
    if (threads < 1 || threads > 1024) {
        return note(cudaErrorInvalidValue);
    }
    const int warps = (threads + 31) / 32;
    const size_t by_threads = static_cast<size_t>(kThreadsPerMultiprocessor / 32 / warps);
    const size_t by_shared =
        (device().shared_bytes + kReservedShared) / (dynamic_shared + kReservedShared);
    size_t most = by_threads < by_shared ? by_threads : by_shared;
    most = most < kBlocksPerMultiprocessor ? most : kBlocksPerMultiprocessor;
    *blocks = static_cast<int>(most);
    return cudaSuccess;
}

} // namespace simt
