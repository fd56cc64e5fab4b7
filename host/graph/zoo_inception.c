/* "inception": Inception v3 (Szegedy et al. 2015) without its auxiliary classifier. A stem; modules
 * of branches that are joined: A (5x5 and 3x3), C (rows and columns of 7), E (rows and columns of 3
 * that fork), and one that halves the image between them; average pool, classifier. Activations run
 * in place. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { BLOCKS_A = ZOO_OWN, BLOCKS_C, BLOCKS_E, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"blocks_a", "modules of the first kind", 3, 0, 1000},
    {"blocks_c", "modules of the middle kind", 4, 0, 1000},
    {"blocks_e", "modules of the last kind", 2, 0, 1000},
    {"image", "height and width", 299, 75, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

/* A convolution with its norm and activation; padded to keep the image unless `valid`. */
static zoo_value convolve(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t height,
                          int64_t width, int64_t stride, bool valid) {
    const zoo_window window = {
        .channels = channels, .height = height, .width = width, .stride = stride, .same = !valid};
    zoo_enter(z, name, ZOO_NONE);
    const zoo_value norm = zoo_batch_norm(z, "norm", zoo_convolve(z, "conv", x, &window));
    const zoo_value y = zoo_activate(z, "relu", norm, ZOO_RELU, true);
    zoo_leave(z);
    return y;
}

static zoo_value square(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t size) {
    return convolve(z, name, x, channels, size, size, 1, false);
}

static zoo_value shrink(zoo *z, const char *name, zoo_value x, int64_t channels) {
    return convolve(z, name, x, channels, 3, 3, 2, true);
}

static zoo_value pool_branch(zoo *z, zoo_value x, int64_t channels) {
    return square(z, "pooled", zoo_mean_pool(z, "pool", x, 3, 1, 1), channels, 1);
}

static zoo_value module_a(zoo *z, zoo_value x, int64_t pooled) {
    const zoo_value five = square(z, "five2", square(z, "five1", x, 48, 1), 64, 5);
    const zoo_value three =
        square(z, "three3", square(z, "three2", square(z, "three1", x, 64, 1), 96, 3), 96, 3);
    const zoo_value all[] = {square(z, "one", x, 64, 1), five, three, pool_branch(z, x, pooled)};
    return zoo_concat(z, "concat", all, 4, 1);
}

static zoo_value module_b(zoo *z, zoo_value x) {
    const zoo_value twice =
        shrink(z, "twice3", square(z, "twice2", square(z, "twice1", x, 64, 1), 96, 3), 96);
    const zoo_value all[] = {shrink(z, "once", x, 384), twice, zoo_max_pool(z, "pool", x, 3, 2, 0)};
    return zoo_concat(z, "concat", all, 3, 1);
}

static zoo_value row(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t length) {
    return convolve(z, name, x, channels, 1, length, 1, false);
}

static zoo_value column(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t length) {
    return convolve(z, name, x, channels, length, 1, 1, false);
}

static zoo_value module_c(zoo *z, zoo_value x, int64_t narrow) {
    const zoo_value once =
        column(z, "once3", row(z, "once2", square(z, "once1", x, narrow, 1), narrow, 7), 192, 7);
    const zoo_value half = row(
        z, "twice3", column(z, "twice2", square(z, "twice1", x, narrow, 1), narrow, 7), narrow, 7);
    const zoo_value twice = row(z, "twice5", column(z, "twice4", half, narrow, 7), 192, 7);
    const zoo_value all[] = {square(z, "one", x, 192, 1), once, twice, pool_branch(z, x, 192)};
    return zoo_concat(z, "concat", all, 4, 1);
}

static zoo_value module_d(zoo *z, zoo_value x) {
    const zoo_value three = shrink(z, "three2", square(z, "three1", x, 192, 1), 320);
    const zoo_value seven =
        column(z, "seven3", row(z, "seven2", square(z, "seven1", x, 192, 1), 192, 7), 192, 7);
    const zoo_value all[] = {three, shrink(z, "seven4", seven, 192),
                             zoo_max_pool(z, "pool", x, 3, 2, 0)};
    return zoo_concat(z, "concat", all, 3, 1);
}

static zoo_value module_e(zoo *z, zoo_value x) {
    const zoo_value once = square(z, "once", x, 384, 1);
    const zoo_value twice = square(z, "twice2", square(z, "twice1", x, 448, 1), 384, 3);
    const zoo_value all[] = {square(z, "one", x, 320, 1),
                             row(z, "once_row", once, 384, 3),
                             column(z, "once_column", once, 384, 3),
                             row(z, "twice_row", twice, 384, 3),
                             column(z, "twice_column", twice, 384, 3),
                             pool_branch(z, x, 192)};
    return zoo_concat(z, "concat", all, 6, 1);
}

static zoo_value stem(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE];
    zoo_value x = zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    zoo_enter(z, "stem", ZOO_NONE);
    x = convolve(z, "conv2", shrink(z, "conv1", x, 32), 32, 3, 3, 1, true);
    x = zoo_max_pool(z, "pool1", square(z, "conv3", x, 64, 3), 3, 2, 0);
    x = convolve(z, "conv5", square(z, "conv4", x, 80, 1), 192, 3, 3, 1, true);
    x = zoo_max_pool(z, "pool2", x, 3, 2, 0);
    zoo_leave(z);
    return x;
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t last = (int64_t)values[BLOCKS_C] - 1;
    zoo_value x = stem(z, values, batch);
    for (int64_t i = 0; i < (int64_t)values[BLOCKS_A]; ++i) {
        zoo_enter(z, "a", i);
        x = module_a(z, x, i == 0 ? 32 : 64);
        zoo_leave(z);
    }
    zoo_enter(z, "b", ZOO_NONE);
    x = module_b(z, x);
    zoo_leave(z);
    for (int64_t i = 0; i <= last; ++i) {
        zoo_enter(z, "c", i);
        x = module_c(z, x, i == 0 ? 128 : i == last ? 192 : 160);
        zoo_leave(z);
    }
    zoo_enter(z, "d", ZOO_NONE);
    x = module_d(z, x);
    zoo_leave(z);
    for (int64_t i = 0; i < (int64_t)values[BLOCKS_E]; ++i) {
        zoo_enter(z, "e", i);
        x = module_e(z, x);
        zoo_leave(z);
    }
    zoo_classify(z, zoo_linear(z, "classifier", zoo_average_pool(z, "average", x),
                               (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    (void)values;
    return REGAL_OK;
}

ZOO_GENERATOR(inception, "inception", "image classifier of branching modules (Inception v3)",
              ZOO_MOMENTUM)
