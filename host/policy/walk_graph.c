#include "policy/walk_graph.h"

#include <stdlib.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "baselines/upward_rank.h"

static void carve(regal_carver *c, const regal_problem_view *view, regal_walk_graph *g) {
    const int64_t n = view->op_count, m = view->tensor_count, devices = view->device_count;
    const int64_t uses = view->parameter_begin[view->parameter_count];
    g->ticks = regal_carve(c, n, (size_t)devices * sizeof *g->ticks);
    g->rank = regal_carve(c, n, sizeof *g->rank);
    g->workspace = regal_carve(c, n, sizeof *g->workspace);
    g->bytes = regal_carve(c, m, sizeof *g->bytes);
    g->stored = regal_carve(c, m, sizeof *g->stored);
    g->latency = regal_carve(c, devices * devices, sizeof *g->latency);
    g->pace = regal_carve(c, devices * devices, sizeof *g->pace);
    g->capacity = regal_carve(c, devices, sizeof *g->capacity);
    g->weight_begin = regal_carve(c, n + 1, sizeof *g->weight_begin);
    g->weight = regal_carve(c, uses, sizeof *g->weight);
    g->weight_bytes = regal_carve(c, view->parameter_count, sizeof *g->weight_bytes);
}

/* 1 over a mean, 0 where all is 0. */
static double inverse_mean(double sum, int64_t count) {
    return sum > 0 ? (double)count / sum : 0;
}

static double per_tick(const regal_walk_graph *g, const regal_mean_ticks *mean) {
    double sum = 0;
    for (int64_t op = 0; op < g->op_count; ++op)
        sum += (double)mean->op[op];
    return inverse_mean(sum, g->op_count);
}

static double per_byte(const regal_walk_graph *g) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t t = 0; t < g->tensor_count; ++t)
        if (g->view->tensors[t].root == t) {
            sum += (double)g->view->tensors[t].bytes;
            ++count;
        }
    return inverse_mean(sum, count);
}

static void fill_ops(regal_walk_graph *g, const int64_t *rank, double tick, double byte) {
    const regal_problem_view *view = g->view;
    for (int64_t op = 0; op < g->op_count; ++op) {
        for (int32_t d = 0; d < g->device_count; ++d)
            g->ticks[op * g->device_count + d] =
                (float)((double)view->op_ticks[op * view->class_count + view->device_class[d]] *
                        tick);
        g->rank[op] = (float)((double)rank[op] * tick);
        g->workspace[op] = (float)((double)view->ops[op].workspace * byte);
    }
}

static void fill_tensors(regal_walk_graph *g, double byte) {
    for (int64_t t = 0; t < g->tensor_count; ++t) {
        const regal_tensor_facts *facts = &g->view->tensors[t];
        g->bytes[t] = (float)((double)facts->bytes * byte);
        g->stored[t] = facts->root == t ? g->bytes[t] : 0;
    }
}

static void fill_cluster(regal_walk_graph *g, double tick, double byte) {
    const regal_problem_view *view = g->view;
    for (int32_t i = 0; i < g->device_count * g->device_count; ++i) {
        const regal_link *link = &view->link[i];
        const bool within = i / g->device_count == i % g->device_count;
        const double rate = (double)link->bytes_per_1000_ticks;
        g->latency[i] = within ? 0 : (float)((double)link->latency * tick);
        g->pace[i] = within || byte == 0 || link->bytes_per_1000_ticks <= 0
                         ? 0
                         : (float)(1000 / rate * tick / byte);
    }
    for (int32_t d = 0; d < g->device_count; ++d)
        g->capacity[d] = (float)((double)view->capacity[d] * byte);
}

static void fill_weights(regal_walk_graph *g, double byte) {
    const regal_problem_view *view = g->view;
    const int64_t n = g->op_count, uses = view->parameter_begin[view->parameter_count];
    int64_t *begin = g->weight_begin;
    for (int64_t op = 0; op <= n; ++op)
        begin[op] = 0;
    for (int64_t i = 0; i < uses; ++i)
        ++begin[view->parameter_op[i]];
    for (int64_t op = 0, before = 0; op <= n; ++op) {
        const int64_t count = begin[op];
        begin[op] = before;
        before += op < n ? count : 0;
    }
    for (regal_id p = 0; p < view->parameter_count; ++p) {
        g->weight_bytes[p] = (float)((double)view->parameter_bytes[p] * byte);
        for (regal_id i = view->parameter_begin[p]; i < view->parameter_begin[p + 1]; ++i)
            g->weight[begin[view->parameter_op[i]]++] = p;
    }
    for (int64_t op = n; op > 0; --op)
        begin[op] = begin[op - 1];
    begin[0] = 0;
}

static regal_status fill(regal_walk_graph *g, const regal_mean_ticks *mean) {
    int64_t *rank = regal_allocate(g->op_count, sizeof *rank);
    REGAL_FAIL_IF_NULL(rank);
    regal_upward_rank(g->view, mean, rank);
    const double tick = per_tick(g, mean), byte = per_byte(g);
    fill_ops(g, rank, tick, byte);
    fill_tensors(g, byte);
    fill_cluster(g, tick, byte);
    fill_weights(g, byte);
    free(rank);
    return REGAL_OK;
}

regal_status regal_walk_graph_create(const regal_problem_view *view, regal_walk_graph *graph) {
    *graph = (regal_walk_graph){.view = view,
                                .op_count = view->op_count,
                                .tensor_count = view->tensor_count,
                                .device_count = view->device_count};
    regal_carver c = {0};
    carve(&c, view, graph);
    c = (regal_carver){.base = regal_carver_memory(&c), .overflow = c.overflow};
    REGAL_FAIL_IF_NULL(c.base);
    carve(&c, view, graph);
    graph->memory = c.base;
    regal_mean_ticks mean;
    regal_status status = regal_mean_ticks_create(view, &mean);
    if (status == REGAL_OK) {
        status = fill(graph, &mean);
        regal_mean_ticks_destroy(&mean);
    }
    if (status != REGAL_OK)
        regal_walk_graph_destroy(graph);
    return status;
}

void regal_walk_graph_destroy(regal_walk_graph *graph) {
    free(graph->memory);
    *graph = (regal_walk_graph){0};
}
