/* Carves arrays from one allocation, each on a cache line of its own: a first walk with base NULL
 * adds up the sizes, a second one with the memory (regal_carver_memory) gives the places. */
#ifndef REGAL_BASE_CARVER_H
#define REGAL_BASE_CARVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct regal_carver {
    char *base;
    size_t used;
    bool overflow; /* more than can be had */
} regal_carver;

static inline void *regal_carve(regal_carver *c, int64_t count, size_t item_size) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, item_size, &bytes) || bytes > PTRDIFF_MAX / 2 ||
        c->used > PTRDIFF_MAX / 2) {
        c->overflow = true;
        return NULL;
    }
    void *place = c->base != NULL ? c->base + c->used : NULL;
    c->used += (bytes + 63) / 64 * 64;
    return place;
}

/* Memory of the size that a first walk has found, for free(); NULL: none. */
static inline void *regal_carver_memory(const regal_carver *c) {
    return c->overflow ? NULL : aligned_alloc(64, c->used);
}

#endif
