#include "report/report_view.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct timed {
    int64_t row, start, id;
} timed;

static int compare_timed(const void *a, const void *b) {
    const timed *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return (left->id > right->id) - (left->id < right->id);
}

/* Sorts what stands in items into at[], its inverse into row_of[], and where each row begins into
 * begin[rows + 1]. */
static void lay_out(timed *items, int64_t count, int64_t rows, int64_t *at, int64_t *row_of,
                    int64_t *begin) {
    if (count > 0)
        qsort(items, (size_t)count, sizeof *items, compare_timed);
    int64_t row = 0;
    for (int64_t i = 0; i < count; ++i) {
        while (row <= items[i].row)
            begin[row++] = i;
        at[i] = items[i].id;
        row_of[items[i].id] = i;
    }
    while (row <= rows)
        begin[row++] = count;
}

static regal_status lay_out_ops(regal_report_view *view) {
    const regal_plan *plan = view->plan;
    const int64_t count = plan->op_count;
    timed *items = regal_allocate(count, sizeof *items);
    view->op_at = regal_allocate(count, sizeof *view->op_at);
    view->op_row = regal_allocate(count, sizeof *view->op_row);
    view->device_begin = regal_allocate(view->devices + 1, sizeof *view->device_begin);
    const bool there =
        items != NULL && view->op_at != NULL && view->op_row != NULL && view->device_begin != NULL;
    for (int64_t i = 0; there && i < count; ++i)
        items[i] = (timed){plan->placement[i], plan->start[i], i};
    if (there)
        lay_out(items, count, view->devices, view->op_at, view->op_row, view->device_begin);
    free(items);
    REGAL_FAIL_IF(!there, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static void number_links(const regal_report_view *view,
                         int64_t number[REGAL_MAX_DEVICES][REGAL_MAX_DEVICES]) {
    for (int64_t i = 0; i < view->links; ++i) {
        const regal_link_use link = regal_explanation_link(view->explanation, i);
        number[link.from][link.to] = i;
    }
}

static regal_status lay_out_transfers(regal_report_view *view) {
    const regal_plan *plan = view->plan;
    const int64_t count = plan->transfer_count;
    int64_t number[REGAL_MAX_DEVICES][REGAL_MAX_DEVICES] = {{0}};
    number_links(view, number);
    timed *items = regal_allocate(count, sizeof *items);
    view->transfer_at = regal_allocate(count, sizeof *view->transfer_at);
    view->transfer_row = regal_allocate(count, sizeof *view->transfer_row);
    view->link_begin = regal_allocate(view->links + 1, sizeof *view->link_begin);
    const bool there = items != NULL && view->transfer_at != NULL && view->transfer_row != NULL &&
                       view->link_begin != NULL;
    for (int64_t i = 0; there && i < count; ++i) {
        const regal_transfer *transfer = &plan->transfers[i];
        const int64_t producer = regal_graph_tensor(view->graph, transfer->tensor).producer;
        items[i] = (timed){number[plan->placement[producer]][transfer->to], transfer->start, i};
    }
    if (there)
        lay_out(items, count, view->links, view->transfer_at, view->transfer_row, view->link_begin);
    free(items);
    REGAL_FAIL_IF(!there, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static void add_bytes(int64_t *sum, int64_t bytes) {
    if (__builtin_add_overflow(*sum, bytes, sum))
        *sum = INT64_MAX;
}

/* A tensor counts once for an op that consumes it twice. */
static regal_status sum_bytes(regal_report_view *view) {
    const int64_t ops = view->plan->op_count;
    int64_t *seen = regal_allocate_zeroed(ops, sizeof *seen);
    view->bytes_in = regal_allocate_zeroed(ops, sizeof *view->bytes_in);
    view->bytes_out = regal_allocate_zeroed(ops, sizeof *view->bytes_out);
    const bool there = seen != NULL && view->bytes_in != NULL && view->bytes_out != NULL;
    for (int64_t t = 0; there && t < regal_graph_tensor_count(view->graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(view->graph, t);
        add_bytes(&view->bytes_out[tensor.producer], tensor.bytes);
        for (int64_t c = 0; c < tensor.consumer_count; ++c) {
            const int64_t op = tensor.consumers[c];
            if (seen[op] != t + 1)
                add_bytes(&view->bytes_in[op], tensor.bytes);
            seen[op] = t + 1;
        }
    }
    free(seen);
    REGAL_FAIL_IF(!there, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static void show_tensor(regal_report_view *view, int64_t tensor) {
    if (tensor < 0 || view->tensor_row[tensor] >= 0)
        return;
    view->tensor_row[tensor] = view->shown_tensors;
    view->tensor_at[view->shown_tensors++] = tensor;
}

static regal_status choose_tensors(regal_report_view *view) {
    const int64_t count = regal_graph_tensor_count(view->graph);
    view->tensor_at = regal_allocate(count, sizeof *view->tensor_at);
    view->tensor_row = regal_allocate(count, sizeof *view->tensor_row);
    REGAL_FAIL_IF(view->tensor_at == NULL || view->tensor_row == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t t = 0; t < count; ++t)
        view->tensor_row[t] = -1;
    for (int64_t row = 0; row < view->plan->op_count; ++row)
        show_tensor(view, regal_explanation_op(view->explanation, view->op_at[row]).tensor);
    for (int64_t row = 0; row < view->plan->transfer_count; ++row)
        show_tensor(view, view->plan->transfers[view->transfer_at[row]].tensor);
    return REGAL_OK;
}

static regal_status number_kinds(regal_report_view *view) {
    const int64_t ops = view->plan->op_count;
    view->kind_at = regal_allocate(ops, sizeof *view->kind_at);
    REGAL_FAIL_IF(view->kind_at == NULL || !regal_name_table_create(&view->kinds, ops),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t row = 0; row < ops; ++row) {
        const char *kind = regal_graph_op(view->graph, view->op_at[row]).kind;
        const int64_t next = view->kinds.count;
        if (regal_name_table_add(&view->kinds, kind, next) == next)
            view->kind_at[next] = kind;
    }
    return REGAL_OK;
}

static regal_status check_attached(const regal_graph *graph, const regal_cluster *cluster,
                                   const regal_plan *plan) {
    char digest[17];
    regal_graph_digest(graph, digest);
    REGAL_FAIL_IF(plan->cluster == NULL || plan->finish == NULL ||
                      plan->op_count != regal_graph_op_count(graph) ||
                      plan->device_count != regal_cluster_device_count(cluster) ||
                      strcmp(plan->graph_digest, digest) != 0,
                  REGAL_INVALID_ARGUMENT,
                  "the plan is not attached to this graph and cluster (regal_plan_attach)");
    return REGAL_OK;
}

regal_status regal_report_view_fill(regal_report_view *view, const regal_report *report) {
    view->report = report;
    view->graph = regal_problem_graph(report->problem);
    view->cluster = regal_problem_cluster(report->problem);
    view->plan = report->plan;
    view->devices = regal_cluster_device_count(view->cluster);
    REGAL_FORWARD(check_attached(view->graph, view->cluster, view->plan));
    REGAL_FORWARD(regal_plan_check(view->graph, view->cluster, view->plan, &view->measure));
    REGAL_FORWARD(
        regal_explanation_create(view->graph, view->cluster, view->plan, &view->explanation));
    view->links = regal_explanation_link_count(view->explanation);
    REGAL_FORWARD(lay_out_ops(view));
    REGAL_FORWARD(lay_out_transfers(view));
    REGAL_FORWARD(sum_bytes(view));
    REGAL_FORWARD(choose_tensors(view));
    return number_kinds(view);
}

void regal_report_view_destroy(regal_report_view *view) {
    regal_explanation_destroy(view->explanation);
    free(view->op_at);
    free(view->op_row);
    free(view->device_begin);
    free(view->transfer_at);
    free(view->transfer_row);
    free(view->link_begin);
    free(view->bytes_in);
    free(view->bytes_out);
    free(view->tensor_at);
    free(view->tensor_row);
    free(view->kind_at);
    regal_name_table_destroy(&view->kinds);
}
