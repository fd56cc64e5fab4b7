/* The CPU backend: one individual at a time, on a pool of threads. */
#include "backend/cpu_backend.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cpu_chains.h"
#include "backend/cpu_instance.h"
#include "backend/cpu_math.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/memory.h"
#include "regal/core/fitness.h"
#include "regal/core/random.h"

static bool create_population(cpu_population *p, int64_t size, int64_t gene_count) {
    p->genes = regal_allocate(size, (size_t)gene_count * sizeof *p->genes);
    p->window = regal_allocate(size, sizeof *p->window);
    p->fitness = regal_allocate(size, sizeof *p->fitness);
    return p->genes != NULL && p->window != NULL && p->fitness != NULL;
}

static void destroy_population(cpu_population *p) {
    free(p->genes);
    free(p->window);
    free(p->fitness);
}

static bool create_problem(regal_backend_instance *self, cpu_problem *problem) {
    const regal_problem_view *view = problem->given.view;
    problem->gene_count =
        regal_gene_count(self->shape.encoding, view->op_count, view->device_count);
    return problem->gene_count >= 0 && regal_evaluators_create(view, self->simd, self->threads,
                                                               &problem->evaluators) == REGAL_OK;
}

static bool create_island(regal_backend_instance *self, cpu_island *island) {
    const int64_t population = self->shape.population;
    const int64_t genes = self->problems[island->problem].gene_count;
    island->by_rank = regal_allocate(population, sizeof *island->by_rank);
    island->others = regal_allocate(population, sizeof *island->others);
    island->is_elite = regal_allocate(population, sizeof *island->is_elite);
    return island->by_rank != NULL && island->others != NULL && island->is_elite != NULL &&
           create_population(&island->now, population, genes) &&
           create_population(&island->next, population, genes);
}

static void destroy(regal_backend_instance *self) {
    if (self == NULL)
        return;
    cpu_chains_destroy(self);
    for (int64_t i = 0; self->islands != NULL && i < self->island_count; ++i) {
        destroy_population(&self->islands[i].now);
        destroy_population(&self->islands[i].next);
        free(self->islands[i].by_rank);
        free(self->islands[i].others);
        free(self->islands[i].is_elite);
    }
    for (int64_t i = 0; self->problems != NULL && i < self->problem_count; ++i)
        regal_evaluators_destroy(&self->problems[i].evaluators);
    free(self->islands);
    free(self->problems);
    regal_thread_pool_destroy(self->pool);
    free(self);
}

static bool fill_instance(regal_backend_instance *self, const regal_backend_problem *problems) {
    self->problems = regal_allocate_zeroed(self->problem_count, sizeof *self->problems);
    bool ok = self->problems != NULL;
    for (int64_t i = 0; ok && i < self->problem_count; ++i) {
        self->problems[i].given = problems[i];
        ok = create_problem(self, &self->problems[i]);
    }
    ok = ok &&
         !__builtin_mul_overflow(self->problem_count, self->shape.islands, &self->island_count);
    if (ok)
        self->islands = regal_allocate_zeroed(self->island_count, sizeof *self->islands);
    ok = ok && self->islands != NULL;
    for (int64_t i = 0; ok && i < self->island_count; ++i) {
        self->islands[i].problem = i / self->shape.islands;
        self->islands[i].number = i % self->shape.islands;
        ok = create_island(self, &self->islands[i]);
    }
    return ok;
}

static regal_status create(const regal_population_shape *shape,
                           const regal_backend_problem *problems, int64_t problem_count,
                           regal_backend_instance **instance) {
    *instance = NULL;
    regal_simd_level simd;
    REGAL_FORWARD(regal_simd_level_find(&simd));
    regal_backend_instance *self = regal_allocate_zeroed(1, sizeof *self);
    REGAL_FAIL_IF_NULL(self);
    self->shape = *shape;
    self->simd = simd;
    self->operators = regal_gene_operators_for(simd);
    self->problem_count = problem_count;
    size_t count;
    self->beta_table = regal_embedded_beta(&count);
    regal_status status = regal_thread_pool_create(shape->threads, &self->pool);
    if (status == REGAL_OK) {
        self->threads = regal_thread_pool_size(self->pool);
        if (!fill_instance(self, problems))
            status = regal_error_set(
                REGAL_OUT_OF_MEMORY, __FILE__, __LINE__,
                "memory ran out for %lld islands of %lld individuals and %lld threads; use a "
                "smaller --population",
                (long long)self->island_count, (long long)shape->population,
                (long long)self->threads);
    }
    if (status == REGAL_OK)
        *instance = self;
    else
        destroy(self);
    return status;
}

/* A stage over the slots [begin, end) of each island of a range, as one loop. */
typedef struct stage {
    regal_backend_instance *self;
    int64_t first_island, begin, length;
    uint32_t generation;
} stage;

static void run_stage(regal_backend_instance *self, regal_island_range range, int64_t begin,
                      int64_t end, uint32_t generation, regal_loop_body *body) {
    stage s = {self, range.first, begin, end - begin, generation};
    regal_thread_pool_run(self->pool, range.count * (end - begin), body, &s);
}

static cpu_island *stage_island(const stage *s, int64_t index) {
    return &s->self->islands[s->first_island + index / s->length];
}

static int64_t stage_slot(const stage *s, int64_t index) {
    return s->begin + index % s->length;
}

static uint16_t *genes_of(const regal_backend_instance *self, const cpu_island *island,
                          const cpu_population *population, int64_t slot) {
    return population->genes + slot * self->problems[island->problem].gene_count;
}

/* Of a mutant, or an individual of a first population; NULL: uniform. */
static const uint16_t *proposal_row(const regal_backend_instance *self, const cpu_problem *problem,
                                    regal_stage which, uint64_t mutant) {
    const bool uniform =
        which == REGAL_STAGE_SEED ? self->shape.uniform_start : self->shape.uniform_mutants;
    if (uniform || problem->given.proposals == NULL)
        return NULL;
    return problem->given.proposals +
           (int64_t)(mutant % (uint64_t)problem->given.proposal_rows) * problem->gene_count;
}

static void draw_one(const regal_backend_instance *self, const cpu_island *island,
                     cpu_population *population, int64_t slot, regal_stage which,
                     uint32_t generation, uint64_t mutant) {
    const cpu_problem *problem = &self->problems[island->problem];
    const regal_stream stream = regal_stream_make(self->shape.seed, which, (uint32_t)island->number,
                                                  generation, (uint32_t)slot);
    self->operators->draw(&stream, self->beta_table, proposal_row(self, problem, which, mutant),
                          problem->gene_count, genes_of(self, island, population, slot));
    population->window[slot] = self->shape.window;
}

static void seed_one(void *context, int64_t index, int64_t worker) {
    (void)worker;
    const stage *s = context;
    cpu_island *island = stage_island(s, index);
    const int64_t slot = stage_slot(s, index);
    draw_one(s->self, island, &island->now, slot, REGAL_STAGE_SEED, s->generation, (uint64_t)slot);
}

/* Keeps the best of the last population in the first slots. */
static void keep_best(const regal_backend_instance *self, cpu_island *island, int64_t keep) {
    const size_t row =
        (size_t)self->problems[island->problem].gene_count * sizeof *island->now.genes;
    for (int64_t i = 0; i < keep; ++i) {
        const int64_t from = island->by_rank[i];
        memcpy(genes_of(self, island, &island->next, i), genes_of(self, island, &island->now, from),
               row);
        island->next.window[i] = island->now.window[from];
        island->next.fitness[i] = island->now.fitness[from];
    }
    const cpu_population now = island->now;
    island->now = island->next;
    island->next = now;
}

static regal_status keep(regal_backend_instance *self, regal_island_range range, int64_t count) {
    for (int64_t i = 0; i < range.count; ++i)
        keep_best(self, &self->islands[range.first + i], count);
    return REGAL_OK;
}

static bool is_among(const regal_seed_individual *given, regal_island_range range, int64_t begin,
                     int64_t end) {
    return given->island >= range.first && given->island < range.first + range.count &&
           given->slot >= begin && given->slot < end;
}

static regal_status seed(regal_backend_instance *self, regal_island_range range,
                         uint32_t generation, int64_t begin, int64_t end,
                         const regal_seed_individual *given, int64_t given_count) {
    for (int64_t i = 0; i < range.count; ++i) {
        cpu_island *island = &self->islands[range.first + i];
        island->tick_limit = island->peak_limit = INT64_MAX;
    }
    run_stage(self, range, begin, end, generation, seed_one);
    for (int64_t i = 0; i < given_count; ++i) {
        if (!is_among(&given[i], range, begin, end))
            continue;
        cpu_island *island = &self->islands[given[i].island];
        memcpy(genes_of(self, island, &island->now, given[i].slot), given[i].genes,
               (size_t)self->problems[island->problem].gene_count * sizeof *given[i].genes);
        island->now.window[given[i].slot] = given[i].window;
    }
    return REGAL_OK;
}

static const regal_fitness HOPELESS = {{INT64_MAX, INT64_MAX, INT64_MAX}};

/* What comes after the worst elite on the objective's own value cannot become one; with a plan over
 * a cap among the elites that is not sure, since less excess counts for more. */
static void set_limits(const regal_population_shape *shape, cpu_island *island) {
    island->tick_limit = island->peak_limit = INT64_MAX;
    const regal_fitness worst = island->now.fitness[island->by_rank[shape->elites - 1]];
    if (shape->exact || worst.value[0] != 0)
        return;
    if (shape->objective == REGAL_TIME)
        island->tick_limit = worst.value[1];
    else
        island->peak_limit = worst.value[1];
}

static void evaluate_one(void *context, int64_t index, int64_t worker) {
    const stage *s = context;
    const regal_backend_instance *self = s->self;
    cpu_island *island = stage_island(s, index);
    const int64_t slot = stage_slot(s, index);
    const cpu_problem *problem = &self->problems[island->problem];
    regal_evaluator *evaluator = &problem->evaluators.items[worker];
    evaluator->tick_limit = island->tick_limit;
    evaluator->peak_limit = island->peak_limit;
    const int64_t makespan =
        regal_evaluator_decode(evaluator, self->shape.encoding, island->now.window[slot],
                               genes_of(self, island, &island->now, slot));
    const regal_problem_view *view = evaluator->view;
    island->now.fitness[slot] =
        makespan < 0 ? HOPELESS
                     : regal_fitness_of(self->shape.objective, makespan, evaluator->peak,
                                        view->capacity, view->device_count);
}

static regal_status evaluate(regal_backend_instance *self, regal_island_range range, int64_t begin,
                             int64_t end) {
    if (end > begin)
        run_stage(self, range, begin, end, 0, evaluate_one);
    return REGAL_OK;
}

static bool ranks_before(const regal_fitness *fitness, int64_t a, int64_t b) {
    if (regal_fitness_less(fitness[a], fitness[b]))
        return true;
    return a < b && !regal_fitness_less(fitness[b], fitness[a]);
}

/* Heap sort of slots by (fitness, slot): worst case n log n, no memory, no recursion. */
static void sort_slots(const regal_fitness *fitness, int64_t *slots, int64_t count) {
    for (int64_t heap = count, start = count / 2; heap > 1;) {
        int64_t moved, i;
        if (start > 0) {
            i = --start;
            moved = slots[i];
        } else {
            moved = slots[--heap];
            slots[heap] = slots[0];
            i = 0;
        }
        for (int64_t child = 2 * i + 1; child < heap; child = 2 * i + 1) {
            if (child + 1 < heap && ranks_before(fitness, slots[child], slots[child + 1]))
                ++child;
            if (!ranks_before(fitness, moved, slots[child]))
                break;
            slots[i] = slots[child];
            i = child;
        }
        slots[i] = moved;
    }
}

static void rank_one(void *context, int64_t index, int64_t worker) {
    (void)worker;
    const stage *s = context;
    cpu_island *island = &s->self->islands[s->first_island + index];
    const int64_t count = s->length, elites = s->self->shape.elites;
    for (int64_t slot = 0; slot < count; ++slot)
        island->by_rank[slot] = slot;
    sort_slots(island->now.fitness, island->by_rank, count);
    for (int64_t place = 0; place < count; ++place)
        island->is_elite[island->by_rank[place]] = place < elites;
    int64_t others = 0;
    for (int64_t slot = 0; slot < count; ++slot)
        if (!island->is_elite[slot])
            island->others[others++] = slot;
}

static regal_status rank(regal_backend_instance *self, regal_island_range range, int64_t count) {
    stage s = {self, range.first, 0, count, 0};
    regal_thread_pool_run(self->pool, range.count, rank_one, &s);
    return REGAL_OK;
}

static void copy_elite(const regal_backend_instance *self, cpu_island *island, int64_t slot) {
    const int64_t from = island->by_rank[slot];
    memcpy(genes_of(self, island, &island->next, slot), genes_of(self, island, &island->now, from),
           (size_t)self->problems[island->problem].gene_count * sizeof *island->now.genes);
    island->next.window[slot] = island->now.window[from];
    island->next.fitness[slot] = island->now.fitness[from];
}

static void breed_one(const regal_backend_instance *self, cpu_island *island, int64_t slot,
                      uint32_t generation) {
    const regal_population_shape *shape = &self->shape;
    const uint32_t number = (uint32_t)island->number, individual = (uint32_t)slot;
    const regal_stream parents =
        regal_stream_make(shape->seed, REGAL_STAGE_PARENTS, number, generation, individual);
    const regal_random_block block = regal_draw(&parents, 0);
    const int64_t elite = island->by_rank[regal_word_below(block.word[0], shape->elites)];
    const int64_t other =
        island->others[regal_word_below(block.word[1], shape->population - shape->elites)];
    const regal_stream stream =
        regal_stream_make(shape->seed, REGAL_STAGE_CROSSOVER, number, generation, individual);
    self->operators->cross(&stream, shape->rho, genes_of(self, island, &island->now, elite),
                           genes_of(self, island, &island->now, other),
                           self->problems[island->problem].gene_count,
                           genes_of(self, island, &island->next, slot));
    island->next.window[slot] = island->now.window[elite];
}

static void evolve_one(void *context, int64_t index, int64_t worker) {
    (void)worker;
    const stage *s = context;
    const regal_population_shape *shape = &s->self->shape;
    cpu_island *island = stage_island(s, index);
    const int64_t slot = stage_slot(s, index), mutant = slot - (shape->population - shape->mutants);
    if (slot < shape->elites)
        copy_elite(s->self, island, slot);
    else if (mutant < 0)
        breed_one(s->self, island, slot, s->generation);
    else
        draw_one(s->self, island, &island->next, slot, REGAL_STAGE_MUTANT, s->generation,
                 (uint64_t)s->generation * (uint64_t)shape->mutants + (uint64_t)mutant);
}

static regal_status evolve(regal_backend_instance *self, regal_island_range range,
                           uint32_t generation) {
    run_stage(self, range, 0, self->shape.population, generation, evolve_one);
    for (int64_t i = 0; i < range.count; ++i) {
        cpu_island *island = &self->islands[range.first + i];
        set_limits(&self->shape, island);
        const cpu_population now = island->now;
        island->now = island->next;
        island->next = now;
    }
    return REGAL_OK;
}

static regal_status exchange(regal_backend_instance *self, regal_island_range range,
                             int64_t count) {
    const int64_t islands = self->shape.islands, population = self->shape.population;
    for (int64_t i = 0; islands > 1 && i < range.count; ++i) {
        const cpu_island *from = &self->islands[range.first + i];
        const int64_t last = from->number + 1 == islands;
        cpu_island *to = &self->islands[range.first + i + (last ? 1 - islands : 1)];
        for (int64_t k = 0; k < count; ++k) {
            const int64_t source = from->by_rank[k], place = to->by_rank[population - 1 - k];
            memcpy(genes_of(self, to, &to->now, place), genes_of(self, from, &from->now, source),
                   (size_t)self->problems[to->problem].gene_count * sizeof *to->now.genes);
            to->now.window[place] = from->now.window[source];
            to->now.fitness[place] = from->now.fitness[source];
        }
    }
    return REGAL_OK;
}

static regal_status fetch_best(regal_backend_instance *self, regal_island_range range,
                               regal_fitness *fitness) {
    for (int64_t i = 0; i < range.count; ++i) {
        const cpu_island *island = &self->islands[range.first + i];
        fitness[i] = island->now.fitness[island->by_rank[0]];
    }
    return REGAL_OK;
}

static regal_status fetch_individual(regal_backend_instance *self, int64_t number, int64_t place,
                                     uint16_t *genes, int64_t *window, regal_fitness *fitness) {
    const cpu_island *island = &self->islands[number];
    const int64_t slot = island->by_rank[place];
    if (genes != NULL)
        memcpy(genes, genes_of(self, island, &island->now, slot),
               (size_t)self->problems[island->problem].gene_count * sizeof *genes);
    if (window != NULL)
        *window = island->now.window[slot];
    if (fitness != NULL)
        *fitness = island->now.fitness[slot];
    return REGAL_OK;
}

const regal_backend regal_cpu_backend = {.name = "cpu",
                                         .probe = regal_cpu_probe,
                                         .create = create,
                                         .destroy = destroy,
                                         .seed = seed,
                                         .keep = keep,
                                         .evaluate = evaluate,
                                         .rank = rank,
                                         .evolve = evolve,
                                         .exchange = exchange,
                                         .fetch_best = fetch_best,
                                         .fetch_individual = fetch_individual,
                                         .start_chains = cpu_chains_start,
                                         .move_chains = cpu_chains_move,
                                         .select_chains = cpu_chains_select,
                                         .fetch_best_chains = cpu_chains_fetch_best,
                                         .fetch_chain = cpu_chains_fetch,
                                         .math = &regal_cpu_math};
