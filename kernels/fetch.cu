/* What the host asks for: the best individuals and chains. The host waits here. */
#include <stdlib.h>

#include "instance.cuh"
#include "regal/core/chain_move.h"
#include "regal/core/fitness.h"

static regal_status copy_back(const regal_backend_instance *self, void *to, const void *from,
                              int64_t bytes) {
    REGAL_CUDA(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToHost, self->stream));
    return REGAL_OK;
}

regal_status regal_cuda_wait(regal_backend_instance *self) {
    REGAL_CUDA(cudaStreamSynchronize(self->stream));
    return REGAL_OK;
}

static regal_status slot_of(regal_backend_instance *self, int64_t island, int64_t rank,
                            int64_t *slot) {
    REGAL_CUDA_FORWARD(
        copy_back(self, slot, self->islands[island].device.by_rank + rank, sizeof *slot));
    return regal_cuda_wait(self);
}

regal_status regal_cuda_fetch_individual(regal_backend_instance *self, int64_t number, int64_t rank,
                                         uint16_t *genes, int64_t *window, regal_fitness *fitness) {
    const device_island *island = &self->islands[number].device;
    const device_population *now = &island->population[island->turn];
    const device_problem *problem = &self->problems[island->problem];
    int64_t slot;
    REGAL_CUDA_FORWARD(slot_of(self, number, rank, &slot));
    if (genes != NULL)
        REGAL_CUDA_FORWARD(copy_back(self, genes, now->genes + slot * problem->gene_stride,
                                     problem->gene_count * (int64_t)sizeof *genes));
    if (window != NULL)
        REGAL_CUDA_FORWARD(copy_back(self, window, now->window + slot, sizeof *window));
    if (fitness != NULL)
        REGAL_CUDA_FORWARD(copy_back(self, fitness, now->fitness + slot, sizeof *fitness));
    return regal_cuda_wait(self);
}

regal_status regal_cuda_fetch_best(regal_backend_instance *self, regal_island_range range,
                                   regal_fitness *fitness) {
    for (int64_t i = 0; i < range.count; ++i)
        REGAL_CUDA_FORWARD(
            regal_cuda_fetch_individual(self, range.first + i, 0, NULL, NULL, &fitness[i]));
    return REGAL_OK;
}

static regal_status fetch_best_of(regal_backend_instance *self, const device_island *island,
                                  regal_fitness *all, regal_chain_best *best) {
    REGAL_CUDA_FORWARD(
        copy_back(self, all, island->chains.best, island->chain_count * (int64_t)sizeof *all));
    REGAL_CUDA_FORWARD(regal_cuda_wait(self));
    best->fitness = all[0];
    best->chain = 0;
    for (int64_t c = 1; c < island->chain_count; ++c)
        if (regal_fitness_less(all[c], best->fitness)) {
            best->fitness = all[c];
            best->chain = c;
        }
    return REGAL_OK;
}

regal_status regal_cuda_fetch_best_chains(regal_backend_instance *self, regal_island_range range,
                                          regal_chain_best *best) {
    int64_t most = 1;
    for (int64_t i = 0; i < range.count; ++i) {
        const int64_t count = self->islands[range.first + i].device.chain_count;
        most = count > most ? count : most;
    }
    regal_fitness *all = (regal_fitness *)malloc((size_t)most * sizeof *all);
    if (all == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_status status = REGAL_OK;
    for (int64_t i = 0; status == REGAL_OK && i < range.count; ++i)
        status = fetch_best_of(self, &self->islands[range.first + i].device, all, &best[i]);
    free(all);
    return status;
}

regal_status regal_cuda_fetch_chain(regal_backend_instance *self, int64_t number, int64_t which,
                                    uint8_t *device, uint16_t *key, int64_t *window) {
    const device_island *island = &self->islands[number].device;
    const device_chains *chains = &island->chains;
    const regal_problem_view *view = self->given[island->problem].view;
    const int64_t n = view->op_count;
    uint8_t *of_leaders = (uint8_t *)malloc((size_t)(n > 0 ? n : 1));
    if (of_leaders == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_status status = copy_back(self, of_leaders, chains->best_device + which * n, n);
    if (status == REGAL_OK)
        status = copy_back(self, key, chains->best_key + which * n, n * (int64_t)sizeof *key);
    if (status == REGAL_OK)
        status = copy_back(self, window, chains->best_window + which, sizeof *window);
    if (status == REGAL_OK)
        status = regal_cuda_wait(self);
    if (status == REGAL_OK)
        regal_spread_devices(view, of_leaders, device);
    free(of_leaders);
    return status;
}
