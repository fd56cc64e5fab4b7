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

/* ---- dense */

/* x (rows, in) -> (rows, out), with a bias. */
zoo_value zoo_linear(zoo *z, const char *name, zoo_value x, int64_t out);
/* The same with a weight (out, in) that another layer has too, and a bias of its own. */
zoo_value zoo_linear_tied(zoo *z, const char *name, zoo_value x, int64_t out, zoo_weight shared);
/* `batch` products a (m,k) x b (k,n) -> (batch * m, n). */
zoo_value zoo_product(zoo *z, const char *name, zoo_value a, zoo_value b, int64_t batch, int64_t m,
                      int64_t n, int64_t k);
/* Over the last axis. */
zoo_value zoo_softmax(zoo *z, const char *name, zoo_value x);
zoo_value zoo_layer_norm(zoo *z, const char *name, zoo_value x);
/* ids (rows) -> (rows, width), from a table of `count` rows. *table, where not NULL, is that. */
zoo_value zoo_embedding(zoo *z, const char *name, zoo_value ids, int64_t count, int64_t width,
                        zoo_weight *table);
/* The rows of x (rows, width) that index lists. */
zoo_value zoo_select(zoo *z, const char *name, zoo_value x, zoo_value index);

typedef enum zoo_activation { ZOO_RELU, ZOO_GELU, ZOO_TANH } zoo_activation;
/* in_place (not GELU): over its input, which nobody else may use. */
zoo_value zoo_activate(zoo *z, const char *name, zoo_value x, zoo_activation activation,
                       bool in_place);
/* The sum of 1..4 values of one shape; in_place: over the first. */
zoo_value zoo_add(zoo *z, const char *name, const zoo_value *values, int count, bool in_place);

/* Softmax and cross entropy of logits (rows, classes) against labels (rows): a scalar, which is an
 * output and starts the backward pass. */
zoo_value zoo_cross_entropy(zoo *z, const char *name, zoo_value logits, zoo_value labels);

/* ---- images (images, channels, height, width) */

/* Without a bias. */
zoo_value zoo_conv2d(zoo *z, const char *name, zoo_value x, int64_t channels, int64_t window,
                     int64_t stride, int64_t padding, int64_t groups);
zoo_value zoo_batch_norm(zoo *z, const char *name, zoo_value x);
zoo_value zoo_max_pool(zoo *z, const char *name, zoo_value x, int64_t window, int64_t stride,
                       int64_t padding);
/* -> (images, channels). */
zoo_value zoo_average_pool(zoo *z, const char *name, zoo_value x);

#ifdef __cplusplus
}
#endif
#endif
