/* Shapes that follow from those of the inputs alone, and of what holds data. */
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

/* The shape of an input, not its content. */
static void copy(gd_call *call, int64_t k) {
    const int64_t type = call->out->type;
    *call->out = *gd_input(call, k);
    call->out->number_count = -1;
    call->out->from_shape = false;
    if (type != GD_TYPE_UNKNOWN)
        call->out->type = type;
    if (call->node->kind->role == GD_OP)
        call->out->text_bytes = 0;
}

void gd_rule_first(gd_call *call) {
    copy(call, 0);
}

void gd_rule_second(gd_call *call) {
    copy(call, 1);
}

void gd_rule_same_place(gd_call *call) {
    copy(call, call->port);
}

void gd_rule_first_known(gd_call *call) {
    copy(call, 0);
    for (int64_t k = 1; k < gd_input_count(call) && !gd_shape_is_known(call->out); ++k) {
        const gd_shape one = *call->out;
        *call->out = gd_shape_merge(&one, gd_input(call, k));
        call->out->number_count = -1;
    }
}

void gd_rule_merge(gd_call *call) {
    if (call->port == 1)
        *call->out = gd_shape_scalar(GD_TYPE_INT32);
    else
        gd_rule_first_known(call);
}

void gd_rule_cast(gd_call *call) {
    copy(call, 0);
}

void gd_rule_test(gd_call *call) {
    copy(call, 0);
    call->out->type = GD_TYPE_BOOL;
}

/* ---- broadcasting */

/* Aligned at the right: a dimension of 1 stretches. */
static gd_shape stretch(const gd_shape *a, const gd_shape *b, int64_t type) {
    gd_shape made = gd_shape_unknown(type);
    if (a->rank < 0 || b->rank < 0)
        return made;
    made.rank = a->rank > b->rank ? a->rank : b->rank;
    for (int64_t k = 0; k < made.rank; ++k) {
        const int64_t x = k < made.rank - a->rank ? 1 : a->dims[k - (made.rank - a->rank)];
        const int64_t y = k < made.rank - b->rank ? 1 : b->dims[k - (made.rank - b->rank)];
        made.dims[k] = x == 1 ? y : y == 1 || x >= 0 ? x : y > 1 ? y : -1;
    }
    return gd_shape_of(type, made.dims, made.rank);
}

void gd_rule_broadcast(gd_call *call) {
    const int64_t type = call->out->type;
    *call->out = stretch(gd_input(call, 0), gd_input(call, 1), type);
}

void gd_rule_comparison(gd_call *call) {
    *call->out = stretch(gd_input(call, 0), gd_input(call, 1), GD_TYPE_BOOL);
}

void gd_rule_select(gd_call *call) {
    const int64_t type = call->out->type;
    const gd_shape both = stretch(gd_input(call, 1), gd_input(call, 2), type);
    *call->out = stretch(gd_input(call, 0), &both, type);
}

/* ---- scalars */

void gd_rule_scalar(gd_call *call) {
    *call->out = gd_shape_scalar(call->out->type);
}

void gd_rule_truth(gd_call *call) {
    *call->out = gd_shape_scalar(GD_TYPE_BOOL);
}

void gd_rule_count(gd_call *call) {
    *call->out = gd_shape_scalar(GD_TYPE_INT32);
}

void gd_rule_handle(gd_call *call) {
    *call->out = gd_shape_scalar(GD_TYPE_RESOURCE);
}

static int64_t index_type(const gd_call *call) {
    const int64_t type = gd_attribute_type(call, "out_type", 0);
    return type != GD_TYPE_UNKNOWN ? type : GD_TYPE_INT32;
}

static void known_scalar(gd_call *call, int64_t type, int64_t number) {
    *call->out = number >= 0 ? gd_shape_numbers(type, &number, 1, true) : gd_shape_scalar(type);
    call->out->from_shape = number >= 0;
}

void gd_rule_rank(gd_call *call) {
    known_scalar(call, GD_TYPE_INT32, gd_input(call, 0)->rank);
}

void gd_rule_size(gd_call *call) {
    known_scalar(call, index_type(call), gd_input(call, 0)->elements);
}

void gd_rule_shape(gd_call *call) {
    const gd_shape *in = gd_input(call, call->port);
    const int64_t type = index_type(call);
    *call->out = gd_shape_unknown(type);
    if (in->rank < 0)
        return;
    *call->out = in->elements >= 0 ? gd_shape_numbers(type, in->dims, in->rank, false)
                                   : gd_shape_vector(type, in->rank);
    call->out->from_shape = in->elements >= 0;
}

/* ---- what holds data */

void gd_rule_constant(gd_call *call) {
    const regal_graph_def_module *module = call->file->module;
    regal_tf_attribute view;
    const void *found = module->attribute(call->node->handle, "value", &view);
    if (found == NULL || !view.tensor)
        return;
    const regal_tf_tensor tensor = module->tensor(found);
    *call->out = gd_shape_read(module, tensor.shape, tensor.type);
    call->out->text_bytes = tensor.string_bytes;
    int64_t numbers[GD_MAX_NUMBERS];
    if (call->out->rank >= 0 && call->out->rank <= 2 && call->out->elements >= 0 &&
        call->out->elements <= GD_MAX_NUMBERS &&
        module->integers(found, numbers, call->out->elements)) {
        call->out->number_count = call->out->elements;
        memcpy(call->out->numbers, numbers, (size_t)call->out->elements * sizeof *numbers);
    }
}

/* A placeholder's first dimension, where it is open, is the batch that was asked for. */
void gd_rule_placeholder(gd_call *call) {
    const regal_graph_def_module *module = call->file->module;
    regal_tf_attribute view;
    const char *const names[] = {"shape", "_output_shapes"};
    for (int i = 0; i < 2; ++i) {
        const void *found = module->attribute(call->node->handle, names[i], &view);
        if (found == NULL || view.shape_count < 1)
            continue;
        const gd_shape one = gd_shape_read(module, module->shape(found, 0), call->out->type);
        const gd_shape before = *call->out;
        *call->out = gd_shape_merge(&before, &one);
        if (strcmp(call->node->op, "VarHandleOp") == 0)
            break;
    }
    const bool open = strncmp(call->node->op, "Placeholder", 11) == 0 && call->out->rank > 0 &&
                      call->out->dims[0] < 0;
    if (open && call->file->batch >= 0) {
        gd_shape_set(call->out, 0, call->file->batch);
        call->file->batch_used = true;
    }
}
