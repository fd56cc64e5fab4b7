/* FNV-1a (Fowler, Noll, Vo), 64 bits: digests that are the same on every machine. */
#ifndef REGAL_BASE_FNV_H
#define REGAL_BASE_FNV_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define REGAL_FNV_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t regal_fnv_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Byte by byte from the low end. */
static inline uint64_t regal_fnv_number(uint64_t hash, int64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
        hash = (hash ^ ((uint64_t)number >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static inline void regal_fnv_print(uint64_t hash, char digest[17]) {
    snprintf(digest, 17, "%016" PRIx64, hash);
}

#endif
