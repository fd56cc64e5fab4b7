/* Values of an ONNX model: types, sizes. */
#include "io/onnx/onnx_reading.h"

/* By TensorProto.DataType; text has no size that a shape tells. */
static const regal_type TYPES[] = {
    [0] = REGAL_TYPE_COUNT,       [1] = REGAL_TYPE_F32,     [2] = REGAL_TYPE_U8,
    [3] = REGAL_TYPE_S8,          [4] = REGAL_TYPE_U16,     [5] = REGAL_TYPE_S16,
    [6] = REGAL_TYPE_S32,         [7] = REGAL_TYPE_S64,     [8] = REGAL_TYPE_COUNT,
    [9] = REGAL_TYPE_PRED,        [10] = REGAL_TYPE_F16,    [11] = REGAL_TYPE_F64,
    [12] = REGAL_TYPE_U32,        [13] = REGAL_TYPE_U64,    [14] = REGAL_TYPE_C64,
    [15] = REGAL_TYPE_C128,       [16] = REGAL_TYPE_BF16,   [17] = REGAL_TYPE_F8E4M3FN,
    [18] = REGAL_TYPE_F8E4M3FNUZ, [19] = REGAL_TYPE_F8E5M2, [20] = REGAL_TYPE_F8E5M2FNUZ,
    [21] = REGAL_TYPE_U4,         [22] = REGAL_TYPE_S4,     [23] = REGAL_TYPE_F4E2M1FN,
    [24] = REGAL_TYPE_F8E8M0FNU,  [25] = REGAL_TYPE_U2,     [26] = REGAL_TYPE_S2,
};
enum { TYPE_S64 = 7, INDEX_BYTES = 8, SMALL_BYTES = 8, SMALL_LIST = 64 };

regal_type regal_onnx_type(const regal_onnx_value *value) {
    const int64_t count = (int64_t)(sizeof TYPES / sizeof *TYPES);
    return value->element >= 0 && value->element < count ? TYPES[value->element] : REGAL_TYPE_COUNT;
}

/* -1: unknown. */
static int64_t count_elements(const regal_onnx_value *value) {
    int64_t count = 1;
    if (value->rank < 0)
        return -1;
    for (int64_t d = 0; d < value->rank; ++d)
        if (value->dims[d] < 0)
            return -1;
    for (int64_t d = 0; d < value->rank; ++d)
        if (value->dims[d] == 0)
            return 0;
    for (int64_t d = 0; d < value->rank; ++d)
        count = regal_count_multiply(count, value->dims[d]);
    return count;
}

int64_t regal_onnx_elements(const regal_onnx_value *value) {
    const int64_t count = count_elements(value);
    return count > 0 ? count : 0;
}

int64_t regal_onnx_bytes(const regal_onnx_value *value) {
    const regal_type type = regal_onnx_type(value);
    if (type == REGAL_TYPE_COUNT || value->form == REGAL_ONNX_OTHER)
        return -1;
    if (value->form == REGAL_ONNX_SPARSE) /* each element with its place */
        return value->stored < 0
                   ? -1
                   : regal_count_add(regal_type_bytes(type, value->stored),
                                     regal_count_multiply(value->stored, INDEX_BYTES));
    const int64_t count = count_elements(value);
    return count < 0 ? -1 : regal_type_bytes(type, count);
}

int64_t regal_onnx_dim(const regal_onnx_value *value, int64_t d) {
    if (d < -value->rank || d >= value->rank)
        return -1;
    return value->dims[d < 0 ? d + value->rank : d];
}

bool regal_onnx_is_nothing(const regal_onnx_value *value) {
    const int64_t bytes = regal_onnx_bytes(value);
    return bytes >= 0 && (bytes <= SMALL_BYTES || (value->element == TYPE_S64 && value->rank == 1 &&
                                                   value->dims[0] <= SMALL_LIST));
}

static bool value_at(const onnx_reading *in, const int64_t *values, int64_t count, int64_t k,
                     regal_onnx_value *value) {
    if (k < 0 || k >= count || values[k] < 0)
        return false;
    *value = in->module->value(in->model, values[k]);
    return true;
}

bool regal_onnx_input(const onnx_reading *in, const regal_onnx_node *node, int64_t k,
                      regal_onnx_value *value) {
    return value_at(in, node->inputs, node->input_count, k, value);
}

bool regal_onnx_output(const onnx_reading *in, const regal_onnx_node *node, int64_t k,
                       regal_onnx_value *value) {
    return value_at(in, node->outputs, node->output_count, k, value);
}

int64_t regal_onnx_integer(const onnx_reading *in, int64_t node, const char *name,
                           int64_t standard) {
    regal_onnx_attribute attribute;
    return in->module->attribute(in->model, node, name, REGAL_ONNX_INTEGER, &attribute)
               ? attribute.integer
               : standard;
}
