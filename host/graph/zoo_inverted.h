/* Inverted residual blocks: widen, convolve each channel on its own, narrow. */
#ifndef REGAL_GRAPH_ZOO_INVERTED_H
#define REGAL_GRAPH_ZOO_INVERTED_H

#include "graph/zoo_layers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zoo_inverted {
    int64_t expansion, channels, window, stride;
    int64_t squeeze; /* channels of the squeeze-and-excitation branch; 0: none */
    zoo_activation activation;
} zoo_inverted;

/* With a residual where the shape stays. */
zoo_value zoo_inverted_block(zoo *z, zoo_value x, const zoo_inverted *block);

/* A convolution that keeps the image but for the stride, its norm, and an activation. */
zoo_value zoo_convolve_norm_activate(zoo *z, const char *name, zoo_value x,
                                     const zoo_window *window, zoo_activation activation);

/* Channels times percent / 100, rounded to a multiple of 8 and by no more than a tenth down. */
int64_t zoo_scale_channels(int64_t channels, int64_t percent);

#ifdef __cplusplus
}
#endif
#endif
