/* The load of one op that is a single launch, from its shapes. What is unknown counts as nothing
 * here: the reader lists it. */
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

enum { REPEATS_SEEN = 16 }; /* inputs among which repeated ones are found (they are read once) */

static int64_t not_negative(int64_t count) {
    return count > 0 ? count : 0;
}

static int64_t elements_of(const gd_shape *shape) {
    return not_negative(shape->elements);
}

static int64_t bytes_of(const gd_shape *shape) {
    return not_negative(gd_shape_bytes(shape));
}

static int64_t input_bytes(const gd_call *call) {
    const int64_t *inputs = call->scope->inputs + call->node->first_input;
    int64_t bytes = 0;
    for (int64_t k = 0; k < call->node->input_count; ++k) {
        bool repeated = false;
        for (int64_t i = 0; i < k && i < REPEATS_SEEN && !repeated; ++i)
            repeated = inputs[i] == inputs[k];
        if (!repeated)
            bytes = regal_count_add(bytes, bytes_of(gd_input(call, k)));
    }
    return bytes;
}

static int64_t output_bytes(const gd_call *call) {
    int64_t bytes = 0;
    for (int64_t k = 0; k < call->node->value_count; ++k)
        bytes = regal_count_add(bytes,
                                bytes_of(&call->scope->values[call->node->first_value + k].shape));
    return bytes;
}

/* The shape of the first output; unknown where there is none. */
static const gd_shape *output(const gd_call *call) {
    static const gd_shape none = {.rank = -1, .elements = -1, .number_count = -1};
    return call->node->value_count > 0 ? &call->scope->values[call->node->first_value].shape
                                       : &none;
}

static void add(regal_load *load, regal_work_kind kind, const gd_shape *of, int64_t flops) {
    const regal_work work = {.kind = kind, .type = gd_shape_type(of), .flops = flops};
    regal_load_add(load, &work);
}

static int64_t times(int64_t a, int64_t b) {
    return regal_count_multiply(not_negative(a), not_negative(b));
}

/* The length that a product sums over, by whichever of the two is known. */
static int64_t depth_of_product(const gd_call *call) {
    const gd_shape *a = gd_input(call, 0), *b = gd_input(call, 1);
    const bool turned = gd_attribute_flag(call, "transpose_a") || gd_attribute_flag(call, "adj_x");
    const bool other = gd_attribute_flag(call, "transpose_b") || gd_attribute_flag(call, "adj_y");
    const int64_t depth = a->rank < 2 ? -1 : a->dims[a->rank - (turned ? 2 : 1)];
    return not_negative(depth >= 0 || b->rank < 2 ? depth : b->dims[b->rank - (other ? 1 : 2)]);
}

/* Multiply-adds for each element of a convolution's output: all of the kernel but its last
 * dimension, where a depthwise one has its channels. */
static int64_t taps(const gd_shape *kernel, bool depthwise) {
    int64_t count = kernel->rank > 0 ? 1 : 0;
    for (int64_t k = 0; k < kernel->rank - (depthwise ? 2 : 1); ++k)
        count = times(count, kernel->dims[k]);
    return count;
}

static void convolution(const gd_call *call, regal_load *load) {
    const bool depthwise = strncmp(call->node->op, "Depthwise", 9) == 0;
    add(load, REGAL_WORK_CONVOLUTION, gd_input(call, 0),
        times(2, times(elements_of(output(call)), taps(gd_input(call, 1), depthwise))));
}

/* The same multiply-adds as forwards: for each element of the output's gradient, input 2. The
 * kernel is input 1, or the result. */
static void convolution_back(const gd_call *call, regal_load *load) {
    const bool depthwise = strncmp(call->node->op, "Depthwise", 9) == 0;
    const bool to_kernel = strstr(call->node->op, "Filter") != NULL;
    const gd_shape *kernel = to_kernel ? output(call) : gd_input(call, 1);
    add(load, REGAL_WORK_CONVOLUTION, gd_input(call, 2),
        times(2, times(elements_of(gd_input(call, 2)), taps(kernel, depthwise))));
}

static void pool(const gd_call *call, regal_load *load) {
    int64_t sizes[GD_MAX_RANK], window = 1;
    const int64_t count = gd_attribute_integers(call, "ksize", sizes, GD_MAX_RANK);
    for (int64_t k = 0; k < count; ++k)
        window = times(window, sizes[k]);
    const int64_t in = elements_of(gd_input(call, 0)), out = elements_of(output(call));
    add(load, REGAL_WORK_REDUCTION, output(call), times(in > 0 && in < out ? in : out, window));
}

static void sort(const gd_call *call, regal_load *load) {
    const gd_shape *keys = gd_input(call, 0);
    const int64_t length = keys->rank > 0 ? not_negative(keys->dims[keys->rank - 1]) : 1;
    const int64_t rows = length > 0 ? elements_of(keys) / length : 0;
    const regal_work work = regal_work_sort(gd_shape_type(keys), rows, length);
    regal_load_add(load, &work);
    load->bytes = work.bytes;
}

/* A variable and its slots are read and written; the gradient, input of the same shape but the
 * last, is read. */
static void update(const gd_call *call, regal_load *load) {
    const gd_shape *variable = gd_input(call, 0);
    int64_t alike = 0;
    for (int64_t k = 0; k < gd_input_count(call); ++k)
        alike += gd_input(call, k)->elements == variable->elements && variable->elements > 1;
    load->bytes =
        regal_count_add(input_bytes(call), times(bytes_of(variable), alike > 1 ? alike - 1 : 1));
    if (call->node->kind->amount == 0) /* Assign: what was there is not read */
        load->bytes = times(2, bytes_of(variable));
    add(load, REGAL_WORK_ELEMENTWISE, variable,
        times(elements_of(variable), call->node->kind->amount));
}

/* Of what is picked from, or put into, only as much as is picked. */
static void gather(const gd_call *call, regal_load *load) {
    int64_t picked = output_bytes(call);
    if (call->node->kind->outputs < 0) /* in place */
        picked = bytes_of(gd_input(call, gd_input_count(call) - 1));
    load->bytes = regal_count_add(times(2, picked), bytes_of(gd_input(call, 1)));
}

static int64_t greatest_elements(const gd_call *call) {
    int64_t most = elements_of(output(call));
    for (int64_t k = 0; k < gd_input_count(call); ++k)
        most = elements_of(gd_input(call, k)) > most ? elements_of(gd_input(call, k)) : most;
    return most;
}

regal_load gd_work_load(gd_file *file, gd_scope *scope, int64_t index) {
    gd_node *node = &scope->nodes[index];
    const gd_call call = {.file = file, .scope = scope, .node = node};
    const int64_t amount = node->kind->amount;
    const gd_shape *out = output(&call);
    regal_load load = {.bytes = regal_count_add(input_bytes(&call), output_bytes(&call))};
    switch (node->kind->work) {
    case GD_MOVE:
        break;
    case GD_NONE:
        load.bytes = 0;
        break;
    case GD_ELEMENTWISE:
        if (strcmp(node->op, "AddN") == 0 || out->type == GD_TYPE_BOOL)
            add(&load, REGAL_WORK_ELEMENTWISE, gd_input(&call, 0),
                times(elements_of(out), gd_input_count(&call) > 2 ? gd_input_count(&call) - 1 : 1));
        else
            add(&load, REGAL_WORK_ELEMENTWISE, out, times(elements_of(out), amount));
        break;
    case GD_TRANSCENDENTAL:
        add(&load, REGAL_WORK_TRANSCENDENTAL, out, times(greatest_elements(&call), amount));
        break;
    case GD_REDUCE:
        add(&load, REGAL_WORK_REDUCTION, gd_input(&call, 0),
            times(elements_of(gd_input(&call, 0)), amount));
        break;
    case GD_PRODUCT:
        add(&load, REGAL_WORK_MATRIX_PRODUCT, gd_input(&call, 0),
            times(amount, times(elements_of(out), depth_of_product(&call))));
        break;
    case GD_CONVOLUTION:
        convolution(&call, &load);
        break;
    case GD_CONVOLUTION_BACK:
        convolution_back(&call, &load);
        break;
    case GD_POOL:
        pool(&call, &load);
        break;
    case GD_GATHER:
        gather(&call, &load);
        break;
    case GD_SORT:
        sort(&call, &load);
        break;
    case GD_RANDOM:
        add(&load, REGAL_WORK_RANDOM, out, times(elements_of(out), amount));
        break;
    case GD_UPDATE:
        update(&call, &load);
        break;
    }
    return load;
}
