/* After a generation is made: the coming population becomes the present one. */
#include "instance.cuh"

enum { TURN_THREADS = 64 };

/* What comes after the worst elite on the objective's own value cannot become one; with a plan over
 * a cap among the elites that is not sure, since less excess counts for more. */
static __device__ __forceinline__ void set_limits(const regal_population_shape *shape,
                                                  device_island *island) {
    const regal_fitness worst = present(island)->fitness[island->by_rank[shape->elites - 1]];
    island->tick_limit = island->peak_limit = INT64_MAX;
    if (shape->exact || worst.value[0] != 0)
        return;
    if (shape->objective == REGAL_TIME)
        island->tick_limit = worst.value[1];
    else
        island->peak_limit = worst.value[1];
}

/* A thread an island. */
static __global__ void __launch_bounds__(TURN_THREADS)
    turn_kernel(device_search search, regal_island_range range, bool with_limits) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < range.count; i += stride) {
        device_island *island = &search.islands[range.first + i];
        if (with_limits)
            set_limits(&search.shape, island);
        island->turn = 1 - island->turn;
    }
}

regal_status regal_cuda_turn(regal_backend_instance *self, regal_island_range range,
                             bool with_limits) {
    const regal_launch launch = {(range.count + TURN_THREADS - 1) / TURN_THREADS, TURN_THREADS, 0,
                                 self->stream};
    REGAL_CUDA(regal_cuda_launch(&launch, turn_kernel, self->search, range, with_limits));
    for (int64_t i = 0; i < range.count; ++i) {
        device_island *island = &self->islands[range.first + i].device;
        island->turn = 1 - island->turn;
    }
    return REGAL_OK;
}
