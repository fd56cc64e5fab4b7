/* A warp of a kernel that simulates: which one it is, and where its memory lies. */
#ifndef REGAL_KERNELS_SIMULATION_WORKSPACE_CUH
#define REGAL_KERNELS_SIMULATION_WORKSPACE_CUH

#include "instance.cuh"
#include "simulation/order.cuh"
#include "simulation/place.cuh"
#include "simulation/run.cuh"

typedef struct simulating_warp {
    int64_t number, count;  /* of those of the grid */
    unsigned char *state;   /* of its simulation */
    unsigned char *scratch; /* what chains need, in global memory */
} simulating_warp;

/* shared: the block's dynamic shared memory, where states are to lie in it. */
template <bool IN_SHARED>
static __device__ __forceinline__ simulating_warp this_warp(const device_search *search,
                                                            unsigned char *shared) {
    const int64_t in_block = threadIdx.x / REGAL_WARP, warps = blockDim.x / REGAL_WARP;
    simulating_warp warp;
    warp.number = blockIdx.x * warps + in_block;
    warp.count = gridDim.x * warps;
    unsigned char *own = search->workspace + warp.number * search->workspace_stride;
    warp.state = IN_SHARED ? shared + in_block * search->state_bytes : own;
    warp.scratch = IN_SHARED ? own : own + search->state_bytes;
    return warp;
}

/* Calls DO(kernel, ...) for the instance's id width and place of states. */
#define REGAL_FOR_SIMULATION(self, DO, KERNEL)                                                 \
    ((self)->simulate.wide        ? (self)->simulate.in_shared ? DO((KERNEL<uint32_t, true>))  \
                                                               : DO((KERNEL<uint32_t, false>)) \
            : (self)->simulate.in_shared ? DO((KERNEL<uint16_t, true>))                        \
                                  : DO((KERNEL<uint16_t, false>)))

/* What fit_evaluation and fit_chains do for one kernel. */
template <class... Parameters>
static inline cudaError_t fit_kernel(const simulation_launch *plan, int *most,
                                     void (*kernel)(Parameters...)) {
    int blocks = 0;
    const cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)plan->shared_bytes);
    if (error != cudaSuccess)
        return error;
    const cudaError_t asked = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, plan->warps * REGAL_WARP, (size_t)plan->shared_bytes);
    *most = blocks < *most ? blocks : *most;
    return asked;
}

/* The launch for `count` simulations. */
static inline regal_launch simulation_launch_for(const regal_backend_instance *self,
                                                 int64_t count) {
    const simulation_launch *plan = &self->simulate;
    const int64_t wanted = (count + plan->warps - 1) / plan->warps;
    regal_launch launch = {wanted < plan->blocks ? wanted : plan->blocks, plan->warps * REGAL_WARP,
                           plan->shared_bytes, self->stream};
    return launch;
}

#endif
