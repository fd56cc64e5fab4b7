/* "unet": the segmentation network of Ronneberger et al. 2015, with padded convolutions: on the way
 * down each level halves the image and doubles the channels, on the way up it joins what the level
 * made on the way down. Activations run in place. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { LEVELS = ZOO_OWN, CONVOLUTIONS, CHANNELS, IMAGE, INPUTS, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(4),
    {"levels", "times that the image is halved", 4, 1, 16},
    {"convolutions", "at each level, on each way", 2, 1, 1000},
    {"channels", "at the top", 64, 1, 1e5},
    {"image", "height and width", 512, 1, 1e6},
    {"inputs", "channels of the image", 1, 1, 1e5},
    {"classes", "of a pixel", 2, 1, 1e5}};

static zoo_value convolve(zoo *z, zoo_value x, int64_t channels, int64_t count) {
    const zoo_window window = {.channels = channels,
                               .height = 3,
                               .width = 3,
                               .padding_height = 1,
                               .padding_width = 1,
                               .bias = true};
    for (int64_t i = 0; i < count; ++i) {
        zoo_enter(z, "part", i);
        x = zoo_activate(z, "relu", zoo_convolve(z, "conv", x, &window), ZOO_RELU, true);
        zoo_leave(z);
    }
    return x;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE], channels = (int64_t)values[CHANNELS];
    const int64_t count = (int64_t)values[CONVOLUTIONS];
    const int levels = (int)values[LEVELS];
    zoo_value kept[16];
    zoo_value x = zoo_input(z, "images", zoo_shape4(batch, (int64_t)values[INPUTS], image, image),
                            zoo_type(z));
    for (int level = 0; level < levels; ++level) {
        zoo_enter(z, "down", level);
        kept[level] = convolve(z, x, channels << level, count);
        x = zoo_max_pool(z, "pool", kept[level], 2, 2, 0);
        zoo_leave(z);
    }
    zoo_enter(z, "bottom", ZOO_NONE);
    x = convolve(z, x, channels << levels, count);
    zoo_leave(z);
    for (int level = levels - 1; level >= 0; --level) {
        zoo_enter(z, "up", level);
        const zoo_value both[] = {kept[level], zoo_convolve_up(z, "up", x, channels << level, 2)};
        x = convolve(z, zoo_concat(z, "concat", both, 2, 1), channels << level, count);
        zoo_leave(z);
    }
    x = zoo_convolve(z, "pixels", x,
                     &(zoo_window){.channels = (int64_t)values[CLASSES], .bias = true});
    zoo_reshape(z, x, zoo_shape2(batch * image * image, (int64_t)values[CLASSES]));
    zoo_classify(z, x);
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[IMAGE] % ((int64_t)1 << (int)values[LEVELS]) == 0,
              "an image of %.0f cannot be halved %.0f times", values[IMAGE], values[LEVELS]);
    return REGAL_OK;
}

ZOO_GENERATOR(unet, "unet", "image segmentation, down and up again (U-Net)", ZOO_MOMENTUM)
