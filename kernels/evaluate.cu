/* Decodes and simulates individuals: a warp each. */
#include "regal/core/decode.h"
#include "regal/core/fitness.h"
#include "simulation/workspace.cuh"

template <class Id>
static __device__ __forceinline__ int64_t decode(simulation<Id> *s, regal_encoding encoding,
                                                 const uint16_t *genes) {
    const regal_problem_view *view = &s->problem->view;
    s->transfer_key = regal_transfer_keys(view, encoding, genes);
    if (encoding == REGAL_INHERIT)
        place_inherit(s, regal_placement_keys(view, genes));
    else
        place_affinity(s, regal_placement_keys(view, genes));
    order_ops(s, regal_priority_keys(genes));
    return run_simulation(s);
}

template <class Id>
static __device__ __forceinline__ void evaluate_one(const device_search *search,
                                                    device_island *island, int64_t slot,
                                                    unsigned char *state) {
    const device_problem *problem = &search->problems[island->problem];
    const device_population *population = present(island);
    simulation<Id> s = simulation_at<Id>(problem, state);
    s.window = population->window[slot];
    s.tick_limit = island->tick_limit;
    s.peak_limit = island->peak_limit;
    const int64_t makespan =
        decode(&s, search->shape.encoding, population->genes + slot * problem->gene_stride);
    if (lane_number() == 0) {
        regal_fitness fitness = {{INT64_MAX, INT64_MAX, INT64_MAX}};
        if (makespan >= 0)
            fitness = regal_fitness_of(search->shape.objective, makespan, s.peak,
                                       problem->view.capacity, problem->view.device_count);
        population->fitness[slot] = fitness;
    }
    __syncwarp();
}

/* Warps go over range.count * (end - begin) individuals. Reads genes, writes fitness. */
template <class Id, bool IN_SHARED>
static __global__ void __launch_bounds__(REGAL_SIMULATION_THREADS, REGAL_SIMULATION_BLOCKS)
    evaluate_kernel(device_search search, regal_island_range range, int64_t begin, int64_t end) {
    REGAL_DYNAMIC_SHARED(shared);
    const simulating_warp warp = this_warp<IN_SHARED>(&search, shared);
    const int64_t length = end - begin;
    for (int64_t i = warp.number; i < range.count * length; i += warp.count)
        evaluate_one<Id>(&search, &search.islands[range.first + i / length], begin + i % length,
                         warp.state);
}

regal_status regal_cuda_evaluate(regal_backend_instance *self, regal_island_range range,
                                 int64_t begin, int64_t end) {
    const regal_launch launch = simulation_launch_for(self, range.count * (end - begin));
#define EVALUATE(kernel) regal_cuda_launch(&launch, kernel, self->search, range, begin, end)
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, EVALUATE, evaluate_kernel));
#undef EVALUATE
    return regal_cuda_wait(self); /* the search sizes its calls by the time that they take */
}

regal_status regal_cuda_fit_evaluation(const regal_backend_instance *self, int *blocks) {
#define FIT(kernel) fit_kernel(&self->simulate, blocks, kernel)
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, FIT, evaluate_kernel));
#undef FIT
    return REGAL_OK;
}
