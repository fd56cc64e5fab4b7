/* The halves of a decoder layer as Llama has them (Touvron et al. 2023), for the networks that are
 * made of such layers: RMS norms, rotary positions, grouped keys and values, gated feed-forward;
 * no biases. */
#ifndef REGAL_GRAPH_ZOO_DECODER_H
#define REGAL_GRAPH_ZOO_DECODER_H

#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zoo_decoder {
    int64_t batch, sequence, hidden, heads, key_heads, feed_forward;
} zoo_decoder;

/* The first parameters of networks of such layers, in this order. */
enum {
    ZOO_DECODER_LAYERS = ZOO_OWN,
    ZOO_DECODER_HIDDEN,
    ZOO_DECODER_HEADS,
    ZOO_DECODER_KEY_HEADS,
    ZOO_DECODER_FEED_FORWARD,
    ZOO_DECODER_VOCABULARY,
    ZOO_DECODER_SEQUENCE,
    ZOO_DECODER_OWN /* the network's own start here */
};
regal_status zoo_decoder_check(const double *values);

/* What a layer adds to x behind the attention, of its norm. */
typedef zoo_value zoo_decoder_branch(zoo *z, int64_t layer, zoo_value norm, const double *values,
                                     const zoo_decoder *decoder);
/* Tokens, layers, logits, and their loss in training. */
void zoo_decoder_model(zoo *z, const double *values, int64_t batch, zoo_decoder_branch *branch);

/* x (batch * sequence, hidden) -> itself + attention(norm(x)). */
zoo_value zoo_decoder_attention(zoo *z, zoo_value x, const zoo_decoder *decoder);

/* x (rows, hidden) -> (rows, hidden), without norm and residual. */
zoo_value zoo_decoder_feed_forward(zoo *z, zoo_value x, const zoo_decoder *decoder);

#ifdef __cplusplus
}
#endif
#endif
