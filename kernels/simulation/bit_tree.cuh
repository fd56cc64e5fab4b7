/* Sets of numbers 0..n-1 whose least member is found in a few steps: a bit a number, and above each
 * 32 words a word that tells which of them are not zero (a van Emde Boas tree of words). */
#ifndef REGAL_KERNELS_SIMULATION_BIT_TREE_CUH
#define REGAL_KERNELS_SIMULATION_BIT_TREE_CUH

#include "simulation/warp.cuh"

enum { BIT_TREE_LEVELS = 7 }; /* enough for 2^32 numbers */

/* The shape of all trees over the same n. */
typedef struct bit_tree_shape {
    int32_t levels;
    int32_t words;                   /* of a tree */
    int32_t offset[BIT_TREE_LEVELS]; /* of each level, in words; level 0 has a bit a number */
} bit_tree_shape;

static inline bit_tree_shape bit_tree_shape_of(int64_t n) {
    bit_tree_shape shape = {};
    int64_t words = n;
    do {
        words = words / 32 + (words % 32 != 0);
        words = words > 0 ? words : 1;
        shape.offset[shape.levels++] = shape.words;
        shape.words += (int32_t)words;
    } while (words > 1);
    return shape;
}

/* A lane's own: lanes may add at the same time, also to the same tree. */
static __device__ __forceinline__ void bit_tree_add(const bit_tree_shape *shape, uint32_t *tree,
                                                    uint32_t number) {
    for (int32_t level = 0; level < shape->levels; ++level, number /= 32)
        if (atomicOr(&tree[shape->offset[level] + number / 32], 1u << number % 32) != 0)
            break;
}

/* The least member of a tree that is not empty. */
static __device__ __forceinline__ uint32_t bit_tree_first(const bit_tree_shape *shape,
                                                          const uint32_t *tree) {
    uint32_t number = 0;
    for (int32_t level = shape->levels - 1; level >= 0; --level)
        number = number * 32 + (uint32_t)__ffs((int)tree[shape->offset[level] + number]) - 1;
    return number;
}

/* Takes a member out; true if the tree is empty then. Barriers inside. */
static __device__ __forceinline__ bool bit_tree_remove(const bit_tree_shape *shape, uint32_t *tree,
                                                       uint32_t number) {
    bool empty = true;
    int32_t level = 0;
    for (; empty && level < shape->levels; ++level) {
        const int64_t place = shape->offset[level] + number / 32;
        const uint32_t rest = tree[place] & ~(1u << number % 32);
        __syncwarp();
        if (lane_number() == 0)
            tree[place] = rest;
        empty = rest == 0;
        number /= 32;
    }
    __syncwarp();
    return empty;
}

/* Makes it the set of all numbers below n. A barrier is needed before it is read. */
static __device__ __forceinline__ void bit_tree_fill(const bit_tree_shape *shape, uint32_t *tree,
                                                     int64_t n) {
    int64_t bits = n;
    for (int32_t level = 0; level < shape->levels; ++level) {
        const int64_t words = bits / 32 + (bits % 32 != 0);
        for (int64_t i = lane_number(); i < words; i += REGAL_WARP)
            tree[shape->offset[level] + i] =
                (i + 1) * 32 <= bits ? 0xffffffffu : (1u << bits % 32) - 1;
        bits = words;
    }
}

#endif
