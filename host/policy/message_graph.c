#include "policy/message_graph.h"

#include <math.h>
#include <string.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "policy/feature_parts.h"
#include "policy/op_pairs.h"

static void carve(regal_message_graph *graph, regal_carver *carver) {
    const int64_t graphs = graph->graph_count, n = graph->op_count, edges = graph->edge_count;
    graph->features = regal_carve(carver, n, REGAL_FEATURE_COUNT * sizeof *graph->features);
    graph->edge_features =
        regal_carve(carver, edges, REGAL_EDGE_FEATURE_COUNT * sizeof *graph->edge_features);
    graph->source = regal_carve(carver, edges, sizeof *graph->source);
    graph->target = regal_carve(carver, edges, sizeof *graph->target);
    graph->out_edge = regal_carve(carver, edges, sizeof *graph->out_edge);
    graph->graph_begin = regal_carve(carver, graphs + 1, sizeof *graph->graph_begin);
    graph->inverse_size = regal_carve(carver, graphs, sizeof *graph->inverse_size);
    graph->graph_of = regal_carve(carver, n, sizeof *graph->graph_of);
    graph->in_begin = regal_carve(carver, n + 1, sizeof *graph->in_begin);
    graph->out_begin = regal_carve(carver, n + 1, sizeof *graph->out_begin);
    graph->inverse_in = regal_carve(carver, n, sizeof *graph->inverse_in);
    graph->inverse_out = regal_carve(carver, n, sizeof *graph->inverse_out);
}

static void fill_edge_features(const regal_op_pairs *pairs, float *features) {
    double sum = 0, count = 0;
    for (int64_t p = 0; p < pairs->pair_count; ++p)
        if (pairs->bytes[p] >= 0) {
            sum += (double)pairs->bytes[p];
            count++;
        }
    const double mean = count > 0 ? sum / count : 0;
    for (int64_t p = 0; p < pairs->pair_count; ++p) {
        const bool data = pairs->bytes[p] >= 0;
        features[REGAL_EDGE_FEATURE_COUNT * p] =
            data ? regal_log_ratio((double)pairs->bytes[p], mean) : 0.0f;
        features[REGAL_EDGE_FEATURE_COUNT * p + 1] = data ? 0.0f : 1.0f;
    }
}

static float inverse(int64_t count) {
    return count > 0 ? 1.0f / (float)count : 0.0f;
}

/* Puts a problem's pairs behind the `op` ops and `edge` edges that are there. */
static void append(const regal_op_pairs *pairs, int32_t number, int32_t op, int32_t edge,
                   regal_message_graph *graph) {
    for (int64_t p = 0; p < pairs->pair_count; ++p) {
        graph->source[edge + p] = op + pairs->source[p];
        graph->target[edge + p] = op + pairs->target[p];
        graph->out_edge[edge + p] = edge + pairs->out_pair[p];
    }
    for (int64_t v = 0; v < pairs->op_count; ++v) {
        graph->graph_of[op + v] = number;
        graph->in_begin[op + v] = edge + pairs->in_begin[v];
        graph->out_begin[op + v] = edge + pairs->out_begin[v];
        graph->inverse_in[op + v] = inverse(pairs->in_begin[v + 1] - pairs->in_begin[v]);
        graph->inverse_out[op + v] = inverse(pairs->out_begin[v + 1] - pairs->out_begin[v]);
    }
    graph->graph_begin[number] = op;
    graph->inverse_size[number] = inverse(pairs->op_count);
    fill_edge_features(pairs, graph->edge_features + (int64_t)edge * REGAL_EDGE_FEATURE_COUNT);
}

static regal_status allocate(const regal_op_pairs *pairs, int64_t count,
                             regal_message_graph *graph) {
    graph->graph_count = count;
    for (int64_t i = 0; i < count; ++i) {
        graph->op_count += pairs[i].op_count;
        graph->edge_count += pairs[i].pair_count;
        REGAL_FAIL_IF(graph->op_count >= INT32_MAX || graph->edge_count >= INT32_MAX,
                      REGAL_INVALID_ARGUMENT,
                      "a policy serves less than 2^31 ops and edges: give it fewer problems");
    }
    regal_carver carver = {0};
    carve(graph, &carver);
    graph->memory = regal_carver_memory(&carver);
    REGAL_FAIL_IF_NULL(graph->memory);
    carver = (regal_carver){.base = graph->memory};
    carve(graph, &carver);
    return REGAL_OK;
}

static regal_status fill(const regal_problem_view *const *views, const regal_op_pairs *pairs,
                         int64_t count, regal_objective objective, regal_message_graph *graph) {
    REGAL_FORWARD(allocate(pairs, count, graph));
    int32_t op = 0, edge = 0;
    for (int64_t i = 0; i < count; ++i) {
        append(&pairs[i], (int32_t)i, op, edge, graph);
        REGAL_FORWARD(regal_features_of_pairs(views[i], &pairs[i], objective,
                                              graph->features + (int64_t)op * REGAL_FEATURE_COUNT));
        op += (int32_t)pairs[i].op_count;
        edge += (int32_t)pairs[i].pair_count;
    }
    graph->graph_begin[count] = op;
    graph->in_begin[op] = graph->out_begin[op] = edge;
    return REGAL_OK;
}

static regal_status collect(const regal_problem_view *const *views, int64_t count,
                            regal_op_pairs *pairs) {
    for (int64_t i = 0; i < count; ++i)
        REGAL_FORWARD(regal_op_pairs_create(views[i], &pairs[i]));
    return REGAL_OK;
}

regal_status regal_message_graph_create(const regal_problem_view *const *views, int64_t count,
                                        regal_objective objective, regal_message_graph *graph) {
    *graph = (regal_message_graph){0};
    REGAL_FAIL_IF(count >= INT32_MAX, REGAL_INVALID_ARGUMENT,
                  "a policy serves less than 2^31 problems at a time");
    regal_op_pairs *pairs = regal_allocate_zeroed(count, sizeof *pairs);
    REGAL_FAIL_IF_NULL(pairs);
    regal_status status = collect(views, count, pairs);
    if (status == REGAL_OK)
        status = fill(views, pairs, count, objective, graph);
    for (int64_t i = 0; i < count; ++i)
        regal_op_pairs_destroy(&pairs[i]);
    free(pairs);
    if (status != REGAL_OK)
        regal_message_graph_destroy(graph);
    return status;
}

void regal_message_graph_destroy(regal_message_graph *graph) {
    free(graph->memory);
    *graph = (regal_message_graph){0};
}
