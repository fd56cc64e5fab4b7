/* How simulations are launched: whether their states lie in shared memory, and how many are at work
 * at a time. Where the GPU's memory does not hold the workspaces of all that could be, there are
 * fewer: the population goes through them in waves. */
#include <stdlib.h>
#include <string.h>

#include "instance.cuh"
#include "regal/core/chain_move.h"
#include "simulation/state.cuh"

/* With fewer warps than this on a multiprocessor, states are better kept in global memory. */
enum { LEAST_WARPS = 8 };

/* Of a block's shared memory, what the runtime itself takes. */
enum { RESERVED_SHARED = 1024 };

/* What stays free for chains and the runtime. */
static const int64_t RESERVED_MEMORY = (int64_t)64 << 20;

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

/* Where states are to lie, by the environment; "": wherever is better. */
static const char *forced_place(void) {
    const char *place = getenv("REGAL_CUDA_STATES");
    return place != NULL ? place : "";
}

static regal_status check_environment(void) {
    const char *place = forced_place();
    if (place[0] != '\0' && strcmp(place, "shared") != 0 && strcmp(place, "global") != 0)
        REGAL_CUDA_FAIL(REGAL_INVALID_ARGUMENT,
                        "REGAL_CUDA_STATES is '%s'; it takes shared or global", place);
    return REGAL_OK;
}

/* Blocks of as many warps as give a multiprocessor most of them, with states in shared memory; or
 * else of most warps, with states in global memory. REGAL_CUDA_STATES=shared|global forces one. */
static void shape_blocks(const gpu_facts *facts, int64_t state_bytes, simulation_launch *plan) {
    const char *forced = forced_place();
    const bool in_global = strcmp(forced, "global") == 0;
    int64_t best = strcmp(forced, "shared") == 0 ? 0 : LEAST_WARPS - 1;
    plan->in_shared = false;
    plan->warps = REGAL_SIMULATION_WARPS;
    plan->shared_bytes = 0;
    for (int32_t warps = REGAL_SIMULATION_WARPS; warps > 0; warps /= 2) {
        const int64_t bytes = warps * state_bytes;
        const int64_t all = facts->shared_of_multiprocessor / (bytes + RESERVED_SHARED) * warps;
        if (in_global || bytes > facts->shared_of_block || all <= best)
            continue;
        best = all;
        plan->in_shared = true;
        plan->warps = warps;
        plan->shared_bytes = bytes;
    }
}

static regal_status count_blocks(const regal_backend_instance *self, const gpu_facts *facts,
                                 int64_t *blocks) {
    int most = INT32_MAX;
    REGAL_CUDA_FORWARD(regal_cuda_fit_evaluation(self, &most));
    REGAL_CUDA_FORWARD(regal_cuda_fit_chains(self, &most));
    *blocks = (int64_t)(most > 0 ? most : 1) * facts->multiprocessors;
    return REGAL_OK;
}

/* Where memory is short, fewer blocks are at work at a time, and in the end of one warp only. */
static regal_status allocate_workspace(regal_backend_instance *self) {
    simulation_launch *plan = &self->simulate;
    const int64_t stride = self->search.workspace_stride;
    size_t left, all;
    void *workspace;
    REGAL_CUDA(cudaMemGetInfo(&left, &all));
    const int64_t usable =
        (int64_t)left > 2 * RESERVED_MEMORY ? (int64_t)left - RESERVED_MEMORY : (int64_t)left / 2;
    int64_t fitting = usable / (plan->warps * stride);
    if (fitting == 0) {
        plan->shared_bytes /= plan->warps;
        plan->warps = 1;
        fitting = 1;
    }
    plan->blocks = fitting < plan->blocks ? fitting : plan->blocks;
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, plan->blocks, plan->warps * stride,
                                           "the simulations", &workspace));
    self->search.workspace = (unsigned char *)workspace;
    return REGAL_OK;
}

regal_status regal_cuda_plan_simulation(regal_backend_instance *self) {
    device_search *search = &self->search;
    simulation_launch *plan = &self->simulate;
    gpu_facts facts;
    REGAL_CUDA_FORWARD(check_environment());
    REGAL_CUDA_FORWARD(read_facts(self->gpu, &facts));
    shape_blocks(&facts, search->state_bytes, plan);
    REGAL_CUDA_FORWARD(count_blocks(self, &facts, &plan->blocks));
    const int64_t scratch =
        (int64_t)sizeof(regal_move_log) + 2 * search->op_most * (int64_t)sizeof(uint16_t);
    search->workspace_stride =
        ((plan->in_shared ? 0 : search->state_bytes) + scratch + 15) / 16 * 16;
    return allocate_workspace(self);
}
