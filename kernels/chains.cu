/* Annealing chains: a warp each goes through all rounds of a call. */
#include "regal/core/anneal.h"
#include "regal/core/chain_move.h"
#include "regal/core/decode.h"
#include "regal/core/fitness.h"
#include "simulation/workspace.cuh"

/* Ops beyond which 16-bit keys cannot hold every order. */
enum { MOST_PLACES = 65536 };

/* One chain in the hands of a warp. */
typedef struct chain {
    const device_search *search;
    const device_problem *problem;
    device_island *island;
    int64_t number;
    regal_chain_state state;
    regal_move_log *log;    /* of the move in the making */
    uint16_t *settled;      /* [op] affinity: the keys that stand for the order used */
    uint16_t *transfer_key; /* [op] affinity */
} chain;

static __device__ __forceinline__ chain chain_at(const device_search *search, device_island *island,
                                                 int64_t number, unsigned char *scratch) {
    chain c;
    c.search = search;
    c.problem = &search->problems[island->problem];
    c.island = island;
    c.number = number;
    const int64_t n = c.problem->view.op_count;
    c.state.device = island->chains.device + number * n;
    c.state.key = island->chains.key + number * n;
    c.log = (regal_move_log *)scratch;
    c.settled = (uint16_t *)(scratch + sizeof(regal_move_log));
    c.transfer_key = c.settled + search->op_most;
    return c;
}

/* Lanes' own parts of a copy. */
template <class T>
static __device__ __forceinline__ void copy_lanes(const T *from, int64_t count, T *to) {
    for (int64_t i = lane_number(); i < count; i += REGAL_WARP)
        to[i] = from[i];
}

/* The keys that stand for the order just used, written over keys [op] of the chain. At window >= 1
 * they become its places: then a key near another means a place near another. */
template <class Id>
static __device__ __forceinline__ void settle_keys(const chain *c, const simulation<Id> *s,
                                                   uint16_t *keys) {
    const int64_t n = c->problem->view.op_count;
    if (s->window > 0 && n <= MOST_PLACES)
        for (int64_t op = lane_number(); op < n; op += REGAL_WARP)
            keys[op] = regal_position_key(s->rank[op], n);
    __syncwarp();
}

/* Each op's tensors are as urgent as the most urgent of their consumers (regal_urgency_keys). */
template <class Id>
static __device__ __forceinline__ void find_transfer_keys(const chain *c, simulation<Id> *s) {
    const regal_problem_view *view = &c->problem->view;
    copy_lanes(c->state.key, view->op_count, c->settled);
    __syncwarp();
    settle_keys(c, s, c->settled);
    for (int64_t op = lane_number(); op < view->op_count; op += REGAL_WARP) {
        uint16_t most = 0;
        for (int64_t o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
            for (int64_t e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e) {
                const uint16_t key = c->settled[view->consumer[e]];
                most = key > most ? key : most;
            }
        }
        c->transfer_key[op] = most;
    }
    __syncwarp();
    s->transfer_key = c->transfer_key;
}

/* The makespan of the chain's state, or -1 if makespan or max peak is sure to exceed its limit. */
template <class Id>
static __device__ __forceinline__ int64_t evaluate_state(const chain *c, simulation<Id> *s) {
    s->window = c->island->chains.window[c->number];
    place_by_leader(s, c->state.device);
    order_ops(s, c->state.key);
    if (c->search->shape.encoding == REGAL_AFFINITY)
        find_transfer_keys(c, s);
    return run_simulation(s);
}

template <class Id>
static __device__ __forceinline__ void keep_if_best(const chain *c, const simulation<Id> *s,
                                                    int64_t cost, regal_fitness fitness) {
    device_chains *chains = &c->island->chains;
    const int64_t n = c->problem->view.op_count, number = c->number;
    const int64_t least = chains->least[number];
    const bool better = regal_fitness_less(fitness, chains->best[number]);
    __syncwarp();
    if (lane_number() == 0) {
        chains->least[number] = cost < least ? cost : least;
        if (better) {
            chains->best[number] = fitness;
            chains->best_window[number] = s->window;
        }
    }
    if (better) {
        copy_lanes(c->state.device, n, chains->best_device + number * n);
        copy_lanes(c->state.key, n, chains->best_key + number * n);
        __syncwarp();
        settle_keys(c, s, chains->best_key + number * n);
    }
    __syncwarp();
}

/* Takes note of the evaluated state; returns its cost. */
template <class Id>
static __device__ __forceinline__ int64_t note_state(const chain *c, const simulation<Id> *s,
                                                     int64_t makespan) {
    const regal_objective objective = c->search->shape.objective;
    const regal_problem_view *view = &c->problem->view;
    const int64_t cost =
        regal_chain_cost(objective, makespan, s->peak, view->capacity, view->device_count,
                         c->island->chains.best[c->number]);
    keep_if_best(
        c, s, cost,
        regal_fitness_of(objective, makespan, s->peak, view->capacity, view->device_count));
    return cost;
}

/* Makes the evaluated state the chain's own. */
template <class Id>
static __device__ __forceinline__ void accept_state(const chain *c, const simulation<Id> *s,
                                                    int64_t cost) {
    if (lane_number() == 0) {
        c->island->chains.cost[c->number] = cost;
        c->island->chains.aim[c->number] =
            regal_aim_of(c->search->shape.objective, s->peak_place, c->problem->view.op_count);
    }
    settle_keys(c, s, c->state.key);
}

/* Makes a move; returns the threshold up to which it will be accepted. */
static __device__ __forceinline__ int64_t make_move(const chain *c, uint32_t round, uint64_t heat) {
    const regal_population_shape *shape = &c->search->shape;
    const uint32_t number = (uint32_t)c->number;
    int64_t threshold = 0;
    if (lane_number() == 0) {
        const regal_stream moves =
            regal_stream_make(shape->seed, REGAL_STAGE_MOVE, c->island->number, round, number);
        const regal_stream accepts =
            regal_stream_make(shape->seed, REGAL_STAGE_ACCEPT, c->island->number, round, number);
        regal_make_move(&c->problem->view, shape->objective, &moves,
                        c->island->chains.aim[c->number], c->state, c->log);
        threshold = regal_threshold(c->search->acceptance, c->island->chains.cost[c->number],
                                    c->island->reference, heat, regal_draw(&accepts, 0).word[0]);
    }
    __syncwarp();
    return from_first_lane(threshold);
}

template <class Id>
static __device__ __forceinline__ void move_once(const chain *c, unsigned char *state,
                                                 uint32_t round, uint64_t heat) {
    simulation<Id> s = simulation_at<Id>(c->problem, state);
    const int64_t threshold = make_move(c, round, heat);
    /* A plan never costs less than its makespan, or its max peak. */
    if (c->search->shape.objective == REGAL_TIME)
        s.tick_limit = threshold;
    else
        s.peak_limit = threshold;
    const int64_t makespan = evaluate_state(c, &s);
    const int64_t cost = makespan < 0 ? INT64_MAX : note_state(c, &s, makespan);
    if (cost <= threshold)
        accept_state(c, &s, cost);
    else if (lane_number() == 0)
        regal_move_undo(c->state, c->log);
    __syncwarp();
}

/* Warps go over chains [begin, end) of each island, through `count` rounds from `round` on. */
template <class Id, bool IN_SHARED>
static __global__ void __launch_bounds__(REGAL_SIMULATION_THREADS, REGAL_SIMULATION_BLOCKS)
    move_kernel(device_search search, regal_island_range range, int64_t begin, int64_t end,
                int64_t round, int64_t count, const uint64_t *heat) {
    REGAL_DYNAMIC_SHARED(shared);
    const simulating_warp warp = this_warp<IN_SHARED>(&search, shared);
    const int64_t length = end - begin;
    for (int64_t i = warp.number; i < range.count * length; i += warp.count) {
        device_island *island = &search.islands[range.first + i / length];
        const chain c = chain_at(&search, island, begin + i % length, warp.scratch);
        for (int64_t r = 0; r < count; ++r)
            move_once<Id>(&c, warp.state, (uint32_t)(round + r), heat[island->problem]);
    }
}

regal_status regal_cuda_move_chains(regal_backend_instance *self, regal_island_range range,
                                    const regal_chain_rounds *rounds) {
    REGAL_CUDA(cudaMemcpyAsync(self->heat, rounds->heat,
                               (size_t)self->problem_count * sizeof *self->heat,
                               cudaMemcpyHostToDevice, self->stream));
    const regal_launch launch =
        simulation_launch_for(self, range.count * (rounds->end - rounds->begin));
#define MOVE(kernel)                                                                    \
    regal_cuda_launch(&launch, kernel, self->search, range, rounds->begin, rounds->end, \
                      rounds->round, rounds->count, self->heat)
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, MOVE, move_kernel));
#undef MOVE
    return regal_cuda_wait(self);
}

template <class Id>
static __device__ __forceinline__ void start_one(const chain *c, int64_t slot,
                                                 unsigned char *state) {
    const regal_encoding encoding = c->search->shape.encoding;
    const regal_problem_view *view = &c->problem->view;
    const device_population *population = present(c->island);
    const uint16_t *genes = population->genes + slot * c->problem->gene_stride;
    device_chains *chains = &c->island->chains;
    simulation<Id> s = simulation_at<Id>(c->problem, state);
    if (encoding == REGAL_INHERIT)
        place_inherit(&s, regal_placement_keys(view, genes));
    else
        place_affinity(&s, regal_placement_keys(view, genes));
    copy_lanes(s.device, view->op_count, c->state.device);
    copy_lanes(regal_priority_keys(genes), view->op_count, c->state.key);
    if (lane_number() == 0) {
        const regal_fitness none = {{INT64_MAX, INT64_MAX, INT64_MAX}};
        chains->window[c->number] = population->window[slot];
        chains->least[c->number] = INT64_MAX;
        chains->best[c->number] = none;
    }
    __syncwarp();
    accept_state(c, &s, note_state(c, &s, evaluate_state(c, &s)));
    __syncwarp();
}

/* Warps go over `count` chains of each island: chain c starts as the individual of rank
 * c mod starts. */
template <class Id, bool IN_SHARED>
static __global__ void __launch_bounds__(REGAL_SIMULATION_THREADS, REGAL_SIMULATION_BLOCKS)
    start_kernel(device_search search, regal_island_range range, int64_t count, int64_t starts) {
    REGAL_DYNAMIC_SHARED(shared);
    const simulating_warp warp = this_warp<IN_SHARED>(&search, shared);
    for (int64_t i = warp.number; i < range.count * count; i += warp.count) {
        device_island *island = &search.islands[range.first + i / count];
        const chain c = chain_at(&search, island, i % count, warp.scratch);
        start_one<Id>(&c, island->by_rank[c.number % starts], warp.state);
    }
}

regal_status regal_cuda_start_chains(regal_backend_instance *self, regal_island_range range,
                                     int64_t chains, int64_t starts) {
    REGAL_CUDA_FORWARD(regal_cuda_prepare_chains(self, range, chains));
    const regal_launch launch = simulation_launch_for(self, range.count * chains);
#define START(kernel) regal_cuda_launch(&launch, kernel, self->search, range, chains, starts)
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, START, start_kernel));
#undef START
    return regal_cuda_select_chains(self, range, 0);
}

regal_status regal_cuda_fit_chains(const regal_backend_instance *self, int *blocks) {
#define FIT(kernel) fit_kernel(&self->simulate, blocks, kernel)
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, FIT, move_kernel));
    REGAL_CUDA(REGAL_FOR_SIMULATION(self, FIT, start_kernel));
#undef FIT
    return REGAL_OK;
}
