/* "dlrm": the recommender of Naumov et al. 2019, of its Criteo Kaggle size by default: a bottom
 * network for the dense features, one embedding table for each categorical one, the dot products of
 * all pairs of their vectors, and a top network on these and the bottom's. Tables are updated where
 * they were looked up. */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum {
    TABLES = ZOO_OWN,
    ROWS,
    WIDTH,
    LOOKUPS,
    FEATURES,
    BOTTOM_LAYERS,
    BOTTOM_WIDTH,
    TOP_LAYERS,
    TOP_WIDTH,
    PAIRS
};

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(2048),
    {"tables", "embedding tables", 26, 1, 1e4},
    {"rows", "of a table", 1298561, 1, 1e9},
    {"width", "of a vector", 16, 1, 1e5},
    {"lookups", "in a table, of a sample", 1, 1, 1e4},
    {"features", "dense features", 13, 1, 1e6},
    {"bottom_layers", "hidden layers, each half as wide as the one before", 3, 0, 1000},
    {"bottom_width", "of the first of them", 512, 1, 1e6},
    {"top_layers", "hidden layers, each half as wide as the one before", 2, 0, 1000},
    {"top_width", "of the first of them", 512, 1, 1e6},
    {"pairs", "1: dot products of all pairs of vectors; 0: the vectors joined", 1, 0, 1}};

static zoo_value add_layer(zoo *z, int64_t index, zoo_value x, int64_t width) {
    zoo_enter(z, "part", index);
    const zoo_value y = zoo_activate(z, "relu", zoo_linear(z, "linear", x, width), ZOO_RELU, true);
    zoo_leave(z);
    return y;
}

static zoo_value add_layers(zoo *z, zoo_value x, int64_t layers, int64_t width) {
    for (int64_t i = 0; i < layers; ++i) {
        x = add_layer(z, i, x, width);
        width = width > 1 ? width / 2 : 1;
    }
    return x;
}

static zoo_value bottom(zoo *z, const double *values, int64_t batch) {
    const zoo_value features =
        zoo_input(z, "features", zoo_shape2(batch, (int64_t)values[FEATURES]), zoo_type(z));
    zoo_enter(z, "bottom", ZOO_NONE);
    const zoo_value hidden =
        add_layers(z, features, (int64_t)values[BOTTOM_LAYERS], (int64_t)values[BOTTOM_WIDTH]);
    const zoo_value y =
        add_layer(z, (int64_t)values[BOTTOM_LAYERS], hidden, (int64_t)values[WIDTH]);
    zoo_leave(z);
    return y;
}

static zoo_value look_up(zoo *z, int64_t table, const double *values, int64_t batch) {
    zoo_enter(z, "table", table);
    const zoo_value ids =
        zoo_input(z, "ids", zoo_shape2(batch, (int64_t)values[LOOKUPS]), REGAL_TYPE_S32);
    const zoo_value y =
        zoo_embedding_bag(z, "rows", ids, (int64_t)values[ROWS], (int64_t)values[WIDTH]);
    zoo_leave(z);
    return y;
}

/* vectors[0..count), the first the bottom's. */
static zoo_value interact(zoo *z, const zoo_value *vectors, int64_t count, const double *values,
                          int64_t batch) {
    const zoo_value all = zoo_concat(z, "vectors", vectors, count, 1);
    if (values[PAIRS] == 0)
        return all;
    const zoo_value dots =
        zoo_product(z, "dots", all, all, batch, count, count, (int64_t)values[WIDTH]);
    zoo_reshape(z, dots, zoo_shape2(batch, count * count));
    /* A pair counts once, and no vector with itself. */
    const zoo_value both[] = {vectors[0], zoo_slice(z, "pairs", dots, 1, count * (count - 1) / 2)};
    return zoo_concat(z, "interactions", both, 2, 1);
}

static zoo_value interactions(zoo *z, const double *values, int64_t batch) {
    const int64_t tables = (int64_t)values[TABLES];
    zoo_value *vectors = regal_allocate(tables + 1, sizeof *vectors);
    if (vectors == NULL) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return ZOO_NONE;
    }
    vectors[0] = bottom(z, values, batch);
    for (int64_t i = 0; i < tables; ++i)
        vectors[i + 1] = look_up(z, i, values, batch);
    const zoo_value y = interact(z, vectors, tables + 1, values, batch);
    free(vectors);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const zoo_value x = interactions(z, values, batch);
    zoo_enter(z, "top", ZOO_NONE);
    const zoo_value hidden =
        add_layers(z, x, (int64_t)values[TOP_LAYERS], (int64_t)values[TOP_WIDTH]);
    const zoo_value logits = zoo_linear(z, "output", hidden, 1);
    zoo_leave(z);
    if (zoo_training(z))
        zoo_binary_cross_entropy(z, "loss", logits,
                                 zoo_input(z, "labels", zoo_shape2(batch, 1), REGAL_TYPE_F32));
    else
        zoo_set_output(z, zoo_activate(z, "click", logits, ZOO_SIGMOID, false));
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(dlrm, "dlrm", "recommender of embedding tables (DLRM, Criteo Kaggle by default)",
              ZOO_MOMENTUM)
