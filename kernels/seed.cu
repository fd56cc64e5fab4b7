/* First populations: slots drawn from the proposals, given individuals put in their places. */
#include "genes.cuh"

/* A block a slot: blocks go over range.count * (end - begin) of them. Writes genes and windows. */
static __global__ void __launch_bounds__(REGAL_GENE_THREADS)
    seed_kernel(device_search search, regal_island_range range, uint32_t generation, int64_t begin,
                int64_t end) {
    const int64_t length = end - begin;
    for (int64_t i = blockIdx.x; i < range.count * length; i += gridDim.x) {
        device_island *island = &search.islands[range.first + i / length];
        const int64_t slot = begin + i % length;
        if (threadIdx.x == 0 && slot == begin)
            island->tick_limit = island->peak_limit = INT64_MAX;
        draw_individual(&search, island, present(island), slot, REGAL_STAGE_SEED, generation,
                        (uint64_t)slot);
    }
}

static regal_status put(regal_backend_instance *self, const regal_seed_individual *given) {
    const device_island *island = &self->islands[given->island].device;
    const device_problem *problem = &self->problems[island->problem];
    const device_population *population = &island->population[island->turn];
    REGAL_CUDA(cudaMemcpyAsync(population->genes + given->slot * problem->gene_stride, given->genes,
                               (size_t)problem->gene_count * sizeof *given->genes,
                               cudaMemcpyHostToDevice, self->stream));
    REGAL_CUDA(cudaMemcpyAsync(population->window + given->slot, &given->window,
                               sizeof given->window, cudaMemcpyHostToDevice, self->stream));
    return REGAL_OK;
}

regal_status regal_cuda_seed(regal_backend_instance *self, regal_island_range range,
                             uint32_t generation, int64_t begin, int64_t end,
                             const regal_seed_individual *given, int64_t given_count) {
    const regal_launch launch = {range.count * (end - begin), REGAL_GENE_THREADS, 0, self->stream};
    REGAL_CUDA(
        regal_cuda_launch(&launch, seed_kernel, self->search, range, generation, begin, end));
    for (int64_t i = 0; i < given_count; ++i)
        if (given[i].island >= range.first && given[i].island < range.first + range.count &&
            given[i].slot >= begin && given[i].slot < end)
            REGAL_CUDA_FORWARD(put(self, &given[i]));
    return regal_cuda_wait(self); /* what was given may go now */
}
