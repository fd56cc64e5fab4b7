/* The shapes of a node's outputs: by its kind's rule, its attributes, and for small vectors of
 * integers their content. */
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

/* ---- what rules ask */

int64_t gd_input_count(const gd_call *call) {
    return call->node->input_count;
}

const gd_shape *gd_input(const gd_call *call, int64_t k) {
    static const gd_shape unknown = {.rank = -1, .elements = -1, .number_count = -1};
    return k >= 0 && k < call->node->input_count
               ? &call->scope->values[call->scope->inputs[call->node->first_input + k]].shape
               : &unknown;
}

static const void *attribute(const gd_call *call, const char *name, regal_tf_attribute *view) {
    return call->file->module->attribute(call->node->handle, name, view);
}

bool gd_attribute_integer(const gd_call *call, const char *name, int64_t *number) {
    regal_tf_attribute view;
    const void *found = attribute(call, name, &view);
    if (found == NULL || view.integer_count < 1)
        return false;
    *number = call->file->module->integer(found, 0);
    return true;
}

bool gd_attribute_flag(const gd_call *call, const char *name) {
    regal_tf_attribute view;
    return attribute(call, name, &view) != NULL && view.boolean;
}

int64_t gd_attribute_type(const gd_call *call, const char *name, int64_t k) {
    regal_tf_attribute view;
    const void *found = attribute(call, name, &view);
    return found != NULL && k >= 0 && k < view.type_count ? call->file->module->type(found, k)
                                                          : GD_TYPE_UNKNOWN;
}

void gd_attribute_text(const gd_call *call, const char *name, char *text, size_t size) {
    regal_tf_attribute view;
    const void *found = attribute(call, name, &view);
    text[0] = '\0';
    if (found == NULL || view.string_count < 1)
        return;
    const regal_tf_text content = call->file->module->string(found, 0);
    const size_t length = content.size < size - 1 ? content.size : size - 1;
    if (length > 0)
        memcpy(text, content.data, length);
    text[length] = '\0';
}

int64_t gd_attribute_integers(const gd_call *call, const char *name, int64_t *numbers,
                              int64_t room) {
    regal_tf_attribute view;
    const void *found = attribute(call, name, &view);
    if (found == NULL || view.integer_count > room)
        return -1;
    for (int64_t i = 0; i < view.integer_count; ++i)
        numbers[i] = call->file->module->integer(found, i);
    return view.integer_count;
}

/* ---- types */

/* Of the output, by the attributes that name types of outputs, else as the first input. */
static int64_t output_type(const gd_call *call) {
    static const char *const LISTS[] = {"Tout", "output_types", "component_types", "Tresults"};
    static const char *const SINGLE[] = {"dtype",        "DstT", "Tparams",       "type",
                                         "output_dtype", "T",    "element_dtype", "Tidx"};
    int64_t type = GD_TYPE_UNKNOWN;
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS && type == GD_TYPE_UNKNOWN; ++i)
        type = gd_attribute_type(call, LISTS[i], call->port);
    if (type == GD_TYPE_UNKNOWN)
        type = gd_attribute_type(call, "T", call->port); /* a list, as IdentityN has it */
    if (call->port > 0 && type == GD_TYPE_UNKNOWN)
        type = gd_attribute_type(call, "T", 0);
    for (size_t i = 0; i < sizeof SINGLE / sizeof *SINGLE; ++i) {
        const int64_t found = gd_attribute_type(call, SINGLE[i], 0);
        /* A random op's T is the type of its shape, a cast has none: these come first. */
        if (found != GD_TYPE_UNKNOWN && (type == GD_TYPE_UNKNOWN || i < 5))
            return found;
        if (type != GD_TYPE_UNKNOWN && i >= 5)
            break;
    }
    return type != GD_TYPE_UNKNOWN ? type : gd_input(call, 0)->type;
}

/* ---- attributes that name shapes */

/* Attributes then say what it leads to; of a variable, its rule reads that. */
static bool is_handle(const gd_node *node) {
    return strcmp(node->op, "VarHandleOp") == 0 || node->kind->shape == gd_rule_handle;
}

static gd_shape declared(const gd_call *call) {
    static const char *const NAMES[] = {"_output_shapes", "output_shapes"};
    const regal_graph_def_module *module = call->file->module;
    gd_shape shape = gd_shape_unknown(call->out->type);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !is_handle(call->node); ++i) {
        regal_tf_attribute view;
        const void *found = attribute(call, NAMES[i], &view);
        if (found == NULL || call->port >= view.shape_count)
            continue;
        const gd_shape one =
            gd_shape_read(module, module->shape(found, call->port), call->out->type);
        shape = gd_shape_merge(&shape, &one);
    }
    return shape;
}

void gd_infer(gd_file *file, gd_scope *scope, int64_t index) {
    gd_node *node = &scope->nodes[index];
    gd_call call = {.file = file, .scope = scope, .node = node};
    for (int64_t k = 0; k < node->value_count; ++k) {
        gd_value *value = &scope->values[node->first_value + k];
        call.out = &value->shape;
        call.port = value->port;
        value->shape = gd_shape_unknown(output_type(&call));
        if (node->kind->shape != NULL)
            node->kind->shape(&call);
        const gd_shape known = declared(&call);
        value->shape = gd_shape_merge(&known, &value->shape);
        gd_fold(&call);
    }
}
