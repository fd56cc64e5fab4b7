#include "base/error.h"
#include "policy/network_parts.h"

/* relu(to + bias) or to + bias, in place. */
static regal_status add_bias(regal_network *n, regal_activation activation, regal_matrix to,
                             regal_network_part bias, int64_t round) {
    return n->math->activate(n->context, activation, to, regal_rows_of(to),
                             regal_network_parameter(n, bias, round));
}

static regal_status encode(regal_network *n) {
    const int64_t width = n->shape.width;
    const regal_matrix encoded = regal_dense(n->at.encoded, n->op_count, width);
    const regal_matrix state = regal_dense(n->at.state, n->op_count, width);
    const regal_rows features = {n->at.features, n->shape.features};
    REGAL_FORWARD(regal_network_multiply(n, encoded, features, n->shape.features,
                                         regal_network_parameter(n, REGAL_PART_ENCODER_0, 0), 0));
    REGAL_FORWARD(add_bias(n, REGAL_RELU, encoded, REGAL_PART_ENCODER_0_BIAS, 0));
    REGAL_FORWARD(regal_network_multiply(n, state, regal_rows_of(encoded), width,
                                         regal_network_parameter(n, REGAL_PART_ENCODER_1, 0), 0));
    return add_bias(n, REGAL_IDENTITY, state, REGAL_PART_ENCODER_1_BIAS, 0);
}

/* The four products of z, side by side in each op's row of `ends`. */
static regal_status multiply_ends(regal_network *n, regal_rows z, int64_t round) {
    const int64_t width = n->shape.width;
    const regal_gemm products = {
        .rows = n->op_count,
        .columns = width,
        .inner = width,
        .batch = 4,
        .alpha = 1,
        .a = z,
        .b = {regal_network_parameter(n, REGAL_PART_ALONG_SOURCE, round), width},
        .b_step = width * width,
        .result = n->at.ends,
        .result_stride = 4 * width,
        .result_step = width};
    return n->math->gemm(n->context, &products);
}

/* Adds the edges' features to what both ends give, in both directions. */
static regal_status multiply_edges(regal_network *n, regal_matrix message, int64_t round) {
    const int64_t width = n->shape.width, inner = n->shape.edge_features;
    const regal_gemm products = {
        .rows = n->edge_count,
        .columns = width,
        .inner = inner,
        .batch = 2,
        .alpha = 1,
        .beta = 1,
        .a = {n->at.edge_features, inner},
        .b = {regal_network_parameter(n, REGAL_PART_ALONG_EDGE, round), width},
        .b_step = inner * width,
        .result = message.at,
        .result_stride = message.stride,
        .result_step = width};
    return n->math->gemm(n->context, &products);
}

/* message [edge][2 H]: along the edge, against it. */
static regal_status pass_messages(regal_network *n, regal_rows z, regal_matrix message,
                                  int64_t round) {
    const int64_t width = n->shape.width;
    REGAL_FORWARD(multiply_ends(n, z, round));
    const regal_rows of_source = {n->at.ends, 4 * width};
    const regal_rows of_target = {n->at.ends + 2 * width, 4 * width};
    REGAL_FORWARD(n->math->gather_pair(n->context, REGAL_IDENTITY, message, of_source, n->at.source,
                                       of_target, n->at.target));
    REGAL_FORWARD(multiply_edges(n, message, round));
    return add_bias(n, REGAL_RELU, message, REGAL_PART_ALONG_BIAS, round);
}

/* Means of the messages into an op and of those against the edges out of it. */
static regal_status receive(regal_network *n, regal_matrix in, regal_matrix out,
                            regal_matrix message) {
    const regal_rows along = regal_rows_of(message);
    const regal_rows against = {message.at + n->shape.width, message.stride};
    REGAL_FORWARD(n->math->segmented_sum(n->context, in, along, n->at.in_begin, NULL, false));
    REGAL_FORWARD(
        n->math->segmented_sum(n->context, out, against, n->at.out_begin, n->at.out_edge, false));
    REGAL_FORWARD(n->math->scale_rows(n->context, in, n->at.inverse_in, regal_rows_of(in), false));
    return n->math->scale_rows(n->context, out, n->at.inverse_out, regal_rows_of(out), false);
}

/* to += what `weights` make of a number of each graph, [graph][H]. */
static regal_status add_of_graph(regal_network *n, regal_matrix to, const float *of_graph,
                                 regal_network_part weights, int64_t round) {
    const int64_t width = n->shape.width;
    const regal_matrix term = regal_dense(n->at.graph_term, n->graph_count, width);
    REGAL_FORWARD(regal_network_multiply(n, term, (regal_rows){of_graph, width}, width,
                                         regal_network_parameter(n, weights, round), 0));
    return n->math->gather(n->context, to, regal_rows_of(term), n->at.graph_of, true);
}

/* `slot`: where the round's values are kept. */
static regal_status pass_round(regal_network *n, int64_t round, int64_t slot) {
    const int64_t width = n->shape.width, ops = n->op_count, wide = 3 * width;
    float *joined = n->at.joined + slot * ops * wide;
    float *graph_mean = n->at.graph_mean + slot * n->graph_count * width;
    const regal_matrix state = regal_dense(n->at.state, ops, width);
    const regal_matrix z = regal_columns(joined, ops, width, wide);
    const regal_matrix in = regal_columns(joined + width, ops, width, wide);
    const regal_matrix out = regal_columns(joined + 2 * width, ops, width, wide);
    const regal_matrix message =
        regal_dense(n->at.message + slot * n->edge_count * 2 * width, n->edge_count, 2 * width);
    const regal_matrix update = regal_dense(n->at.update + slot * ops * width, ops, width);
    REGAL_FORWARD(
        n->math->normalize(n->context, z, n->at.scale + slot * ops, regal_rows_of(state)));
    REGAL_FORWARD(regal_network_graph_means(n, graph_mean, regal_rows_of(z)));
    REGAL_FORWARD(pass_messages(n, regal_rows_of(z), message, round));
    REGAL_FORWARD(receive(n, in, out, message));
    REGAL_FORWARD(regal_network_multiply(n, update, regal_rows_of(z), wide,
                                         regal_network_parameter(n, REGAL_PART_UPDATE_STATE, round),
                                         0));
    REGAL_FORWARD(add_of_graph(n, update, graph_mean, REGAL_PART_UPDATE_GRAPH, round));
    REGAL_FORWARD(add_bias(n, REGAL_RELU, update, REGAL_PART_UPDATE_BIAS, round));
    REGAL_FORWARD(regal_network_multiply(n, state, regal_rows_of(update), width,
                                         regal_network_parameter(n, REGAL_PART_CHANGE, round), 1));
    return add_bias(n, REGAL_IDENTITY, state, REGAL_PART_CHANGE_BIAS, round);
}

static regal_status read_out(regal_network *n) {
    const int64_t width = n->shape.width;
    const regal_matrix state = regal_dense(n->at.state, n->op_count, width);
    const regal_matrix read = regal_dense(n->at.read, n->op_count, width);
    const regal_matrix output = regal_dense(n->at.output, n->op_count, n->shape.outputs);
    REGAL_FORWARD(regal_network_graph_means(n, n->at.state_mean, regal_rows_of(state)));
    REGAL_FORWARD(regal_network_multiply(n, read, regal_rows_of(state), width,
                                         regal_network_parameter(n, REGAL_PART_READOUT_STATE, 0),
                                         0));
    REGAL_FORWARD(add_of_graph(n, read, n->at.state_mean, REGAL_PART_READOUT_GRAPH, 0));
    REGAL_FORWARD(add_bias(n, REGAL_RELU, read, REGAL_PART_READOUT_BIAS, 0));
    REGAL_FORWARD(regal_network_multiply(n, output, regal_rows_of(read), width,
                                         regal_network_parameter(n, REGAL_PART_OUTPUT, 0), 0));
    return add_bias(n, REGAL_IDENTITY, output, REGAL_PART_OUTPUT_BIAS, 0);
}

void regal_network_stop_when(regal_network *network, regal_network_stop *stop, void *context) {
    network->stop = stop;
    network->stop_context = context;
}

static regal_status forward(regal_network *n, const regal_message_graph *graph, bool learning,
                            float *outputs) {
    REGAL_FORWARD(regal_network_load(n, graph, learning));
    REGAL_FORWARD(encode(n));
    for (int64_t round = 0; round < n->shape.rounds; ++round) {
        REGAL_FAIL_IF(n->stop != NULL && n->stop(n->stop_context), REGAL_INTERRUPTED,
                      "interrupted before round %lld of the network", (long long)round);
        REGAL_FORWARD(pass_round(n, round, learning ? round : 0));
    }
    REGAL_FORWARD(read_out(n));
    return n->math->download(n->context, outputs, n->at.output, n->op_count * n->shape.outputs);
}

regal_status regal_network_forward(regal_network *network, const regal_message_graph *graph,
                                   bool learning, float *outputs) {
    const regal_status status = forward(network, graph, learning, outputs);
    if (status != REGAL_OK)
        network->math->wait(network->context); /* what was uploaded is the caller's again */
    return status;
}
