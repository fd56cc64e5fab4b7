/* The CUDA backend: its table of operations, and the entry of the plugin. */
#include <stdio.h>

#include "instance.cuh"
#include "math.cuh"

const regal_plugin_services *regal_cuda_services;

/* The reason why there is no GPU, or "". */
static const char *why_not(int *count) {
    *count = 0;
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaSuccess && *count > 0)
        return "";
    cudaGetLastError();
    *count = 0;
    return error == cudaSuccess ? "there is no CUDA GPU" : cudaGetErrorString(error);
}

static bool probe(int64_t index, regal_backend_info *info) {
    static thread_local char name[256], reason[256];
    int count;
    snprintf(reason, sizeof reason, "%s", why_not(&count));
    if (index > 0 && index >= count)
        return false;
    name[0] = '\0';
    regal_backend_info result = {};
    result.name = "cuda";
    cudaDeviceProp properties;
    if (count > 0) {
        const cudaError_t error = cudaGetDeviceProperties(&properties, (int)index);
        if (error != cudaSuccess)
            snprintf(reason, sizeof reason, "%s", cudaGetErrorString(error));
        else {
            snprintf(name, sizeof name, "%s", properties.name);
            result.memory = (int64_t)properties.totalGlobalMem;
            result.multiprocessors = properties.multiProcessorCount;
        }
    }
    result.device = name;
    result.reason = reason;
    result.available = reason[0] == '\0';
    result.simd = "";
    *info = result;
    return true;
}

static const regal_backend backend = {"cuda",
                                      probe,
                                      regal_cuda_create,
                                      regal_cuda_destroy,
                                      regal_cuda_seed,
                                      regal_cuda_keep,
                                      regal_cuda_evaluate,
                                      regal_cuda_rank,
                                      regal_cuda_evolve,
                                      regal_cuda_exchange,
                                      regal_cuda_fetch_best,
                                      regal_cuda_fetch_individual,
                                      regal_cuda_start_chains,
                                      regal_cuda_move_chains,
                                      regal_cuda_select_chains,
                                      regal_cuda_fetch_best_chains,
                                      regal_cuda_fetch_chain,
                                      &regal_cuda_math};

extern "C" __attribute__((visibility("default"))) const regal_backend *
regal_plugin_backend(const regal_plugin_services *services) {
    if (services->version != REGAL_PLUGIN_VERSION)
        return NULL;
    regal_cuda_services = services;
    return &backend;
}
