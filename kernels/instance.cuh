/* Inside an instance of the CUDA backend: what lies in the GPU's memory, and how kernels find it.
 * One stream carries all work of an instance; the host waits for it where it fetches. */
#ifndef REGAL_KERNELS_INSTANCE_CUH
#define REGAL_KERNELS_INSTANCE_CUH

#include "regal/core/chain_move.h"
#include "simulation/problem.cuh"

/* The individuals of an island: row s of genes is slot s. */
typedef struct device_population {
    uint16_t *genes; /* [population][gene_stride] */
    int64_t *window; /* [population] */
    regal_fitness *fitness;
} device_population;

/* The annealing chains of an island. */
typedef struct device_chains {
    uint16_t *key, *best_key;      /* [chain][op] */
    uint8_t *device, *best_device; /* [chain][op] */
    int64_t *window, *best_window; /* [chain] */
    int64_t *cost;                 /* [chain] of its state */
    int64_t *least;                /* [chain] least cost that it has come by */
    int64_t *by_cost;              /* [chain] */
    regal_fitness *best;           /* [chain] */
    regal_aim *aim;                /* [chain] where its state peaks */
} device_chains;

typedef struct device_island {
    int64_t problem;
    uint32_t number; /* of that problem */
    uint32_t turn;   /* which of `population` is the present one */
    device_population population[2];
    int64_t *by_rank;               /* [population] slots, best first */
    int64_t *others;                /* [population - elites] slots that are no elites, ascending */
    int64_t tick_limit, peak_limit; /* what a new individual must keep to become an elite */
    device_chains chains;
    int64_t chain_count;
    int64_t reference; /* least cost as of the start or the last selection */
} device_island;

/* What kernels are given. */
typedef struct device_search {
    regal_population_shape shape;
    const device_problem *problems;
    device_island *islands;
    const uint16_t *beta_table;
    const uint32_t *acceptance; /* [REGAL_ACCEPTANCE_COUNT] */
    /* The workspace of each warp that simulates: its state, where that does not fit in shared
     * memory, then what chains need. */
    unsigned char *workspace;
    int64_t workspace_stride;
    int64_t state_bytes; /* the greatest state of a problem */
    int64_t op_most;     /* the greatest number of ops */
} device_search;

/* How simulations are launched. */
typedef struct simulation_launch {
    bool wide;            /* ids of 32 bits */
    bool in_shared;       /* states lie in shared memory */
    int32_t warps;        /* of a block */
    int64_t shared_bytes; /* of a block */
    int64_t blocks;       /* that are at work at a time */
} simulation_launch;

/* The host's view of an island. */
typedef struct host_island {
    int64_t problem;
    device_island device; /* as uploaded; turn is kept up to date */
    void *chain_memory;   /* on the GPU */
} host_island;

struct regal_backend_instance {
    device_search search;
    int32_t gpu;
    cudaStream_t stream;
    int64_t problem_count, island_count;
    const regal_backend_problem *given; /* [problem], owned */
    device_problem *problems;           /* [problem] with the device's pointers */
    host_island *islands;
    simulation_launch simulate;
    void **memory; /* [memory_count] allocations on the GPU */
    int64_t memory_count, memory_most;
    void *sort; /* [sort_bytes] scratch of sort_slots, on the GPU */
    int64_t sort_bytes;
    uint64_t *heat; /* [problem] on the GPU */
};

/* Threads of a block: of kernels that go over genes, and at most of those that simulate. Of the
 * latter, three blocks fit on a multiprocessor: with fewer registers they would spill. */
enum { REGAL_GENE_THREADS = 128, REGAL_SIMULATION_WARPS = 4, REGAL_SIMULATION_BLOCKS = 3 };
enum { REGAL_SIMULATION_THREADS = REGAL_SIMULATION_WARPS * REGAL_WARP };

static __device__ __forceinline__ device_population *present(device_island *island) {
    return &island->population[island->turn];
}

static __device__ __forceinline__ device_population *coming(device_island *island) {
    return &island->population[1 - island->turn];
}

/* The operations, one file each. */
regal_status regal_cuda_create(const regal_population_shape *shape,
                               const regal_backend_problem *problems, int64_t problem_count,
                               regal_backend_instance **instance);
void regal_cuda_destroy(regal_backend_instance *self);
regal_status regal_cuda_seed(regal_backend_instance *self, regal_island_range range,
                             uint32_t generation, int64_t begin, int64_t end,
                             const regal_seed_individual *given, int64_t given_count);
regal_status regal_cuda_keep(regal_backend_instance *self, regal_island_range range, int64_t count);
regal_status regal_cuda_evaluate(regal_backend_instance *self, regal_island_range range,
                                 int64_t begin, int64_t end);
regal_status regal_cuda_rank(regal_backend_instance *self, regal_island_range range, int64_t count);
regal_status regal_cuda_evolve(regal_backend_instance *self, regal_island_range range,
                               uint32_t generation);
regal_status regal_cuda_exchange(regal_backend_instance *self, regal_island_range range,
                                 int64_t count);
regal_status regal_cuda_fetch_best(regal_backend_instance *self, regal_island_range range,
                                   regal_fitness *fitness);
regal_status regal_cuda_fetch_individual(regal_backend_instance *self, int64_t island, int64_t rank,
                                         uint16_t *genes, int64_t *window, regal_fitness *fitness);
regal_status regal_cuda_start_chains(regal_backend_instance *self, regal_island_range range,
                                     int64_t chains, int64_t starts);
regal_status regal_cuda_move_chains(regal_backend_instance *self, regal_island_range range,
                                    const regal_chain_rounds *rounds);
regal_status regal_cuda_select_chains(regal_backend_instance *self, regal_island_range range,
                                      int64_t replaced);
regal_status regal_cuda_fetch_best_chains(regal_backend_instance *self, regal_island_range range,
                                          regal_chain_best *best);
regal_status regal_cuda_fetch_chain(regal_backend_instance *self, int64_t island, int64_t chain,
                                    uint8_t *device, uint16_t *key, int64_t *window);

/* The memory of `count` chains for each island of a range. */
regal_status regal_cuda_prepare_chains(regal_backend_instance *self, regal_island_range range,
                                       int64_t count);

/* Lets the kernels of a file have the planned shared memory; lowers *blocks to what a
 * multiprocessor holds of them at a time. */
regal_status regal_cuda_fit_evaluation(const regal_backend_instance *self, int *blocks);
regal_status regal_cuda_fit_chains(const regal_backend_instance *self, int *blocks);

/* Sets how simulations run: whether states fit in shared memory, how many at a time. */
regal_status regal_cuda_plan_simulation(regal_backend_instance *self);

/* The present population becomes the other one; sets what a new individual must keep. */
regal_status regal_cuda_turn(regal_backend_instance *self, regal_island_range range,
                             bool with_limits);

/* Memory on the GPU that lives as long as the instance. */
regal_status regal_cuda_allocate(regal_backend_instance *self, int64_t count, int64_t size,
                                 const char *what, void **memory);

/* Uploads the problems, with layouts. */
regal_status regal_cuda_upload_problems(regal_backend_instance *self);

/* Waits for all work of the instance. */
regal_status regal_cuda_wait(regal_backend_instance *self);

#endif
