/* Annealing chains on the CPU: a chain is one item of a loop and goes through all rounds of a call
 * on one thread, so that threads meet once a call only. */
#include "backend/cpu_chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "regal/core/anneal.h"
#include "regal/core/chain_move.h"
#include "regal/core/decode.h"
#include "regal/core/fitness.h"

typedef struct chain_loop {
    regal_backend_instance *self;
    int64_t first_island, begin, length; /* chains [begin, begin + length) of each island */
    int64_t starts;
    const regal_chain_rounds *rounds;
} chain_loop;

/* One chain in the hands of one thread. */
typedef struct chain {
    const regal_backend_instance *self;
    const regal_problem_view *view;
    regal_evaluator *evaluator;
    uint16_t *scratch; /* [2][op] for affinity: keys, transfer keys; NULL for inherit */
    cpu_island *island;
    int64_t number;
    regal_chain_state state;
} chain;

static chain chain_at(const chain_loop *loop, int64_t index, int64_t worker) {
    chain c = {.self = loop->self,
               .island = &loop->self->islands[loop->first_island + index / loop->length],
               .number = loop->begin + index % loop->length};
    const cpu_problem *problem = &c.self->problems[c.island->problem];
    c.view = problem->given.view;
    c.evaluator = &problem->evaluators.items[worker];
    const int64_t n = c.view->op_count;
    if (problem->chain_scratch != NULL)
        c.scratch = problem->chain_scratch + worker * 2 * n;
    c.state.device = c.island->chains.device + c.number * n;
    c.state.key = c.island->chains.key + c.number * n;
    return c;
}

static void run_chains(const chain_loop *loop, int64_t islands, regal_loop_body *body) {
    regal_thread_pool_run(loop->self->pool, islands * loop->length, body, (void *)loop);
}

/* The keys that stand for the order just used, written over keys [op] of the chain. At window >= 1
 * they become its places: then a key near another means a place near another. */
static void settle_keys(const chain *c, uint16_t *keys) {
    const uint16_t *position_key = c->self->problems[c->island->problem].position_key;
    if (c->island->chains.window[c->number] > 0 && position_key != NULL)
        regal_evaluator_scatter(c->evaluator, position_key, keys);
}

static const uint16_t *transfer_keys(const chain *c) {
    if (c->scratch == NULL)
        return NULL;
    const int64_t n = c->view->op_count;
    memcpy(c->scratch, c->state.key, (size_t)n * sizeof *c->scratch);
    settle_keys(c, c->scratch);
    regal_urgency_keys(c->view, c->scratch, c->scratch + n);
    return c->scratch + n;
}

/* The makespan of the chain's state, or -1 if makespan or max peak is sure to exceed its limit;
 * leaves the peaks and the order that was used in the evaluator. */
static int64_t evaluate_state(const chain *c, int64_t tick_limit, int64_t peak_limit) {
    const int64_t window = c->island->chains.window[c->number];
    c->evaluator->tick_limit = tick_limit;
    c->evaluator->peak_limit = peak_limit;
    regal_evaluator_order(c->evaluator, c->state.device, c->state.key, window);
    return regal_evaluator_run(c->evaluator, window, transfer_keys(c));
}

static void keep_if_best(const chain *c, int64_t cost, regal_fitness fitness) {
    cpu_chains *chains = &c->island->chains;
    const int64_t n = c->view->op_count, number = c->number;
    chains->least[number] = cost < chains->least[number] ? cost : chains->least[number];
    if (!regal_fitness_less(fitness, chains->best[number]))
        return;
    chains->best[number] = fitness;
    chains->best_window[number] = chains->window[number];
    memcpy(chains->best_device + number * n, c->state.device, (size_t)n);
    memcpy(chains->best_key + number * n, c->state.key, (size_t)n * sizeof *c->state.key);
    settle_keys(c, chains->best_key + number * n);
}

/* Takes note of the evaluated state; returns its cost. */
static int64_t note_state(const chain *c, int64_t makespan) {
    const regal_objective objective = c->self->shape.objective;
    const int64_t *peak = c->evaluator->peak, *capacity = c->view->capacity;
    const int64_t cost = regal_chain_cost(objective, makespan, peak, capacity,
                                          c->view->device_count, c->island->chains.best[c->number]);
    keep_if_best(c, cost,
                 regal_fitness_of(objective, makespan, peak, capacity, c->view->device_count));
    return cost;
}

/* Makes the evaluated state the chain's own. */
static void accept_state(const chain *c, int64_t cost) {
    c->island->chains.cost[c->number] = cost;
    c->island->chains.aim[c->number] = regal_aim_of(
        c->self->shape.objective, regal_evaluator_peak_place(c->evaluator), c->view->op_count);
    settle_keys(c, c->state.key);
}

static cpu_attempt try_move(const chain *c, uint32_t round, uint64_t heat, regal_move_log *log) {
    const regal_population_shape *shape = &c->self->shape;
    const cpu_chains *chains = &c->island->chains;
    const uint32_t island = (uint32_t)c->island->number, number = (uint32_t)c->number;
    const regal_stream moves =
        regal_stream_make(shape->seed, REGAL_STAGE_MOVE, island, round, number);
    const regal_stream accepts =
        regal_stream_make(shape->seed, REGAL_STAGE_ACCEPT, island, round, number);
    regal_make_move(c->view, shape->objective, &moves, chains->aim[c->number], c->state, log);
    const int64_t threshold =
        regal_threshold(c->self->acceptance, chains->cost[c->number], chains->reference, heat,
                        regal_draw(&accepts, 0).word[0]);
    /* A plan never costs less than its makespan, or its max peak. */
    const bool time = shape->objective == REGAL_TIME;
    return (cpu_attempt){
        threshold, evaluate_state(c, time ? threshold : INT64_MAX, time ? INT64_MAX : threshold)};
}

/* Takes note of an attempt; true if the chain accepts it. */
static bool decide(const chain *c, const cpu_attempt *made) {
    const int64_t cost = made->makespan < 0 ? INT64_MAX : note_state(c, made->makespan);
    if (cost > made->threshold)
        return false;
    accept_state(c, cost);
    return true;
}

static void move_rounds(const chain *c, int64_t round, int64_t count, uint64_t heat) {
    for (int64_t i = 0; i < count; ++i) {
        regal_move_log log;
        const cpu_attempt made = try_move(c, (uint32_t)(round + i), heat, &log);
        if (!decide(c, &made))
            regal_move_undo(c->state, &log);
    }
}

static void move_one(void *context, int64_t index, int64_t worker) {
    const chain_loop *loop = context;
    const chain c = chain_at(loop, index, worker);
    const regal_chain_rounds *rounds = loop->rounds;
    move_rounds(&c, rounds->round, rounds->count, rounds->heat[c.island->problem]);
}

/* The next rounds of a chain that is alone, each tried by a thread on a copy, as if all before it
 * were refused; those behind one that is accepted are tried again. The chain goes the same way as
 * on one thread. */
typedef struct chain_ahead {
    const chain *c;
    cpu_attempt *made; /* [threads] */
    uint64_t heat;
    int64_t round;
} chain_ahead;

static chain copy_ahead(const chain *c, int64_t index) {
    const cpu_problem *problem = &c->self->problems[c->island->problem];
    const int64_t n = c->view->op_count;
    chain copy = *c;
    copy.evaluator = &problem->evaluators.items[index];
    if (c->scratch != NULL)
        copy.scratch = problem->chain_scratch + index * 2 * n;
    copy.state.key = problem->ahead_key + index * n;
    copy.state.device = problem->ahead_device + index * n;
    return copy;
}

static void copy_state(const chain *to, const chain *from) {
    const size_t n = (size_t)to->view->op_count;
    memcpy(to->state.key, from->state.key, n * sizeof *to->state.key);
    memcpy(to->state.device, from->state.device, n);
}

static void try_ahead(void *context, int64_t index, int64_t worker) {
    (void)worker;
    const chain_ahead *ahead = context;
    const chain copy = copy_ahead(ahead->c, index);
    regal_move_log log;
    copy_state(&copy, ahead->c);
    ahead->made[index] = try_move(&copy, (uint32_t)(ahead->round + index), ahead->heat, &log);
}

/* Tries `count` rounds together; returns how many of them are decided. */
static int64_t move_together(const chain_ahead *ahead, int64_t count) {
    regal_thread_pool_run(ahead->c->self->pool, count, try_ahead, (void *)ahead);
    for (int64_t i = 0; i < count; ++i) {
        const chain copy = copy_ahead(ahead->c, i);
        if (decide(&copy, &ahead->made[i])) {
            copy_state(ahead->c, &copy);
            return i + 1;
        }
    }
    return count;
}

/* Whether threads that meet are faster than one alone depends on the machine and on how many moves
 * are accepted: the faster way is taken, and now and then the other, to see. */
static bool goes_together(const cpu_pace *pace) {
    enum { LOOK_EVERY = 32 };
    const bool together = pace->together < pace->alone;
    return pace->turns % LOOK_EVERY == 0 ? !together : together;
}

static void note_pace(cpu_pace *pace, bool together, double seconds) {
    double *mean = together ? &pace->together : &pace->alone;
    *mean += (seconds - *mean) / (pace->turns < 2 ? 1 : 4);
    pace->turns++;
}

static void move_ahead(const chain_loop *loop) {
    const chain c = chain_at(loop, 0, 0);
    cpu_problem *problem = &c.self->problems[c.island->problem];
    const regal_chain_rounds *rounds = loop->rounds;
    const int64_t threads = c.self->threads, end = rounds->round + rounds->count;
    chain_ahead ahead = {&c, problem->ahead_made, rounds->heat[c.island->problem], rounds->round};
    while (ahead.round < end) {
        const int64_t count = end - ahead.round < threads ? end - ahead.round : threads;
        const bool together = goes_together(&problem->pace);
        const double begin = regal_clock();
        int64_t decided = count;
        if (together)
            decided = move_together(&ahead, count);
        else
            move_rounds(&c, ahead.round, count, ahead.heat);
        note_pace(&problem->pace, together, (regal_clock() - begin) / (double)decided);
        ahead.round += decided;
    }
}

regal_status cpu_chains_move(regal_backend_instance *self, regal_island_range range,
                             const regal_chain_rounds *rounds) {
    const chain_loop loop = {.self = self,
                             .first_island = range.first,
                             .begin = rounds->begin,
                             .length = rounds->end - rounds->begin,
                             .rounds = rounds};
    const cpu_island *island = &self->islands[range.first];
    if (range.count * loop.length == 1 && self->problems[island->problem].ahead_made != NULL)
        move_ahead(&loop);
    else
        run_chains(&loop, range.count, move_one);
    return REGAL_OK;
}

static void start_one(void *context, int64_t index, int64_t worker) {
    const chain_loop *loop = context;
    const chain c = chain_at(loop, index, worker);
    const regal_encoding encoding = c.self->shape.encoding;
    const int64_t slot = c.island->by_rank[c.number % loop->starts];
    const uint16_t *genes =
        c.island->now.genes + slot * c.self->problems[c.island->problem].gene_count;
    if (encoding == REGAL_INHERIT)
        regal_place_inherit(c.view, regal_placement_keys(c.view, genes), c.state.device);
    else
        regal_place_affinity(c.view, regal_placement_keys(c.view, genes), c.state.device);
    memcpy(c.state.key, regal_priority_keys(genes), (size_t)c.view->op_count * sizeof *genes);
    cpu_chains *chains = &c.island->chains;
    chains->window[c.number] = c.island->now.window[slot];
    chains->least[c.number] = INT64_MAX;
    chains->best[c.number] = (regal_fitness){{INT64_MAX, INT64_MAX, INT64_MAX}};
    accept_state(&c, note_state(&c, evaluate_state(&c, INT64_MAX, INT64_MAX)));
}

static void set_reference(cpu_chains *chains) {
    chains->reference = INT64_MAX;
    for (int64_t c = 0; c < chains->count; ++c)
        if (chains->least[c] < chains->reference)
            chains->reference = chains->least[c];
}

regal_status cpu_chains_start(regal_backend_instance *self, regal_island_range range,
                              int64_t chains, int64_t starts) {
    REGAL_FAIL_IF(!cpu_chains_prepare(self, range, chains), REGAL_OUT_OF_MEMORY,
                  "memory ran out for %lld annealing chains", (long long)chains);
    const chain_loop loop = {
        .self = self, .first_island = range.first, .length = chains, .starts = starts};
    run_chains(&loop, range.count, start_one);
    for (int64_t i = 0; i < range.count; ++i)
        set_reference(&self->islands[range.first + i].chains);
    return REGAL_OK;
}

static bool costs_less(const int64_t *cost, int64_t a, int64_t b) {
    return cost[a] < cost[b] || (cost[a] == cost[b] && a < b);
}

/* Insertion: chains are few, and not far from the order of the last time. */
static void sort_chains(cpu_chains *chains) {
    int64_t *by_cost = chains->by_cost;
    for (int64_t i = 1; i < chains->count; ++i) {
        const int64_t moved = by_cost[i];
        int64_t place = i;
        for (; place > 0 && costs_less(chains->cost, moved, by_cost[place - 1]); --place)
            by_cost[place] = by_cost[place - 1];
        by_cost[place] = moved;
    }
}

static void replace_chain(cpu_chains *chains, int64_t op_count, int64_t from, int64_t to) {
    memcpy(chains->device + to * op_count, chains->device + from * op_count, (size_t)op_count);
    memcpy(chains->key + to * op_count, chains->key + from * op_count,
           (size_t)op_count * sizeof *chains->key);
    chains->cost[to] = chains->cost[from];
    chains->aim[to] = chains->aim[from];
    chains->window[to] = chains->window[from];
}

regal_status cpu_chains_select(regal_backend_instance *self, regal_island_range range,
                               int64_t replaced) {
    for (int64_t i = 0; i < range.count; ++i) {
        cpu_island *island = &self->islands[range.first + i];
        cpu_chains *chains = &island->chains;
        const int64_t n = self->problems[island->problem].given.view->op_count;
        set_reference(chains);
        if (replaced > 0)
            sort_chains(chains);
        for (int64_t k = 0; k < replaced; ++k) {
            const int64_t from = chains->by_cost[k], to = chains->by_cost[chains->count - 1 - k];
            if (chains->cost[from] < chains->cost[to])
                replace_chain(chains, n, from, to);
        }
    }
    return REGAL_OK;
}

regal_status cpu_chains_fetch_best(regal_backend_instance *self, regal_island_range range,
                                   regal_chain_best *best) {
    for (int64_t i = 0; i < range.count; ++i) {
        const cpu_chains *chains = &self->islands[range.first + i].chains;
        best[i] = (regal_chain_best){chains->best[0], 0};
        for (int64_t c = 1; c < chains->count; ++c)
            if (regal_fitness_less(chains->best[c], best[i].fitness))
                best[i] = (regal_chain_best){chains->best[c], c};
    }
    return REGAL_OK;
}

regal_status cpu_chains_fetch(regal_backend_instance *self, int64_t number, int64_t which,
                              uint8_t *device, uint16_t *key, int64_t *window) {
    const cpu_island *island = &self->islands[number];
    const cpu_chains *chains = &island->chains;
    const regal_problem_view *view = self->problems[island->problem].given.view;
    const int64_t n = view->op_count;
    regal_spread_devices(view, chains->best_device + which * n, device);
    memcpy(key, chains->best_key + which * n, (size_t)n * sizeof *key);
    *window = chains->best_window[which];
    return REGAL_OK;
}
