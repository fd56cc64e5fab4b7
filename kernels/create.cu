/* Makes and frees instances: everything that lies in the GPU's memory, allocated once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.cuh"
#include "regal/core/anneal.h"
#include "regal/core/proposal.h"

static const char *const POPULATIONS = "the populations";

/* Memory of the host; zeroed. */
static void *allocate_zeroed(int64_t count, size_t size) {
    return count < 0 ? NULL : calloc((size_t)(count > 0 ? count : 1), size);
}

static bool room_for_memory(regal_backend_instance *self) {
    if (self->memory_count < self->memory_most)
        return true;
    const int64_t most = 2 * self->memory_most + 64;
    void **memory = (void **)realloc(self->memory, (size_t)most * sizeof *memory);
    if (memory == NULL)
        return false;
    self->memory = memory;
    self->memory_most = most;
    return true;
}

/* As a person reads it: "12.3 MB". */
static void write_bytes(double bytes, char *text, size_t size) {
    const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    int u = 0;
    for (; bytes >= 999.5 && u < 4; ++u)
        bytes /= 1000;
    snprintf(text, size, "%.3g %s", bytes, unit[u]);
}

static regal_status out_of_memory(int64_t count, int64_t size, const char *what) {
    size_t left = 0, all = 0;
    char has[32], takes[32];
    cudaGetLastError(); /* the failed allocation is told here */
    REGAL_CUDA(cudaMemGetInfo(&left, &all));
    write_bytes((double)left, has, sizeof has);
    write_bytes((double)count * (double)size, takes, sizeof takes);
    REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY,
                    "the GPU has %s left, but %s would take %s: use --backend cpu%s", has, what,
                    takes, strcmp(what, POPULATIONS) == 0 ? ", or a smaller --population" : "");
}

regal_status regal_cuda_allocate(regal_backend_instance *self, int64_t count, int64_t size,
                                 const char *what, void **memory) {
    int64_t bytes;
    *memory = NULL;
    if (!room_for_memory(self))
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    if (__builtin_mul_overflow(count, size, &bytes))
        return out_of_memory(count, size, what);
    const cudaError_t error = cudaMalloc(memory, (size_t)(bytes > 0 ? bytes : 1));
    if (error == cudaErrorMemoryAllocation)
        return out_of_memory(count, size, what);
    REGAL_CUDA(error);
    self->memory[self->memory_count++] = *memory;
    return REGAL_OK;
}

static regal_status create_population(regal_backend_instance *self, int64_t gene_stride,
                                      device_population *population) {
    const char *what = POPULATIONS;
    const int64_t size = self->search.shape.population;
    void *genes, *window, *fitness;
    REGAL_CUDA_FORWARD(
        regal_cuda_allocate(self, size, gene_stride * (int64_t)sizeof(uint16_t), what, &genes));
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, size, sizeof(int64_t), what, &window));
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, size, sizeof(regal_fitness), what, &fitness));
    population->genes = (uint16_t *)genes;
    population->window = (int64_t *)window;
    population->fitness = (regal_fitness *)fitness;
    return REGAL_OK;
}

static regal_status create_island(regal_backend_instance *self, int64_t number) {
    const regal_population_shape *shape = &self->search.shape;
    host_island *island = &self->islands[number];
    device_island *device = &island->device;
    void *by_rank, *others;
    island->problem = device->problem = number / shape->islands;
    device->number = (uint32_t)(number % shape->islands);
    device->tick_limit = device->peak_limit = device->reference = INT64_MAX;
    const int64_t stride = self->problems[device->problem].gene_stride;
    REGAL_CUDA_FORWARD(create_population(self, stride, &device->population[0]));
    REGAL_CUDA_FORWARD(create_population(self, stride, &device->population[1]));
    REGAL_CUDA_FORWARD(
        regal_cuda_allocate(self, shape->population, sizeof(int64_t), "the ranks", &by_rank));
    REGAL_CUDA_FORWARD(
        regal_cuda_allocate(self, shape->population, sizeof(int64_t), "the ranks", &others));
    device->by_rank = (int64_t *)by_rank;
    device->others = (int64_t *)others;
    return REGAL_OK;
}

static regal_status upload_island(regal_backend_instance *self, int64_t number) {
    REGAL_CUDA(cudaMemcpyAsync(&self->search.islands[number], &self->islands[number].device,
                               sizeof(device_island), cudaMemcpyHostToDevice, self->stream));
    return REGAL_OK;
}

static regal_status create_islands(regal_backend_instance *self) {
    void *islands;
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, self->island_count, sizeof(device_island),
                                           "the islands", &islands));
    self->search.islands = (device_island *)islands;
    for (int64_t i = 0; i < self->island_count; ++i) {
        REGAL_CUDA_FORWARD(create_island(self, i));
        REGAL_CUDA_FORWARD(upload_island(self, i));
    }
    return regal_cuda_wait(self);
}

static regal_status upload_tables(regal_backend_instance *self) {
    uint32_t acceptance[REGAL_ACCEPTANCE_COUNT];
    const int64_t beta_count = (int64_t)(REGAL_PROPOSAL_COUNT - 1) * REGAL_QUANTILES;
    void *table, *beta, *heat;
    for (uint32_t i = 0; i < REGAL_ACCEPTANCE_COUNT; ++i)
        acceptance[i] = regal_acceptance(i);
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, 1, sizeof acceptance, "tables", &table));
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, beta_count, sizeof(uint16_t), "tables", &beta));
    REGAL_CUDA_FORWARD(
        regal_cuda_allocate(self, self->problem_count, sizeof *self->heat, "tables", &heat));
    REGAL_CUDA(cudaMemcpyAsync(table, acceptance, sizeof acceptance, cudaMemcpyHostToDevice,
                               self->stream));
    REGAL_CUDA(cudaMemcpyAsync(beta, regal_cuda_services->beta_table,
                               (size_t)beta_count * sizeof(uint16_t), cudaMemcpyHostToDevice,
                               self->stream));
    self->search.acceptance = (const uint32_t *)table;
    self->search.beta_table = (const uint16_t *)beta;
    self->heat = (uint64_t *)heat;
    return regal_cuda_wait(self);
}

static regal_status fill_instance(regal_backend_instance *self,
                                  const regal_backend_problem *problems) {
    regal_backend_problem *given =
        (regal_backend_problem *)allocate_zeroed(self->problem_count, sizeof *given);
    self->given = given;
    self->problems = (device_problem *)allocate_zeroed(self->problem_count, sizeof *self->problems);
    if (!__builtin_mul_overflow(self->problem_count, self->search.shape.islands,
                                &self->island_count))
        self->islands = (host_island *)allocate_zeroed(self->island_count, sizeof *self->islands);
    if (given == NULL || self->problems == NULL || self->islands == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    memcpy(given, problems, (size_t)self->problem_count * sizeof *given);
    REGAL_CUDA(cudaSetDevice(self->gpu));
    REGAL_CUDA(cudaStreamCreate(&self->stream));
    REGAL_CUDA_FORWARD(upload_tables(self));
    REGAL_CUDA_FORWARD(regal_cuda_upload_problems(self));
    REGAL_CUDA_FORWARD(create_islands(self));
    return regal_cuda_plan_simulation(self);
}

regal_status regal_cuda_create(const regal_population_shape *shape,
                               const regal_backend_problem *problems, int64_t problem_count,
                               regal_backend_instance **instance) {
    *instance = NULL;
    regal_backend_instance *self = (regal_backend_instance *)allocate_zeroed(1, sizeof *self);
    if (self == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    self->search.shape = *shape;
    self->gpu = (int32_t)shape->gpu;
    self->problem_count = problem_count;
    const regal_status status = fill_instance(self, problems);
    if (status == REGAL_OK)
        *instance = self;
    else
        regal_cuda_destroy(self);
    return status;
}

void regal_cuda_destroy(regal_backend_instance *self) {
    if (self == NULL)
        return;
    if (self->stream != NULL)
        cudaStreamSynchronize(self->stream);
    for (int64_t i = 0; i < self->memory_count; ++i)
        cudaFree(self->memory[i]);
    for (int64_t i = 0; self->islands != NULL && i < self->island_count; ++i)
        cudaFree(self->islands[i].chain_memory);
    if (self->stream != NULL)
        cudaStreamDestroy(self->stream);
    free(self->memory);
    free((void *)self->given);
    free(self->problems);
    free(self->islands);
    free(self);
}

/* Carves the arrays of `count` chains from one allocation. */
static regal_status create_chains(regal_backend_instance *self, host_island *island,
                                  int64_t count) {
    enum { OF_CHAIN = 5 * sizeof(int64_t) + sizeof(regal_fitness) + sizeof(regal_aim) };
    const int64_t n = self->given[island->problem].view->op_count;
    device_chains *chains = &island->device.chains;
    const int64_t of_chain = (int64_t)OF_CHAIN + (2 * (int64_t)sizeof(uint16_t) + 2) * n;
    int64_t bytes;
    const bool overflow = __builtin_mul_overflow(count, of_chain, &bytes);
    const int64_t cells = overflow ? 0 : count * n;
    REGAL_CUDA(cudaFree(island->chain_memory));
    island->chain_memory = NULL;
    island->device.chain_count = count;
    const cudaError_t error =
        overflow ? cudaErrorMemoryAllocation : cudaMalloc(&island->chain_memory, (size_t)bytes);
    if (error == cudaErrorMemoryAllocation)
        return out_of_memory(count, of_chain, "the annealing chains");
    REGAL_CUDA(error);
    chains->window = (int64_t *)island->chain_memory;
    chains->best_window = chains->window + count;
    chains->cost = chains->best_window + count;
    chains->least = chains->cost + count;
    chains->by_cost = chains->least + count;
    chains->best = (regal_fitness *)(chains->by_cost + count);
    chains->aim = (regal_aim *)(chains->best + count);
    chains->key = (uint16_t *)(chains->aim + count);
    chains->best_key = chains->key + cells;
    chains->device = (uint8_t *)(chains->best_key + cells);
    chains->best_device = chains->device + cells;
    return REGAL_OK;
}

regal_status regal_cuda_prepare_chains(regal_backend_instance *self, regal_island_range range,
                                       int64_t count) {
    for (int64_t i = range.first; i < range.first + range.count; ++i) {
        device_island *device = &self->islands[i].device, *on_gpu = &self->search.islands[i];
        REGAL_CUDA_FORWARD(create_chains(self, &self->islands[i], count));
        REGAL_CUDA(cudaMemcpyAsync(&on_gpu->chains, &device->chains, sizeof device->chains,
                                   cudaMemcpyHostToDevice, self->stream));
        REGAL_CUDA(cudaMemcpyAsync(&on_gpu->chain_count, &device->chain_count,
                                   sizeof device->chain_count, cudaMemcpyHostToDevice,
                                   self->stream));
    }
    return regal_cuda_wait(self);
}
