/* Inside an instance of the CPU backend. */
#ifndef REGAL_BACKEND_CPU_INSTANCE_H
#define REGAL_BACKEND_CPU_INSTANCE_H

#include "base/thread_pool.h"
#include "regal/backend/backend.h"
#include "regal/core/chain_move.h"
#include "simd/evaluator.h"
#include "simd/gene_operators.h"

/* The individuals of an island: row s of genes is slot s. */
typedef struct cpu_population {
    uint16_t *genes; /* [population][gene_count] */
    int64_t *window; /* [population] */
    regal_fitness *fitness;
} cpu_population;

/* The annealing chains of an island. */
typedef struct cpu_chains {
    int64_t count;
    void *memory;         /* of all arrays below */
    uint16_t *key;        /* [chain][op] */
    uint16_t *best_key;   /* [chain][op] of its best plan */
    uint8_t *device;      /* [chain][op] */
    uint8_t *best_device; /* [chain][op] */
    int64_t *window;      /* [chain] */
    int64_t *best_window; /* [chain] */
    int64_t *cost;        /* [chain] of its state */
    regal_aim *aim;       /* [chain] where its state peaks */
    int64_t *least;       /* [chain] least cost that it has come by */
    int64_t *by_cost;     /* [chain] the order of the last selection */
    regal_fitness *best;  /* [chain] */
    int64_t reference;    /* as of the start or the last selection */
} cpu_chains;

typedef struct cpu_island {
    int64_t problem, number;        /* island `number` of that problem */
    cpu_population now, next;       /* evolve builds next from now and swaps them */
    int64_t tick_limit, peak_limit; /* what a new individual must keep to become an elite */
    int64_t *by_rank;               /* [population] slots, best first */
    int64_t *others;                /* [population - elites] slots that are no elites, ascending */
    bool *is_elite;                 /* [population] by slot */
    cpu_chains chains;
} cpu_island;

/* A move of a chain that is made and evaluated, but not yet decided on. */
typedef struct cpu_attempt {
    int64_t threshold; /* greatest cost that is accepted */
    int64_t makespan;  /* or -1: not accepted */
} cpu_attempt;

/* Seconds that a round of a chain takes, either way. */
typedef struct cpu_pace {
    double alone, together;
    int64_t turns;
} cpu_pace;

typedef struct cpu_problem {
    regal_backend_problem given;
    int64_t gene_count;
    regal_evaluators evaluators; /* [threads] */
    uint16_t *chain_scratch;     /* [threads][2][op] NULL unless affinity and chains */
    uint16_t *position_key; /* [op] by rank; NULL until there are chains, or where n is too great */
    /* For trying rounds ahead; NULL unless that is done. */
    uint16_t *ahead_key;     /* [threads][op] */
    uint8_t *ahead_device;   /* [threads][op] */
    cpu_attempt *ahead_made; /* [threads] */
    cpu_pace pace;
} cpu_problem;

struct regal_backend_instance {
    regal_population_shape shape;
    const uint16_t *beta_table;
    const uint32_t *acceptance; /* [REGAL_ACCEPTANCE_COUNT]; NULL until there are chains */
    regal_simd_level simd;
    const regal_gene_operators *operators; /* of that level */
    regal_thread_pool *pool;
    int64_t threads;
    int64_t problem_count;
    cpu_problem *problems;
    int64_t island_count; /* of all problems */
    cpu_island *islands;
};

#endif
