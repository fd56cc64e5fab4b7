/* Layers on rows. */
#include "graph/zoo_layers.h"

/* Flops per element, about: what an element-wise kernel of this layer computes. */
enum { NORM_FLOPS = 8, NORM_GRAD_FLOPS = 14, SOFTMAX_GRAD_FLOPS = 4, ACTIVATION_GRAD_FLOPS = 10 };

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

zoo_value zoo_layer_norm(zoo *z, const char *name, zoo_value x) {
    const zoo_shape shape = zoo_shape_of(z, x);
    const int64_t elements = zoo_elements(shape);
    const regal_type type = zoo_type(z);
    zoo_op op =
        zoo_op_make("LayerNorm", regal_work_elementwise(type, elements, 1, NORM_FLOPS), &x, 1);
    op.weights[0] = zoo_weight_use(z, name, regal_count_multiply(2, shape.size[1]), true);
    const int64_t made = zoo_add_op(z, name, &op);
    const zoo_value y = zoo_add_value(z, made, "", shape, type);
    if (!zoo_training(z))
        return y;
    zoo_step step =
        zoo_step_make(".grad", "LayerNormGrad",
                      regal_work_elementwise(type, elements, 2, NORM_GRAD_FLOPS), y, x, x);
    step.saved[step.saved_count++] =
        zoo_add_value(z, made, ".statistics", zoo_shape2(2, shape.size[0]), REGAL_TYPE_F32);
    step.weight = step.trained[0] = op.weights[0];
    zoo_note(z, &step);
    return y;
}

/* Work that gathers or scatters rows; a scatter first clears the whole. */
static regal_work row_work(const zoo *z, int64_t rows, int64_t width, int64_t cleared) {
    regal_work work = regal_work_gather(zoo_type(z), regal_count_multiply(rows, width),
                                        regal_type_bytes(REGAL_TYPE_S32, rows));
    work.bytes = regal_count_add(work.bytes, regal_type_bytes(zoo_type(z), cleared));
    return work;
}

zoo_value zoo_embedding(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width,
                        zoo_weight *table) {
    const int64_t rows = elements_of(z, ids), size = regal_count_multiply(count, width);
    zoo_op op = zoo_op_make("Embedding", row_work(z, rows, width, 0), &ids, 1);
    op.weights[0] = zoo_weight_use(z, name, size, true);
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, width));
    zoo_step step =
        zoo_step_make(".grad", "EmbeddingGrad", row_work(z, rows, width, size), y, ZOO_NONE, ids);
    step.trained[0] = op.weights[0];
    zoo_note(z, &step);
    if (table != NULL)
        *table = op.weights[0];
    return y;
}

zoo_value zoo_select(zoo *z, const char *name, zoo_value x, zoo_value index) {
    const int64_t rows = elements_of(z, index), width = zoo_shape_of(z, x).size[1];
    const zoo_value reads[] = {x, index};
    const zoo_op op = zoo_op_make("Gather", row_work(z, rows, width, 0), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape2(rows, width));
    const zoo_step step = zoo_step_make(".grad", "GatherGrad",
                                        row_work(z, rows, width, elements_of(z, x)), y, x, index);
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_activate(zoo *z, const char *name, zoo_value x, zoo_activation activation,
                       bool in_place) {
    static const char *const kinds[] = {"Relu", "Gelu", "Tanh"};
    static const char *const grad_kinds[] = {"ReluGrad", "GeluGrad", "TanhGrad"};
    const int64_t elements = elements_of(z, x);
    const regal_type type = zoo_type(z);
    const zoo_op op =
        zoo_op_make(kinds[activation],
                    activation == ZOO_RELU ? regal_work_elementwise(type, elements, 1, 1)
                                           : regal_work_transcendental(type, elements, 1),
                    &x, 1);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    if (in_place)
        zoo_set_alias(z, y, x);
    const bool by_input = activation == ZOO_GELU;
    const zoo_step step =
        zoo_step_make(".grad", grad_kinds[activation],
                      by_input ? regal_work_transcendental(type, elements, 2)
                               : regal_work_elementwise(type, elements, 2, ACTIVATION_GRAD_FLOPS),
                      y, x, by_input ? x : y);
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_add(zoo *z, const char *name, const zoo_value *values, int count, bool in_place) {
    const int64_t elements = elements_of(z, values[0]);
    const zoo_op op = zoo_op_make(
        "Add", regal_work_elementwise(zoo_type(z), elements, count, count - 1), values, count);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, values[0]));
    if (in_place)
        zoo_set_alias(z, y, values[0]);
    zoo_step step = zoo_step_make(NULL, NULL, op.work, y, ZOO_NONE, ZOO_NONE);
    for (int i = 0; i < count && i < ZOO_STEP_VALUES; ++i)
        step.input[step.input_count++] = values[i];
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels) {
    const int64_t elements = elements_of(z, logits);
    const zoo_value reads[] = {logits, labels};
    const zoo_op op =
        zoo_op_make("CrossEntropy", regal_work_transcendental(zoo_type(z), elements, 1), reads, 2);
    const int64_t made = zoo_add_op(z, name, &op);
    const zoo_value loss = zoo_add_value(z, made, "", zoo_shape1(1), REGAL_TYPE_F32);
    zoo_set_output(z, loss);
    if (!zoo_training(z))
        return loss;
    zoo_step step = zoo_step_make(".grad", "CrossEntropyGrad",
                                  regal_work_elementwise(zoo_type(z), elements, 1, 2), ZOO_NONE,
                                  logits, labels);
    step.saved[step.saved_count++] =
        zoo_add_value(z, made, ".probabilities", zoo_shape_of(z, logits), zoo_type(z));
    zoo_note(z, &step);
    return loss;
}
