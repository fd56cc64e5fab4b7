#include "graph/zoo_inverted.h"

enum { CHANNELS = 1, MULTIPLE = 8 };

int64_t zoo_scale_channels(int64_t channels, int64_t percent) {
    const int64_t wanted = channels * percent; /* of a hundredth each */
    int64_t made = (wanted + 100 * MULTIPLE / 2) / (100 * MULTIPLE) * MULTIPLE;
    made = made < MULTIPLE ? MULTIPLE : made;
    return 1000 * made < 9 * wanted ? made + MULTIPLE : made;
}

static zoo_value convolve_norm(zoo *z, const char *name, zoo_value x, const zoo_window *window) {
    zoo_window same = *window;
    same.same = true;
    zoo_enter(z, name, ZOO_NONE);
    const zoo_value y = zoo_batch_norm(z, "norm", zoo_convolve(z, "conv", x, &same));
    zoo_leave(z);
    return y;
}

zoo_value zoo_convolve_norm_activate(zoo *z, const char *name, zoo_value x,
                                     const zoo_window *window, zoo_activation activation) {
    const zoo_value norm = convolve_norm(z, name, x, window);
    zoo_enter(z, name, ZOO_NONE);
    const zoo_value y = zoo_activate(z, "activation", norm, activation, activation != ZOO_SILU);
    zoo_leave(z);
    return y;
}

/* Each channel by a factor that the means of all channels decide. */
static zoo_value excite(zoo *z, zoo_value x, int64_t squeeze) {
    zoo_enter(z, "excite", ZOO_NONE);
    const zoo_value narrow = zoo_linear(z, "squeeze", zoo_average_pool(z, "means", x), squeeze);
    const zoo_value active = zoo_activate(z, "activation", narrow, ZOO_SILU, false);
    const zoo_value wide = zoo_linear(z, "expand", active, zoo_shape_of(z, x).size[CHANNELS]);
    const zoo_value y =
        zoo_multiply(z, "scale", x, zoo_activate(z, "sigmoid", wide, ZOO_SIGMOID, false));
    zoo_leave(z);
    return y;
}

zoo_value zoo_inverted_block(zoo *z, zoo_value x, const zoo_inverted *block) {
    const int64_t from = zoo_shape_of(z, x).size[CHANNELS], wide = from * block->expansion;
    zoo_value y = x;
    if (block->expansion > 1)
        y = zoo_convolve_norm_activate(z, "expand", y, &(zoo_window){.channels = wide},
                                       block->activation);
    y = zoo_convolve_norm_activate(z, "depthwise", y,
                                   &(zoo_window){.channels = wide,
                                                 .height = block->window,
                                                 .width = block->window,
                                                 .stride = block->stride,
                                                 .groups = wide},
                                   block->activation);
    if (block->squeeze > 0)
        y = excite(z, y, block->squeeze);
    y = convolve_norm(z, "project", y, &(zoo_window){.channels = block->channels});
    if (block->stride > 1 || from != block->channels)
        return y;
    const zoo_value both[] = {y, x};
    return zoo_add(z, "add", both, 2, false);
}
