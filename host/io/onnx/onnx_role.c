/* What the nodes of an ONNX model become. */
#include <string.h>

#include "io/onnx/onnx_reading.h"

static bool is_kind(const regal_onnx_node *node, const char *kind) {
    return node->domain[0] == '\0' && strcmp(node->kind, kind) == 0;
}

/* Not in training, and the mask is not asked for. */
static bool is_idle_dropout(const onnx_reading *in, const regal_onnx_node *node) {
    regal_onnx_value training;
    const bool trains = regal_onnx_input(in, node, 2, &training) && training.content_count == 1 &&
                        training.content[0] != 0;
    const bool masks =
        node->output_count > 1 && node->outputs[1] >= 0 && in->used[node->outputs[1]];
    return is_kind(node, "Dropout") && !trains && !masks;
}

static bool is_view(const onnx_reading *in, const regal_onnx_node *node) {
    static const char *const KINDS[] = {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"};
    if (node->input_count == 0 || node->inputs[0] < 0)
        return false;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; ++i)
        if (is_kind(node, KINDS[i]))
            return true;
    return is_idle_dropout(in, node);
}

static bool is_constant(const onnx_reading *in, const regal_onnx_node *node) {
    regal_onnx_value shape;
    return is_kind(node, "Constant") || (is_kind(node, "ConstantOfShape") &&
                                         regal_onnx_input(in, node, 0, &shape) && shape.known);
}

onnx_role regal_onnx_role(const onnx_reading *in, int64_t id) {
    const regal_onnx_node node = in->module->node(in->model, id);
    regal_onnx_value value;
    if (is_constant(in, &node))
        return regal_onnx_output(in, &node, 0, &value) && !regal_onnx_is_nothing(&value)
                   ? ONNX_WEIGHT
                   : ONNX_NOTHING;
    if (node.folded)
        return ONNX_NOTHING;
    return is_view(in, &node) ? ONNX_VIEW : ONNX_OP;
}
