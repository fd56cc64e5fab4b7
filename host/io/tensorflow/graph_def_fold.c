/* Arithmetic of shapes: the content of small integer vectors that follows from what is known. */
#include <string.h>

#include "io/tensorflow/graph_def_rules.h"

static bool is_kind(const gd_call *call, const char *name) {
    return strcmp(call->node->op, name) == 0;
}

static void put(gd_call *call, const int64_t *numbers, int64_t count, bool from_shape) {
    if (count > GD_MAX_NUMBERS || (call->out->elements >= 0 && call->out->elements != count))
        return;
    call->out->number_count = count;
    memcpy(call->out->numbers, numbers, (size_t)count * sizeof *numbers);
    call->out->from_shape = from_shape;
}

/* ---- slices */

typedef struct slice_masks {
    int64_t begin, end, ellipsis, new_axis, shrink;
} slice_masks;

static slice_masks read_masks(const gd_call *call) {
    slice_masks masks = {0};
    gd_attribute_integer(call, "begin_mask", &masks.begin);
    gd_attribute_integer(call, "end_mask", &masks.end);
    gd_attribute_integer(call, "ellipsis_mask", &masks.ellipsis);
    gd_attribute_integer(call, "new_axis_mask", &masks.new_axis);
    gd_attribute_integer(call, "shrink_axis_mask", &masks.shrink);
    return masks;
}

static bool has_bit(int64_t mask, int64_t k) {
    return k < 63 && (mask >> k & 1) != 0;
}

typedef struct span {
    int64_t begin, step, length;
} span;

/* What entry k of a slice picks of a dimension of this size (known). */
static span span_of(const gd_call *call, slice_masks masks, int64_t k, int64_t size) {
    const int64_t step = gd_input(call, 3)->numbers[k];
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    int64_t begin = gd_input(call, 1)->numbers[k], end = gd_input(call, 2)->numbers[k];
    if (begin < 0 && begin >= -size)
        begin += size;
    if (end < 0 && end >= -size)
        end += size;
    begin = has_bit(masks.begin, k) ? (step > 0 ? low : high)
            : begin < low           ? low
            : begin > high          ? high
                                    : begin;
    end = has_bit(masks.end, k) ? (step > 0 ? high : low)
          : end < low           ? low
          : end > high          ? high
                                : end;
    if (has_bit(masks.shrink, k))
        return (span){begin, 1, begin >= 0 && begin < size ? 1 : 0};
    const int64_t width = step > 0 ? end - begin : begin - end;
    const int64_t pace = step > 0 ? step : step > -INT64_MAX ? -step : INT64_MAX;
    return (span){begin, step, width > 0 ? (width - 1) / pace + 1 : 0};
}

static bool is_slice_known(const gd_call *call) {
    const int64_t count = gd_input(call, 3)->number_count;
    if (count < 0 || gd_input(call, 1)->number_count != count ||
        gd_input(call, 2)->number_count != count)
        return false;
    for (int64_t k = 0; k < count; ++k)
        if (gd_input(call, 3)->numbers[k] == 0)
            return false;
    return true;
}

/* Entries name dimensions in turn; an ellipsis stands for as many as the others leave. */
void gd_rule_strided_slice(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    if (in->rank < 0 || !is_slice_known(call))
        return;
    const slice_masks masks = read_masks(call);
    const int64_t count = gd_input(call, 3)->number_count;
    int64_t named = 0, dims[GD_MAX_RANK + GD_MAX_NUMBERS], rank = 0, d = 0;
    for (int64_t k = 0; k < count; ++k)
        named += !has_bit(masks.ellipsis, k) && !has_bit(masks.new_axis, k);
    for (int64_t k = 0; k < count; ++k) {
        if (has_bit(masks.ellipsis, k)) {
            for (int64_t left = in->rank - named; left > 0 && d < in->rank; --left)
                dims[rank++] = in->dims[d++];
        } else if (has_bit(masks.new_axis, k)) {
            dims[rank++] = 1;
        } else if (d < in->rank) {
            const int64_t size = in->dims[d++];
            if (!has_bit(masks.shrink, k))
                dims[rank++] = size < 0 ? -1 : span_of(call, masks, k, size).length;
        }
    }
    while (d < in->rank)
        dims[rank++] = in->dims[d++];
    *call->out = gd_shape_of(call->out->type, dims, rank);
}

static void fold_slice(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    const slice_masks masks = read_masks(call);
    if (in->rank != 1 || in->number_count < 0 || !is_slice_known(call) ||
        gd_input(call, 3)->number_count != 1 || has_bit(masks.ellipsis, 0) ||
        has_bit(masks.new_axis, 0))
        return;
    const span of = span_of(call, masks, 0, in->number_count);
    int64_t numbers[GD_MAX_NUMBERS];
    for (int64_t i = 0; i < of.length; ++i)
        numbers[i] = in->numbers[of.begin + i * of.step];
    put(call, numbers, of.length, in->from_shape);
}

/* ---- element by element */

static bool combine(const char *kind, int64_t a, int64_t b, int64_t *result) {
    if (strncmp(kind, "Add", 3) == 0)
        return !__builtin_add_overflow(a, b, result);
    if (strcmp(kind, "Sub") == 0)
        return !__builtin_sub_overflow(a, b, result);
    if (strcmp(kind, "Mul") == 0)
        return !__builtin_mul_overflow(a, b, result);
    if (strcmp(kind, "Maximum") == 0 || strcmp(kind, "Minimum") == 0) {
        *result = (kind[1] == 'a') == (a > b) ? a : b;
        return true;
    }
    if (b <= 0 || a < 0)
        return false;
    *result = strcmp(kind, "FloorMod") == 0 ? a % b : a / b;
    return true;
}

static void fold_pair(gd_call *call) {
    const gd_shape *a = gd_input(call, 0), *b = gd_input(call, 1);
    int64_t numbers[GD_MAX_NUMBERS];
    const int64_t count = a->number_count > b->number_count ? a->number_count : b->number_count;
    if (a->rank < 0 || a->rank > 1 || b->rank < 0 || b->rank > 1 || a->number_count < 0 ||
        b->number_count < 0 || (a->number_count != count && a->number_count != 1) ||
        (b->number_count != count && b->number_count != 1))
        return;
    for (int64_t i = 0; i < count; ++i)
        if (!combine(call->node->op, a->numbers[a->number_count == 1 ? 0 : i],
                     b->numbers[b->number_count == 1 ? 0 : i], &numbers[i]))
            return;
    put(call, numbers, count, a->from_shape || b->from_shape);
}

static void fold_product(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    int64_t product = 1;
    if (in->rank != 1 || in->number_count < 0 || call->out->elements != 1)
        return;
    for (int64_t i = 0; i < in->number_count; ++i)
        if (__builtin_mul_overflow(product, in->numbers[i], &product))
            return;
    put(call, &product, 1, in->from_shape);
}

/* ---- joined and picked */

static void fold_list(gd_call *call, int64_t first, int64_t count) {
    int64_t numbers[GD_MAX_NUMBERS], used = 0;
    bool from_shape = false;
    for (int64_t k = first; k < first + count; ++k) {
        const gd_shape *in = gd_input(call, k);
        if (in->rank < 0 || in->rank > 1 || in->number_count < 0 ||
            used + in->number_count > GD_MAX_NUMBERS)
            return;
        memcpy(numbers + used, in->numbers, (size_t)in->number_count * sizeof *numbers);
        used += in->number_count;
        from_shape |= in->from_shape;
    }
    put(call, numbers, used, from_shape);
}

static void fold_pick(gd_call *call) {
    const gd_shape *in = gd_input(call, 0), *at = gd_input(call, 1);
    int64_t numbers[GD_MAX_NUMBERS];
    if (in->rank != 1 || in->number_count < 0 || at->number_count < 0)
        return;
    for (int64_t i = 0; i < at->number_count; ++i) {
        if (at->numbers[i] < 0 || at->numbers[i] >= in->number_count)
            return;
        numbers[i] = in->numbers[at->numbers[i]];
    }
    put(call, numbers, at->number_count, in->from_shape);
}

static void fold_copy(gd_call *call) {
    const gd_shape *in = gd_input(call, 0);
    if (in->number_count >= 0)
        put(call, in->numbers, in->number_count, in->from_shape);
}

static void fold_range(gd_call *call) {
    const int64_t start = gd_number(call, 0, 0), step = gd_number(call, 2, 0);
    const int64_t count = call->out->elements;
    int64_t numbers[GD_MAX_NUMBERS];
    if (count < 0 || count > GD_MAX_NUMBERS)
        return;
    for (int64_t i = 0; i < count; ++i) {
        int64_t offset;
        if (__builtin_mul_overflow(i, step, &offset) ||
            __builtin_add_overflow(start, offset, &numbers[i]))
            return;
    }
    put(call, numbers, count, false);
}

/* ---- gradients of broadcasting: the axes along which each side was stretched */

void gd_rule_gradient_arguments(gd_call *call) {
    const gd_shape *own = gd_input(call, call->port), *other = gd_input(call, 1 - call->port);
    const int64_t type = call->out->type;
    *call->out = gd_shape_unknown(type);
    if (call->port > 1 || own->number_count < 0 || other->number_count < 0)
        return;
    const int64_t rank =
        own->number_count > other->number_count ? own->number_count : other->number_count;
    int64_t axes[GD_MAX_NUMBERS], count = 0;
    for (int64_t k = 0; k < rank; ++k) {
        const int64_t i = k - (rank - own->number_count);
        if (i < 0 || own->numbers[i] == 1)
            axes[count++] = k;
    }
    *call->out = gd_shape_numbers(type, axes, count, false);
}

/* ---- */

void gd_fold(gd_call *call) {
    const char *op = call->node->op;
    if (call->out->number_count >= 0 || call->port != 0 || call->out->rank > 1)
        return;
    static const char *const PAIRS[] = {"Add",      "AddV2",    "Sub",     "Mul",
                                        "FloorDiv", "FloorMod", "Maximum", "Minimum"};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; ++i)
        if (is_kind(call, PAIRS[i])) {
            fold_pair(call);
            return;
        }
    if (call->node->kind->role == GD_VIEW || strcmp(op, "Cast") == 0)
        fold_copy(call);
    else if (strcmp(op, "StridedSlice") == 0)
        fold_slice(call);
    else if (strcmp(op, "Pack") == 0)
        fold_list(call, 0, gd_input_count(call));
    else if (strcmp(op, "ConcatV2") == 0)
        fold_list(call, 0, gd_input_count(call) - 1);
    else if (strcmp(op, "Prod") == 0)
        fold_product(call);
    else if (strcmp(op, "GatherV2") == 0)
        fold_pick(call);
    else if (strcmp(op, "Range") == 0)
        fold_range(call);
}
