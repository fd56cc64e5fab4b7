/* The halves of a decoder layer as Llama has them (Touvron et al. 2023), for the networks that are
 * made of such layers: RMS norms, rotary positions, grouped keys and values, gated feed-forward;
 * no biases. */
#ifndef REGAL_GRAPH_ZOO_DECODER_H
#define REGAL_GRAPH_ZOO_DECODER_H

#include "graph/zoo_layers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zoo_decoder {
    int64_t batch, sequence, hidden, heads, key_heads, feed_forward;
} zoo_decoder;

/* x (batch * sequence, hidden) -> itself + attention(norm(x)). */
zoo_value zoo_decoder_attention(zoo *z, zoo_value x, const zoo_decoder *decoder);

/* x (rows, hidden) -> (rows, hidden), without norm and residual. */
zoo_value zoo_decoder_feed_forward(zoo *z, zoo_value x, const zoo_decoder *decoder);

#ifdef __cplusplus
}
#endif
#endif
