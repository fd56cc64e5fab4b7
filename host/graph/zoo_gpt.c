/* "gpt": a decoder that predicts the next token, GPT-2 (Radford et al. 2019) by default: token and
 * position embeddings; layers of self-attention and feed-forward, each after a layer norm and added
 * to what it came from; a last norm, and the token embedding again as the output. Without dropout.
 * Query, key and value come from one product. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { LAYERS = ZOO_OWN, HIDDEN, HEADS, VOCABULARY, POSITIONS, SEQUENCE };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(8),
    {"layers", "decoder layers", 12, 0, 10000},
    {"hidden", "width of a token, a multiple of heads", 768, 1, 1e6},
    {"heads", "attention heads", 12, 1, 1e4},
    {"vocabulary", "tokens there are", 50257, 1, 1e8},
    {"positions", "longest sequence", 1024, 1, 1e7},
    {"sequence", "tokens in a sample", 1024, 1, 1e7}};

enum { FEED_FORWARD_TIMES = 4 };

static zoo_value attention(zoo *z, zoo_value x, const double *values, int64_t batch) {
    const int64_t hidden = (int64_t)values[HIDDEN], sequence = (int64_t)values[SEQUENCE];
    const int64_t heads = (int64_t)values[HEADS];
    zoo_enter(z, "attention", ZOO_NONE);
    zoo_value parts[3]; /* query, key, value */
    zoo_split(z, "split", zoo_linear(z, "all", zoo_layer_norm(z, "norm", x), 3 * hidden), 1, NULL,
              3, parts);
    const zoo_value context = zoo_attend(z, parts[0], parts[1], parts[2], batch * heads, sequence,
                                         sequence, hidden / heads);
    zoo_reshape(z, context, zoo_shape2(batch * sequence, hidden));
    const zoo_value both[] = {zoo_linear(z, "project", context, hidden), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static zoo_value feed_forward(zoo *z, zoo_value x, const double *values) {
    const int64_t hidden = (int64_t)values[HIDDEN];
    zoo_enter(z, "feed_forward", ZOO_NONE);
    const zoo_value up =
        zoo_linear(z, "up", zoo_layer_norm(z, "norm", x), FEED_FORWARD_TIMES * hidden);
    const zoo_value down =
        zoo_linear(z, "down", zoo_activate(z, "gelu", up, ZOO_GELU, false), hidden);
    const zoo_value both[] = {down, x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t hidden = (int64_t)values[HIDDEN], vocabulary = (int64_t)values[VOCABULARY];
    const zoo_shape tokens = zoo_shape1(batch * (int64_t)values[SEQUENCE]);
    const zoo_value ids = zoo_input(z, "token_ids", tokens, REGAL_TYPE_S32);
    const zoo_value places = zoo_input(z, "position_ids", tokens, REGAL_TYPE_S32);
    zoo_weight table = ZOO_NONE;
    const zoo_value parts[] = {
        zoo_embedding(z, "tokens", ids, vocabulary, hidden, &table),
        zoo_embedding(z, "positions", places, (int64_t)values[POSITIONS], hidden, NULL)};
    zoo_value x = zoo_add(z, "embed", parts, 2, false);
    for (int64_t i = 0; i < (int64_t)values[LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = feed_forward(z, attention(z, x, values, batch), values);
        zoo_leave(z);
    }
    zoo_classify(z,
                 zoo_linear_shared(z, "output", zoo_layer_norm(z, "norm", x), vocabulary, table));
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[HIDDEN] % (int64_t)values[HEADS] == 0,
              "hidden (%.0f) must be a multiple of heads (%.0f)", values[HIDDEN], values[HEADS]);
    ZOO_NEEDS(values[SEQUENCE] <= values[POSITIONS],
              "sequence (%.0f) is longer than there are positions (%.0f)", values[SEQUENCE],
              values[POSITIONS]);
    return REGAL_OK;
}

ZOO_GENERATOR(gpt, "gpt", "decoder with tied embeddings (GPT-2 small by default)", ZOO_ADAM)
