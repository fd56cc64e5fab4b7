/* Islands exchange elites around the ring. */
#include "genes.cuh"

/* A block an individual: the k-th best of island i takes the place of the k-th worst of the next.
 * Their slots differ as long as count is at most half of the population. */
static __global__ void __launch_bounds__(REGAL_GENE_THREADS)
    exchange_kernel(device_search search, regal_island_range range, int64_t count) {
    const int64_t islands = search.shape.islands, population = search.shape.population;
    for (int64_t i = blockIdx.x; i < range.count * count; i += gridDim.x) {
        const int64_t k = i % count, number = range.first + i / count;
        device_island *from = &search.islands[number];
        const bool last = from->number + 1 == (uint32_t)islands;
        device_island *to = &search.islands[number + (last ? 1 - islands : 1)];
        copy_individual(&search.problems[from->problem], present(from), from->by_rank[k],
                        present(to), to->by_rank[population - 1 - k]);
    }
}

regal_status regal_cuda_exchange(regal_backend_instance *self, regal_island_range range,
                                 int64_t count) {
    if (self->search.shape.islands == 1)
        return REGAL_OK;
    const regal_launch launch = {range.count * count, REGAL_GENE_THREADS, 0, self->stream};
    REGAL_CUDA(regal_cuda_launch(&launch, exchange_kernel, self->search, range, count));
    return REGAL_OK;
}
