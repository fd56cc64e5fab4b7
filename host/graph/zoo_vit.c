/* "vit": the vision transformer of Dosovitskiy et al. 2020, ViT-B/16 by default: the image in
 * patches, a class token before them, positions, layers of self-attention and feed-forward, and a
 * classifier on the class token. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { LAYERS = ZOO_OWN, HIDDEN, HEADS, FEED_FORWARD, PATCH, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"layers", "encoder layers", 12, 1, 10000},
    {"hidden", "width of a token, a multiple of heads", 768, 1, 1e6},
    {"heads", "attention heads", 12, 1, 1e4},
    {"feed_forward", "width between the feed-forward layer's two halves", 3072, 1, 1e7},
    {"patch", "height and width of a patch", 16, 1, 1e4},
    {"image", "height and width, a multiple of the patch's", 224, 1, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

/* The class token and the patches: (batch * tokens, hidden). */
static zoo_value embed(zoo *z, const double *values, int64_t batch, int64_t tokens) {
    const int64_t hidden = (int64_t)values[HIDDEN], image = (int64_t)values[IMAGE];
    const int64_t patch = (int64_t)values[PATCH];
    zoo_enter(z, "embeddings", ZOO_NONE);
    const zoo_value images =
        zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    const zoo_value patches = zoo_convolve(
        z, "patches", images,
        &(zoo_window){
            .channels = hidden, .height = patch, .width = patch, .stride = patch, .bias = true});
    zoo_reshape(z, patches, zoo_shape2(batch * (tokens - 1), hidden));
    const zoo_value zeros = zoo_input(z, "class_ids", zoo_shape1(batch), REGAL_TYPE_S32);
    const zoo_value parts[] = {zoo_embedding(z, "class", zeros, 1, hidden, NULL), patches};
    const zoo_value all = zoo_concat(z, "concat", parts, 2, 0);
    const zoo_value places = zoo_variable(z, "positions", zoo_shape2(tokens, hidden));
    const zoo_value y = zoo_add_broadcast(z, "add", all, places);
    zoo_leave(z);
    return y;
}

static zoo_value attention(zoo *z, zoo_value x, const double *values, int64_t batch,
                           int64_t tokens) {
    const int64_t hidden = (int64_t)values[HIDDEN], heads = (int64_t)values[HEADS];
    zoo_enter(z, "attention", ZOO_NONE);
    zoo_value parts[3]; /* query, key, value */
    zoo_split(z, "split", zoo_linear(z, "all", zoo_layer_norm(z, "norm", x), 3 * hidden), 1, NULL,
              3, parts);
    const zoo_value context =
        zoo_attend(z, parts[0], parts[1], parts[2], batch * heads, tokens, tokens, hidden / heads);
    zoo_reshape(z, context, zoo_shape2(batch * tokens, hidden));
    const zoo_value both[] = {zoo_linear(z, "project", context, hidden), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static zoo_value feed_forward(zoo *z, zoo_value x, const double *values) {
    zoo_enter(z, "feed_forward", ZOO_NONE);
    const zoo_value up =
        zoo_linear(z, "up", zoo_layer_norm(z, "norm", x), (int64_t)values[FEED_FORWARD]);
    const zoo_value active = zoo_activate(z, "gelu", up, ZOO_GELU, false);
    const zoo_value both[] = {zoo_linear(z, "down", active, (int64_t)values[HIDDEN]), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t side = (int64_t)values[IMAGE] / (int64_t)values[PATCH];
    const int64_t tokens = side * side + 1;
    zoo_value x = embed(z, values, batch, tokens);
    for (int64_t i = 0; i < (int64_t)values[LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = feed_forward(z, attention(z, x, values, batch, tokens), values);
        zoo_leave(z);
    }
    const zoo_value class_rows = zoo_slice(z, "class", zoo_layer_norm(z, "norm", x), 0, batch);
    zoo_classify(z, zoo_linear(z, "classifier", class_rows, (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[HIDDEN] % (int64_t)values[HEADS] == 0,
              "hidden (%.0f) must be a multiple of heads (%.0f)", values[HIDDEN], values[HEADS]);
    ZOO_NEEDS((int64_t)values[IMAGE] % (int64_t)values[PATCH] == 0,
              "image (%.0f) must be a multiple of patch (%.0f)", values[IMAGE], values[PATCH]);
    return REGAL_OK;
}

ZOO_GENERATOR(vit, "vit", "image classifier of a transformer encoder (ViT-B/16 by default)",
              ZOO_ADAM)
