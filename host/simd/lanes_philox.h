/* Blocks of a stream of random numbers, a vector of them at a time: as include/regal/core/random.h,
 * bit for bit. Each of the four words of a block sits in the low half of a 64-bit element, one
 * element for each block: the multiplication takes it from there, what is in the high half is never
 * looked at. */
#ifndef REGAL_SIMD_LANES_PHILOX_H
#define REGAL_SIMD_LANES_PHILOX_H

#include "regal/core/random.h"
#include "simd/lanes.h"

enum {
    LANES_ROUNDS = 10,
    LANES_DRAWN = 4,                /* vectors that lanes_draw fills */
    LANES_BLOCKS = LANES_BYTES / 8, /* blocks worked on in one vector */
    LANES_DRAWN_BLOCKS = 2 * LANES_BLOCKS
};

typedef struct lanes_stream {
    lanes64 number; /* of the blocks in a vector, from 0 */
    lanes64 individual, generation, place;
    lanes64 key[LANES_ROUNDS][2];
} lanes_stream;

static inline void lanes_stream_set(lanes_stream *s, const regal_stream *stream) {
    const lanes64 zero = {0};
    /* In the order that pairing words evens out: first the even elements' blocks. */
    for (int i = 0; i < LANES_BLOCKS; ++i)
        s->number[i] = (uint64_t)(i / 2 + i % 2 * (LANES_BLOCKS / 2));
    s->individual = zero + stream->individual;
    s->generation = zero + stream->generation;
    s->place = zero + stream->place;
    uint32_t k0 = stream->key[0], k1 = stream->key[1];
    for (int round = 0; round < LANES_ROUNDS; ++round) {
        s->key[round][0] = zero + k0;
        s->key[round][1] = zero + k1;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

typedef struct lanes_words {
    lanes64 x0, x1, x2, x3;
} lanes_words;

static inline lanes_words lanes_philox_round(lanes_words w, const lanes64 key[2]) {
    const lanes64 zero = {0};
    const lanes64 a = lanes_multiply_low_halves(w.x0, zero + 0xD2511F53u);
    const lanes64 b = lanes_multiply_low_halves(w.x2, zero + 0xCD9E8D57u);
    const lanes_words next = {b >> 32 ^ w.x1 ^ key[0], b, a >> 32 ^ w.x3 ^ key[1], a};
    return next;
}

static inline void lanes_order_blocks(lanes_words w, lanes8 drawn[2]) {
    const lanes64 first = lanes_join_low_halves(w.x0, w.x1);
    const lanes64 second = lanes_join_low_halves(w.x2, w.x3);
    drawn[0] = (lanes8)lanes_pair_even(first, second);
    drawn[1] = (lanes8)lanes_pair_odd(first, second);
}

/* Blocks [block, block + LANES_DRAWN_BLOCKS), one after the other. Two vectors of them at once, to
 * hide that multiplications take long. */
static inline void lanes_draw(const lanes_stream *s, uint64_t block, lanes8 drawn[LANES_DRAWN]) {
    const lanes64 number = s->number + block;
    lanes_words w = {number, s->individual, s->generation, s->place};
    lanes_words v = {number + LANES_BLOCKS, s->individual, s->generation, s->place};
    for (int round = 0; round < LANES_ROUNDS; ++round) {
        w = lanes_philox_round(w, s->key[round]);
        v = lanes_philox_round(v, s->key[round]);
    }
    lanes_order_blocks(w, drawn);
    lanes_order_blocks(v, drawn + 2);
}

#endif
