/* "resnet": He et al. 2015, bottleneck blocks, the stride in the 3x3 convolution (as trained today:
 * "v1.5"). A stem, four stages whose first block halves the image (but for the first stage) and
 * doubles the channels, average pool, classifier. Sums and activations run in place. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { DEPTH = ZOO_OWN, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"depth", "50, 101 or 152", 50, 50, 152},
    {"image", "height and width", 224, 32, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

enum { STAGES = 4, EXPANSION = 4, STEM_CHANNELS = 64 };

/* Blocks of each stage; NULL: no such depth. */
static const int *blocks_of(double depth) {
    static const int blocks50[STAGES] = {3, 4, 6, 3}, blocks101[STAGES] = {3, 4, 23, 3},
                     blocks152[STAGES] = {3, 8, 36, 3};
    return depth == 50 ? blocks50 : depth == 101 ? blocks101 : depth == 152 ? blocks152 : NULL;
}

static zoo_value convolve(zoo *z, int64_t index, zoo_value x, int64_t channels, int64_t window,
                          int64_t stride) {
    zoo_enter(z, "part", index);
    const zoo_value y = zoo_batch_norm(
        z, "norm", zoo_conv2d(z, "conv", x, channels, window, stride, window / 2, 1));
    zoo_leave(z);
    return y;
}

static zoo_value convolve_relu(zoo *z, int64_t index, zoo_value x, int64_t channels, int64_t window,
                               int64_t stride) {
    const zoo_value y = convolve(z, index, x, channels, window, stride);
    zoo_enter(z, "part", index);
    const zoo_value active = zoo_activate(z, "relu", y, ZOO_RELU, true);
    zoo_leave(z);
    return active;
}

static zoo_value bottleneck(zoo *z, zoo_value x, int64_t channels, int64_t stride, bool first) {
    const zoo_value narrow = convolve_relu(z, 1, x, channels, 1, 1);
    const zoo_value middle = convolve_relu(z, 2, narrow, channels, 3, stride);
    const zoo_value wide = convolve(z, 3, middle, EXPANSION * channels, 1, 1);
    zoo_value shortcut = x;
    if (first) {
        zoo_enter(z, "shortcut", ZOO_NONE);
        shortcut = convolve(z, 1, x, EXPANSION * channels, 1, stride);
        zoo_leave(z);
    }
    const zoo_value both[] = {wide, shortcut};
    return zoo_activate(z, "relu", zoo_add(z, "add", both, 2, true), ZOO_RELU, true);
}

static zoo_value stem(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE];
    const zoo_value x = zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    zoo_enter(z, "stem", ZOO_NONE);
    const zoo_value active = convolve_relu(z, 1, x, STEM_CHANNELS, 7, 2);
    const zoo_value y = zoo_max_pool(z, "pool", active, 3, 2, 1);
    zoo_leave(z);
    return y;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int *blocks = blocks_of(values[DEPTH]);
    zoo_value x = stem(z, values, batch);
    for (int stage = 0; stage < STAGES; ++stage) {
        zoo_enter(z, "stage", stage + 1);
        for (int block = 0; block < blocks[stage]; ++block) {
            zoo_enter(z, "block", block);
            x = bottleneck(z, x, (int64_t)STEM_CHANNELS << stage, block == 0 && stage > 0 ? 2 : 1,
                           block == 0);
            zoo_leave(z);
        }
        zoo_leave(z);
    }
    zoo_classify(z, zoo_linear(z, "classifier", zoo_average_pool(z, "average", x),
                               (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    ZOO_NEEDS(blocks_of(values[DEPTH]) != NULL, "depth is %.0f; it must be 50, 101 or 152",
              values[DEPTH]);
    return REGAL_OK;
}

ZOO_GENERATOR(resnet, "resnet", "image classifier of bottleneck blocks (ResNet-50 by default)",
              ZOO_MOMENTUM)
