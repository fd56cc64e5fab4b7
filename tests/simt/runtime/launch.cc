// Launches: the configuration is checked as CUDA checks it.
#include <climits>
#include <map>

#include "schedule.h"
#include "streams.h"

namespace simt {
namespace {

constexpr size_t kSharedByDefault = size_t{48} << 10;

// Dynamic shared memory that kernels may ask for, where it was set.
std::map<const void *, size_t> &shared_limits() {
    static std::map<const void *, size_t> limits;
    return limits;
}

size_t shared_limit(const void *function) {
    const auto limit = shared_limits().find(function);
    const size_t allowed = limit == shared_limits().end() ? kSharedByDefault : limit->second;
    return allowed < device().shared_bytes ? allowed : device().shared_bytes;
}

bool is_shape(dim3 grid, dim3 threads) {
    const bool grid_fits =
        grid.x && grid.y && grid.z && grid.x <= INT_MAX && grid.y <= 65535 && grid.z <= 65535;
    const bool block_fits = threads.x && threads.y && threads.z && threads.x <= kMaxThreads &&
                            threads.y <= kMaxThreads && threads.z <= 64;
    return grid_fits && block_fits &&
           uint64_t{threads.x} * threads.y * threads.z <= uint64_t{kMaxThreads};
}

} // namespace

void count_work(Usage *usage) {
    usage->kernels = kernels_done;
    usage->blocks = blocks_done;
    usage->collectives = collectives_done;
}

cudaError_t check_launch(const cudaLaunchConfig_t &config, const void *function) {
    const HostLock lock(host_mutex());
    if (!function) {
        return note(cudaErrorInvalidDeviceFunction);
    }
    if (device().count == 0) {
        return note(cudaErrorNoDevice);
    }
    if (!is_shape(config.gridDim, config.blockDim)) {
        return note(cudaErrorInvalidConfiguration);
    }
    if (config.dynamicSmemBytes > shared_limit(function)) {
        return note(cudaErrorInvalidValue);
    }
    return config.numAttrs ? note(cudaErrorNotSupported) : cudaSuccess;
}

cudaError_t launch(const cudaLaunchConfig_t &config, std::unique_ptr<Kernel> kernel) {
    const HostLock lock(host_mutex());
    return enqueue_call(config.stream,
                        [grid = config.gridDim, threads = config.blockDim,
                         shared = config.dynamicSmemBytes,
                         kernel = std::move(kernel)] { run_grid(grid, threads, shared, *kernel); });
}

cudaError_t set_attribute(const void *function, cudaFuncAttribute attribute, int value) {
    const HostLock lock(host_mutex());
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        return value >= -1 && value <= 100 ? cudaSuccess : note(cudaErrorInvalidValue);
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        static_cast<size_t>(value) > device().shared_bytes) {
        return note(cudaErrorInvalidValue);
    }
    shared_limits()[function] = static_cast<size_t>(value);
    return cudaSuccess;
}

cudaError_t get_attributes(cudaFuncAttributes *attributes, const void *function) {
    const HostLock lock(host_mutex());
    *attributes = {};
    attributes->maxThreadsPerBlock = kMaxThreads;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(shared_limit(function));
    return cudaSuccess;
}

} // namespace simt
