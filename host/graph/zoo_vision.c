/* Layers on images. */
#include "graph/zoo_layers.h"

enum { NORM_FLOPS = 8, NORM_GRAD_FLOPS = 14 }; /* per element, about */

enum { IMAGES, CHANNELS, HEIGHT, WIDTH };

/* 0 where the window is larger than the image, which makes the shape empty. */
static int64_t slid(int64_t size, int64_t window, int64_t stride, int64_t padding) {
    const int64_t room = size + 2 * padding - window;
    return room < 0 ? 0 : room / stride + 1;
}

static zoo_shape slid_shape(zoo_shape x, int64_t channels, int64_t window, int64_t stride,
                            int64_t padding) {
    return zoo_shape4(x.size[IMAGES], channels, slid(x.size[HEIGHT], window, stride, padding),
                      slid(x.size[WIDTH], window, stride, padding));
}

static int64_t shrunk(int64_t size, int64_t stride) {
    return size / stride + (size % stride != 0);
}

static int64_t at_least_one(int64_t size) {
    return size > 0 ? size : 1;
}

static const char *convolution_kind(zoo_shape x, const zoo_window *window, bool gradient) {
    if (window->groups > 1 && window->groups == x.size[CHANNELS])
        return gradient ? "DepthwiseConv2dGrad" : "DepthwiseConv2d";
    if (x.size[HEIGHT] == 1)
        return gradient ? "Conv1dGrad" : "Conv1d";
    return gradient ? "Conv2dGrad" : "Conv2d";
}

/* The forward op and its two gradients, which multiply and add the same pairs as it does, and touch
 * the same three arrays. */
static zoo_value add_convolution(zoo *z, const char *name, zoo_value x, zoo_shape to,
                                 const char *kind, const char *grad_kind, regal_work work,
                                 int64_t weights) {
    zoo_op op = zoo_op_make(kind, work, &x, 1);
    op.weights[0] = zoo_weight_use(z, name, weights, true);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, name, &op), "", to, zoo_type(z));
    zoo_step input = zoo_step_make(".grad_input", grad_kind, work, y, x, ZOO_NONE);
    input.weight = op.weights[0];
    zoo_note(z, &input);
    zoo_step trained = zoo_step_make(".grad_weight", grad_kind, work, y, ZOO_NONE, x);
    trained.trained[0] = op.weights[0];
    zoo_note(z, &trained);
    return y;
}

zoo_value zoo_convolve(zoo *z, const char *name, zoo_value x, const zoo_window *window) {
    const zoo_shape from = zoo_shape_of(z, x);
    const int64_t height = at_least_one(window->height), width = at_least_one(window->width);
    const int64_t stride = at_least_one(window->stride), spread = at_least_one(window->dilation);
    const zoo_shape to = zoo_shape4(
        from.size[IMAGES], window->channels,
        window->same
            ? shrunk(from.size[HEIGHT], stride)
            : slid(from.size[HEIGHT], (height - 1) * spread + 1, stride, window->padding_height),
        window->same
            ? shrunk(from.size[WIDTH], stride)
            : slid(from.size[WIDTH], (width - 1) * spread + 1, stride, window->padding_width));
    const int64_t taps = height * width * from.size[CHANNELS] / at_least_one(window->groups);
    const int64_t kernel = regal_count_multiply(window->channels, taps);
    const regal_work work =
        regal_work_convolution(zoo_type(z), zoo_elements(from), kernel, zoo_elements(to), taps);
    return add_convolution(z, name, x, to, convolution_kind(from, window, false),
                           convolution_kind(from, window, true), work,
                           regal_count_add(kernel, window->bias ? window->channels : 0));
}

zoo_value zoo_conv2d(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t window,
                     int64_t stride, int64_t padding, int64_t groups) {
    return zoo_convolve(z, name, x,
                        &(zoo_window){.channels = channels,
                                      .height = window,
                                      .width = window,
                                      .stride = stride,
                                      .padding_height = padding,
                                      .padding_width = padding,
                                      .groups = groups});
}

zoo_value zoo_convolve_up(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t stride) {
    const zoo_shape from = zoo_shape_of(z, x);
    const zoo_shape to =
        zoo_shape4(from.size[IMAGES], channels, regal_count_multiply(stride, from.size[HEIGHT]),
                   regal_count_multiply(stride, from.size[WIDTH]));
    /* Each pixel that is made comes from one. */
    const int64_t taps = from.size[CHANNELS];
    const int64_t kernel =
        regal_count_multiply(stride * stride, regal_count_multiply(channels, taps));
    const regal_work work =
        regal_work_convolution(zoo_type(z), zoo_elements(from), kernel, zoo_elements(to), taps);
    return add_convolution(z, name, x, to, "ConvTranspose2d", "ConvTranspose2dGrad", work,
                           regal_count_add(kernel, channels));
}

zoo_value zoo_batch_norm(zoo *z, const char *name, zoo_value x) {
    const zoo_shape shape = zoo_shape_of(z, x);
    const int64_t elements = zoo_elements(shape), channels = shape.size[CHANNELS];
    /* Training reads the input twice: for its statistics, then to scale it. */
    const int64_t passes = zoo_training(z) ? 2 : 1;
    zoo_op op = zoo_op_make(
        "BatchNorm", regal_work_elementwise(zoo_type(z), elements, passes, NORM_FLOPS), &x, 1);
    op.weights[0] = zoo_weight_use(z, name, 2 * channels, true);
    zoo_enter(z, name, ZOO_NONE);
    op.weights[1] = zoo_weight_use(z, "running", 2 * channels, false);
    zoo_leave(z);
    const int64_t made = zoo_add_op(z, name, &op);
    const zoo_value y = zoo_add_value(z, made, "", shape, zoo_type(z));
    if (!zoo_training(z))
        return y;
    zoo_step step =
        zoo_step_make(".grad", "BatchNormGrad",
                      regal_work_elementwise(zoo_type(z), elements, 4, NORM_GRAD_FLOPS), y, x, x);
    step.saved[step.saved_count++] =
        zoo_add_value(z, made, ".statistics", zoo_shape2(2, channels), REGAL_TYPE_F32);
    step.weight = step.trained[0] = op.weights[0];
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_max_pool(zoo *z, const char *name, zoo_value x, int64_t window, int64_t stride,
                       int64_t padding) {
    const zoo_shape from = zoo_shape_of(z, x);
    const zoo_shape to = slid_shape(from, from.size[CHANNELS], window, stride, padding);
    regal_work work = regal_work_reduction(zoo_type(z), zoo_elements(from), zoo_elements(to));
    const zoo_op op = zoo_op_make("MaxPool", work, &x, 1);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, name, &op), "", to, zoo_type(z));
    work.bytes = regal_count_multiply(2, work.bytes); /* both arrays and their gradients */
    zoo_step step = zoo_step_make(".grad", "MaxPoolGrad", work, y, x, x);
    step.saved[step.saved_count++] = y;
    zoo_note(z, &step);
    return y;
}

/* A layer whose gradient is made of its output's gradient alone. */
static zoo_value add_sampling(zoo *z, const char *name, const char *kind, const char *grad_kind,
                              zoo_value x, zoo_shape to) {
    const int64_t many = zoo_elements(zoo_shape_of(z, x)), made = zoo_elements(to);
    const regal_work work = regal_work_reduction(zoo_type(z), many, made);
    const zoo_op op = zoo_op_make(kind, work, &x, 1);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, name, &op), "", to, zoo_type(z));
    const zoo_step step = zoo_step_make(".grad", grad_kind, work, y, x, ZOO_NONE);
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_mean_pool(zoo *z, const char *name, zoo_value x, int64_t window, int64_t stride,
                        int64_t padding) {
    const zoo_shape from = zoo_shape_of(z, x);
    return add_sampling(z, name, "AveragePool", "AveragePoolGrad", x,
                        slid_shape(from, from.size[CHANNELS], window, stride, padding));
}

zoo_value zoo_upsample(zoo *z, const char *name, zoo_value x, int64_t times) {
    const zoo_shape from = zoo_shape_of(z, x);
    return add_sampling(z, name, "Upsample", "UpsampleGrad", x,
                        zoo_shape4(from.size[IMAGES], from.size[CHANNELS],
                                   regal_count_multiply(times, from.size[HEIGHT]),
                                   regal_count_multiply(times, from.size[WIDTH])));
}

zoo_value zoo_average_pool(zoo *z, const char *name, zoo_value x) {
    const zoo_shape from = zoo_shape_of(z, x);
    return add_sampling(z, name, "AveragePool", "AveragePoolGrad", x,
                        zoo_shape2(from.size[IMAGES], from.size[CHANNELS]));
}
