/* The arithmetic of products, convolutions and the library calls that stand for them. */
#include "io/hlo/hlo_analysis.h"

/* 2^53 is far above any FLOPs per element; saturating keeps later products in range. */
static int64_t multiply(int64_t a, int64_t b) {
    return regal_count_multiply(a, b);
}

static bool has_operand_arrays(const hlo_module *module, const hlo_instruction *instruction,
                               int64_t count) {
    if (instruction->operand_count < count)
        return false;
    for (int64_t o = 0; o < count; ++o)
        if (regal_hlo_shape(module, regal_hlo_operand(module, instruction, o))->type ==
            HLO_TUPLE_SHAPE)
            return false;
    return true;
}

int64_t regal_hlo_contraction_size(const hlo_module *module, const hlo_instruction *instruction,
                                   hlo_slice dimensions) {
    if (!has_operand_arrays(module, instruction, 1))
        return 1;
    const hlo_node *left = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 0));
    hlo_cursor list = regal_hlo_cursor_of(module, dimensions);
    int64_t size = 1, dimension;
    while (regal_hlo_next_integer(&list, &dimension))
        if (dimension < left->rank)
            size = multiply(size, regal_hlo_dims(module, left)[dimension]);
    return size;
}

/* The product of a window's field, such as lhs_dilate=2x2; 1 where it has none. */
static int64_t window_product(const hlo_module *module, hlo_slice window, const char *key) {
    hlo_cursor list = regal_hlo_cursor_of(module, regal_hlo_window_field(window, key));
    int64_t product = 1, factor;
    while (regal_hlo_next_integer(&list, &factor))
        product = multiply(product, factor);
    return product;
}

/* The position of 'o' in the kernel's part of "b01f_01io->b01f", or -1. */
static int64_t output_feature(hlo_slice labels) {
    size_t at = 0;
    while (at < labels.size && labels.data[at] != '_')
        ++at;
    for (size_t i = at + 1; i < labels.size && labels.data[i] != '-'; ++i)
        if (labels.data[i] == 'o')
            return (int64_t)(i - at - 1);
    return -1;
}

int64_t regal_hlo_kernel_taps(const hlo_module *module, const hlo_instruction *instruction,
                              const hlo_node *kernel) {
    const int64_t feature =
        output_feature(regal_hlo_attribute_find(module, instruction, HLO_KEY_DIM_LABELS));
    const int64_t features =
        feature >= 0 && feature < kernel->rank ? regal_hlo_dims(module, kernel)[feature] : 1;
    /* A dilated input is mostly holes, which no library multiplies. */
    const int64_t holes = window_product(
        module, regal_hlo_attribute_find(module, instruction, HLO_KEY_WINDOW), "lhs_dilate");
    const int64_t taps = features > 0 ? kernel->elements / features : 0;
    return holes > 0 ? taps / holes + (taps % holes != 0) : taps;
}

/* cuBLAS: the contracted dimensions stand in the backend's configuration. */
static int64_t product_flops(const hlo_module *module, const hlo_instruction *instruction,
                             const hlo_node *result) {
    static const char key[] = "lhs_contracting_dimensions";
    const hlo_slice config = regal_hlo_attribute_find(module, instruction, HLO_KEY_BACKEND_CONFIG);
    for (size_t i = 0; i + sizeof key <= config.size; ++i) {
        hlo_slice rest = {config.data + i, config.size - i};
        if (!regal_hlo_slice_contains((hlo_slice){rest.data, sizeof key - 1}, key))
            continue;
        size_t end = 0;
        while (end < rest.size && rest.data[end] != ']')
            ++end;
        rest.size = end;
        return multiply(
            2, multiply(result->elements, regal_hlo_contraction_size(module, instruction, rest)));
    }
    return 0;
}

/* cuDNN: in a backward pass input or kernel change places with the result. */
static int64_t convolution_flops(const hlo_module *module, const hlo_instruction *instruction,
                                 hlo_slice target, const hlo_node *result) {
    const hlo_node *kernel = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 1));
    const hlo_node *output = result;
    if (regal_hlo_slice_contains(target, "BackwardInput")) {
        output = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 0));
    } else if (regal_hlo_slice_contains(target, "BackwardFilter")) {
        output = kernel;
        kernel = result;
    }
    return multiply(2,
                    multiply(output->elements, regal_hlo_kernel_taps(module, instruction, kernel)));
}

/* Queries and keys are (batch, sequence, heads, size) or with the middle two exchanged: of these
 * the sequence is taken to be the longer. Two products forward, five backward. */
static int64_t attention_flops(const hlo_module *module, const hlo_instruction *instruction,
                               hlo_slice target) {
    const hlo_node *query = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 0));
    const hlo_node *key = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 1));
    if (key->rank != 4)
        return 0;
    const int64_t *dims = regal_hlo_dims(module, key);
    const int64_t sequence = dims[1] > dims[2] ? dims[1] : dims[2];
    const bool backward =
        regal_hlo_slice_contains(target, "backward") || regal_hlo_slice_contains(target, "bwd");
    return multiply(backward ? 10 : 4, multiply(query->elements, sequence));
}

int64_t regal_hlo_custom_call_flops(const hlo_module *module, const hlo_instruction *instruction) {
    const hlo_slice target =
        regal_hlo_attribute_find(module, instruction, HLO_KEY_CUSTOM_CALL_TARGET);
    const hlo_node *result = regal_hlo_array(module, regal_hlo_shape(module, instruction));
    if (result == NULL || !has_operand_arrays(module, instruction, 2))
        return 0;
    if (regal_hlo_slice_contains(target, "attn") || regal_hlo_slice_contains(target, "attention") ||
        regal_hlo_slice_contains(target, "fmha"))
        return attention_flops(module, instruction, target);
    if (regal_hlo_slice_contains(target, "gemm") || regal_hlo_slice_contains(target, "matmul"))
        return product_flops(module, instruction, result);
    if (regal_hlo_slice_contains(target, "conv"))
        return convolution_flops(module, instruction, target, result);
    return 0;
}
