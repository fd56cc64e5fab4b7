/* Normal numbers for the policy's first parameters and for its exploration. */
#ifndef REGAL_POLICY_RANDOM_NORMAL_H
#define REGAL_POLICY_RANDOM_NORMAL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What they are for; a stream each. */
enum { REGAL_NORMAL_PLACEMENT, REGAL_NORMAL_NETWORK, REGAL_NORMAL_SCORES };

/* to[i] = deviation * z of draw i of stream (seed, purpose), z normal with variance 1. */
void regal_fill_normal(uint64_t seed, uint32_t purpose, float deviation, int64_t count, float *to);

#ifdef __cplusplus
}
#endif
#endif
