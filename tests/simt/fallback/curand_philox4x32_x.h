/* Stands for cuRAND's header of that name where the CUDA toolkit is not installed. */
#ifndef SIMT_CURAND_PHILOX4X32_X_H
#define SIMT_CURAND_PHILOX4X32_X_H

#include <cuda_runtime.h>

#include "regal/core/random.h"

static inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
    const uint32_t words[4] = {counter.x, counter.y, counter.z, counter.w};
    const uint32_t keys[2] = {key.x, key.y};
    const regal_random_block block = regal_philox(words, keys);
    return make_uint4(block.word[0], block.word[1], block.word[2], block.word[3]);
}

#endif
