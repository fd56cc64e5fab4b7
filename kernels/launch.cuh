/* What every kernel file needs: launches, dynamic shared memory, error flow. */
#ifndef REGAL_KERNELS_LAUNCH_CUH
#define REGAL_KERNELS_LAUNCH_CUH

#include <cuda_runtime.h>

#include "regal/backend/plugin.h"

/* Dynamic shared memory as bytes, aligned to 16. */
#ifdef REGAL_SIMT /* the stand-in of tests/simt */
#define REGAL_DYNAMIC_SHARED(name) unsigned char *name = (unsigned char *)simt_dynamic_shared()
#else
#define REGAL_DYNAMIC_SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#endif

enum { REGAL_WARP = 32 };

/* The host's services, as given to the plugin's entry. */
extern const regal_plugin_services *regal_cuda_services;

#define REGAL_CUDA_FAIL(status, ...)                                          \
    do {                                                                      \
        regal_cuda_services->fail((status), __FILE__, __LINE__, __VA_ARGS__); \
        return (status);                                                      \
    } while (0)

/* Returns from the caller if a call of the CUDA runtime failed. */
#define REGAL_CUDA(call)                                                                       \
    do {                                                                                       \
        const cudaError_t cuda_error = (call);                                                 \
        if (cuda_error != cudaSuccess)                                                         \
            REGAL_CUDA_FAIL(cuda_error == cudaErrorMemoryAllocation ? REGAL_OUT_OF_MEMORY      \
                                                                    : REGAL_UNAVAILABLE,       \
                            "the GPU failed: %s (%s)", cudaGetErrorString(cuda_error), #call); \
    } while (0)

#define REGAL_CUDA_FORWARD(expression)                      \
    do {                                                    \
        const regal_status forwarded_status = (expression); \
        if (forwarded_status != REGAL_OK)                   \
            return forwarded_status;                        \
    } while (0)

/* How a kernel is launched. */
typedef struct regal_launch {
    int64_t blocks;
    int32_t threads;      /* of a block */
    int64_t shared_bytes; /* dynamic, of a block */
    cudaStream_t stream;
} regal_launch;

/* Blocks in flight are plenty below this number: kernels walk on by the grid's size. */
enum { REGAL_MOST_BLOCKS = 1 << 20 };

template <class... Parameters, class... Arguments>
static inline cudaError_t regal_cuda_launch(const regal_launch *launch,
                                            void (*kernel)(Parameters...), Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    if (launch->blocks <= 0)
        return cudaSuccess;
    const int64_t blocks =
        launch->blocks < REGAL_MOST_BLOCKS ? launch->blocks : (int64_t)REGAL_MOST_BLOCKS;
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3((unsigned)launch->threads);
    config.dynamicSmemBytes = (size_t)launch->shared_bytes;
    config.stream = launch->stream;
    return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

#endif
