#include "io/tensorflow/graph_def_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STRING_HEADER = 24, HANDLE = 8, TYPE_COUNT = 33 };

/* By TensorFlow's numbers. Quantized types are integers; 8-bit strings of bytes stand for what has
 * no arithmetic. */
static const regal_type TYPES[TYPE_COUNT] = {
    REGAL_TYPE_OPAQUE,     REGAL_TYPE_F32,      REGAL_TYPE_F64,        REGAL_TYPE_S32,
    REGAL_TYPE_U8,         REGAL_TYPE_S16,      REGAL_TYPE_S8,         REGAL_TYPE_U8,
    REGAL_TYPE_C64,        REGAL_TYPE_S64,      REGAL_TYPE_PRED,       REGAL_TYPE_S8,
    REGAL_TYPE_U8,         REGAL_TYPE_S32,      REGAL_TYPE_BF16,       REGAL_TYPE_S16,
    REGAL_TYPE_U16,        REGAL_TYPE_U16,      REGAL_TYPE_C128,       REGAL_TYPE_F16,
    REGAL_TYPE_U8,         REGAL_TYPE_U8,       REGAL_TYPE_U32,        REGAL_TYPE_U64,
    REGAL_TYPE_F8E5M2,     REGAL_TYPE_F8E4M3FN, REGAL_TYPE_F8E4M3FNUZ, REGAL_TYPE_F8E4M3B11FNUZ,
    REGAL_TYPE_F8E5M2FNUZ, REGAL_TYPE_S4,       REGAL_TYPE_U4,         REGAL_TYPE_S2,
    REGAL_TYPE_U2};

static int64_t plain_type(int64_t type) {
    if (type > GD_TYPE_REF)
        type -= GD_TYPE_REF;
    return type > 0 && type < TYPE_COUNT ? type : GD_TYPE_UNKNOWN;
}

gd_shape gd_shape_unknown(int64_t type) {
    return (gd_shape){.type = plain_type(type), .rank = -1, .elements = -1, .number_count = -1};
}

static void count_elements(gd_shape *shape) {
    shape->elements = 1;
    bool unknown = false;
    for (int64_t k = 0; k < shape->rank; ++k)
        unknown |= shape->dims[k] < 0;
    for (int64_t k = 0; k < shape->rank; ++k)
        shape->elements = unknown ? -1 : regal_count_multiply(shape->elements, shape->dims[k]);
}

gd_shape gd_shape_of(int64_t type, const int64_t *dims, int64_t rank) {
    gd_shape shape = gd_shape_unknown(type);
    if (rank > GD_MAX_RANK) {
        shape.elements = 1;
        for (int64_t k = 0; k < rank && shape.elements >= 0; ++k)
            shape.elements = dims[k] < 0 ? -1 : regal_count_multiply(shape.elements, dims[k]);
        return shape;
    }
    shape.rank = rank;
    for (int64_t k = 0; k < rank; ++k)
        shape.dims[k] = dims[k] < 0 ? -1 : dims[k];
    count_elements(&shape);
    return shape;
}

gd_shape gd_shape_scalar(int64_t type) {
    return gd_shape_of(type, NULL, 0);
}

gd_shape gd_shape_vector(int64_t type, int64_t length) {
    return gd_shape_of(type, &length, 1);
}

gd_shape gd_shape_numbers(int64_t type, const int64_t *numbers, int64_t count, bool scalar) {
    gd_shape shape = scalar ? gd_shape_scalar(type) : gd_shape_vector(type, count);
    if (count > GD_MAX_NUMBERS)
        return shape;
    shape.number_count = count;
    for (int64_t i = 0; i < count; ++i)
        shape.numbers[i] = numbers[i];
    return shape;
}

gd_shape gd_shape_read(const regal_graph_def_module *module, const void *shape, int64_t type) {
    gd_shape made = gd_shape_unknown(type);
    const int64_t rank = module->rank(shape);
    if (rank > GD_MAX_RANK) {
        made.elements = 1;
        for (int64_t k = 0; k < rank && made.elements >= 0; ++k) {
            const int64_t size = module->dimension(shape, k);
            made.elements = size < 0 ? -1 : regal_count_multiply(made.elements, size);
        }
        return made;
    }
    if (rank < 0)
        return made;
    int64_t dims[GD_MAX_RANK] = {0};
    for (int64_t k = 0; k < rank; ++k)
        dims[k] = module->dimension(shape, k);
    return gd_shape_of(type, dims, rank);
}

void gd_shape_set(gd_shape *shape, int64_t k, int64_t size) {
    shape->dims[k] = size < 0 ? -1 : size;
    count_elements(shape);
}

bool gd_shape_is_known(const gd_shape *shape) {
    return shape->elements >= 0;
}

gd_shape gd_shape_merge(const gd_shape *first, const gd_shape *second) {
    gd_shape made = *first;
    if (made.type == GD_TYPE_UNKNOWN)
        made.type = second->type;
    if (made.rank < 0 && made.elements < 0) {
        const int64_t type = made.type;
        made = *second;
        made.type = type;
        return made;
    }
    if (made.rank >= 0 && made.rank == second->rank) {
        for (int64_t k = 0; k < made.rank; ++k)
            if (made.dims[k] < 0)
                made.dims[k] = second->dims[k];
        count_elements(&made);
    }
    if (made.number_count < 0 && made.elements == second->elements) {
        made.number_count = second->number_count;
        memcpy(made.numbers, second->numbers, sizeof made.numbers);
        made.from_shape = second->from_shape;
    }
    return made;
}

static bool same(const int64_t *a, const int64_t *b, int64_t count) {
    return count <= 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool gd_shape_equal(const gd_shape *a, const gd_shape *b) {
    return a->type == b->type && a->rank == b->rank && same(a->dims, b->dims, a->rank) &&
           a->elements == b->elements && a->number_count == b->number_count &&
           same(a->numbers, b->numbers, a->number_count) && a->text_bytes == b->text_bytes &&
           a->from_shape == b->from_shape;
}

int64_t gd_shape_bytes(const gd_shape *shape) {
    if (shape->elements < 0 || shape->type == GD_TYPE_UNKNOWN)
        return -1;
    if (shape->type == GD_TYPE_STRING)
        return regal_count_add(regal_count_multiply(shape->elements, STRING_HEADER),
                               shape->text_bytes);
    if (shape->type == GD_TYPE_RESOURCE || shape->type == GD_TYPE_VARIANT)
        return regal_count_multiply(shape->elements, HANDLE);
    return regal_type_bytes(gd_shape_type(shape), shape->elements);
}

regal_type gd_shape_type(const gd_shape *shape) {
    return TYPES[shape->type];
}

void gd_shape_print(const gd_shape *shape, char *text, size_t size) {
    const char *type = shape->type == GD_TYPE_STRING     ? "string"
                       : shape->type == GD_TYPE_RESOURCE ? "resource"
                       : shape->type == GD_TYPE_VARIANT  ? "variant"
                       : shape->type == GD_TYPE_UNKNOWN  ? "?"
                                                         : regal_type_name(gd_shape_type(shape));
    int used = snprintf(text, size, "%s ", type);
    if (shape->rank < 0) {
        snprintf(text + used, size - (size_t)used, "of unknown shape");
        return;
    }
    used += snprintf(text + used, size - (size_t)used, "[");
    for (int64_t k = 0; k < shape->rank && used > 0 && (size_t)used < size; ++k)
        used += shape->dims[k] < 0 ? snprintf(text + used, size - (size_t)used, k > 0 ? ", ?" : "?")
                                   : snprintf(text + used, size - (size_t)used, "%s%" PRId64,
                                              k > 0 ? ", " : "", shape->dims[k]);
    if (used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "]");
}
