#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool size_of(int64_t count, size_t item_size, size_t *bytes) {
    return count >= 0 && !__builtin_mul_overflow((size_t)count, item_size, bytes) &&
           *bytes <= PTRDIFF_MAX;
}

void *regal_allocate(int64_t count, size_t item_size) {
    size_t bytes;
    return size_of(count, item_size, &bytes) ? malloc(bytes > 0 ? bytes : 1) : NULL;
}

void *regal_allocate_zeroed(int64_t count, size_t item_size) {
    size_t bytes;
    return size_of(count, item_size, &bytes) ? calloc(bytes > 0 ? bytes : 1, 1) : NULL;
}

bool regal_array_reserve(void *array, int64_t *capacity, int64_t needed, size_t item_size) {
    if (needed <= *capacity)
        return true;
    int64_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed)
        if (__builtin_add_overflow(wanted, wanted / 2 + 8, &wanted))
            return false;
    size_t bytes;
    if (!size_of(wanted, item_size, &bytes))
        return false;
    void **slot = array;
    void *grown = realloc(*slot, bytes);
    if (grown == NULL)
        return false;
    *slot = grown;
    *capacity = wanted;
    return true;
}

enum { CHUNK_SIZE = 1 << 16 };

struct regal_arena_chunk {
    struct regal_arena_chunk *next;
    size_t used, size;
    char text[];
};

char *regal_arena_copy(regal_arena *arena, const char *text, size_t length) {
    struct regal_arena_chunk *chunk = arena->chunks;
    if (length >= PTRDIFF_MAX - sizeof *chunk - CHUNK_SIZE)
        return NULL;
    if (chunk == NULL || chunk->size - chunk->used <= length) {
        const size_t size = length + 1 > CHUNK_SIZE ? length + 1 : CHUNK_SIZE;
        chunk = malloc(sizeof *chunk + size);
        if (chunk == NULL)
            return NULL;
        *chunk = (struct regal_arena_chunk){.next = arena->chunks, .size = size};
        arena->chunks = chunk;
    }
    char *copy = chunk->text + chunk->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    chunk->used += length + 1;
    return copy;
}

void regal_arena_free(regal_arena *arena) {
    while (arena->chunks != NULL) {
        struct regal_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}
