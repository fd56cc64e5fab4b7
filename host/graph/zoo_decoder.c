#include "graph/zoo_decoder.h"

enum { ROTARY_FLOPS = 3 }; /* per element */

zoo_value zoo_decoder_attention(zoo *z, zoo_value x, const zoo_decoder *decoder) {
    const int64_t width = decoder->hidden / decoder->heads, narrow = width * decoder->key_heads;
    const int64_t sequence = decoder->sequence;
    zoo_enter(z, "attention", ZOO_NONE);
    const zoo_value norm = zoo_rms_norm(z, "norm", x);
    const zoo_value query =
        zoo_map(z, "query_rotary", "Rotary", zoo_linear_plain(z, "query", norm, decoder->hidden),
                ROTARY_FLOPS);
    const zoo_value key =
        zoo_map(z, "key_rotary", "Rotary", zoo_linear_plain(z, "key", norm, narrow), ROTARY_FLOPS);
    const zoo_value value = zoo_linear_plain(z, "value", norm, narrow);
    const zoo_value context = zoo_attend(z, query, key, value, decoder->batch * decoder->heads,
                                         sequence, sequence, width);
    zoo_reshape(z, context, zoo_shape2(decoder->batch * sequence, decoder->hidden));
    const zoo_value both[] = {zoo_linear_plain(z, "project", context, decoder->hidden), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

zoo_value zoo_decoder_feed_forward(zoo *z, zoo_value x, const zoo_decoder *decoder) {
    const zoo_value gate = zoo_activate(
        z, "silu", zoo_linear_plain(z, "gate", x, decoder->feed_forward), ZOO_SILU, false);
    const zoo_value up = zoo_linear_plain(z, "up", x, decoder->feed_forward);
    return zoo_linear_plain(z, "down", zoo_multiply(z, "multiply", gate, up), decoder->hidden);
}

static zoo_value add_layer(zoo *z, int64_t index, zoo_value x, const double *values,
                           const zoo_decoder *decoder, zoo_decoder_branch *branch) {
    const zoo_value middle = zoo_decoder_attention(z, x, decoder);
    zoo_enter(z, "feed_forward", ZOO_NONE);
    const zoo_value norm = zoo_rms_norm(z, "norm", middle);
    const zoo_value both[] = {branch(z, index, norm, values, decoder), middle};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

void zoo_decoder_model(zoo *z, const double *values, int64_t batch, zoo_decoder_branch *branch) {
    const zoo_decoder decoder = {.batch = batch,
                                 .sequence = (int64_t)values[ZOO_DECODER_SEQUENCE],
                                 .hidden = (int64_t)values[ZOO_DECODER_HIDDEN],
                                 .heads = (int64_t)values[ZOO_DECODER_HEADS],
                                 .key_heads = (int64_t)values[ZOO_DECODER_KEY_HEADS],
                                 .feed_forward = (int64_t)values[ZOO_DECODER_FEED_FORWARD]};
    const int64_t vocabulary = (int64_t)values[ZOO_DECODER_VOCABULARY];
    const zoo_value ids =
        zoo_input(z, "token_ids", zoo_shape1(batch * decoder.sequence), REGAL_TYPE_S32);
    zoo_value x = zoo_embedding(z, "tokens", ids, vocabulary, decoder.hidden, NULL);
    for (int64_t i = 0; i < (int64_t)values[ZOO_DECODER_LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = add_layer(z, i, x, values, &decoder, branch);
        zoo_leave(z);
    }
    zoo_classify(z, zoo_linear_plain(z, "output", zoo_rms_norm(z, "norm", x), vocabulary));
}

regal_status zoo_decoder_check(const double *values) {
    const double hidden = values[ZOO_DECODER_HIDDEN], heads = values[ZOO_DECODER_HEADS];
    const double key_heads = values[ZOO_DECODER_KEY_HEADS];
    ZOO_NEEDS((int64_t)hidden % (int64_t)heads == 0,
              "hidden (%.0f) must be a multiple of heads (%.0f)", hidden, heads);
    ZOO_NEEDS((int64_t)heads % (int64_t)key_heads == 0,
              "heads (%.0f) must be a multiple of key_heads (%.0f)", heads, key_heads);
    return REGAL_OK;
}
