/* Where the backward pass starts. */
#include "graph/zoo_layers.h"

/* The op that reads x and the target and makes the loss; its gradient reads the target and what the
 * op keeps (`suffix`, of the shape of x; NULL: x itself). */
static zoo_value add_loss(zoo *z, const char *name, const char *kind, const char *grad_kind,
                          zoo_value x, zoo_value target, const char *suffix) {
    const int64_t elements = zoo_elements(zoo_shape_of(z, x));
    const regal_type type = zoo_type(z);
    const zoo_value reads[] = {x, target};
    const zoo_op op = zoo_op_make(kind,
                                  suffix != NULL ? regal_work_transcendental(type, elements, 1)
                                                 : regal_work_elementwise(type, elements, 2, 3),
                                  reads, 2);
    const int64_t made = zoo_add_op(z, name, &op);
    const zoo_value loss = zoo_add_value(z, made, "", zoo_shape1(1), REGAL_TYPE_F32);
    zoo_set_output(z, loss);
    if (!zoo_training(z))
        return loss;
    zoo_step step = zoo_step_make(".grad", grad_kind, regal_work_elementwise(type, elements, 1, 2),
                                  ZOO_NONE, x, target);
    step.saved[step.saved_count++] =
        suffix != NULL ? zoo_add_value(z, made, suffix, zoo_shape_of(z, x), type) : x;
    zoo_note(z, &step);
    return loss;
}

zoo_value zoo_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels) {
    return add_loss(z, name, "CrossEntropy", "CrossEntropyGrad", logits, labels, ".probabilities");
}

zoo_value zoo_binary_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels) {
    return add_loss(z, name, "BinaryCrossEntropy", "BinaryCrossEntropyGrad", logits, labels,
                    ".probabilities");
}

zoo_value zoo_squared_error(zoo *z, const char *name, zoo_value x, zoo_value target) {
    return add_loss(z, name, "SquaredError", "SquaredErrorGrad", x, target, NULL);
}

void zoo_classify(zoo *z, zoo_value logits) {
    if (zoo_training(z)) {
        const zoo_shape rows = zoo_shape1(zoo_shape_of(z, logits).size[0]);
        zoo_cross_entropy(z, "loss", logits, zoo_input(z, "labels", rows, REGAL_TYPE_S32));
    } else {
        zoo_set_output(z, logits);
    }
}
