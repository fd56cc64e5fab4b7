/* Ranks individuals by (fitness, slot): the rank of a slot is the number of those before it. */
#include "rank.cuh"

enum { RANK_THREADS = 128 };

/* Individuals from which sorting is faster than counting. */
enum { SORTED_FROM = 16384 };

/* A thread a slot. Reads fitness, writes by_rank. */
static __global__ void __launch_bounds__(RANK_THREADS)
    rank_kernel(device_search search, regal_island_range range, int64_t count) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < range.count * count;
         i += stride) {
        device_island *island = &search.islands[range.first + i / count];
        const regal_fitness *fitness = present(island)->fitness;
        const int64_t slot = i % count;
        int64_t before = 0;
        for (int64_t other = 0; other < count; ++other)
            before += ranks_before(fitness, other, slot);
        island->by_rank[before] = slot;
    }
}

/* A thread a slot: those that are no elites, in the order of slots. */
static __global__ void __launch_bounds__(RANK_THREADS)
    others_kernel(device_search search, regal_island_range range, int64_t count) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    const int64_t elites = search.shape.elites < count ? search.shape.elites : count;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < range.count * count;
         i += stride) {
        device_island *island = &search.islands[range.first + i / count];
        const int64_t slot = i % count;
        int64_t before = 0;
        bool elite = false;
        for (int64_t rank = 0; rank < elites; ++rank) {
            before += island->by_rank[rank] < slot;
            elite |= island->by_rank[rank] == slot;
        }
        if (!elite)
            island->others[slot - before] = slot;
    }
}

regal_status regal_cuda_rank(regal_backend_instance *self, regal_island_range range,
                             int64_t count) {
    const regal_launch launch = {(range.count * count + RANK_THREADS - 1) / RANK_THREADS,
                                 RANK_THREADS, 0, self->stream};
    if (count < SORTED_FROM)
        REGAL_CUDA(regal_cuda_launch(&launch, rank_kernel, self->search, range, count));
    for (int64_t i = 0; count >= SORTED_FROM && i < range.count; ++i)
        REGAL_CUDA_FORWARD(regal_cuda_sort_slots(self, range.first + i, count));
    REGAL_CUDA(regal_cuda_launch(&launch, others_kernel, self->search, range, count));
    return REGAL_OK;
}
