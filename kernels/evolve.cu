/* The next population: elites by rank, offspring, mutants. */
#include "genes.cuh"

static __device__ __forceinline__ void
breed(const device_search *search, const device_island *island, const device_population *now,
      const device_population *next, int64_t slot, uint32_t generation) {
    const regal_population_shape *shape = &search->shape;
    const device_problem *problem = &search->problems[island->problem];
    const regal_stream parents = regal_stream_make(shape->seed, REGAL_STAGE_PARENTS, island->number,
                                                   generation, (uint32_t)slot);
    const regal_random_block block = cuda_draw(&parents, 0);
    const int64_t elite = island->by_rank[regal_word_below(block.word[0], shape->elites)];
    const int64_t other =
        island->others[regal_word_below(block.word[1], shape->population - shape->elites)];
    const regal_stream stream = regal_stream_make(shape->seed, REGAL_STAGE_CROSSOVER,
                                                  island->number, generation, (uint32_t)slot);
    cross_genes(&stream, shape->rho, now->genes + elite * problem->gene_stride,
                now->genes + other * problem->gene_stride, problem->gene_count,
                next->genes + slot * problem->gene_stride);
    if (threadIdx.x == 0)
        next->window[slot] = now->window[elite];
}

/* A block a slot. Reads the present population, writes the coming one. */
static __global__ void __launch_bounds__(REGAL_GENE_THREADS)
    evolve_kernel(device_search search, regal_island_range range, uint32_t generation) {
    const regal_population_shape *shape = &search.shape;
    const int64_t length = shape->population;
    for (int64_t i = blockIdx.x; i < range.count * length; i += gridDim.x) {
        device_island *island = &search.islands[range.first + i / length];
        const device_population *now = present(island), *next = coming(island);
        const int64_t slot = i % length, mutant = slot - (length - shape->mutants);
        if (slot < shape->elites)
            copy_individual(&search.problems[island->problem], now, island->by_rank[slot], next,
                            slot);
        else if (mutant < 0)
            breed(&search, island, now, next, slot, generation);
        else
            draw_individual(&search, island, next, slot, REGAL_STAGE_MUTANT, generation,
                            (uint64_t)generation * (uint64_t)shape->mutants + (uint64_t)mutant);
    }
}

regal_status regal_cuda_evolve(regal_backend_instance *self, regal_island_range range,
                               uint32_t generation) {
    const regal_launch launch = {range.count * self->search.shape.population, REGAL_GENE_THREADS, 0,
                                 self->stream};
    REGAL_CUDA(regal_cuda_launch(&launch, evolve_kernel, self->search, range, generation));
    return regal_cuda_turn(self, range, true);
}

/* A block a slot below count. */
static __global__ void __launch_bounds__(REGAL_GENE_THREADS)
    keep_kernel(device_search search, regal_island_range range, int64_t count) {
    for (int64_t i = blockIdx.x; i < range.count * count; i += gridDim.x) {
        device_island *island = &search.islands[range.first + i / count];
        const int64_t slot = i % count;
        copy_individual(&search.problems[island->problem], present(island), island->by_rank[slot],
                        coming(island), slot);
    }
}

regal_status regal_cuda_keep(regal_backend_instance *self, regal_island_range range,
                             int64_t count) {
    const regal_launch launch = {range.count * count, REGAL_GENE_THREADS, 0, self->stream};
    REGAL_CUDA(regal_cuda_launch(&launch, keep_kernel, self->search, range, count));
    return regal_cuda_turn(self, range, false);
}
