/* "llama": a decoder that predicts the next token, Llama 2 7B (Touvron et al. 2023) by default:
 * token embedding, layers of attention and gated feed-forward (zoo_decoder.h), a norm and an untied
 * output. */
#include "graph/zoo_decoder.h"
#include "graph/zoo_models.h"

enum { LAYERS = ZOO_OWN, HIDDEN, HEADS, KEY_HEADS, FEED_FORWARD, VOCABULARY, SEQUENCE };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(1),
    {"layers", "decoder layers", 32, 0, 10000},
    {"hidden", "width of a token, a multiple of heads", 4096, 1, 1e6},
    {"heads", "attention heads, a multiple of key_heads", 32, 1, 1e4},
    {"key_heads", "heads of keys and values", 32, 1, 1e4},
    {"feed_forward", "width between the feed-forward layer's two halves", 11008, 1, 1e7},
    {"vocabulary", "tokens there are", 32000, 1, 1e8},
    {"sequence", "tokens in a sample", 2048, 1, 1e7}};

static zoo_value add_layer(zoo *z, zoo_value x, const zoo_decoder *decoder) {
    const zoo_value middle = zoo_decoder_attention(z, x, decoder);
    zoo_enter(z, "feed_forward", ZOO_NONE);
    const zoo_value branch = zoo_decoder_feed_forward(z, zoo_rms_norm(z, "norm", middle), decoder);
    const zoo_value both[] = {branch, middle};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const zoo_decoder decoder = {.batch = batch,
                                 .sequence = (int64_t)values[SEQUENCE],
                                 .hidden = (int64_t)values[HIDDEN],
                                 .heads = (int64_t)values[HEADS],
                                 .key_heads = (int64_t)values[KEY_HEADS],
                                 .feed_forward = (int64_t)values[FEED_FORWARD]};
    const int64_t vocabulary = (int64_t)values[VOCABULARY];
    const zoo_value ids =
        zoo_input(z, "token_ids", zoo_shape1(batch * decoder.sequence), REGAL_TYPE_S32);
    zoo_value x = zoo_embedding(z, "tokens", ids, vocabulary, decoder.hidden, NULL);
    for (int64_t i = 0; i < (int64_t)values[LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = add_layer(z, x, &decoder);
        zoo_leave(z);
    }
    zoo_classify(z, zoo_linear_plain(z, "output", zoo_rms_norm(z, "norm", x), vocabulary));
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[HIDDEN] % (int64_t)values[HEADS] == 0,
              "hidden (%.0f) must be a multiple of heads (%.0f)", values[HIDDEN], values[HEADS]);
    ZOO_NEEDS((int64_t)values[HEADS] % (int64_t)values[KEY_HEADS] == 0,
              "heads (%.0f) must be a multiple of key_heads (%.0f)", values[HEADS],
              values[KEY_HEADS]);
    return REGAL_OK;
}

ZOO_GENERATOR(llama, "llama", "decoder of gated layers (Llama 2 7B by default)", ZOO_ADAM)
