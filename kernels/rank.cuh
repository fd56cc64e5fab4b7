/* The order of individuals: by (fitness, slot). */
#ifndef REGAL_KERNELS_RANK_CUH
#define REGAL_KERNELS_RANK_CUH

#include "instance.cuh"
#include "regal/core/fitness.h"

static __device__ __forceinline__ bool ranks_before(const regal_fitness *fitness, int64_t a,
                                                    int64_t b) {
    if (regal_fitness_less(fitness[a], fitness[b]))
        return true;
    return a < b && !regal_fitness_less(fitness[b], fitness[a]);
}

/* Sorts the first `count` slots of an island into by_rank; slot by slot the same as by counting. */
regal_status regal_cuda_sort_slots(regal_backend_instance *self, int64_t number, int64_t count);

#endif
