/* "transformer": an encoder with the heads that it is trained by, BERT (Devlin et al. 2018) by
 * default: token, position and segment embeddings; layers of self-attention and feed-forward, each
 * followed by its residual and a layer norm; a masked-token head over the tied embedding, and a
 * next-sentence head. Without dropout. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum {
    LAYERS = ZOO_OWN,
    HIDDEN,
    HEADS,
    FEED_FORWARD,
    VOCABULARY,
    POSITIONS,
    SEQUENCE,
    PREDICTIONS
};

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"layers", "encoder layers", 12, 0, 10000},
    {"hidden", "width of a token, a multiple of heads", 768, 1, 1e6},
    {"heads", "attention heads", 12, 1, 1e4},
    {"feed_forward", "width between the feed-forward layer's two halves", 3072, 1, 1e7},
    {"vocabulary", "tokens there are", 30522, 1, 1e8},
    {"positions", "longest sequence", 512, 1, 1e7},
    {"sequence", "tokens in a sample", 128, 1, 1e7},
    {"predictions", "masked tokens in a sample", 20, 1, 1e7}};

static zoo_value residual_norm(zoo *z, zoo_value x, zoo_value branch) {
    const zoo_value both[] = {branch, x};
    return zoo_layer_norm(z, "norm", zoo_add(z, "add", both, 2, false));
}

static zoo_value self_attention(zoo *z, zoo_value x, const double *values, int64_t batch) {
    const int64_t hidden = (int64_t)values[HIDDEN], sequence = (int64_t)values[SEQUENCE];
    const int64_t maps = batch * (int64_t)values[HEADS], width = hidden / (int64_t)values[HEADS];
    zoo_enter(z, "attention", ZOO_NONE);
    const zoo_value query = zoo_linear(z, "query", x, hidden);
    const zoo_value key = zoo_linear(z, "key", x, hidden);
    const zoo_value value = zoo_linear(z, "value", x, hidden);
    const zoo_value context = zoo_attend(z, query, key, value, maps, sequence, sequence, width);
    zoo_reshape(z, context, zoo_shape2(batch * sequence, hidden));
    const zoo_value y = residual_norm(z, x, zoo_linear(z, "project", context, hidden));
    zoo_leave(z);
    return y;
}

static zoo_value feed_forward(zoo *z, zoo_value x, const double *values) {
    zoo_enter(z, "feed_forward", ZOO_NONE);
    const zoo_value up = zoo_linear(z, "up", x, (int64_t)values[FEED_FORWARD]);
    const zoo_value active = zoo_activate(z, "gelu", up, ZOO_GELU, false);
    const zoo_value down = zoo_linear(z, "down", active, (int64_t)values[HIDDEN]);
    const zoo_value y = residual_norm(z, x, down);
    zoo_leave(z);
    return y;
}

static zoo_value embeddings(zoo *z, const double *values, int64_t tokens, zoo_weight *table) {
    const int64_t hidden = (int64_t)values[HIDDEN];
    const zoo_shape shape = zoo_shape1(tokens);
    zoo_enter(z, "embeddings", ZOO_NONE);
    const zoo_value ids = zoo_input(z, "token_ids", shape, REGAL_TYPE_S32);
    const zoo_value places = zoo_input(z, "position_ids", shape, REGAL_TYPE_S32);
    const zoo_value segments = zoo_input(z, "segment_ids", shape, REGAL_TYPE_S32);
    const zoo_value parts[] = {
        zoo_embedding(z, "token", ids, (int64_t)values[VOCABULARY], hidden, table),
        zoo_embedding(z, "position", places, (int64_t)values[POSITIONS], hidden, NULL),
        zoo_embedding(z, "segment", segments, 2, hidden, NULL)};
    const zoo_value y = zoo_layer_norm(z, "norm", zoo_add(z, "add", parts, 3, false));
    zoo_leave(z);
    return y;
}

static void masked_token_head(zoo *z, zoo_value x, const double *values, int64_t batch,
                              zoo_weight table) {
    const int64_t rows = batch * (int64_t)values[PREDICTIONS];
    zoo_enter(z, "masked_tokens", ZOO_NONE);
    const zoo_value index = zoo_input(z, "index", zoo_shape1(rows), REGAL_TYPE_S32);
    const zoo_value masked = zoo_select(z, "select", x, index);
    const zoo_value dense = zoo_linear(z, "dense", masked, (int64_t)values[HIDDEN]);
    const zoo_value norm =
        zoo_layer_norm(z, "norm", zoo_activate(z, "gelu", dense, ZOO_GELU, false));
    zoo_classify(z, zoo_linear_tied(z, "decoder", norm, (int64_t)values[VOCABULARY], table));
    zoo_leave(z);
}

static void next_sentence_head(zoo *z, zoo_value x, const double *values, int64_t batch) {
    zoo_enter(z, "next_sentence", ZOO_NONE);
    const zoo_value index = zoo_input(z, "index", zoo_shape1(batch), REGAL_TYPE_S32);
    const zoo_value first = zoo_select(z, "select", x, index);
    const zoo_value dense = zoo_linear(z, "pooler", first, (int64_t)values[HIDDEN]);
    const zoo_value pooled = zoo_activate(z, "tanh", dense, ZOO_TANH, false);
    zoo_classify(z, zoo_linear(z, "classifier", pooled, 2));
    zoo_leave(z);
}

static void model(zoo *z, const double *values, int64_t batch) {
    zoo_weight table = ZOO_NONE;
    zoo_value x = embeddings(z, values, batch * (int64_t)values[SEQUENCE], &table);
    for (int64_t i = 0; i < (int64_t)values[LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = feed_forward(z, self_attention(z, x, values, batch), values);
        zoo_leave(z);
    }
    masked_token_head(z, x, values, batch, table);
    next_sentence_head(z, x, values, batch);
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[HIDDEN] % (int64_t)values[HEADS] == 0,
              "hidden (%.0f) must be a multiple of heads (%.0f)", values[HIDDEN], values[HEADS]);
    ZOO_NEEDS(values[SEQUENCE] <= values[POSITIONS],
              "sequence (%.0f) is longer than there are positions (%.0f)", values[SEQUENCE],
              values[POSITIONS]);
    ZOO_NEEDS(values[PREDICTIONS] <= values[SEQUENCE],
              "predictions (%.0f) are more than the tokens of a sequence (%.0f)",
              values[PREDICTIONS], values[SEQUENCE]);
    return REGAL_OK;
}

ZOO_GENERATOR(transformer, "transformer",
              "encoder with masked-token training (BERT-base by default)", ZOO_ADAM)
