/* The rules by which the shapes of outputs follow from inputs and attributes: graph_def_kinds.def
 * names them. Each sets *call->out, which starts as unknown but for its type. */
#ifndef REGAL_IO_GRAPH_DEF_RULES_H
#define REGAL_IO_GRAPH_DEF_RULES_H

#include "io/tensorflow/graph_def.h"

enum { GD_NO_NUMBER = INT32_MIN };

/* The only number of an input, or `otherwise`. */
static inline int64_t gd_number(const gd_call *call, int64_t k, int64_t otherwise) {
    const gd_shape *in = gd_input(call, k);
    return in->number_count == 1 ? in->numbers[0] : otherwise;
}

/* An axis, of which -1 is the last, in 0..rank-1, or -1. */
static inline int64_t gd_axis(int64_t axis, int64_t rank) {
    if (axis < 0 && axis >= -rank)
        axis += rank;
    return axis >= 0 && axis < rank ? axis : -1;
}

/* Where an attribute says "NCHW" and the like: channels come before space. */
static inline bool gd_channels_first(const gd_call *call) {
    char format[8];
    gd_attribute_text(call, "data_format", format, sizeof format);
    return format[0] == 'N' && format[1] == 'C';
}

/* The content of the output, where the kind computes it from vectors whose content is known. */
void gd_fold(gd_call *call);

gd_shape_rule gd_rule_argument;
gd_shape_rule gd_rule_batch_norm;
gd_shape_rule gd_rule_batch_norm_gradient;
gd_shape_rule gd_rule_batch_product;
gd_shape_rule gd_rule_bias_gradient;
gd_shape_rule gd_rule_bitcast;
gd_shape_rule gd_rule_broadcast;
gd_shape_rule gd_rule_cast;
gd_shape_rule gd_rule_comparison;
gd_shape_rule gd_rule_concat;
gd_shape_rule gd_rule_concat_axis_first;
gd_shape_rule gd_rule_constant;
gd_shape_rule gd_rule_convolution;
gd_shape_rule gd_rule_count;
gd_shape_rule gd_rule_cross_entropy;
gd_shape_rule gd_rule_depthwise;
gd_shape_rule gd_rule_expand;
gd_shape_rule gd_rule_fill;
gd_shape_rule gd_rule_first;
gd_shape_rule gd_rule_first_known;
gd_shape_rule gd_rule_gather;
gd_shape_rule gd_rule_gather_nd;
gd_shape_rule gd_rule_gather_rows;
gd_shape_rule gd_rule_gradient_arguments;
gd_shape_rule gd_rule_handle; /* of something that is no tensor; one output */
gd_shape_rule gd_rule_merge;
gd_shape_rule gd_rule_of_numbers_0;
gd_shape_rule gd_rule_of_numbers_1;
gd_shape_rule gd_rule_of_numbers_2;
gd_shape_rule gd_rule_one_hot;
gd_shape_rule gd_rule_pack;
gd_shape_rule gd_rule_pad;
gd_shape_rule gd_rule_placeholder;
gd_shape_rule gd_rule_pool;
gd_shape_rule gd_rule_product;
gd_shape_rule gd_rule_random;
gd_shape_rule gd_rule_random_integers;
gd_shape_rule gd_rule_range;
gd_shape_rule gd_rule_rank;
gd_shape_rule gd_rule_reduce;
gd_shape_rule gd_rule_reshape;
gd_shape_rule gd_rule_resize;
gd_shape_rule gd_rule_same_place;
gd_shape_rule gd_rule_scalar;
gd_shape_rule gd_rule_second;
gd_shape_rule gd_rule_select;
gd_shape_rule gd_rule_shape;
gd_shape_rule gd_rule_size;
gd_shape_rule gd_rule_slice;
gd_shape_rule gd_rule_split;
gd_shape_rule gd_rule_split_sizes;
gd_shape_rule gd_rule_squeeze;
gd_shape_rule gd_rule_strided_slice;
gd_shape_rule gd_rule_test;
gd_shape_rule gd_rule_tile;
gd_shape_rule gd_rule_top;
gd_shape_rule gd_rule_transpose;
gd_shape_rule gd_rule_truth;
gd_shape_rule gd_rule_unpack;
#define gd_rule_none NULL

#endif
