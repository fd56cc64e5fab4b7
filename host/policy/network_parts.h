/* Inside the network: where its parameters, its buffers and a batch of graphs lie. */
#ifndef REGAL_POLICY_NETWORK_PARTS_H
#define REGAL_POLICY_NETWORK_PARTS_H

#include "policy/network.h"

typedef enum regal_network_part {
#define REGAL_NETWORK_TENSOR(PART, name, rows, columns, gain, inputs) REGAL_PART_##PART,
#include "policy/network_tensors.def"
    REGAL_PART_COUNT,
    REGAL_PART_ROUND = REGAL_PART_ALONG_SOURCE, /* parts of a round: from here to before there */
    REGAL_PART_ROUND_END = REGAL_PART_READOUT_STATE
} regal_network_part;

/* Ops whose rows are summed in one go where a graph's are added up: so a large graph keeps all
 * threads busy. */
enum { REGAL_NETWORK_BLOCK = 256 };

/* N ops, E edges, G graphs, B blocks of ops; T rounds when learning, else one. */
typedef struct regal_network_buffers {
    /* The batch. */
    float *features, *edge_features;
    float *inverse_in, *inverse_out, *inverse_size;
    int32_t *source, *target, *in_begin, *out_begin, *out_edge, *graph_of;
    int32_t *block_begin;  /* [B + 1] ops */
    int32_t *graph_blocks; /* [G + 1] */

    float *encoded;    /* [N][H] of the encoder, between its layers */
    float *state;      /* [N][H] h */
    float *joined;     /* [T][N][3 H] z, in, out */
    float *scale;      /* [T][N] of z */
    float *graph_mean; /* [T][G][H] g */
    float *message;    /* [T][E][2 H] m, w */
    float *update;     /* [T][N][H] between the layers of the update */
    float *state_mean; /* [G][H] of the last state */
    float *read;       /* [N][H] of the readout, between its layers */
    float *output;     /* [N][outputs] */

    float *ends;       /* [N][4 H] what an op gives as a source (along, against), as a target */
    float *block_sum;  /* [B][H] */
    float *graph_term; /* [G][H] */

    /* Learning: gradients by what is named. */
    float *state_gradient, *layer_gradient; /* [N][H] */
    float *joined_gradient;                 /* [N][3 H] */
    float *message_gradient;                /* [E][2 H] */
    float *graph_gradient;                  /* [G][H] */
    float *gradient;                        /* [parameters] */
} regal_network_buffers;

struct regal_network {
    const regal_math *math;
    regal_math_context *context;
    regal_network_shape shape;
    regal_network_stop *stop; /* or NULL */
    void *stop_context;
    int64_t offset[REGAL_PART_COUNT]; /* of a round's parts: in round 0 */
    int64_t round_size;               /* parameters of a round */
    int64_t parameter_count;
    float *parameters;
    void *memory; /* of the buffers */
    int64_t capacity;
    regal_network_buffers at;
    int64_t op_count, edge_count, graph_count, block_count;
    int32_t *blocks; /* on the host: block_begin, then graph_blocks */
    int64_t blocks_capacity;
};

/* Offset of a part in a round (0 for parts of no round). */
int64_t regal_network_offset(const regal_network_shape *shape, regal_network_part part,
                             int64_t round);

/* Makes room for a batch and uploads it. */
regal_status regal_network_load(regal_network *network, const regal_message_graph *graph,
                                bool learning);

static inline int64_t regal_network_place(const regal_network *n, regal_network_part part,
                                          int64_t round) {
    return n->offset[part] + round * n->round_size;
}
static inline const float *regal_network_parameter(const regal_network *n, regal_network_part part,
                                                   int64_t round) {
    return n->parameters + regal_network_place(n, part, round);
}

static inline regal_matrix regal_dense(float *at, int64_t rows, int64_t columns) {
    return (regal_matrix){at, rows, columns, columns};
}
static inline regal_matrix regal_columns(float *at, int64_t rows, int64_t columns, int64_t stride) {
    return (regal_matrix){at, rows, columns, stride};
}
static inline regal_rows regal_rows_of(regal_matrix matrix) {
    return (regal_rows){matrix.at, matrix.stride};
}

/* result = from weights + beta result, weights [inner][result.columns]. */
regal_status regal_network_multiply(regal_network *network, regal_matrix result, regal_rows from,
                                    int64_t inner, const float *weights, float beta);

/* to [graph][H] = sums of rows over the ops of each graph. */
regal_status regal_network_graph_sums(regal_network *network, float *to, regal_rows from);
/* Their means. */
regal_status regal_network_graph_means(regal_network *network, float *to, regal_rows from);

#endif
