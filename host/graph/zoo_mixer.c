/* "mixer": MLP-Mixer (Tolstikhin et al. 2021), B/16 by default: the image in patches; layers that
 * mix first the patches of each channel, then the channels of each patch; their mean, and a
 * classifier. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { LAYERS = ZOO_OWN, HIDDEN, PATCH_WIDTH, CHANNEL_WIDTH, PATCH, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"layers", "mixer layers", 12, 1, 10000},
    {"hidden", "channels of a patch", 768, 1, 1e6},
    {"patch_width", "width between the halves that mix patches", 384, 1, 1e7},
    {"channel_width", "width between the halves that mix channels", 3072, 1, 1e7},
    {"patch", "height and width of a patch", 16, 1, 1e4},
    {"image", "height and width, a multiple of the patch's", 224, 1, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

static zoo_value two_layers(zoo *z, zoo_value x, int64_t width) {
    const int64_t out = zoo_shape_of(z, x).size[1];
    const zoo_value active =
        zoo_activate(z, "gelu", zoo_linear(z, "up", x, width), ZOO_GELU, false);
    return zoo_linear(z, "down", active, out);
}

static zoo_value mix_patches(zoo *z, zoo_value x, const double *values, int64_t batch,
                             int64_t patches) {
    const int64_t hidden = (int64_t)values[HIDDEN];
    zoo_enter(z, "patches", ZOO_NONE);
    const zoo_value turned = zoo_map(z, "turn", "Transpose", zoo_layer_norm(z, "norm", x), 0);
    zoo_reshape(z, turned, zoo_shape2(batch * hidden, patches));
    const zoo_value back = zoo_map(z, "turn_back", "Transpose",
                                   two_layers(z, turned, (int64_t)values[PATCH_WIDTH]), 0);
    zoo_reshape(z, back, zoo_shape2(batch * patches, hidden));
    const zoo_value both[] = {back, x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static zoo_value mix_channels(zoo *z, zoo_value x, const double *values) {
    zoo_enter(z, "channels", ZOO_NONE);
    const zoo_value both[] = {
        two_layers(z, zoo_layer_norm(z, "norm", x), (int64_t)values[CHANNEL_WIDTH]), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE], patch = (int64_t)values[PATCH];
    const int64_t hidden = (int64_t)values[HIDDEN], side = image / patch, patches = side * side;
    const zoo_value images =
        zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    zoo_value x = zoo_convolve(
        z, "patches", images,
        &(zoo_window){
            .channels = hidden, .height = patch, .width = patch, .stride = patch, .bias = true});
    zoo_reshape(z, x, zoo_shape2(batch * patches, hidden));
    for (int64_t i = 0; i < (int64_t)values[LAYERS]; ++i) {
        zoo_enter(z, "layer", i);
        x = mix_channels(z, mix_patches(z, x, values, batch, patches), values);
        zoo_leave(z);
    }
    x = zoo_layer_norm(z, "norm", x);
    zoo_reshape(z, x, zoo_shape4(batch, hidden, side, side));
    zoo_classify(z, zoo_linear(z, "classifier", zoo_average_pool(z, "average", x),
                               (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[IMAGE] % (int64_t)values[PATCH] == 0,
              "image (%.0f) must be a multiple of patch (%.0f)", values[IMAGE], values[PATCH]);
    return REGAL_OK;
}

ZOO_GENERATOR(mixer, "mixer", "image classifier of two-layer networks (MLP-Mixer B/16 by default)",
              ZOO_ADAM)
