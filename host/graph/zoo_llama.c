/* "llama": a decoder that predicts the next token, Llama 2 7B (Touvron et al. 2023) by default:
 * token embedding, layers of attention and gated feed-forward (zoo_decoder.h), a norm and an untied
 * output. */
#include "graph/zoo_decoder.h"
#include "graph/zoo_models.h"

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(1),
    {"layers", "decoder layers", 32, 0, 10000},
    {"hidden", "width of a token, a multiple of heads", 4096, 1, 1e6},
    {"heads", "attention heads, a multiple of key_heads", 32, 1, 1e4},
    {"key_heads", "heads of keys and values", 32, 1, 1e4},
    {"feed_forward", "width between the feed-forward layer's two halves", 11008, 1, 1e7},
    {"vocabulary", "tokens there are", 32000, 1, 1e8},
    {"sequence", "tokens in a sample", 2048, 1, 1e7}};

static zoo_value feed_forward(zoo *z, int64_t layer, zoo_value norm, const double *values,
                              const zoo_decoder *decoder) {
    (void)layer;
    (void)values;
    return zoo_decoder_feed_forward(z, norm, decoder);
}

static void model(zoo *z, const double *values, int64_t batch) {
    zoo_decoder_model(z, values, batch, feed_forward);
}

static regal_status check(const double *values) {
    return zoo_decoder_check(values);
}

ZOO_GENERATOR(llama, "llama", "decoder of gated layers (Llama 2 7B by default)", ZOO_ADAM)
