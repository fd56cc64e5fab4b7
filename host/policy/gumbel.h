/* Noise for draws by score: of items with scores s + Gumbel noise the greatest is item i with
 * probability e^s[i] / sum e^s. No math library decides a bit of it. */
#ifndef REGAL_POLICY_GUMBEL_H
#define REGAL_POLICY_GUMBEL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The middle of one of 2^23 equal parts of (0, 1), by the upper bits. */
static inline float regal_open_unit(uint32_t word) {
    return ((float)(word >> 9) + 0.5f) * 0x1p-23f;
}

/* Natural logarithm of a positive normal number, to about 2e-7 relative: x = 2^e m with m in
 * [2/3, 4/3), log m by the series of atanh. */
static inline float regal_log(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t shifted = bits - 0x3F2AAAABu; /* 2/3 */
    const int32_t exponent = (int32_t)shifted >> 23;
    bits = (shifted & 0x7FFFFFu) + 0x3F2AAAABu;
    float m;
    memcpy(&m, &bits, sizeof m);
    const float t = (m - 1.0f) / (m + 1.0f), s = t * t;
    const float series =
        2.0f * t * (1.0f + s * (1.0f / 3 + s * (1.0f / 5 + s * (1.0f / 7 + s * (1.0f / 9)))));
    return (float)exponent * 0.693147181f + series;
}

static inline float regal_gumbel(uint32_t word) {
    return -regal_log(-regal_log(regal_open_unit(word)));
}

#endif
