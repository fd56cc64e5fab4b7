/* Functions of the policy's network, the same bits everywhere: no math library and no fused
 * multiply-add decides one (CUDA files that use them are compiled with -fmad=false). */
#ifndef REGAL_CORE_ACTIVATION_H
#define REGAL_CORE_ACTIVATION_H

#include <string.h>

#include "regal/core/host_device.h"

/* X(NAME, name): regal_NAME(x) is the function, regal_NAME_slope(y) its derivative where it is y.
 */
#define REGAL_ACTIVATION_LIST(X)    \
    X(REGAL_IDENTITY, identity)     \
    X(REGAL_RELU, relu)             \
    X(REGAL_LEAKY_RELU, leaky_relu) \
    X(REGAL_TANH, tanh)             \
    X(REGAL_SIGMOID, sigmoid)       \
    X(REGAL_EXP, exp)               \
    X(REGAL_RECIPROCAL, reciprocal)

typedef enum regal_activation {
#define REGAL_ACTIVATION_ENUM(NAME, name) NAME,
    REGAL_ACTIVATION_LIST(REGAL_ACTIVATION_ENUM)
#undef REGAL_ACTIVATION_ENUM
} regal_activation;

#define REGAL_LEAKY_SLOPE       0.01f
#define REGAL_NORMALIZE_EPSILON 1e-5f

/* Partial sums of column_sums, and of a row (include/regal/backend/math.h). */
enum { REGAL_ROW_LANES = 256, REGAL_COLUMN_LANES = 32 };

/* e^x = power (1 + rest), power a power of two and |rest| < 0.42, for x limited to [-87, 88]. */
typedef struct regal_exp_parts {
    float power, rest;
} regal_exp_parts;

REGAL_HD regal_exp_parts regal_exp_split(float x) {
    const float round = 12582912.0f; /* 1.5 x 2^23: adding it leaves an integer in the low bits */
    x = x > 88.0f ? 88.0f : x;
    x = x < -87.0f ? -87.0f : x;
    const float shifted = x * 1.44269504f + round, exponent = shifted - round;
    const float r = (x - exponent * 0.693359375f) + exponent * 2.12194440e-4f; /* ln 2 in halves */
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits << 23) + 0x3F800000u;
    regal_exp_parts parts;
    memcpy(&parts.power, &bits, sizeof bits);
    const float tail =
        0.5f +
        r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040)))));
    parts.rest = r + r * r * tail;
    return parts;
}

REGAL_HD float regal_exp(float x) {
    const regal_exp_parts parts = regal_exp_split(x);
    return parts.power * parts.rest + parts.power;
}

/* By e^2x - 1, which keeps the digits of a small x. */
REGAL_HD float regal_tanh(float x) {
    const regal_exp_parts parts = regal_exp_split(2.0f * x);
    const float less_one = parts.power * parts.rest + (parts.power - 1.0f);
    return less_one / (less_one + 2.0f);
}

REGAL_HD float regal_sigmoid(float x) {
    return 1.0f / (1.0f + regal_exp(-x));
}

REGAL_HD float regal_identity(float x) {
    return x;
}

REGAL_HD float regal_relu(float x) {
    return x > 0.0f ? x : 0.0f;
}

REGAL_HD float regal_leaky_relu(float x) {
    return x > 0.0f ? x : REGAL_LEAKY_SLOPE * x;
}

REGAL_HD float regal_reciprocal(float x) {
    return 1.0f / x;
}

REGAL_HD float regal_identity_slope(float y) {
    (void)y;
    return 1.0f;
}

REGAL_HD float regal_relu_slope(float y) {
    return y > 0.0f ? 1.0f : 0.0f;
}

REGAL_HD float regal_leaky_relu_slope(float y) {
    return y > 0.0f ? 1.0f : REGAL_LEAKY_SLOPE;
}

REGAL_HD float regal_tanh_slope(float y) {
    return 1.0f - y * y;
}

REGAL_HD float regal_sigmoid_slope(float y) {
    return y * (1.0f - y);
}

REGAL_HD float regal_exp_slope(float y) {
    return y;
}

REGAL_HD float regal_reciprocal_slope(float y) {
    return -(y * y);
}

REGAL_HD float regal_activation_of(regal_activation activation, float x) {
    switch (activation) {
#define REGAL_ACTIVATION_CASE(NAME, name) \
    case NAME:                            \
        return regal_##name(x);
        REGAL_ACTIVATION_LIST(REGAL_ACTIVATION_CASE)
#undef REGAL_ACTIVATION_CASE
    }
    return x;
}

REGAL_HD float regal_activation_slope(regal_activation activation, float y) {
    switch (activation) {
#define REGAL_ACTIVATION_CASE(NAME, name) \
    case NAME:                            \
        return regal_##name##_slope(y);
        REGAL_ACTIVATION_LIST(REGAL_ACTIVATION_CASE)
#undef REGAL_ACTIVATION_CASE
    }
    return 1.0f;
}

#endif
