/* "mobilenet": MobileNetV2 (Sandler et al. 2018): a stem, stages of inverted residual blocks, a
 * wide last layer, average pool, classifier. Activations run in place. */
#include "graph/zoo_inverted.h"
#include "graph/zoo_models.h"

enum { WIDTH = ZOO_OWN, REPEATS, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"width", "channels, in percent of the published ones", 100, 1, 10000},
    {"repeats", "blocks of a stage, in percent of the published ones", 100, 1, 10000},
    {"image", "height and width", 224, 32, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

enum { STEM = 32, LAST = 1280 };

static const struct stage {
    int expansion, channels, blocks, stride;
} stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
              {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
enum { STAGES = sizeof stages / sizeof *stages };

static zoo_value add_stage(zoo *z, zoo_value x, const struct stage *stage, const double *values) {
    const int64_t blocks = (stage->blocks * (int64_t)values[REPEATS] + 99) / 100;
    for (int64_t i = 0; i < blocks; ++i) {
        zoo_enter(z, "block", i);
        x = zoo_inverted_block(
            z, x,
            &(zoo_inverted){.expansion = stage->expansion,
                            .channels = zoo_scale_channels(stage->channels, (int64_t)values[WIDTH]),
                            .window = 3,
                            .stride = i == 0 ? stage->stride : 1,
                            .activation = ZOO_RELU6});
        zoo_leave(z);
    }
    return x;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE], width = (int64_t)values[WIDTH];
    zoo_value x = zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    x = zoo_convolve_norm_activate(
        z, "stem", x,
        &(zoo_window){
            .channels = zoo_scale_channels(STEM, width), .height = 3, .width = 3, .stride = 2},
        ZOO_RELU6);
    for (int i = 0; i < STAGES; ++i) {
        zoo_enter(z, "stage", i);
        x = add_stage(z, x, &stages[i], values);
        zoo_leave(z);
    }
    const int64_t last = width > 100 ? zoo_scale_channels(LAST, width) : LAST;
    x = zoo_convolve_norm_activate(z, "last", x, &(zoo_window){.channels = last}, ZOO_RELU6);
    zoo_classify(z, zoo_linear(z, "classifier", zoo_average_pool(z, "average", x),
                               (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(mobilenet, "mobilenet", "small image classifier of inverted residuals (MobileNetV2)",
              ZOO_MOMENTUM)
