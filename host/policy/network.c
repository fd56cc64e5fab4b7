/* The network's memory: parameters, buffers that grow, and the batch in them. */
#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "policy/network_parts.h"

void regal_network_destroy(regal_network *network) {
    if (network == NULL)
        return;
    network->math->release(network->context, network->memory);
    network->math->release(network->context, network->parameters);
    free(network->blocks);
    free(network);
}

regal_status regal_network_create(const regal_math *math, regal_math_context *context,
                                  const regal_network_shape *shape, regal_network **network) {
    *network = NULL;
    regal_network *n = regal_allocate_zeroed(1, sizeof *n);
    REGAL_FAIL_IF_NULL(n);
    n->math = math;
    n->context = context;
    n->shape = *shape;
    n->parameter_count = regal_network_parameter_count(shape);
    for (int part = 0; part < REGAL_PART_COUNT; ++part)
        n->offset[part] = regal_network_offset(shape, (regal_network_part)part, 0);
    n->round_size = regal_network_offset(shape, REGAL_PART_ROUND, 1) -
                    regal_network_offset(shape, REGAL_PART_ROUND, 0);
    void *parameters;
    const regal_status status = math->allocate(context, n->parameter_count, &parameters);
    n->parameters = parameters;
    if (status == REGAL_OK)
        *network = n;
    else
        regal_network_destroy(n);
    return status;
}

regal_status regal_network_set(regal_network *network, const float *parameters) {
    REGAL_FORWARD(network->math->upload(network->context, network->parameters, parameters,
                                        network->parameter_count));
    return network->math->wait(network->context);
}

static void *carve(regal_carver *carver, int64_t rows, int64_t columns) {
    return regal_carve(carver, rows, (size_t)columns * sizeof(float));
}

/* Of the sizes in the network. */
static regal_network_buffers carve_buffers(const regal_network *n, bool learning, regal_carver *c) {
    const int64_t ops = n->op_count, edges = n->edge_count, graphs = n->graph_count;
    const int64_t width = n->shape.width, kept = learning ? n->shape.rounds : 1;
    regal_network_buffers at = {
        .features = carve(c, ops, n->shape.features),
        .edge_features = carve(c, edges, n->shape.edge_features),
        .inverse_in = carve(c, ops, 1),
        .inverse_out = carve(c, ops, 1),
        .inverse_size = carve(c, graphs, 1),
        .source = carve(c, edges, 1),
        .target = carve(c, edges, 1),
        .in_begin = carve(c, ops + 1, 1),
        .out_begin = carve(c, ops + 1, 1),
        .out_edge = carve(c, edges, 1),
        .graph_of = carve(c, ops, 1),
        .block_begin = carve(c, n->block_count + 1, 1),
        .graph_blocks = carve(c, graphs + 1, 1),
        .encoded = carve(c, ops, width),
        .state = carve(c, ops, width),
        .joined = carve(c, ops, 3 * width * kept),
        .scale = carve(c, ops, kept),
        .graph_mean = carve(c, graphs, width * kept),
        .message = carve(c, edges, 2 * width * kept),
        .update = carve(c, ops, width * kept),
        .state_mean = carve(c, graphs, width),
        .read = carve(c, ops, width),
        .output = carve(c, ops, n->shape.outputs),
        .ends = carve(c, ops, 4 * width),
        .block_sum = carve(c, n->block_count, width),
        .graph_term = carve(c, graphs, width),
    };
    if (learning) {
        at.state_gradient = carve(c, ops, width);
        at.layer_gradient = carve(c, ops, width);
        at.joined_gradient = carve(c, ops, 3 * width);
        at.message_gradient = carve(c, edges, 2 * width);
        at.graph_gradient = carve(c, graphs, width);
        at.gradient = carve(c, n->parameter_count, 1);
    }
    return at;
}

static regal_status reserve_buffers(regal_network *n, bool learning) {
    regal_carver sizes = {0};
    carve_buffers(n, learning, &sizes);
    REGAL_FAIL_IF(sizes.overflow, REGAL_OUT_OF_MEMORY,
                  "memory ran out: the policy's network cannot take so large a graph");
    const int64_t needed = (int64_t)(sizes.used / sizeof(float));
    if (needed > n->capacity) {
        n->math->release(n->context, n->memory);
        n->memory = NULL;
        n->capacity = 0;
        const regal_status status = n->math->allocate(n->context, needed, &n->memory);
        REGAL_FORWARD(status);
        n->capacity = needed;
    }
    regal_carver carver = {.base = n->memory};
    n->at = carve_buffers(n, learning, &carver);
    return REGAL_OK;
}

/* Cuts each graph's ops into blocks. */
static regal_status cut_blocks(regal_network *n, const regal_message_graph *graph) {
    int64_t count = 0;
    for (int64_t g = 0; g < graph->graph_count; ++g)
        count += (graph->graph_begin[g + 1] - graph->graph_begin[g] + REGAL_NETWORK_BLOCK - 1) /
                 REGAL_NETWORK_BLOCK;
    n->block_count = count;
    const bool fits = regal_array_reserve(&n->blocks, &n->blocks_capacity,
                                          count + graph->graph_count + 2, sizeof *n->blocks);
    REGAL_FAIL_IF(!fits, REGAL_OUT_OF_MEMORY, "memory ran out");
    int32_t *begin = n->blocks, *of_graph = n->blocks + count + 1, block = 0;
    for (int64_t g = 0; g < graph->graph_count; ++g) {
        of_graph[g] = block;
        for (int64_t op = graph->graph_begin[g]; op < graph->graph_begin[g + 1];
             op += REGAL_NETWORK_BLOCK)
            begin[block++] = (int32_t)op;
    }
    begin[block] = (int32_t)graph->op_count;
    of_graph[graph->graph_count] = block;
    return REGAL_OK;
}

regal_status regal_network_load(regal_network *n, const regal_message_graph *graph, bool learning) {
    n->op_count = graph->op_count;
    n->edge_count = graph->edge_count;
    n->graph_count = graph->graph_count;
    REGAL_FORWARD(cut_blocks(n, graph));
    REGAL_FORWARD(reserve_buffers(n, learning));
    const int64_t ops = n->op_count, edges = n->edge_count, graphs = n->graph_count;
    const struct {
        void *to;
        const void *from;
        int64_t count;
    } list[] = {{n->at.features, graph->features, ops * n->shape.features},
                {n->at.edge_features, graph->edge_features, edges * n->shape.edge_features},
                {n->at.inverse_in, graph->inverse_in, ops},
                {n->at.inverse_out, graph->inverse_out, ops},
                {n->at.inverse_size, graph->inverse_size, graphs},
                {n->at.source, graph->source, edges},
                {n->at.target, graph->target, edges},
                {n->at.in_begin, graph->in_begin, ops + 1},
                {n->at.out_begin, graph->out_begin, ops + 1},
                {n->at.out_edge, graph->out_edge, edges},
                {n->at.graph_of, graph->graph_of, ops},
                {n->at.block_begin, n->blocks, n->block_count + 1},
                {n->at.graph_blocks, n->blocks + n->block_count + 1, graphs + 1}};
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
        REGAL_FORWARD(n->math->upload(n->context, list[i].to, list[i].from, list[i].count));
    return REGAL_OK;
}

regal_status regal_network_multiply(regal_network *n, regal_matrix result, regal_rows from,
                                    int64_t inner, const float *weights, float beta) {
    const regal_gemm product = {.rows = result.rows,
                                .columns = result.columns,
                                .inner = inner,
                                .batch = 1,
                                .alpha = 1,
                                .beta = beta,
                                .a = from,
                                .b = {weights, result.columns},
                                .result = result.at,
                                .result_stride = result.stride};
    return n->math->gemm(n->context, &product);
}

regal_status regal_network_graph_sums(regal_network *n, float *to, regal_rows from) {
    const int64_t width = n->shape.width;
    const regal_matrix blocks = regal_dense(n->at.block_sum, n->block_count, width);
    REGAL_FORWARD(n->math->segmented_sum(n->context, blocks, from, n->at.block_begin, NULL, false));
    return n->math->segmented_sum(n->context, regal_dense(to, n->graph_count, width),
                                  regal_rows_of(blocks), n->at.graph_blocks, NULL, false);
}

regal_status regal_network_graph_means(regal_network *n, float *to, regal_rows from) {
    const regal_matrix means = regal_dense(to, n->graph_count, n->shape.width);
    REGAL_FORWARD(regal_network_graph_sums(n, to, from));
    return n->math->scale_rows(n->context, means, n->at.inverse_size, regal_rows_of(means), false);
}
