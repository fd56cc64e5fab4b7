/* Inside an instance of the CPU backend. */
#ifndef REGAL_BACKEND_CPU_INSTANCE_H
#define REGAL_BACKEND_CPU_INSTANCE_H

#include "base/thread_pool.h"
#include "regal/backend/backend.h"
#include "search/decoder.h"
#include "simd/gene_operators.h"

/* The individuals of an island: row s of genes is slot s. */
typedef struct cpu_population {
    uint16_t *genes; /* [population][gene_count] */
    int64_t *window; /* [population] */
    regal_fitness *fitness;
} cpu_population;

typedef struct cpu_island {
    int64_t problem, number;        /* island `number` of that problem */
    cpu_population now, next;       /* evolve builds next from now and swaps them */
    int64_t tick_limit, peak_limit; /* what a new individual must keep to become an elite */
    int64_t *by_rank;               /* [population] slots, best first */
    int64_t *others;                /* [population - elites] slots that are no elites, ascending */
    bool *is_elite;                 /* [population] by slot */
} cpu_island;

typedef struct cpu_problem {
    regal_backend_problem given;
    int64_t gene_count;
    regal_decoder *decoders; /* [threads] */
} cpu_problem;

struct regal_backend_instance {
    regal_population_shape shape;
    const uint16_t *beta_table;
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
