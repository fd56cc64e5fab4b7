/* Layers that work element by element. */
#include "graph/zoo_layers.h"

enum { ACTIVATION_GRAD_FLOPS = 10 }; /* per element, about */

static int64_t elements_of(const zoo *z, zoo_value value) {
    return zoo_elements(zoo_shape_of(z, value));
}

static zoo_value add_layer(zoo *z, const char *name, const zoo_op *op, zoo_shape shape) {
    return zoo_add_value(z, zoo_add_op(z, name, op), "", shape, zoo_type(z));
}

typedef struct activation_kind {
    const char *kind, *grad_kind;
    bool cheap;    /* no special function */
    bool by_input; /* its gradient needs the input, not the output */
} activation_kind;

static const activation_kind activations[] = {
    [ZOO_RELU] = {"Relu", "ReluGrad", true, false},
    [ZOO_GELU] = {"Gelu", "GeluGrad", false, true},
    [ZOO_TANH] = {"Tanh", "TanhGrad", false, false},
    [ZOO_SIGMOID] = {"Sigmoid", "SigmoidGrad", false, false},
    [ZOO_SILU] = {"Silu", "SiluGrad", false, true},
    [ZOO_RELU6] = {"Relu6", "Relu6Grad", true, false},
};

zoo_value zoo_activate(zoo *z, const char *name, zoo_value x, zoo_activation activation,
                       bool in_place) {
    const activation_kind *kind = &activations[activation];
    const int64_t elements = elements_of(z, x);
    const regal_type type = zoo_type(z);
    const zoo_op op = zoo_op_make(kind->kind,
                                  kind->cheap ? regal_work_elementwise(type, elements, 1, 1)
                                              : regal_work_transcendental(type, elements, 1),
                                  &x, 1);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    if (in_place)
        zoo_set_alias(z, y, x);
    const zoo_step step = zoo_step_make(
        ".grad", kind->grad_kind,
        kind->by_input ? regal_work_transcendental(type, elements, 2)
                       : regal_work_elementwise(type, elements, 2, ACTIVATION_GRAD_FLOPS),
        y, x, kind->by_input ? x : y);
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

zoo_value zoo_add_all(zoo *z, const char *name, const zoo_value *values, int64_t count) {
    zoo_value sum = values[0];
    for (int64_t i = 1; i < count;) {
        zoo_value parts[ZOO_STEP_VALUES] = {sum};
        int taken = 1;
        while (taken < ZOO_STEP_VALUES && i < count)
            parts[taken++] = values[i++];
        zoo_enter(z, name, i);
        sum = zoo_add(z, "add", parts, taken, false);
        zoo_leave(z);
    }
    return sum;
}

zoo_value zoo_add_broadcast(zoo *z, const char *name, zoo_value x, zoo_value b) {
    const zoo_value reads[] = {x, b};
    const int64_t elements = elements_of(z, x);
    const zoo_op op =
        zoo_op_make("Add", regal_work_elementwise(zoo_type(z), elements, 1, 1), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    const zoo_step hand_on = zoo_step_make(NULL, NULL, op.work, y, x, ZOO_NONE);
    zoo_note(z, &hand_on);
    const zoo_step sum = zoo_step_make(
        ".grad", "ReduceSum", regal_work_reduction(zoo_type(z), elements, elements_of(z, b)), y, b,
        ZOO_NONE);
    zoo_note(z, &sum);
    return y;
}

zoo_value zoo_multiply(zoo *z, const char *name, zoo_value x, zoo_value b) {
    const zoo_value reads[] = {x, b};
    const regal_type type = zoo_type(z);
    const int64_t elements = elements_of(z, x);
    const zoo_op op =
        zoo_op_make("Multiply", regal_work_elementwise(type, elements, 2, 1), reads, 2);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    zoo_step step = zoo_step_make(".grad", "MultiplyGrad",
                                  regal_work_elementwise(type, elements, 4, 2), y, x, x);
    step.saved[step.saved_count++] = b;
    step.input[step.input_count++] = b;
    zoo_note(z, &step);
    return y;
}

zoo_value zoo_map(zoo *z, const char *name, const char *kind, zoo_value x, int64_t flops) {
    const zoo_op op =
        zoo_op_make(kind, regal_work_elementwise(zoo_type(z), elements_of(z, x), 1, flops), &x, 1);
    const zoo_value y = add_layer(z, name, &op, zoo_shape_of(z, x));
    if (zoo_is_constant(z, x))
        zoo_set_constant(z, y);
    const zoo_step step = zoo_step_make(".grad", kind, op.work, y, x, ZOO_NONE);
    zoo_note(z, &step);
    return y;
}
