/* Shapes of products, convolutions, reductions and what else networks are made of. */
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

/* ---- products */

static int64_t side(const gd_shape *matrix, bool transposed, int64_t k) {
    return matrix->dims[matrix->rank - 2 + (transposed ? 1 - k : k)];
}

void gd_rule_product(gd_call *call) {
    const gd_shape *a = gd_input(call, 0), *b = gd_input(call, 1);
    if (a->rank != 2 || b->rank != 2)
        return;
    const int64_t dims[2] = {side(a, gd_attribute_flag(call, "transpose_a"), 0),
                             side(b, gd_attribute_flag(call, "transpose_b"), 1)};
    *call->out = gd_shape_of(call->out->type, dims, 2);
}

void gd_rule_batch_product(gd_call *call) {
    const gd_shape *a = gd_input(call, 0), *b = gd_input(call, 1);
    if (a->rank < 2 || b->rank < 2)
        return;
    const gd_shape *longer = a->rank >= b->rank ? a : b, *other = longer == a ? b : a;
    const int64_t shift = longer->rank - other->rank;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < longer->rank - 2; ++k) {
        const int64_t x = longer->dims[k], y = k < shift ? 1 : other->dims[k - shift];
        dims[k] = x == 1 ? y : x >= 0 || y == 1 ? x : y > 1 ? y : -1;
    }
    dims[longer->rank - 2] = side(a, gd_attribute_flag(call, "adj_x"), 0);
    dims[longer->rank - 1] = side(b, gd_attribute_flag(call, "adj_y"), 1);
    *call->out = gd_shape_of(call->out->type, dims, longer->rank);
}

/* ---- windows */

typedef struct window {
    int64_t size[GD_MAX_RANK], stride[GD_MAX_RANK], dilation[GD_MAX_RANK];
    int64_t padding[2 * GD_MAX_RANK];
    bool same, explicit_padding;
} window;

static void read_list(const gd_call *call, const char *name, int64_t *numbers, int64_t rank) {
    int64_t list[GD_MAX_RANK];
    const int64_t count = gd_attribute_integers(call, name, list, GD_MAX_RANK);
    for (int64_t k = 0; k < rank; ++k)
        numbers[k] = count == rank && list[k] > 0 ? list[k] : 1;
}

static window read_window(const gd_call *call, int64_t rank) {
    window made = {0};
    char padding[12];
    read_list(call, "ksize", made.size, rank);
    read_list(call, "strides", made.stride, rank);
    read_list(call, "dilations", made.dilation, rank);
    gd_attribute_text(call, "padding", padding, sizeof padding);
    made.same = strcmp(padding, "SAME") == 0;
    made.explicit_padding =
        strcmp(padding, "EXPLICIT") == 0 &&
        gd_attribute_integers(call, "explicit_paddings", made.padding, 2 * GD_MAX_RANK) == 2 * rank;
    return made;
}

/* How many windows fit along dimension k. */
static int64_t fit(const window *of, int64_t k, int64_t in) {
    if (in < 0 || of->size[k] < 0)
        return -1;
    if (of->same)
        return in / of->stride[k] + (in % of->stride[k] != 0);
    const int64_t reach =
        regal_count_add(regal_count_multiply(of->size[k] - 1, of->dilation[k]), 1);
    if (of->explicit_padding)
        for (int i = 0; i < 2; ++i)
            in = regal_count_add(in, of->padding[2 * k + i] > 0 ? of->padding[2 * k + i] : 0);
    return in < reach ? 0 : (in - reach) / of->stride[k] + 1;
}

void gd_rule_pool(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    if (in->rank < 3)
        return;
    const window of = read_window(call, in->rank);
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < in->rank; ++k)
        dims[k] = fit(&of, k, in->dims[k]);
    *call->out = gd_shape_of(call->out->type, dims, in->rank);
}

/* The kernel is [space..., in, out]. */
static void convolve(gd_call *call, int64_t channels) {
    const gd_shape *in = gd_input(call, 0), *kernel = gd_input(call, 1);
    const int64_t rank = in->rank, first = gd_channels_first(call) ? 2 : 1;
    if (rank < 3 || kernel->rank != rank)
        return;
    window of = read_window(call, rank);
    int64_t dims[GD_MAX_RANK];
    dims[0] = in->dims[0];
    dims[first == 2 ? 1 : rank - 1] = channels;
    for (int64_t k = 0; k < rank - 2; ++k) {
        of.size[first + k] = kernel->dims[k];
        dims[first + k] = fit(&of, first + k, in->dims[first + k]);
    }
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

void gd_rule_convolution(gd_call *call) {
    const gd_shape *kernel = gd_input(call, 1);
    convolve(call, kernel->rank > 0 ? kernel->dims[kernel->rank - 1] : -1);
}

void gd_rule_depthwise(gd_call *call) {
    const gd_shape *kernel = gd_input(call, 1);
    const bool known = kernel->rank == 4 && kernel->dims[2] >= 0 && kernel->dims[3] >= 0;
    convolve(call, known ? regal_count_multiply(kernel->dims[2], kernel->dims[3]) : -1);
}

void gd_rule_resize(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *size = gd_input(call, 1);
    if (in->rank != 4)
        return;
    const int64_t dims[4] = {in->dims[0], size->number_count == 2 ? size->numbers[0] : -1,
                             size->number_count == 2 ? size->numbers[1] : -1, in->dims[3]};
    *call->out = gd_shape_of(call->out->type, dims, 4);
}

/* ---- reductions */

static void reduce(gd_call *call, const int64_t *axes, int64_t count, bool keep) {
    const gd_shape *in = gd_input(call, 0);
    int64_t dims[GD_MAX_RANK], rank = 0;
    for (int64_t k = 0; k < in->rank; ++k) {
        bool gone = false;
        for (int64_t i = 0; i < count; ++i)
            gone |= gd_axis(axes[i], in->rank) == k;
        if (!gone || keep)
            dims[rank++] = gone ? 1 : in->dims[k];
    }
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

void gd_rule_reduce(gd_call *call) {
    const gd_shape *axes = gd_input(call, 1);
    const bool keep = gd_attribute_flag(call, "keep_dims");
    if (gd_input(call, 0)->rank >= 0 && axes->number_count >= 0)
        reduce(call, axes->numbers, axes->number_count, keep);
}

void gd_rule_argument(gd_call *call) {
    const int64_t type = gd_attribute_type(call, "output_type", 0);
    const int64_t axis = gd_number(call, 1, GD_NO_NUMBER);
    *call->out = gd_shape_unknown(type != GD_TYPE_UNKNOWN ? type : GD_TYPE_INT64);
    if (gd_input(call, 0)->rank >= 0 && axis != GD_NO_NUMBER)
        reduce(call, &axis, 1, false);
}

static int64_t channels_of(const gd_call *call, const gd_shape *in) {
    return in->rank < 2 ? -1 : in->dims[gd_channels_first(call) ? 1 : in->rank - 1];
}

void gd_rule_bias_gradient(gd_call *call) {
    *call->out = gd_shape_vector(call->out->type, channels_of(call, gd_input(call, 0)));
}

void gd_rule_top(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    int64_t count = gd_number(call, 1, -1);
    gd_attribute_integer(call, "k", &count);
    const int64_t type = call->port == 1 ? GD_TYPE_INT32 : call->out->type;
    *call->out = gd_shape_of(type, in->dims, in->rank < 1 ? 0 : in->rank);
    if (in->rank < 1)
        *call->out = gd_shape_unknown(type);
    else
        gd_shape_set(call->out, in->rank - 1, count);
}

/* ---- normalization and losses */

static void channel_vector(gd_call *call, int64_t from) {
    const gd_shape *scale = gd_input(call, from);
    const int64_t type = gd_attribute_type(call, "U", 0);
    *call->out =
        gd_shape_vector(type != GD_TYPE_UNKNOWN ? type : call->out->type,
                        scale->rank == 1 ? scale->dims[0] : channels_of(call, gd_input(call, 0)));
}

void gd_rule_batch_norm(gd_call *call) {
    if (call->port == 0)
        gd_rule_first(call);
    else
        channel_vector(call, 1);
}

/* The last two outputs are empty. */
void gd_rule_batch_norm_gradient(gd_call *call) {
    if (call->port == 0)
        gd_rule_first(call);
    else if (call->port < 3)
        channel_vector(call, 2);
    else
        *call->out = gd_shape_vector(call->out->type, 0);
}

void gd_rule_cross_entropy(gd_call *call) {
    const gd_shape *logits = gd_input(call, 0);
    if (call->port != 0)
        gd_rule_first(call);
    else if (logits->rank == 2)
        *call->out = gd_shape_vector(call->out->type, logits->dims[0]);
}
