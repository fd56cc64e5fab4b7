/* "densenet": Huang et al. 2016, with bottlenecks and compression. A stem and four blocks, in which
 * each layer reads what all before it made, joined; between blocks a transition halves channels and
 * image; average pool, classifier. Activations run in place. */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { DEPTH = ZOO_OWN, GROWTH, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"depth", "121, 169, 201 or 264", 121, 121, 264},
    {"growth", "channels that a layer makes", 32, 1, 1e4},
    {"image", "height and width", 224, 32, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

enum { BLOCKS = 4, BOTTLENECK = 4 };

/* Layers of each block; NULL: no such depth. */
static const int *layers_of(double depth) {
    static const int layers121[BLOCKS] = {6, 12, 24, 16}, layers169[BLOCKS] = {6, 12, 32, 32},
                     layers201[BLOCKS] = {6, 12, 48, 32}, layers264[BLOCKS] = {6, 12, 64, 48};
    return depth == 121   ? layers121
           : depth == 169 ? layers169
           : depth == 201 ? layers201
           : depth == 264 ? layers264
                          : NULL;
}

static zoo_value norm_relu(zoo *z, int64_t index, zoo_value x) {
    zoo_enter(z, "part", index);
    const zoo_value y = zoo_activate(z, "relu", zoo_batch_norm(z, "norm", x), ZOO_RELU, true);
    zoo_leave(z);
    return y;
}

static zoo_value add_layer(zoo *z, zoo_value x, int64_t growth) {
    const zoo_value narrow =
        zoo_conv2d(z, "narrow", norm_relu(z, 1, x), BOTTLENECK * growth, 1, 1, 0, 1);
    return zoo_conv2d(z, "conv", norm_relu(z, 2, narrow), growth, 3, 1, 1, 1);
}

static zoo_value add_block(zoo *z, zoo_value x, int64_t layers, int64_t growth) {
    zoo_value *made = regal_allocate(layers + 1, sizeof *made);
    if (made == NULL) {
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
        return ZOO_NONE;
    }
    made[0] = x;
    for (int64_t i = 0; i < layers; ++i) {
        zoo_enter(z, "layer", i);
        const zoo_value all = i > 0 ? zoo_concat(z, "concat", made, i + 1, 1) : x;
        made[i + 1] = add_layer(z, all, growth);
        zoo_leave(z);
    }
    const zoo_value y = zoo_concat(z, "concat", made, layers + 1, 1);
    free(made);
    return y;
}

static zoo_value transition(zoo *z, zoo_value x) {
    const int64_t channels = zoo_shape_of(z, x).size[1] / 2;
    const zoo_value narrow = zoo_conv2d(z, "conv", norm_relu(z, 1, x), channels, 1, 1, 0, 1);
    return zoo_mean_pool(z, "pool", narrow, 2, 2, 0);
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t growth = (int64_t)values[GROWTH], image = (int64_t)values[IMAGE];
    const int *layers = layers_of(values[DEPTH]);
    zoo_value x = zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    x = norm_relu(z, 0, zoo_conv2d(z, "stem", x, 2 * growth, 7, 2, 3, 1));
    x = zoo_max_pool(z, "pool", x, 3, 2, 1);
    for (int block = 0; block < BLOCKS; ++block) {
        zoo_enter(z, "block", block);
        x = add_block(z, x, layers[block], growth);
        if (block + 1 < BLOCKS)
            x = transition(z, x);
        zoo_leave(z);
    }
    x = zoo_average_pool(z, "average", norm_relu(z, 1, x));
    zoo_classify(z, zoo_linear(z, "classifier", x, (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    ZOO_NEEDS(layers_of(values[DEPTH]) != NULL, "depth is %.0f; it must be 121, 169, 201 or 264",
              values[DEPTH]);
    return REGAL_OK;
}

ZOO_GENERATOR(densenet, "densenet", "image classifier of joined layers (DenseNet-121 by default)",
              ZOO_MOMENTUM)
