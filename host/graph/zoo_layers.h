/* The layers that networks of the zoo are made of. Each returns its output; values are of the
 * builder's type unless said. Shapes: rows first. */
#ifndef REGAL_GRAPH_ZOO_LAYERS_H
#define REGAL_GRAPH_ZOO_LAYERS_H

#include "graph/zoo_builder.h"

#ifdef __cplusplus
extern "C" {
#endif

zoo_shape zoo_shape1(int64_t a);
zoo_shape zoo_shape2(int64_t a, int64_t b);
zoo_shape zoo_shape4(int64_t a, int64_t b, int64_t c, int64_t d);

/* Data that a step starts from: no gradient. */
zoo_value zoo_input(zoo *z, const char *name, zoo_shape shape, regal_type type);

/* A trained weight as a value: position embeddings, class tokens, initial states. */
zoo_value zoo_variable(zoo *z, const char *name, zoo_shape shape);

/* ---- dense: zoo_dense.c */

/* x (rows, in) -> (rows, out), with a bias. */
zoo_value zoo_linear(zoo *z, const char *name, zoo_value x, int64_t out);
/* Without one. */
zoo_value zoo_linear_plain(zoo *z, const char *name, zoo_value x, int64_t out);
/* With a weight (in, out), or (in + 1, out) with a bias, that several layers share. */
zoo_value zoo_linear_shared(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight shared);
/* The same with a weight (out, in) that another layer has too, and a bias of its own. */
zoo_value zoo_linear_tied(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight shared);
/* `batch` products a (m,k) x b (k,n) -> (batch * m, n). */
zoo_value zoo_product(zoo *z, const char *name, zoo_value a, zoo_value b, int64_t batch, int64_t m,
                      int64_t n, int64_t k);
/* Over the last axis. */
zoo_value zoo_softmax(zoo *z, const char *name, zoo_value x);
/* softmax(query x key) x value in `maps` maps (samples x heads): query (maps * rows, width), key
 * and value (maps * columns, width) -> (maps * rows, width). */
zoo_value zoo_attend(zoo *z, zoo_value query, zoo_value key, zoo_value value, int64_t maps,
                     int64_t rows, int64_t columns, int64_t width);

/* Of rows; and of the channels of images in groups. */
zoo_value zoo_layer_norm(zoo *z, const char *name, zoo_value x);
zoo_value zoo_rms_norm(zoo *z, const char *name, zoo_value x);
zoo_value zoo_group_norm(zoo *z, const char *name, zoo_value x, int64_t groups);

/* ---- losses: zoo_losses.c

 * Scalars, which are outputs and start the backward pass. Softmax and cross entropy of
 * logits (rows, classes) against labels (rows); of logits, each on its own, against labels of its
 * shape; mean squared difference. */
zoo_value zoo_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels);
zoo_value zoo_binary_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels);
zoo_value zoo_squared_error(zoo *z, const char *name, zoo_value x, zoo_value target);
/* How a model ends: in training "loss", cross entropy of the logits against an input "labels"; else
 * the logits are the output. */
void zoo_classify(zoo *z, zoo_value logits);

/* ---- element by element: zoo_elementwise.c */

typedef enum zoo_activation {
    ZOO_RELU,
    ZOO_GELU,
    ZOO_TANH,
    ZOO_SIGMOID,
    ZOO_SILU,
    ZOO_RELU6
} zoo_activation;
/* in_place (not GELU, SILU): over its input, which nobody else may use. */
zoo_value zoo_activate(zoo *z, const char *name, zoo_value x, zoo_activation activation,
                       bool in_place);
/* The sum of 1..4 values of one shape; in_place: over the first. */
zoo_value zoo_add(zoo *z, const char *name, const zoo_value *values, int count, bool in_place);
/* The same of any number, by fours. */
zoo_value zoo_add_all(zoo *z, const char *name, const zoo_value *values, int64_t count);
/* x with b, which is smaller, on each of its rows, channels, ... */
zoo_value zoo_add_broadcast(zoo *z, const char *name, zoo_value x, zoo_value b);
/* The product; b may be smaller likewise. */
zoo_value zoo_multiply(zoo *z, const char *name, zoo_value x, zoo_value b);
/* A linear map of each element with its neighbours, whose gradient needs the gradient alone:
 * "Rotary", "Scale", "Transpose". flops: of each element. */
zoo_value zoo_map(zoo *z, const char *name, const char *kind, zoo_value x, int64_t flops);

/* ---- rows and parts: zoo_parts.c */

/* ids (rows) -> (rows, width), from a table of `count` rows. *table, where not NULL, is that. */
zoo_value zoo_embedding(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width,
                        zoo_weight *table);
/* ids (rows, lookups) -> (rows, width): the sum of each row's lookups. Its gradient, and its
 * update, are of the rows of the table that were looked up. */
zoo_value zoo_embedding_bag(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width);
/* The rows of x (rows, width) that index lists. */
zoo_value zoo_select(zoo *z, const char *name, zoo_value x, zoo_value index);
/* The reverse: (rows, width), row index[i] the sum of its x[i]. */
zoo_value zoo_scatter(zoo *z, const char *name, zoo_value x, zoo_value index, int64_t rows);
/* Values joined along an axis; the other sizes are equal. */
zoo_value zoo_concat(zoo *z, const char *name, const zoo_value *values, int64_t count, int axis);
/* x cut along an axis into parts[0..count) of these sizes (NULL: equal ones). */
void zoo_split(zoo *z, const char *name, zoo_value x, int axis, const int64_t *sizes, int64_t count,
               zoo_value *parts);
/* `size` places of an axis, from somewhere within. */
zoo_value zoo_slice(zoo *z, const char *name, zoo_value x, int axis, int64_t size);

/* ---- images (images, channels, height, width): zoo_vision.c */

/* A convolution; ones of rows have height 1. Sizes of 0 read 1. */
typedef struct zoo_window {
    int64_t channels, height, width;
    int64_t stride;
    int64_t padding_height, padding_width, groups, dilation;
    bool bias;
    bool same; /* padded so that the image keeps its size, but for the stride; no other padding */
} zoo_window;
zoo_value zoo_convolve(zoo *z, const char *name, zoo_value x, const zoo_window *window);
/* Square, without a bias. */
zoo_value zoo_conv2d(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t window,
                     int64_t stride, int64_t padding, int64_t groups);
/* Up-convolution: the image grows `stride` times; the window is the stride; with a bias. */
zoo_value zoo_convolve_up(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t stride);
zoo_value zoo_batch_norm(zoo *z, const char *name, zoo_value x);
zoo_value zoo_max_pool(zoo *z, const char *name, zoo_value x, int64_t window, int64_t stride,
                       int64_t padding);
zoo_value zoo_mean_pool(zoo *z, const char *name, zoo_value x, int64_t window, int64_t stride,
                        int64_t padding);
/* Each pixel `times` x `times`. */
zoo_value zoo_upsample(zoo *z, const char *name, zoo_value x, int64_t times);
/* The mean of each channel -> (images, channels). */
zoo_value zoo_average_pool(zoo *z, const char *name, zoo_value x);

#ifdef __cplusplus
}
#endif
#endif
