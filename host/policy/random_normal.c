#include "policy/random_normal.h"

#include <math.h>

#include "policy/gumbel.h"
#include "regal/core/random.h"

/* Box and Muller (1958). */
static void normal_pair(uint32_t a, uint32_t b, float *x, float *y) {
    const float radius = sqrtf(-2.0f * regal_log(regal_open_unit(a)));
    const float angle = 6.28318531f * regal_open_unit(b);
    *x = radius * cosf(angle);
    *y = radius * sinf(angle);
}

void regal_fill_normal(uint64_t seed, uint32_t purpose, float deviation, int64_t count, float *to) {
    for (int64_t i = 0; i < count; i += 4) {
        const regal_stream stream =
            regal_stream_make(seed, REGAL_STAGE_NORMAL, 0, purpose, (uint32_t)(i >> 34));
        const regal_random_block block = regal_draw(&stream, (uint32_t)(i >> 2));
        float z[4];
        normal_pair(block.word[0], block.word[1], &z[0], &z[1]);
        normal_pair(block.word[2], block.word[3], &z[2], &z[3]);
        for (int64_t k = 0; k < 4 && i + k < count; ++k)
            to[i + k] = deviation * z[k];
    }
}
