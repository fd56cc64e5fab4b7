/* Allocation with checked sizes. Counts are int64_t, as everywhere; NULL means that memory ran out
 * or that the size would overflow. */
#ifndef REGAL_BASE_MEMORY_H
#define REGAL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* count items, uninitialized or zeroed; never NULL for count 0 unless memory ran out. */
void *regal_allocate(int64_t count, size_t item_size);
void *regal_allocate_zeroed(int64_t count, size_t item_size);

/* Makes room for `needed` items in *array (a pointer to some T *); keeps what is there. False: out
 * of memory, array unchanged. */
bool regal_array_reserve(void *array, int64_t *capacity, int64_t needed, size_t item_size);

/* Strings that live as long as the arena. */
typedef struct regal_arena {
    struct regal_arena_chunk *chunks;
} regal_arena;
char *regal_arena_copy(regal_arena *arena, const char *text, size_t length);
void regal_arena_free(regal_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
