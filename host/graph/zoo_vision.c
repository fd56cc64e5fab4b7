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

zoo_value zoo_conv2d(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t window,
                     int64_t stride, int64_t padding, int64_t groups) {
    const zoo_shape from = zoo_shape_of(z, x);
    const zoo_shape to = slid_shape(from, channels, window, stride, padding);
    const int64_t taps = window * window * from.size[CHANNELS] / groups, kernel = channels * taps;
    /* The two gradients multiply and add the same pairs as the forward op does, and touch the same
     * three arrays. */
    const regal_work work =
        regal_work_convolution(zoo_type(z), zoo_elements(from), kernel, zoo_elements(to), taps);
    zoo_op op = zoo_op_make("Conv2d", work, &x, 1);
    op.weights[0] = zoo_weight_use(z, name, kernel, true);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, name, &op), "", to, zoo_type(z));
    zoo_step input = zoo_step_make(".grad_input", "Conv2dGrad", work, y, x, ZOO_NONE);
    input.weight = op.weights[0];
    zoo_note(z, &input);
    zoo_step trained = zoo_step_make(".grad_weight", "Conv2dGrad", work, y, ZOO_NONE, x);
    trained.trained[0] = op.weights[0];
    zoo_note(z, &trained);
    return y;
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

zoo_value zoo_average_pool(zoo *z, const char *name, zoo_value x) {
    const zoo_shape from = zoo_shape_of(z, x);
    const zoo_shape to = zoo_shape2(from.size[IMAGES], from.size[CHANNELS]);
    const regal_work work = regal_work_reduction(zoo_type(z), zoo_elements(from), zoo_elements(to));
    const zoo_op op = zoo_op_make("AveragePool", work, &x, 1);
    const zoo_value y = zoo_add_value(z, zoo_add_op(z, name, &op), "", to, zoo_type(z));
    const zoo_step step = zoo_step_make(".grad", "AveragePoolGrad", work, y, x, ZOO_NONE);
    zoo_note(z, &step);
    return y;
}
