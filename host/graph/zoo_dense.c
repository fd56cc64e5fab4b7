/* Layers on rows. */
#include "graph/zoo_layers.h"

/* Flops per element, about: what an element-wise kernel of this layer computes. */
enum { NORM_FLOPS = 8, NORM_GRAD_FLOPS = 14, SOFTMAX_GRAD_FLOPS = 4 };

zoo_shape zoo_shape1(int64_t a) {
    return (zoo_shape){{a}, 1};
}
zoo_shape zoo_shape2(int64_t a, int64_t b) {
    return (zoo_shape){{a, b}, 2};
}
zoo_shape zoo_shape4(int64_t a, int64_t b, int64_t c, int64_t d) {
    return (zoo_shape){{a, b, c, d}, 4};
}

static int64_t elements_of(const zoo *z, zoo_value value) {
    return zoo_elements(zoo_shape_of(z, value));
}

/* Adds the op and its one output, of the builder's type. */
static zoo_value add_layer(zoo *z, const char *name, const zoo_op *op, zoo_shape shape) {
    return zoo_add_value(z, zoo_add_op(z, name, op), "", shape, zoo_type(z));
}

zoo_value zoo_input(zoo *z, const char *name, zoo_shape shape, regal_type type) {
    const zoo_op op = zoo_op_make("Input", (regal_work){.kind = REGAL_WORK_FREE}, NULL, 0);
    const zoo_value value = zoo_add_value(z, zoo_add_op(z, name, &op), "", shape, type);
    zoo_set_constant(z, value);
    return value;
}

zoo_value zoo_variable(zoo *z, const char *name, zoo_shape shape) {
    const int64_t elements = zoo_elements(shape), bytes = regal_type_bytes(zoo_type(z), elements);
    zoo_op op = zoo_op_make("ReadVariable", regal_work_movement(bytes, bytes), NULL, 0);
    op.weights[0] = zoo_weight_use(z, name, elements, true);
    const zoo_value y = add_layer(z, name, &op, shape);
    zoo_step step = zoo_step_make(".grad", "Copy", op.work, y, ZOO_NONE, ZOO_NONE);
    step.trained[0] = op.weights[0];
    zoo_note(z, &step);
    return y;
}

/* The forward op (rows, in) -> (rows, out) and its gradients, weight (in, out) and bias. */
static zoo_value add_linear(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight weight,
                            zoo_weight bias) {
    const zoo_shape shape = zoo_shape_of(z, x);
    const int64_t rows = shape.size[0], in = shape.size[1];
    const regal_type type = zoo_type(z);
    zoo_op op = zoo_op_make("MatMul", regal_work_matrix_product(type, 1, rows, out, in), &x, 1);
    op.weights[0] = weight;
    op.weights[1] = bias;
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, out));
    zoo_step input =
        zoo_step_make(".grad_input", "MatMulGrad",
                      regal_work_matrix_product(type, 1, rows, in, out), y, x, ZOO_NONE);
    input.weight = weight;
    zoo_note(z, &input);
    zoo_step trained =
        zoo_step_make(".grad_weight", "MatMulGrad",
                      regal_work_matrix_product(type, 1, in, out, rows), y, ZOO_NONE, x);
    trained.trained[0] = weight;
    trained.trained[1] = bias;
    zoo_note(z, &trained);
    return y;
}

zoo_value zoo_linear(zoo *z, const char *name, zoo_value x, int64_t out) {
    const int64_t in = zoo_shape_of(z, x).size[1];
    const int64_t elements = regal_count_multiply(regal_count_add(in, 1), out);
    return add_linear(z, name, x, out, zoo_weight_use(z, name, elements, true), ZOO_NONE);
}

zoo_value zoo_linear_plain(zoo *z, const char *name, zoo_value x, int64_t out) {
    const int64_t elements = regal_count_multiply(zoo_shape_of(z, x).size[1], out);
    return add_linear(z, name, x, out, zoo_weight_use(z, name, elements, true), ZOO_NONE);
}

zoo_value zoo_linear_shared(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight shared) {
    return add_linear(z, name, x, out, shared, ZOO_NONE);
}

zoo_value zoo_linear_tied(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight shared) {
    return add_linear(z, name, x, out, shared, zoo_weight_use(z, name, out, true));
}

zoo_value zoo_product(zoo *z, const char *name, zoo_value a, zoo_value b, int64_t batch, int64_t m,
                      int64_t n, int64_t k) {
    const regal_type type = zoo_type(z);
    const zoo_value reads[] = {a, b};
    const zoo_op op =
        zoo_op_make("BatchMatMul", regal_work_matrix_product(type, batch, m, n, k), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(regal_count_multiply(batch, m), n));
    const zoo_step first = zoo_step_make(".grad_a", "BatchMatMulGrad",
                                         regal_work_matrix_product(type, batch, m, k, n), y, a, b);
    const zoo_step second = zoo_step_make(".grad_b", "BatchMatMulGrad",
                                          regal_work_matrix_product(type, batch, k, n, m), y, b, a);
    zoo_note(z, &first);
    zoo_note(z, &second);
    return y;
}

zoo_value zoo_softmax(zoo *z, const char *name, zoo_value x) {
    const int64_t elements = elements_of(z, x);
    const zoo_op op =
        zoo_op_make("Softmax", regal_work_transcendental(zoo_type(z), elements, 1), &x, 1);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    const zoo_step step = zoo_step_make(
        ".grad", "SoftmaxGrad",
        regal_work_elementwise(zoo_type(z), elements, 2, SOFTMAX_GRAD_FLOPS), y, x, y);
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_attend(zoo *z, zoo_value query, zoo_value key, zoo_value value, int64_t maps,
                     int64_t rows, int64_t columns, int64_t width) {
    const zoo_value scores = zoo_product(z, "scores", query, key, maps, rows, columns, width);
    const zoo_value weights = zoo_softmax(z, "softmax", scores);
    return zoo_product(z, "context", weights, value, maps, rows, width, columns);
}

typedef struct norm_kind {
    const char *kind, *grad_kind;
    int64_t weights, statistics; /* elements */
} norm_kind;

static zoo_value add_norm(zoo *z, const char *name, zoo_value x, const norm_kind *norm) {
    const int64_t elements = elements_of(z, x);
    const regal_type type = zoo_type(z);
    zoo_op op =
        zoo_op_make(norm->kind, regal_work_elementwise(type, elements, 1, NORM_FLOPS), &x, 1);
    op.weights[0] = zoo_weight_use(z, name, norm->weights, true);
    const int64_t made = zoo_add_op(z, name, &op);
    const zoo_value y = zoo_add_value(z, made, "", zoo_shape_of(z, x), type);
    if (!zoo_training(z))
        return y;
    zoo_step step =
        zoo_step_make(".grad", norm->grad_kind,
                      regal_work_elementwise(type, elements, 2, NORM_GRAD_FLOPS), y, x, x);
    step.saved[step.saved_count++] =
        zoo_add_value(z, made, ".statistics", zoo_shape1(norm->statistics), REGAL_TYPE_F32);
    step.weight = step.trained[0] = op.weights[0];
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_layer_norm(zoo *z, const char *name, zoo_value x) {
    const zoo_shape shape = zoo_shape_of(z, x);
    return add_norm(z, name, x,
                    &(norm_kind){"LayerNorm", "LayerNormGrad",
                                 regal_count_multiply(2, shape.size[1]),
                                 regal_count_multiply(2, shape.size[0])});
}

zoo_value zoo_rms_norm(zoo *z, const char *name, zoo_value x) {
    const zoo_shape shape = zoo_shape_of(z, x);
    return add_norm(z, name, x,
                    &(norm_kind){"RmsNorm", "RmsNormGrad", shape.size[1], shape.size[0]});
}

zoo_value zoo_group_norm(zoo *z, const char *name, zoo_value x, int64_t groups) {
    const zoo_shape shape = zoo_shape_of(z, x);
    const int64_t statistics = regal_count_multiply(2, regal_count_multiply(shape.size[0], groups));
    return add_norm(z, name, x,
                    &(norm_kind){"GroupNorm", "GroupNormGrad",
                                 regal_count_multiply(2, shape.size[1]), statistics});
}
