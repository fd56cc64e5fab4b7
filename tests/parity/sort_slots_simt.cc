// Counterpart of kernels/rank_sort.cu under the stand-in: a sort on the host.
#include <algorithm>
#include <vector>

#include "rank.cuh"

regal_status regal_cuda_sort_slots(regal_backend_instance *self, int64_t number, int64_t count) {
    const device_island *island = &self->islands[number].device;
    std::vector<regal_fitness> fitness((size_t)count);
    std::vector<int64_t> by_rank((size_t)count);
    REGAL_CUDA(cudaMemcpyAsync(fitness.data(), island->population[island->turn].fitness,
                               (size_t)count * sizeof(regal_fitness), cudaMemcpyDeviceToHost,
                               self->stream));
    REGAL_CUDA_FORWARD(regal_cuda_wait(self));
    for (int64_t slot = 0; slot < count; ++slot)
        by_rank[(size_t)slot] = slot;
    std::sort(by_rank.begin(), by_rank.end(),
              [&](int64_t a, int64_t b) { return ranks_before(fitness.data(), a, b); });
    REGAL_CUDA(cudaMemcpyAsync(island->by_rank, by_rank.data(), (size_t)count * sizeof(int64_t),
                               cudaMemcpyHostToDevice, self->stream));
    return regal_cuda_wait(self);
}
