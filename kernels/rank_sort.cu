/* The order of many individuals by CUB's merge sort: above the sizes at which counting is as fast.
 * The stand-in of tests/simt, which does not model CUB, has a counterpart. */
#include "rank.cuh"

#include <cub/device/device_merge_sort.cuh>

enum { FILL_THREADS = 256 };

struct earlier_slot {
    const regal_fitness *fitness;
    __device__ __forceinline__ bool operator()(int64_t a, int64_t b) const {
        return ranks_before(fitness, a, b);
    }
};

/* A thread a slot: slots in their own order. */
static __global__ void __launch_bounds__(FILL_THREADS)
    fill_kernel(int64_t *by_rank, int64_t count) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        by_rank[i] = i;
}

regal_status regal_cuda_sort_slots(regal_backend_instance *self, int64_t number, int64_t count) {
    const device_island *island = &self->islands[number].device;
    const earlier_slot earlier = {island->population[island->turn].fitness};
    const regal_launch fill = {(count + FILL_THREADS - 1) / FILL_THREADS, FILL_THREADS, 0,
                               self->stream};
    size_t bytes = 0;
    REGAL_CUDA(
        cub::DeviceMergeSort::SortKeys(NULL, bytes, island->by_rank, count, earlier, self->stream));
    if ((int64_t)bytes > self->sort_bytes) {
        REGAL_CUDA_FORWARD(regal_cuda_allocate(self, (int64_t)bytes, 1, "sorting", &self->sort));
        self->sort_bytes = (int64_t)bytes;
    }
    REGAL_CUDA(regal_cuda_launch(&fill, fill_kernel, island->by_rank, count));
    REGAL_CUDA(cub::DeviceMergeSort::SortKeys(self->sort, bytes, island->by_rank, count, earlier,
                                              self->stream));
    return REGAL_OK;
}
