/* Shapes of ops that move, join and part arrays. */
#include "io/tensorflow/graph_def_rules.h"

/* ---- to a shape that an input's content is */

static void shape_of_numbers(gd_call *call, int64_t k) {
    const gd_shape *in = gd_input(call, k);
    const int64_t type = call->out->type;
    if (in->number_count >= 0)
        *call->out = gd_shape_of(type, in->numbers, in->number_count);
}

void gd_rule_of_numbers_0(gd_call *call) {
    shape_of_numbers(call, 0);
}

void gd_rule_of_numbers_1(gd_call *call) {
    shape_of_numbers(call, 1);
}

void gd_rule_of_numbers_2(gd_call *call) {
    shape_of_numbers(call, 2);
}

void gd_rule_fill(gd_call *call) {
    shape_of_numbers(call, 0);
}

void gd_rule_random(gd_call *call) {
    shape_of_numbers(call, 0);
}

void gd_rule_random_integers(gd_call *call) {
    shape_of_numbers(call, 0);
}

/* ---- the same elements */

void gd_rule_reshape(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *to = gd_input(call, 1);
    const int64_t type = call->out->type;
    if (to->number_count >= 0 && to->number_count <= GD_MAX_RANK) {
        int64_t dims[GD_MAX_RANK], product = 1, open = -1, opens = 0;
        for (int64_t k = 0; k < to->number_count; ++k) {
            dims[k] = to->numbers[k];
            if (dims[k] < 0) {
                open = k;
                ++opens;
            } else {
                product = regal_count_multiply(product, dims[k]);
            }
        }
        if (opens == 1)
            dims[open] = in->elements >= 0 && product > 0 ? in->elements / product : -1;
        *call->out = gd_shape_of(type, dims, to->number_count);
    }
    if (call->out->elements < 0)
        call->out->elements = in->elements;
}

void gd_rule_bitcast(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    const int64_t type = call->out->type, bytes = gd_shape_bytes(in);
    const gd_shape one = gd_shape_scalar(type);
    const int64_t size = gd_shape_bytes(&one);
    if (size == regal_type_bits(gd_shape_type(in)) / 8) {
        *call->out = *in;
        call->out->type = one.type;
        call->out->number_count = -1;
    } else if (bytes >= 0 && size > 0) {
        call->out->elements = bytes / size;
    }
}

void gd_rule_expand(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    const int64_t axis = gd_axis(gd_number(call, 1, GD_NO_NUMBER), in->rank + 1);
    call->out->elements = in->elements;
    if (in->rank < 0 || in->rank >= GD_MAX_RANK || axis < 0)
        return;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0, i = 0; k <= in->rank; ++k)
        dims[k] = k == axis ? 1 : in->dims[i++];
    *call->out = gd_shape_of(call->out->type, dims, in->rank + 1);
}

void gd_rule_squeeze(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    int64_t axes[GD_MAX_RANK], dims[GD_MAX_RANK], rank = 0;
    const int64_t count = gd_attribute_integers(call, "squeeze_dims", axes, GD_MAX_RANK);
    call->out->elements = in->elements;
    if (in->rank < 0)
        return;
    for (int64_t k = 0; k < in->rank; ++k) {
        bool gone = count <= 0 && in->dims[k] == 1;
        for (int64_t i = 0; i < count; ++i)
            gone |= gd_axis(axes[i], in->rank) == k;
        if (!gone)
            dims[rank++] = in->dims[k];
    }
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

void gd_rule_transpose(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *order = gd_input(call, 1);
    call->out->elements = in->elements;
    if (in->rank < 0)
        return;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < in->rank; ++k) {
        const int64_t from =
            order->number_count == in->rank ? gd_axis(order->numbers[k], in->rank) : -1;
        dims[k] = from >= 0 ? in->dims[from] : -1;
    }
    *call->out = gd_shape_of(call->out->type, dims, in->rank);
    if (call->out->elements < 0)
        call->out->elements = in->elements;
}

/* ---- joining and parting */

static void join(gd_call *call, int64_t first, int64_t count, int64_t axis_number) {
    const gd_shape *in = gd_input(call, first);
    const int64_t axis = gd_axis(axis_number, in->rank);
    if (in->rank < 0 || axis < 0)
        return;
    gd_shape made = *in;
    int64_t total = 0;
    for (int64_t k = 0; k < count; ++k) {
        const gd_shape *one = gd_input(call, first + k);
        const int64_t size = one->rank == in->rank ? one->dims[axis] : -1;
        total = total < 0 || size < 0 ? -1 : regal_count_add(total, size);
        for (int64_t d = 0; d < made.rank; ++d)
            if (one->rank == made.rank && made.dims[d] < 0)
                made.dims[d] = one->dims[d];
    }
    made.dims[axis] = total;
    *call->out = gd_shape_of(call->out->type, made.dims, made.rank);
}

void gd_rule_concat(gd_call *call) {
    const int64_t last = gd_input_count(call) - 1;
    join(call, 0, last, gd_number(call, last, GD_NO_NUMBER));
}

void gd_rule_concat_axis_first(gd_call *call) {
    join(call, 1, gd_input_count(call) - 1, gd_number(call, 0, GD_NO_NUMBER));
}

void gd_rule_pack(gd_call *call) {
    gd_shape in = *gd_input(call, 0);
    int64_t axis = 0, dims[GD_MAX_RANK + 1];
    gd_attribute_integer(call, "axis", &axis);
    for (int64_t k = 1; k < gd_input_count(call); ++k)
        in = gd_shape_merge(&in, gd_input(call, k));
    axis = gd_axis(axis, in.rank + 1);
    if (in.rank < 0 || axis < 0)
        return;
    for (int64_t k = 0, i = 0; k <= in.rank; ++k)
        dims[k] = k == axis ? gd_input_count(call) : in.dims[i++];
    *call->out = gd_shape_of(call->out->type, dims, in.rank + 1);
}

void gd_rule_unpack(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    int64_t axis = 0, dims[GD_MAX_RANK], rank = 0;
    gd_attribute_integer(call, "axis", &axis);
    axis = gd_axis(axis, in->rank);
    if (in->rank < 0 || axis < 0)
        return;
    for (int64_t k = 0; k < in->rank; ++k)
        if (k != axis)
            dims[rank++] = in->dims[k];
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

static void part(gd_call *call, int64_t k, int64_t axis, int64_t size) {
    const gd_shape *in = gd_input(call, k);
    if (in->rank < 0 || gd_axis(axis, in->rank) < 0)
        return;
    const int64_t type = call->out->type;
    *call->out = gd_shape_of(type, in->dims, in->rank);
    gd_shape_set(call->out, gd_axis(axis, in->rank), size);
}

void gd_rule_split(gd_call *call) {
    const gd_shape *in = gd_input(call, 1);
    const int64_t axis = gd_axis(gd_number(call, 0, GD_NO_NUMBER), in->rank);
    int64_t parts = 0;
    gd_attribute_integer(call, "num_split", &parts);
    if (axis >= 0)
        part(call, 1, axis, parts > 0 && in->dims[axis] >= 0 ? in->dims[axis] / parts : -1);
}

/* One size may be left open. */
void gd_rule_split_sizes(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *sizes = gd_input(call, 1);
    const int64_t axis = gd_axis(gd_number(call, 2, GD_NO_NUMBER), in->rank);
    if (axis < 0 || call->port >= sizes->number_count)
        return;
    int64_t rest = in->dims[axis];
    for (int64_t k = 0; k < sizes->number_count; ++k)
        if (sizes->numbers[k] >= 0 && sizes->numbers[k] <= rest)
            rest -= sizes->numbers[k];
    const int64_t size = sizes->numbers[call->port];
    part(call, 0, axis, size >= 0 ? size : rest);
}

/* ---- picking and repeating */

void gd_rule_tile(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *times = gd_input(call, 1);
    if (in->rank < 0 || times->number_count != in->rank)
        return;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < in->rank; ++k)
        dims[k] = in->dims[k] < 0 || times->numbers[k] < 0
                      ? -1
                      : regal_count_multiply(in->dims[k], times->numbers[k]);
    *call->out = gd_shape_of(call->out->type, dims, in->rank);
}

void gd_rule_pad(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *pads = gd_input(call, 1);
    if (in->rank < 0 || pads->number_count != 2 * in->rank)
        return;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < in->rank; ++k) {
        const int64_t before = pads->numbers[2 * k], after = pads->numbers[2 * k + 1];
        dims[k] = in->dims[k] < 0 || before < 0 || after < 0
                      ? -1
                      : regal_count_add(in->dims[k], regal_count_add(before, after));
    }
    *call->out = gd_shape_of(call->out->type, dims, in->rank);
}

void gd_rule_slice(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *begin = gd_input(call, 1), *size = gd_input(call, 2);
    if (size->number_count < 0 || size->number_count > GD_MAX_RANK)
        return;
    int64_t dims[GD_MAX_RANK];
    for (int64_t k = 0; k < size->number_count; ++k) {
        dims[k] = size->numbers[k];
        if (dims[k] < 0 && in->rank == size->number_count && in->dims[k] >= 0 &&
            begin->number_count == in->rank && begin->numbers[k] >= 0 &&
            begin->numbers[k] <= in->dims[k])
            dims[k] = in->dims[k] - begin->numbers[k];
    }
    *call->out = gd_shape_of(call->out->type, dims, size->number_count);
}

void gd_rule_one_hot(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    int64_t axis = -1, dims[GD_MAX_RANK + 1];
    gd_attribute_integer(call, "axis", &axis);
    axis = gd_axis(axis, in->rank + 1);
    if (in->rank < 0 || axis < 0)
        return;
    for (int64_t k = 0, i = 0; k <= in->rank; ++k)
        dims[k] = k == axis ? gd_number(call, 1, -1) : in->dims[i++];
    *call->out = gd_shape_of(call->out->type, dims, in->rank + 1);
}

/* params[..., indices, ...] along an axis. */
static void pick(gd_call *call, int64_t axis, int64_t batch) {
    const gd_shape *from = gd_input(call, 0), *at = gd_input(call, 1);
    int64_t dims[2 * GD_MAX_RANK], rank = 0;
    axis = gd_axis(axis, from->rank);
    if (from->rank < 0 || at->rank < 0 || axis < 0 || batch < 0 || batch > at->rank)
        return;
    for (int64_t k = 0; k < axis; ++k)
        dims[rank++] = from->dims[k];
    for (int64_t k = batch; k < at->rank; ++k)
        dims[rank++] = at->dims[k];
    for (int64_t k = axis + 1; k < from->rank; ++k)
        dims[rank++] = from->dims[k];
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

void gd_rule_gather(gd_call *call) {
    int64_t batch = 0;
    gd_attribute_integer(call, "batch_dims", &batch);
    pick(call, gd_number(call, 2, GD_NO_NUMBER), batch);
}

void gd_rule_gather_rows(gd_call *call) {
    pick(call, 0, 0);
}

void gd_rule_gather_nd(gd_call *call) {
    const gd_shape *from = gd_input(call, 0), *at = gd_input(call, 1);
    int64_t dims[2 * GD_MAX_RANK], rank = 0;
    if (from->rank < 0 || at->rank < 1 || at->dims[at->rank - 1] < 0 ||
        at->dims[at->rank - 1] > from->rank)
        return;
    for (int64_t k = 0; k + 1 < at->rank; ++k)
        dims[rank++] = at->dims[k];
    for (int64_t k = at->dims[at->rank - 1]; k < from->rank; ++k)
        dims[rank++] = from->dims[k];
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

void gd_rule_range(gd_call *call) {
    const int64_t start = gd_number(call, 0, GD_NO_NUMBER),
                  limit = gd_number(call, 1, GD_NO_NUMBER);
    const int64_t step = gd_number(call, 2, 0);
    int64_t length = -1, span;
    if (start != GD_NO_NUMBER && limit != GD_NO_NUMBER && step != 0 &&
        !__builtin_sub_overflow(limit, start, &span) && step > -INT32_MAX && span > INT64_MIN)
        length = (span > 0) != (step > 0) || span == 0 ? 0
                 : step > 0                            ? (span - 1) / step + 1
                                                       : (-span - 1) / -step + 1;
    *call->out = gd_shape_vector(call->out->type, length);
}
