/* How simulations are launched: whether their states lie in shared memory, and how many are at work
 * at a time. Where the GPU's memory does not hold the workspaces of all that could be, there are
 * fewer: the population goes through them in waves. */
#include "instance.cuh"
#include "regal/core/chain_move.h"
#include "simulation/state.cuh"

/* With fewer warps than this on a multiprocessor, states are better kept in global memory. */
enum { LEAST_WARPS = 8 };

/* Of a block's shared memory, what the runtime itself takes. */
enum { RESERVED_SHARED = 1024 };

/* What stays free for chains and the runtime. */
static const int64_t RESERVED_MEMORY = (int64_t)64 << 20;

enum { MOST_WARPS_A_MULTIPROCESSOR = 32 };

typedef struct gpu_facts {
    int multiprocessors, shared_of_block, shared_of_multiprocessor;
} gpu_facts;

static regal_status read_facts(int gpu, gpu_facts *facts) {
    REGAL_CUDA(
        cudaDeviceGetAttribute(&facts->multiprocessors, cudaDevAttrMultiProcessorCount, gpu));
    REGAL_CUDA(cudaDeviceGetAttribute(&facts->shared_of_block,
                                      cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu));
    REGAL_CUDA(cudaDeviceGetAttribute(&facts->shared_of_multiprocessor,
                                      cudaDevAttrMaxSharedMemoryPerMultiprocessor, gpu));
    return REGAL_OK;
}

/* Sets warps and shared bytes of a block; returns the blocks of a multiprocessor. */
static int64_t shape_blocks(const gpu_facts *facts, int64_t state_bytes, simulation_launch *plan) {
    const int64_t most = REGAL_SIMULATION_WARPS;
    int64_t best = 0;
    plan->in_shared = false;
    for (int64_t warps = most; warps > 0; warps /= 2) {
        const int64_t bytes = warps * state_bytes;
        if (bytes > facts->shared_of_block)
            continue;
        int64_t blocks = facts->shared_of_multiprocessor / (bytes + RESERVED_SHARED);
        blocks = blocks * warps > MOST_WARPS_A_MULTIPROCESSOR ? MOST_WARPS_A_MULTIPROCESSOR / warps
                                                              : blocks;
        if (blocks * warps < LEAST_WARPS || blocks * warps <= best * plan->warps)
            continue;
        plan->in_shared = true;
        plan->warps = (int32_t)warps;
        plan->shared_bytes = bytes;
        best = blocks;
    }
    if (plan->in_shared)
        return best;
    plan->warps = (int32_t)most;
    plan->shared_bytes = 0;
    return MOST_WARPS_A_MULTIPROCESSOR / most;
}

/* The most simulations that are ever asked for at once, as far as the instance knows. */
static regal_status fit_workspace(regal_backend_instance *self) {
    simulation_launch *plan = &self->simulate;
    size_t left, all;
    REGAL_CUDA(cudaMemGetInfo(&left, &all));
    const int64_t of_block = plan->warps * self->search.workspace_stride;
    const int64_t usable =
        (int64_t)left > 2 * RESERVED_MEMORY ? (int64_t)left - RESERVED_MEMORY : (int64_t)left / 2;
    if (plan->blocks > usable / of_block)
        plan->blocks = usable / of_block;
    if (plan->blocks == 0 && plan->warps > 1) {
        plan->warps = 1;
        plan->shared_bytes = plan->in_shared ? self->search.state_bytes : 0;
        plan->blocks = 1;
    }
    void *workspace;
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, plan->blocks > 0 ? plan->blocks : 1,
                                           plan->warps * self->search.workspace_stride,
                                           "one simulation", &workspace));
    self->search.workspace = (unsigned char *)workspace;
    return REGAL_OK;
}

regal_status regal_cuda_plan_simulation(regal_backend_instance *self) {
    device_search *search = &self->search;
    simulation_launch *plan = &self->simulate;
    gpu_facts facts;
    REGAL_CUDA_FORWARD(read_facts(self->gpu, &facts));
    plan->blocks = facts.multiprocessors * shape_blocks(&facts, search->state_bytes, plan);
    const int64_t scratch =
        (int64_t)sizeof(regal_move_log) + 2 * search->op_most * (int64_t)sizeof(uint16_t);
    search->workspace_stride =
        ((plan->in_shared ? 0 : search->state_bytes) + scratch + 15) / 16 * 16;
    REGAL_CUDA_FORWARD(fit_workspace(self));
    if (!plan->in_shared)
        return REGAL_OK;
    REGAL_CUDA_FORWARD(regal_cuda_allow_evaluation(self));
    return regal_cuda_allow_chains(self);
}
