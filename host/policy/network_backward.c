/* The forward pass (network_forward.c) from its end to its start. Gradients by each parameter are
 * written once. */
#include "base/error.h"
#include "policy/network_parts.h"

static float *gradient_of(const regal_network *n, regal_network_part part, int64_t round) {
    return n->at.gradient + regal_network_place(n, part, round);
}

/* Gradient of weights: inputs^T gradient. */
static regal_status weight_gradient(regal_network *n, float *to, regal_rows inputs,
                                    int64_t input_count, regal_matrix gradient) {
    const regal_gemm product = {.rows = input_count,
                                .columns = gradient.columns,
                                .inner = gradient.rows,
                                .batch = 1,
                                .transpose_a = true,
                                .alpha = 1,
                                .a = inputs,
                                .b = regal_rows_of(gradient),
                                .result = to,
                                .result_stride = gradient.columns};
    return n->math->gemm(n->context, &product);
}

static regal_status bias_gradient(regal_network *n, regal_network_part part, int64_t round,
                                  regal_matrix gradient) {
    return n->math->column_sums(n->context, gradient_of(n, part, round), regal_rows_of(gradient),
                                gradient.rows, gradient.columns, false);
}

/* Gradient of inputs: gradient weights^T + beta to, weights [to.columns][gradient.columns]. */
static regal_status input_gradient(regal_network *n, regal_matrix to, regal_matrix gradient,
                                   const float *weights, float beta) {
    const regal_gemm product = {.rows = to.rows,
                                .columns = to.columns,
                                .inner = gradient.columns,
                                .batch = 1,
                                .transpose_b = true,
                                .alpha = 1,
                                .beta = beta,
                                .a = regal_rows_of(gradient),
                                .b = {weights, gradient.columns},
                                .result = to.at,
                                .result_stride = to.stride};
    return n->math->gemm(n->context, &product);
}

static regal_status relu_gradient(regal_network *n, regal_matrix gradient, const float *result) {
    return n->math->activate_gradient(n->context, REGAL_RELU, gradient,
                                      (regal_rows){result, gradient.columns},
                                      regal_rows_of(gradient));
}

/* From the gradient of a sum over the op, its graph and a bias: the gradients of the graph's
 * weights and of the bias; to += the gradient by what the graph's mean was taken of. */
static regal_status graph_gradient(regal_network *n, regal_matrix to, regal_matrix gradient,
                                   const float *mean, regal_network_part weights,
                                   regal_network_part bias, int64_t round) {
    const int64_t width = n->shape.width;
    const regal_matrix sums = regal_dense(n->at.graph_term, n->graph_count, width);
    const regal_matrix by_mean = regal_dense(n->at.graph_gradient, n->graph_count, width);
    REGAL_FORWARD(regal_network_graph_sums(n, sums.at, regal_rows_of(gradient)));
    REGAL_FORWARD(bias_gradient(n, bias, round, sums));
    REGAL_FORWARD(
        weight_gradient(n, gradient_of(n, weights, round), (regal_rows){mean, width}, width, sums));
    REGAL_FORWARD(input_gradient(n, by_mean, sums, regal_network_parameter(n, weights, round), 0));
    REGAL_FORWARD(n->math->scale_rows(n->context, by_mean, n->at.inverse_size,
                                      regal_rows_of(by_mean), false));
    return n->math->gather(n->context, to, regal_rows_of(by_mean), n->at.graph_of, true);
}

static regal_status read_out_backward(regal_network *n) {
    const int64_t width = n->shape.width;
    const regal_rows state = {n->at.state, width}, read = {n->at.read, width};
    const regal_matrix output = regal_dense(n->at.output, n->op_count, n->shape.outputs);
    const regal_matrix by_read = regal_dense(n->at.layer_gradient, n->op_count, width);
    const regal_matrix by_state = regal_dense(n->at.state_gradient, n->op_count, width);
    REGAL_FORWARD(bias_gradient(n, REGAL_PART_OUTPUT_BIAS, 0, output));
    REGAL_FORWARD(weight_gradient(n, gradient_of(n, REGAL_PART_OUTPUT, 0), read, width, output));
    REGAL_FORWARD(
        input_gradient(n, by_read, output, regal_network_parameter(n, REGAL_PART_OUTPUT, 0), 0));
    REGAL_FORWARD(relu_gradient(n, by_read, n->at.read));
    REGAL_FORWARD(
        weight_gradient(n, gradient_of(n, REGAL_PART_READOUT_STATE, 0), state, width, by_read));
    REGAL_FORWARD(input_gradient(n, by_state, by_read,
                                 regal_network_parameter(n, REGAL_PART_READOUT_STATE, 0), 0));
    return graph_gradient(n, by_state, by_read, n->at.state_mean, REGAL_PART_READOUT_GRAPH,
                          REGAL_PART_READOUT_BIAS, 0);
}

/* by_message [edge][2 H] from those of the means that the ops received. */
static regal_status receive_backward(regal_network *n, regal_matrix by_in, regal_matrix by_out,
                                     regal_matrix by_message, const float *message) {
    const int64_t width = n->shape.width;
    const regal_matrix along = regal_columns(by_message.at, n->edge_count, width, 2 * width);
    const regal_matrix against =
        regal_columns(by_message.at + width, n->edge_count, width, 2 * width);
    REGAL_FORWARD(
        n->math->scale_rows(n->context, by_in, n->at.inverse_in, regal_rows_of(by_in), false));
    REGAL_FORWARD(
        n->math->scale_rows(n->context, by_out, n->at.inverse_out, regal_rows_of(by_out), false));
    REGAL_FORWARD(n->math->gather(n->context, along, regal_rows_of(by_in), n->at.target, false));
    REGAL_FORWARD(n->math->gather(n->context, against, regal_rows_of(by_out), n->at.source, false));
    return relu_gradient(n, by_message, message);
}

static regal_status edge_weights_backward(regal_network *n, regal_matrix by_message,
                                          int64_t round) {
    const int64_t width = n->shape.width, inputs = n->shape.edge_features;
    const regal_gemm products = {.rows = inputs,
                                 .columns = width,
                                 .inner = n->edge_count,
                                 .batch = 2,
                                 .transpose_a = true,
                                 .alpha = 1,
                                 .a = {n->at.edge_features, inputs},
                                 .b = regal_rows_of(by_message),
                                 .b_step = width,
                                 .result = gradient_of(n, REGAL_PART_ALONG_EDGE, round),
                                 .result_stride = width,
                                 .result_step = inputs * width};
    return n->math->gemm(n->context, &products);
}

/* Gradients of the four weights of z, and by_z += theirs. */
static regal_status ends_backward(regal_network *n, regal_rows z, regal_matrix by_z,
                                  int64_t round) {
    const int64_t width = n->shape.width;
    const regal_gemm products = {.rows = width,
                                 .columns = width,
                                 .inner = n->op_count,
                                 .batch = 4,
                                 .transpose_a = true,
                                 .alpha = 1,
                                 .a = z,
                                 .b = {n->at.ends, 4 * width},
                                 .b_step = width,
                                 .result = gradient_of(n, REGAL_PART_ALONG_SOURCE, round),
                                 .result_stride = width,
                                 .result_step = width * width};
    REGAL_FORWARD(n->math->gemm(n->context, &products));
    const float *weights = regal_network_parameter(n, REGAL_PART_ALONG_SOURCE, round);
    for (int64_t i = 0; i < 4; ++i) {
        const regal_matrix by_end =
            regal_columns(n->at.ends + i * width, n->op_count, width, 4 * width);
        REGAL_FORWARD(input_gradient(n, by_z, by_end, weights + i * width * width, 1));
    }
    return REGAL_OK;
}

static regal_status messages_backward(regal_network *n, regal_rows z, regal_matrix by_z,
                                      regal_matrix by_message, int64_t round) {
    const int64_t width = n->shape.width;
    const regal_matrix of_source = regal_columns(n->at.ends, n->op_count, 2 * width, 4 * width);
    const regal_matrix of_target =
        regal_columns(n->at.ends + 2 * width, n->op_count, 2 * width, 4 * width);
    const regal_rows from = regal_rows_of(by_message);
    REGAL_FORWARD(edge_weights_backward(n, by_message, round));
    REGAL_FORWARD(n->math->segmented_sum(n->context, of_source, from, n->at.out_begin,
                                         n->at.out_edge, false));
    REGAL_FORWARD(n->math->segmented_sum(n->context, of_target, from, n->at.in_begin, NULL, false));
    /* Each edge has one target: the biases of both directions, from fewer rows than the edges. */
    REGAL_FORWARD(bias_gradient(n, REGAL_PART_ALONG_BIAS, round, of_target));
    return ends_backward(n, z, by_z, round);
}

static regal_status round_backward(regal_network *n, int64_t round) {
    const int64_t width = n->shape.width, ops = n->op_count, wide = 3 * width;
    const regal_rows joined = {n->at.joined + round * ops * wide, wide};
    const float *update = n->at.update + round * ops * width;
    const float *message = n->at.message + round * n->edge_count * 2 * width;
    const regal_matrix by_state = regal_dense(n->at.state_gradient, ops, width);
    const regal_matrix by_update = regal_dense(n->at.layer_gradient, ops, width);
    const regal_matrix by_joined = regal_dense(n->at.joined_gradient, ops, wide);
    const regal_matrix by_z = regal_columns(by_joined.at, ops, width, wide);
    const regal_matrix by_in = regal_columns(by_joined.at + width, ops, width, wide);
    const regal_matrix by_out = regal_columns(by_joined.at + 2 * width, ops, width, wide);
    const regal_matrix by_message = regal_dense(n->at.message_gradient, n->edge_count, 2 * width);
    REGAL_FORWARD(bias_gradient(n, REGAL_PART_CHANGE_BIAS, round, by_state));
    REGAL_FORWARD(weight_gradient(n, gradient_of(n, REGAL_PART_CHANGE, round),
                                  (regal_rows){update, width}, width, by_state));
    REGAL_FORWARD(input_gradient(n, by_update, by_state,
                                 regal_network_parameter(n, REGAL_PART_CHANGE, round), 0));
    REGAL_FORWARD(relu_gradient(n, by_update, update));
    REGAL_FORWARD(weight_gradient(n, gradient_of(n, REGAL_PART_UPDATE_STATE, round), joined, wide,
                                  by_update));
    REGAL_FORWARD(input_gradient(n, by_joined, by_update,
                                 regal_network_parameter(n, REGAL_PART_UPDATE_STATE, round), 0));
    REGAL_FORWARD(graph_gradient(n, by_z, by_update,
                                 n->at.graph_mean + round * n->graph_count * width,
                                 REGAL_PART_UPDATE_GRAPH, REGAL_PART_UPDATE_BIAS, round));
    REGAL_FORWARD(receive_backward(n, by_in, by_out, by_message, message));
    REGAL_FORWARD(messages_backward(n, joined, by_z, by_message, round));
    return n->math->normalize_gradient(n->context, by_state, n->at.scale + round * ops, joined,
                                       regal_rows_of(by_z), true);
}

static regal_status encode_backward(regal_network *n) {
    const int64_t width = n->shape.width;
    const regal_rows features = {n->at.features, n->shape.features};
    const regal_matrix by_state = regal_dense(n->at.state_gradient, n->op_count, width);
    const regal_matrix by_encoded = regal_dense(n->at.layer_gradient, n->op_count, width);
    REGAL_FORWARD(bias_gradient(n, REGAL_PART_ENCODER_1_BIAS, 0, by_state));
    REGAL_FORWARD(weight_gradient(n, gradient_of(n, REGAL_PART_ENCODER_1, 0),
                                  (regal_rows){n->at.encoded, width}, width, by_state));
    REGAL_FORWARD(input_gradient(n, by_encoded, by_state,
                                 regal_network_parameter(n, REGAL_PART_ENCODER_1, 0), 0));
    REGAL_FORWARD(relu_gradient(n, by_encoded, n->at.encoded));
    REGAL_FORWARD(bias_gradient(n, REGAL_PART_ENCODER_0_BIAS, 0, by_encoded));
    return weight_gradient(n, gradient_of(n, REGAL_PART_ENCODER_0, 0), features, n->shape.features,
                           by_encoded);
}

static regal_status backward(regal_network *n, const float *output_gradient, float *gradient) {
    REGAL_FORWARD(
        n->math->upload(n->context, n->at.output, output_gradient, n->op_count * n->shape.outputs));
    REGAL_FORWARD(read_out_backward(n));
    for (int64_t round = n->shape.rounds - 1; round >= 0; --round)
        REGAL_FORWARD(round_backward(n, round));
    REGAL_FORWARD(encode_backward(n));
    return n->math->download(n->context, gradient, n->at.gradient, n->parameter_count);
}

regal_status regal_network_backward(regal_network *network, const regal_message_graph *graph,
                                    const float *output_gradient, float *gradient) {
    (void)graph; /* is still there from the forward pass */
    const regal_status status = backward(network, output_gradient, gradient);
    if (status != REGAL_OK)
        network->math->wait(network->context); /* what was uploaded is the caller's again */
    return status;
}
