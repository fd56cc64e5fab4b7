/* "diffusion": the network that removes noise in Ho et al. 2020 (DDPM), of its CIFAR-10 size by
 * default: a U-Net of residual blocks that each learn of the time step, with self-attention at one
 * resolution and in the middle. Without dropout. */
#include <stdlib.h>

#include "base/memory.h"
#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"

enum { LEVELS = ZOO_OWN, BLOCKS, CHANNELS, IMAGE, ATTENTION };

static const regal_generator_parameter parameters[] = {
    ZOO_PARAMETERS_OF(128),
    {"levels", "resolutions, each half of the one before", 4, 1, 12},
    {"blocks", "residual blocks of a level", 2, 1, 1000},
    {"channels", "of the first level, a multiple of 32; the others have twice as many", 128, 32,
     1e5},
    {"image", "height and width", 32, 1, 1e5},
    {"attention", "height of the level whose blocks have attention", 16, 0, 1e5}};

enum { GROUPS = 32, COLOURS = 3, TIME_TIMES = 4 };

typedef struct denoiser {
    zoo *z;
    const double *values;
    zoo_value time;
    zoo_value *kept; /* [kept_count] what the way up joins */
    int64_t kept_count;
} denoiser;

static int64_t channels_of(const zoo *z, zoo_value x) {
    return zoo_shape_of(z, x).size[1];
}

static zoo_value convolve(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t window,
                          int64_t stride) {
    return zoo_convolve(z, name, x,
                        &(zoo_window){.channels = channels,
                                      .height = window,
                                      .width = window,
                                      .stride = stride,
                                      .bias = true,
                                      .same = true});
}

static zoo_value norm_silu(zoo *z, const char *name, zoo_value x) {
    zoo_enter(z, name, ZOO_NONE);
    const zoo_value y =
        zoo_activate(z, "silu", zoo_group_norm(z, "norm", x, GROUPS), ZOO_SILU, false);
    zoo_leave(z);
    return y;
}

static zoo_value residual(denoiser *d, zoo_value x, int64_t channels) {
    zoo *z = d->z;
    zoo_enter(z, "residual", ZOO_NONE);
    zoo_value y = convolve(z, "conv1", norm_silu(z, "in", x), channels, 3, 1);
    const zoo_value time =
        zoo_linear(z, "time", zoo_activate(z, "time_silu", d->time, ZOO_SILU, false), channels);
    y = zoo_add_broadcast(z, "add_time", y, time);
    y = convolve(z, "conv2", norm_silu(z, "out", y), channels, 3, 1);
    const zoo_value both[] = {
        y, channels_of(z, x) != channels ? convolve(z, "shortcut", x, channels, 1, 1) : x};
    y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static zoo_value flatten(zoo *z, zoo_value x, zoo_shape shape) {
    zoo_reshape(z, x, zoo_shape2(shape.size[0] * shape.size[2] * shape.size[3], shape.size[1]));
    return x;
}

static zoo_value attention(zoo *z, zoo_value x) {
    const zoo_shape shape = zoo_shape_of(z, x);
    const int64_t pixels = shape.size[2] * shape.size[3], channels = shape.size[1];
    zoo_enter(z, "attention", ZOO_NONE);
    const zoo_value norm = zoo_group_norm(z, "norm", x, GROUPS);
    const zoo_value query = flatten(z, convolve(z, "query", norm, channels, 1, 1), shape);
    const zoo_value key = flatten(z, convolve(z, "key", norm, channels, 1, 1), shape);
    const zoo_value value = flatten(z, convolve(z, "value", norm, channels, 1, 1), shape);
    const zoo_value context =
        zoo_attend(z, query, key, value, shape.size[0], pixels, pixels, channels);
    zoo_reshape(z, context, shape);
    const zoo_value both[] = {convolve(z, "project", context, channels, 1, 1), x};
    const zoo_value y = zoo_add(z, "add", both, 2, false);
    zoo_leave(z);
    return y;
}

static zoo_value block(denoiser *d, zoo_value x, int64_t channels) {
    const zoo_value y = residual(d, x, channels);
    return zoo_shape_of(d->z, y).size[2] == (int64_t)d->values[ATTENTION] ? attention(d->z, y) : y;
}

static int64_t level_channels(const denoiser *d, int64_t level) {
    return (int64_t)d->values[CHANNELS] * (level > 0 ? 2 : 1);
}

static zoo_value embed_time(zoo *z, int64_t batch, int64_t channels) {
    zoo_enter(z, "time", ZOO_NONE);
    zoo_value x = zoo_input(z, "waves", zoo_shape2(batch, channels), zoo_type(z));
    x = zoo_activate(z, "silu", zoo_linear(z, "part1", x, TIME_TIMES * channels), ZOO_SILU, false);
    x = zoo_linear(z, "part2", x, TIME_TIMES * channels);
    zoo_leave(z);
    return x;
}

static zoo_value keep(denoiser *d, zoo_value x) {
    return d->kept[d->kept_count++] = x;
}

static zoo_value go_down(denoiser *d, zoo_value x) {
    const int64_t levels = (int64_t)d->values[LEVELS], blocks = (int64_t)d->values[BLOCKS];
    for (int64_t level = 0; level < levels; ++level) {
        zoo_enter(d->z, "down", level);
        for (int64_t i = 0; i < blocks; ++i) {
            zoo_enter(d->z, "block", i);
            x = keep(d, block(d, x, level_channels(d, level)));
            zoo_leave(d->z);
        }
        if (level + 1 < levels)
            x = keep(d, convolve(d->z, "shrink", x, channels_of(d->z, x), 3, 2));
        zoo_leave(d->z);
    }
    return x;
}

static zoo_value go_up(denoiser *d, zoo_value x) {
    const int64_t blocks = (int64_t)d->values[BLOCKS];
    for (int64_t level = (int64_t)d->values[LEVELS] - 1; level >= 0; --level) {
        zoo_enter(d->z, "up", level);
        for (int64_t i = 0; i <= blocks; ++i) {
            zoo_enter(d->z, "block", i);
            const zoo_value both[] = {x, d->kept[--d->kept_count]};
            x = block(d, zoo_concat(d->z, "concat", both, 2, 1), level_channels(d, level));
            zoo_leave(d->z);
        }
        if (level > 0)
            x = convolve(d->z, "grow", zoo_upsample(d->z, "upsample", x, 2), channels_of(d->z, x),
                         3, 1);
        zoo_leave(d->z);
    }
    return x;
}

static zoo_value middle(denoiser *d, zoo_value x) {
    const int64_t channels = channels_of(d->z, x);
    zoo_enter(d->z, "middle0", ZOO_NONE);
    x = attention(d->z, residual(d, x, channels));
    zoo_leave(d->z);
    zoo_enter(d->z, "middle1", ZOO_NONE);
    x = residual(d, x, channels);
    zoo_leave(d->z);
    return x;
}

static void denoise(denoiser *d, int64_t batch) {
    zoo *z = d->z;
    const int64_t channels = (int64_t)d->values[CHANNELS], image = (int64_t)d->values[IMAGE];
    const zoo_shape shape = zoo_shape4(batch, COLOURS, image, image);
    d->time = embed_time(z, batch, channels);
    zoo_value x = zoo_input(z, "images", shape, zoo_type(z));
    x = keep(d, convolve(z, "stem", x, channels, 3, 1));
    x = go_up(d, middle(d, go_down(d, x)));
    x = convolve(z, "noise", norm_silu(z, "last", x), COLOURS, 3, 1);
    if (zoo_training(z))
        zoo_squared_error(z, "loss", x, zoo_input(z, "target", shape, zoo_type(z)));
    else
        zoo_set_output(z, x);
}

static void model(zoo *z, const double *values, int64_t batch) {
    denoiser d = {.z = z, .values = values};
    const int64_t kept = (int64_t)values[LEVELS] * ((int64_t)values[BLOCKS] + 1);
    d.kept = regal_allocate(kept, sizeof *d.kept);
    if (d.kept == NULL)
        zoo_fail(z, regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out"));
    else
        denoise(&d, batch);
    free(d.kept);
}

static regal_status check(const double *values) {
    ZOO_NEEDS((int64_t)values[IMAGE] % ((int64_t)1 << ((int)values[LEVELS] - 1)) == 0,
              "an image of %.0f cannot be halved %.0f times", values[IMAGE], values[LEVELS] - 1);
    ZOO_NEEDS((int64_t)values[CHANNELS] % GROUPS == 0, "channels (%.0f) must be a multiple of %d",
              values[CHANNELS], GROUPS);
    return REGAL_OK;
}

ZOO_GENERATOR(diffusion, "diffusion", "image denoiser with attention and time steps (DDPM)",
              ZOO_ADAM)
