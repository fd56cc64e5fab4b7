/* "efficientnet": Tan and Le 2019, B0 to B7: inverted residual blocks with squeeze-and-excitation,
 * grown in width, depth and image together. Without stochastic depth and dropout. */
#include "graph/zoo_inverted.h"
#include "graph/zoo_models.h"

enum { SCALE = ZOO_OWN, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"scale", "0: B0 ... 7: B7", 0, 0, 7},
    {"classes", "classes there are", 1000, 1, 1e7}};

enum { STEM = 32, LAST = 1280, SQUEEZE = 4 };

static const struct stage {
    int expansion, channels, blocks, stride, window;
} stages[] = {{1, 16, 1, 1, 3},  {6, 24, 2, 2, 3},  {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
              {6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}};
enum { STAGES = sizeof stages / sizeof *stages };

static const struct scale {
    int width, depth; /* percent */
    int image;
} scales[] = {{100, 100, 224}, {100, 110, 240}, {110, 120, 260}, {120, 140, 300},
              {140, 180, 380}, {160, 220, 456}, {180, 260, 528}, {200, 310, 600}};

static zoo_value add_stage(zoo *z, zoo_value x, const struct stage *stage,
                           const struct scale *scale) {
    const int64_t blocks = (stage->blocks * scale->depth + 99) / 100;
    for (int64_t i = 0; i < blocks; ++i) {
        const int64_t squeeze = zoo_shape_of(z, x).size[1] / SQUEEZE;
        zoo_enter(z, "block", i);
        x = zoo_inverted_block(
            z, x,
            &(zoo_inverted){.expansion = stage->expansion,
                            .channels = zoo_scale_channels(stage->channels, scale->width),
                            .window = stage->window,
                            .stride = i == 0 ? stage->stride : 1,
                            .squeeze = squeeze > 0 ? squeeze : 1,
                            .activation = ZOO_SILU});
        zoo_leave(z);
    }
    return x;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const struct scale *scale = &scales[(int)values[SCALE]];
    zoo_value x =
        zoo_input(z, "images", zoo_shape4(batch, 3, scale->image, scale->image), zoo_type(z));
    x = zoo_convolve_norm_activate(z, "stem", x,
                                   &(zoo_window){.channels = zoo_scale_channels(STEM, scale->width),
                                                 .height = 3,
                                                 .width = 3,
                                                 .stride = 2},
                                   ZOO_SILU);
    for (int i = 0; i < STAGES; ++i) {
        zoo_enter(z, "stage", i);
        x = add_stage(z, x, &stages[i], scale);
        zoo_leave(z);
    }
    x = zoo_convolve_norm_activate(
        z, "last", x, &(zoo_window){.channels = zoo_scale_channels(LAST, scale->width)}, ZOO_SILU);
    zoo_classify(z, zoo_linear(z, "classifier", zoo_average_pool(z, "average", x),
                               (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(efficientnet, "efficientnet", "image classifier grown evenly (EfficientNet B0 to B7)",
              ZOO_MOMENTUM)
