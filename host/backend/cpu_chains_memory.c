/* The memory of annealing chains on the CPU. */
#include <pthread.h>
#include <stdlib.h>

#include "backend/cpu_chains.h"
#include "base/memory.h"
#include "regal/core/anneal.h"
#include "regal/core/chain_move.h"

/* Ops beyond which 16-bit keys cannot hold every order. */
enum { KEYS = 65536 };

/* Ops from which an evaluation is worth a meeting of threads. */
enum { AHEAD_OPS = 500 };

/* Carves the arrays from one allocation. */
static bool create_chains(cpu_chains *chains, int64_t count, int64_t op_count) {
    enum { OF_CHAIN = 5 * sizeof(int64_t) + sizeof(regal_aim) + sizeof(regal_fitness) };
    int64_t cells, bytes, keys, devices;
    free(chains->memory);
    *chains = (cpu_chains){.count = count};
    if (__builtin_mul_overflow(count, op_count, &cells) ||
        __builtin_mul_overflow(cells, (int64_t)(2 * sizeof *chains->key), &keys) ||
        __builtin_mul_overflow(cells, (int64_t)(2 * sizeof *chains->device), &devices) ||
        __builtin_mul_overflow(count, (int64_t)OF_CHAIN, &bytes) ||
        __builtin_add_overflow(bytes, keys, &bytes) ||
        __builtin_add_overflow(bytes, devices, &bytes))
        return false;
    chains->memory = regal_allocate(bytes, 1);
    if (chains->memory == NULL)
        return false;
    chains->window = chains->memory;
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
    for (int64_t c = 0; c < count; ++c)
        chains->by_cost[c] = c;
    return true;
}

/* What lets threads try rounds ahead, where one is worth their meeting. */
static bool prepare_ahead(const regal_backend_instance *self, cpu_problem *problem) {
    const int64_t n = problem->given.view->op_count;
    if (self->threads == 1 || n < AHEAD_OPS || problem->ahead_made != NULL)
        return true;
    problem->ahead_key = regal_allocate(self->threads, (size_t)n * sizeof *problem->ahead_key);
    problem->ahead_device =
        regal_allocate(self->threads, (size_t)n * sizeof *problem->ahead_device);
    problem->ahead_made = regal_allocate(self->threads, sizeof *problem->ahead_made);
    return problem->ahead_key != NULL && problem->ahead_device != NULL &&
           problem->ahead_made != NULL;
}

static bool prepare_position_keys(cpu_problem *problem) {
    const int64_t n = problem->given.view->op_count;
    if (n > KEYS || problem->position_key != NULL)
        return true;
    problem->position_key = regal_allocate(n, sizeof *problem->position_key);
    for (int64_t rank = 0; problem->position_key != NULL && rank < n; ++rank)
        problem->position_key[rank] = regal_position_key(rank, n);
    return problem->position_key != NULL;
}

static uint32_t acceptance[REGAL_ACCEPTANCE_COUNT];

static void fill_acceptance(void) {
    for (uint32_t i = 0; i < REGAL_ACCEPTANCE_COUNT; ++i)
        acceptance[i] = regal_acceptance(i);
}

bool cpu_chains_prepare(regal_backend_instance *self, regal_island_range range, int64_t count) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_acceptance);
    self->acceptance = acceptance;
    bool ok = true;
    for (int64_t i = 0; ok && i < range.count; ++i) {
        cpu_island *island = &self->islands[range.first + i];
        cpu_problem *problem = &self->problems[island->problem];
        const int64_t n = problem->given.view->op_count;
        ok = create_chains(&island->chains, count, n) && prepare_position_keys(problem);
        if (ok && self->shape.encoding == REGAL_AFFINITY && problem->chain_scratch == NULL) {
            problem->chain_scratch =
                regal_allocate(self->threads, (size_t)n * 2 * sizeof *problem->chain_scratch);
            ok = problem->chain_scratch != NULL;
        }
        ok = ok && (count * range.count > 1 || prepare_ahead(self, problem));
    }
    return ok;
}

static void forget_chains(cpu_problem *problem) {
    free(problem->chain_scratch);
    free(problem->position_key);
    free(problem->ahead_key);
    free(problem->ahead_device);
    free(problem->ahead_made);
}

void cpu_chains_destroy(regal_backend_instance *self) {
    for (int64_t i = 0; self->islands != NULL && i < self->island_count; ++i)
        free(self->islands[i].chains.memory);
    for (int64_t i = 0; self->problems != NULL && i < self->problem_count; ++i)
        forget_chains(&self->problems[i]);
}
