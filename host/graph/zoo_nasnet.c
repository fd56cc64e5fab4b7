/* "nasnet": NASNet-A (Zoph et al. 2017), the mobile one (4 @ 1056) by default: two reduction cells
 * as a stem, then three runs of normal cells with a reduction between. A cell reads the outputs of
 * the two before it, and joins sums of separable convolutions and pools. */
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { CELLS = ZOO_OWN, FILTERS, STEM, SKIP, IMAGE, CLASSES };

static const regal_generator_parameter parameters[] = {
    ZOO_SHARED_PARAMETERS,
    {"cells", "normal cells of a run", 4, 1, 1000},
    {"filters", "channels of the first run, a multiple of 4", 44, 4, 1e4},
    {"stem", "channels of the stem", 32, 1, 1e4},
    {"skip", "1: the cell after a reduction reads past it, as in NASNet-A large", 0, 0, 1},
    {"image", "height and width", 224, 32, 1e5},
    {"classes", "classes there are", 1000, 1, 1e7}};

enum { RUNS = 3 };

static zoo_value pointwise(zoo *z, const char *name, zoo_value x, int64_t channels) {
    return zoo_convolve(z, name, x, &(zoo_window){.channels = channels});
}

static zoo_value relu(zoo *z, const char *name, zoo_value x) {
    return zoo_activate(z, name, x, ZOO_RELU, false);
}

static zoo_value squeeze(zoo *z, const char *name, zoo_value x, int64_t channels) {
    zoo_enter(z, name, ZOO_NONE);
    const zoo_value y =
        zoo_batch_norm(z, "norm", pointwise(z, "conv", relu(z, "relu", x), channels));
    zoo_leave(z);
    return y;
}

/* Activation, depthwise and pointwise convolution, norm: twice, the stride in the first. */
static zoo_value separable(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t size,
                           int64_t stride) {
    zoo_enter(z, name, ZOO_NONE);
    for (int64_t i = 0; i < 2; ++i) {
        zoo_enter(z, "part", i);
        const zoo_value deep = zoo_convolve(z, "depthwise", relu(z, "relu", x),
                                            &(zoo_window){.channels = zoo_shape_of(z, x).size[1],
                                                          .height = size,
                                                          .width = size,
                                                          .stride = i == 0 ? stride : 1,
                                                          .groups = zoo_shape_of(z, x).size[1],
                                                          .same = true});
        x = zoo_batch_norm(z, "norm", pointwise(z, "pointwise", deep, channels));
        zoo_leave(z);
    }
    zoo_leave(z);
    return x;
}

static zoo_value sum(zoo *z, const char *name, zoo_value a, zoo_value b) {
    const zoo_value both[] = {a, b};
    return zoo_add(z, name, both, 2, false);
}

/* What the cell before the last made, in the shape of the last's. */
static zoo_value adjust(zoo *z, zoo_value before, zoo_value x, int64_t channels) {
    if (before == ZOO_NONE)
        return x;
    const zoo_shape from = zoo_shape_of(z, before);
    if (from.size[2] == zoo_shape_of(z, x).size[2])
        return from.size[1] == channels ? before : squeeze(z, "adjust", before, channels);
    zoo_enter(z, "shrink", ZOO_NONE);
    const zoo_value active = relu(z, "relu", before);
    const zoo_value halves[] = {
        pointwise(z, "conv1", zoo_mean_pool(z, "pool1", active, 1, 2, 0), channels / 2),
        pointwise(z, "conv2", zoo_mean_pool(z, "pool2", active, 1, 2, 0), channels - channels / 2)};
    const zoo_value y = zoo_batch_norm(z, "norm", zoo_concat(z, "concat", halves, 2, 1));
    zoo_leave(z);
    return y;
}

static zoo_value normal_cell(zoo *z, zoo_value x, zoo_value before, int64_t channels) {
    const zoo_value p = adjust(z, before, x, channels);
    const zoo_value h = squeeze(z, "squeeze", x, channels);
    const zoo_value all[] = {p,
                             sum(z, "add1", separable(z, "left1", h, channels, 5, 1),
                                 separable(z, "right1", p, channels, 3, 1)),
                             sum(z, "add2", separable(z, "left2", p, channels, 5, 1),
                                 separable(z, "right2", p, channels, 3, 1)),
                             sum(z, "add3", zoo_mean_pool(z, "left3", h, 3, 1, 1), p),
                             sum(z, "add4", zoo_mean_pool(z, "left4", p, 3, 1, 1),
                                 zoo_mean_pool(z, "right4", p, 3, 1, 1)),
                             sum(z, "add5", separable(z, "left5", h, channels, 3, 1), h)};
    return zoo_concat(z, "concat", all, 6, 1);
}

static zoo_value reduction_cell(zoo *z, zoo_value x, zoo_value before, int64_t channels) {
    const zoo_value p = adjust(z, before, x, channels);
    const zoo_value h = squeeze(z, "squeeze", x, channels);
    const zoo_value first = sum(z, "add1", separable(z, "left1", h, channels, 5, 2),
                                separable(z, "right1", p, channels, 7, 2));
    const zoo_value second = sum(z, "add2", zoo_max_pool(z, "left2", h, 3, 2, 1),
                                 separable(z, "right2", p, channels, 7, 2));
    const zoo_value third = sum(z, "add3", zoo_mean_pool(z, "left3", h, 3, 2, 1),
                                separable(z, "right3", p, channels, 5, 2));
    const zoo_value all[] = {second, third,
                             sum(z, "add4", zoo_mean_pool(z, "left4", first, 3, 1, 1), second),
                             sum(z, "add5", separable(z, "left5", first, channels, 3, 1),
                                 zoo_max_pool(z, "right5", h, 3, 2, 1))};
    return zoo_concat(z, "concat", all, 4, 1);
}

typedef struct cells {
    zoo_value x, before; /* what the last cell and the one before it made */
} cells;

static void reduce(zoo *z, cells *state, const char *name, int64_t index, int64_t channels,
                   bool skip) {
    zoo_enter(z, name, index);
    const zoo_value made = reduction_cell(z, state->x, state->before, channels);
    zoo_leave(z);
    state->before = skip ? state->before : state->x;
    state->x = made;
}

static void run(zoo *z, cells *state, int64_t index, int64_t count, int64_t channels) {
    zoo_enter(z, "run", index);
    for (int64_t i = 0; i < count; ++i) {
        zoo_enter(z, "cell", i);
        const zoo_value made = normal_cell(z, state->x, state->before, channels);
        zoo_leave(z);
        *state = (cells){made, state->x};
    }
    zoo_leave(z);
}

static void model(zoo *z, const double *values, int64_t batch) {
    const int64_t image = (int64_t)values[IMAGE], filters = (int64_t)values[FILTERS];
    const zoo_value images =
        zoo_input(z, "images", zoo_shape4(batch, 3, image, image), zoo_type(z));
    cells state = {zoo_batch_norm(z, "stem_norm",
                                  zoo_conv2d(z, "stem", images, (int64_t)values[STEM], 3, 2, 0, 1)),
                   ZOO_NONE};
    reduce(z, &state, "stem", 0, filters / 4, false);
    reduce(z, &state, "stem", 1, filters / 2, false);
    for (int64_t i = 0; i < RUNS; ++i) {
        run(z, &state, i, (int64_t)values[CELLS], filters << i);
        if (i + 1 < RUNS)
            reduce(z, &state, "reduce", i, filters << (i + 1), values[SKIP] != 0);
    }
    const zoo_value last = zoo_average_pool(z, "average", relu(z, "relu", state.x));
    zoo_classify(z, zoo_linear(z, "classifier", last, (int64_t)values[CLASSES]));
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[FILTERS] % 4 == 0, "filters (%.0f) must be a multiple of 4",
              values[FILTERS]);
    return REGAL_OK;
}

ZOO_GENERATOR(nasnet, "nasnet", "image classifier of searched cells (NASNet-A mobile by default)",
              ZOO_MOMENTUM)
