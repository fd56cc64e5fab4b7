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
