/* Genes of individuals, by the threads of a block: drawn, crossed, copied. A thread has a block of
 * random numbers: sixteen genes of an offspring, eight of a mutant. */
#ifndef REGAL_KERNELS_GENES_CUH
#define REGAL_KERNELS_GENES_CUH

#include "instance.cuh"
#include "regal/core/evolve.h"

#include <curand_philox4x32_x.h> /* wants cuda_runtime.h before it */

/* regal_draw by cuRAND. */
static __device__ __forceinline__ regal_random_block cuda_draw(const regal_stream *stream,
                                                               uint32_t block) {
    const uint4 words = curand_Philox4x32_10(
        make_uint4(block, stream->individual, stream->generation, stream->place),
        make_uint2(stream->key[0], stream->key[1]));
    regal_random_block result;
    result.word[0] = words.x;
    result.word[1] = words.y;
    result.word[2] = words.z;
    result.word[3] = words.w;
    return result;
}

/* proposals: a row [gene_count], NULL: uniform. */
static __device__ __forceinline__ void draw_genes(const regal_stream *stream, const uint16_t *table,
                                                  const uint16_t *proposals, int64_t gene_count,
                                                  uint16_t *genes) {
    for (int64_t g = (int64_t)threadIdx.x * 8; g < gene_count; g += (int64_t)blockDim.x * 8) {
        const regal_random_block block = cuda_draw(stream, (uint32_t)(g / 8));
        const int count = gene_count - g < 8 ? (int)(gene_count - g) : 8;
        for (int i = 0; i < count; ++i) {
            const uint16_t draw = regal_block_key(block, i);
            genes[g + i] =
                proposals != NULL ? regal_proposal_key(table, proposals[g + i], draw) : draw;
        }
    }
}

static __device__ __forceinline__ void cross_genes(const regal_stream *stream, uint32_t rho,
                                                   const uint16_t *elite, const uint16_t *other,
                                                   int64_t gene_count, uint16_t *genes) {
    for (int64_t g = (int64_t)threadIdx.x * 16; g < gene_count; g += (int64_t)blockDim.x * 16) {
        const regal_random_block block = cuda_draw(stream, (uint32_t)(g / 16));
        const int count = gene_count - g < 16 ? (int)(gene_count - g) : 16;
        for (int i = 0; i < count; ++i)
            genes[g + i] =
                regal_choose(regal_block_byte(block, i) < rho, elite[g + i], other[g + i]);
    }
}

static __device__ __forceinline__ void copy_genes(const uint16_t *from, int64_t gene_count,
                                                  uint16_t *to) {
    for (int64_t g = threadIdx.x; g < gene_count; g += blockDim.x)
        to[g] = from[g];
}

/* The individual of slot `to` becomes that of slot `from`, with its window and fitness. */
static __device__ __forceinline__ void
copy_individual(const device_problem *problem, const device_population *source, int64_t from,
                const device_population *target, int64_t to) {
    copy_genes(source->genes + from * problem->gene_stride, problem->gene_count,
               target->genes + to * problem->gene_stride);
    if (threadIdx.x == 0) {
        target->window[to] = source->window[from];
        target->fitness[to] = source->fitness[from];
    }
}

/* Draws slot `slot` of a population from the proposals' row of a mutant, or uniformly. */
static __device__ __forceinline__ void draw_individual(const device_search *search,
                                                       const device_island *island,
                                                       const device_population *population,
                                                       int64_t slot, regal_stage stage,
                                                       uint32_t generation, uint64_t mutant) {
    const device_problem *problem = &search->problems[island->problem];
    const regal_population_shape *shape = &search->shape;
    const bool uniform = stage == REGAL_STAGE_SEED ? shape->uniform_start : shape->uniform_mutants;
    const uint16_t *row = uniform ? NULL : problem->proposals;
    if (row != NULL)
        row += (int64_t)(mutant % (uint64_t)problem->proposal_rows) * problem->gene_count;
    const regal_stream stream =
        regal_stream_make(shape->seed, stage, island->number, generation, (uint32_t)slot);
    draw_genes(&stream, search->beta_table, row, problem->gene_count,
               population->genes + slot * problem->gene_stride);
    if (threadIdx.x == 0)
        population->window[slot] = shape->window;
}

#endif
