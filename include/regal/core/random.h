/* Random numbers: Philox4x32-10 (Salmon et al. 2011), a pure function of where a draw is used. */
#ifndef REGAL_CORE_RANDOM_H
#define REGAL_CORE_RANDOM_H

#include "regal/core/host_device.h"

/* Which draw serves what. A stream is (seed, stage, island, generation, individual); its draws:
 *   SEED       uint16 number g: the key of gene g of an individual drawn for a first population
 *   MUTANT     uint16 number g: the key of gene g of a mutant
 *   PARENTS    word 0: the elite parent, word 1: the other parent of an offspring
 *   CROSSOVER  byte number g: below rho, gene g comes from the elite parent
 *   MOVE       of a chain in a round (individual: chain, generation: round), words:
 *              0 the op, 1 the kind of move, 2 which neighbour, 3 another op, 4 a key (low half) or
 *              another device, 5 how far (low half), up or down (bit 16), 6 and 7 which of many, a
 * bit each
 *   ACCEPT     of a chain in a round, word 0: the threshold of acceptance
 *   ROLLOUT    of a roll-out of the policy (individual), generation: what it is drawn for, words:
 *              2 i the noise on the score of op i, 2 i + 1 the device of the op placed as number i
 *   NORMAL     normal numbers of the policy, generation: what they are for, words
 *   AUGMENT    changes of graphs for training, words
 *   GRAPH_SET  which graph of a set and its values, words
 *   BOOTSTRAP  graphs drawn with replacement for confidence intervals, words
 * A restart draws a first population (SEED) at its own generation. */
typedef enum regal_stage {
    REGAL_STAGE_SEED,
    REGAL_STAGE_MUTANT,
    REGAL_STAGE_PARENTS,
    REGAL_STAGE_CROSSOVER,
    REGAL_STAGE_MOVE,
    REGAL_STAGE_ACCEPT,
    REGAL_STAGE_ROLLOUT,
    REGAL_STAGE_NORMAL,
    REGAL_STAGE_AUGMENT,
    REGAL_STAGE_GRAPH_SET,
    REGAL_STAGE_BOOTSTRAP
} regal_stage;

typedef struct regal_stream {
    uint32_t key[2];
    uint32_t individual, generation, place; /* place: stage << 24 | island */
} regal_stream;

/* Four words; as uint16: eight, the low half of word 0 first; as bytes: sixteen, likewise. */
typedef struct regal_random_block {
    uint32_t word[4];
} regal_random_block;

REGAL_HD regal_stream regal_stream_make(uint64_t seed, regal_stage stage, uint32_t island,
                                        uint32_t generation, uint32_t individual) {
    regal_stream stream;
    stream.key[0] = (uint32_t)seed;
    stream.key[1] = (uint32_t)(seed >> 32);
    stream.individual = individual;
    stream.generation = generation;
    stream.place = (uint32_t)stage << 24 | island;
    return stream;
}

REGAL_HD regal_random_block regal_philox(const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = (uint64_t)0xD2511F53u * x0, b = (uint64_t)0xCD9E8D57u * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    regal_random_block block;
    block.word[0] = x0;
    block.word[1] = x1;
    block.word[2] = x2;
    block.word[3] = x3;
    return block;
}

/* Block number `block` of a stream. */
REGAL_HD regal_random_block regal_draw(const regal_stream *stream, uint32_t block) {
    uint32_t counter[4];
    counter[0] = block;
    counter[1] = stream->individual;
    counter[2] = stream->generation;
    counter[3] = stream->place;
    return regal_philox(counter, stream->key);
}

REGAL_HD uint16_t regal_block_key(regal_random_block block, int index) {
    return (uint16_t)(block.word[index >> 1] >> (index & 1) * 16);
}

REGAL_HD uint8_t regal_block_byte(regal_random_block block, int index) {
    return (uint8_t)(block.word[index >> 2] >> (index & 3) * 8);
}

/* A number below count from a word, count <= 2^32. */
REGAL_HD int64_t regal_word_below(uint32_t word, int64_t count) {
    return (int64_t)((uint64_t)word * (uint64_t)count >> 32);
}

#endif
