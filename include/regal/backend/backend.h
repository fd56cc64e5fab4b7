/* The seam: what a backend does for the search. One call for each stage of a generation, over many
 * individuals; the generation loop (host/search) knows no backend.
 *
 * An instance holds the populations of several problems, `islands` of each. Every call works on a
 * range of islands, numbered problem * islands + island. All islands have the same shape; genes
 * differ in length from problem to problem. After `seed` and `evolve` an island has its elites in
 * slots [0, elites) (after seed: whatever was seeded) and new individuals behind them; `evaluate`
 * gives them their fitness; `rank` orders them. An individual that is sure to be worse than every
 * elite needs no fitness: unless `exact`, it gets INT64_MAX three times, on every backend alike,
 * and as the others are drawn by slot, not by rank, nothing changes. Results depend on the
 * arguments alone: the same on every backend and for any number of threads.
 *
 * Annealing chains are the second stage (core/anneal.h, core/chain_move.h). Every island of a range
 * has the same number of them: `start_chains` makes them from ranked individuals, `move_chains`
 * lets each go its own way for some rounds, `select_chains` lets the best take the place of the
 * worst. */
#ifndef REGAL_BACKEND_BACKEND_H
#define REGAL_BACKEND_BACKEND_H

#include "regal/backend/math.h"
#include "regal/backend/problem_view.h"
#include "regal/chromosome.h"
#include "regal/optimize.h"
#include "regal/plan.h"

typedef struct regal_backend_instance regal_backend_instance;

typedef struct regal_population_shape {
    regal_encoding encoding;
    regal_objective objective;
    uint64_t seed;
    int64_t islands;    /* of each problem */
    int64_t population; /* individuals of an island: elites, then offspring, then mutants */
    int64_t elites, mutants;
    uint32_t rho;         /* chance of the elite parent's gene, in 256ths */
    int64_t window;       /* of individuals that are drawn; others inherit their elite parent's */
    int64_t threads;      /* of a backend on the CPU; 0: all processors */
    int64_t gpu;          /* of a backend on GPUs: which one */
    bool exact;           /* evaluate hopeless individuals to the end, too */
    bool uniform_start;   /* what `seed` draws takes no proposals */
    bool uniform_mutants; /* mutants take none */
} regal_population_shape;

/* A problem of an instance; all memory is the caller's and must outlive the instance. */
typedef struct regal_backend_problem {
    const regal_problem_view *view;
    const uint16_t
        *proposals; /* [proposal_rows][genes], mutant i takes row i mod rows; NULL: uniform */
    int64_t proposal_rows;
} regal_backend_problem;

typedef struct regal_island_range {
    int64_t first, count;
} regal_island_range;

/* Genes given from outside, for one slot of one island. */
typedef struct regal_seed_individual {
    int64_t island; /* in the instance's numbering */
    int64_t slot;
    int64_t window;
    const uint16_t *genes;
} regal_seed_individual;

/* Chains [begin, end) of each island of a range make one move in each round from `round` on. */
typedef struct regal_chain_rounds {
    int64_t begin, end;
    int64_t round, count; /* draws take the round's low 32 bits */
    const uint64_t *heat; /* [problem] temperature / the island's reference cost, in 2^-32 */
} regal_chain_rounds;

/* The best plan that the chains of an island have come by. */
typedef struct regal_chain_best {
    regal_fitness fitness;
    int64_t chain; /* the lowest one that has it */
} regal_chain_best;

typedef struct regal_backend {
    const char *name;

    /* Fills *info; false past the last device. */
    bool (*probe)(int64_t index, regal_backend_info *info);

    regal_status (*create)(const regal_population_shape *shape,
                           const regal_backend_problem *problems, int64_t problem_count,
                           regal_backend_instance **instance);
    void (*destroy)(regal_backend_instance *instance);

    /* Draws slots [begin, end) anew, slot s from row s mod rows of the proposals; then puts those
     * of the given individuals that belong there in their places. */
    regal_status (*seed)(regal_backend_instance *instance, regal_island_range range,
                         uint32_t generation, int64_t begin, int64_t end,
                         const regal_seed_individual *given, int64_t given_count);

    /* Puts the `count` best into the first slots; the others are to be drawn anew. */
    regal_status (*keep)(regal_backend_instance *instance, regal_island_range range, int64_t count);

    /* Decodes slots [begin, end) and sets their fitness. */
    regal_status (*evaluate)(regal_backend_instance *instance, regal_island_range range,
                             int64_t begin, int64_t end);

    /* Ranks slots [0, count) by (fitness, slot). */
    regal_status (*rank)(regal_backend_instance *instance, regal_island_range range, int64_t count);

    /* The next population from the ranked one: elites by rank, offspring of a random elite and a
     * random other (by slot), mutants. All slots must have been ranked. */
    regal_status (*evolve)(regal_backend_instance *instance, regal_island_range range,
                           uint32_t generation);

    /* Of each problem in the range (whole problems): the `count` best of island i take the places
     * of the `count` worst of island i + 1, around the ring. Rank again afterwards. */
    regal_status (*exchange)(regal_backend_instance *instance, regal_island_range range,
                             int64_t count);

    /* The fitness [range.count] of the best-ranked individual of each island. */
    regal_status (*fetch_best)(regal_backend_instance *instance, regal_island_range range,
                               regal_fitness *fitness);

    /* The individual of a rank of an island: genes [genes], window, fitness; NULL where not wanted.
     */
    regal_status (*fetch_individual)(regal_backend_instance *instance, int64_t island, int64_t rank,
                                     uint16_t *genes, int64_t *window, regal_fitness *fitness);

    /* Gives each island `chains` chains. Chain c starts as the individual of rank c mod `starts`,
     * evaluated once more. An island's reference is the least cost that its chains have come by at
     * the end of this call and of each select_chains. */
    regal_status (*start_chains)(regal_backend_instance *instance, regal_island_range range,
                                 int64_t chains, int64_t starts);

    /* In each round each chain makes a random move, keeps it if the plan costs no more than the
     * threshold that was drawn for it, and else takes it back. At window >= 1, up to 65,536 ops,
     * the keys of a chain then become the places of its ops in the order that was used. */
    regal_status (*move_chains)(regal_backend_instance *instance, regal_island_range range,
                                const regal_chain_rounds *rounds);

    /* The i-th best chain, by (cost, number), takes the place of the i-th worst if it costs less,
     * for i < replaced <= chains / 2. */
    regal_status (*select_chains)(regal_backend_instance *instance, regal_island_range range,
                                  int64_t replaced);

    /* best [range.count]. */
    regal_status (*fetch_best_chains)(regal_backend_instance *instance, regal_island_range range,
                                      regal_chain_best *best);

    /* The best plan that a chain has come by: the device and the priority key of each op [op], and
     * the window. For affinity, transfer keys are regal_urgency_keys. */
    regal_status (*fetch_chain)(regal_backend_instance *instance, int64_t island, int64_t chain,
                                uint8_t *device, uint16_t *key, int64_t *window);

    const regal_math *math;
} regal_backend;

#ifdef __cplusplus
extern "C" {
#endif

/* A backend that can work here, by name or "auto"; else REGAL_UNAVAILABLE, with the reason. `gpu`
 * is for those on GPUs: which one. "auto" takes the CPU where GPU 0 was asked for and cannot be
 * had; it warns, once, if there is a driver for it. */
regal_status regal_backend_find(const char *name, int64_t gpu, const regal_backend **backend);

#ifdef __cplusplus
}
#endif

#endif
