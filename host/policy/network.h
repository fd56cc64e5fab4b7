/* The graph neural network (paper, section on the policy; DESIGN 5), forward and backward, on a
 * backend's arithmetic (regal/backend/math.h).
 *
 *   h  = relu(x E1 + e1) E2 + e2                                     encoder, H wide
 *   T rounds, each with weights of its own:
 *     z  = normalize(h)                                              each op's row
 *     m(e)  = relu(z[source] A0 + z[target] A1 + f(e) A2 + a)        along edge e, f its features
 *     w(e)  = relu(z[target] B0 + z[source] B1 + f(e) B2 + b)        against it
 *     in = mean of m over the edges into the op, out = mean of w over those out of it
 *     g  = mean of z over the ops of the graph
 *     h += relu(z U0 + in U1 + out U2 + g U3 + u) V + v
 *   y  = relu(h R0 + (mean of h over the graph) R1 + r) Y + y0       readout: outputs of each op
 *
 * z A0, z A1, z B0, z B1 are one strided-batched product. */
#ifndef REGAL_POLICY_NETWORK_H
#define REGAL_POLICY_NETWORK_H

#include "policy/message_graph.h"
#include "regal/backend/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_network_shape {
    int64_t features, edge_features; /* of an op and of an edge in the graphs it is given */
    int64_t width;                   /* H, a multiple of 8 */
    int64_t rounds;                  /* T */
    int64_t outputs;                 /* of an op */
} regal_network_shape;

/* One tensor of the parameters, row by row at `offset`. Index from 0; false past the last. Names:
 * "encoder.0.weight", "round.3.message.along.source", ... (network_tensors.def). */
typedef struct regal_parameter_tensor {
    char name[64];
    int64_t rows, columns, offset;
} regal_parameter_tensor;
bool regal_network_tensor(const regal_network_shape *shape, int64_t index,
                          regal_parameter_tensor *tensor);
int64_t regal_network_parameter_count(const regal_network_shape *shape);

/* Weights from a normal distribution of variance 2 / inputs (1 / inputs where no relu follows, a
 * tenth of that deviation in the last layer), biases 0: a function of the seed. */
void regal_network_initialize(const regal_network_shape *shape, uint64_t seed, float *parameters);

typedef struct regal_network regal_network;

/* On a context that outlives it. Buffers grow with the graphs that it is given. */
regal_status regal_network_create(const regal_math *math, regal_math_context *context,
                                  const regal_network_shape *shape, regal_network **network);
void regal_network_destroy(regal_network *network);

/* Takes over parameters [regal_network_parameter_count]. */
regal_status regal_network_set(regal_network *network, const float *parameters);

/* Asked before each round of a forward pass, which ends with REGAL_INTERRUPTED where the answer is
 * true; NULL: never. */
typedef bool regal_network_stop(void *context);
void regal_network_stop_when(regal_network *network, regal_network_stop *stop, void *context);

/* outputs [op][shape.outputs]. `learning` keeps what the backward pass needs. */
regal_status regal_network_forward(regal_network *network, const regal_message_graph *graph,
                                   bool learning, float *outputs);

/* After a forward pass with `learning` on the same graph: output_gradient [op][shape.outputs] ->
 * gradient [parameter count], by each parameter. */
regal_status regal_network_backward(regal_network *network, const regal_message_graph *graph,
                                    const float *output_gradient, float *gradient);

#ifdef __cplusplus
}
#endif
#endif
