#include "graph/op_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

typedef void edge_visitor(regal_op_edges *edges, int64_t from, int64_t to);

static void visit_edges(const regal_graph *graph, regal_op_edges *edges, edge_visitor *visit) {
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        for (int64_t i = 0; i < tensor.consumer_count; ++i)
            visit(edges, tensor.producer, tensor.consumers[i]);
    }
    for (int64_t i = 0; i < regal_graph_control_count(graph); ++i) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        visit(edges, edge.before, edge.after);
    }
}

static void count_edge(regal_op_edges *edges, int64_t from, int64_t to) {
    edges->begin[from + 1]++;
    edges->predecessor_count[to]++;
}

/* begin[from + 1] serves as the cursor of `from`: once all its edges are in place it has become the
 * begin of from + 1. */
static void place_edge(regal_op_edges *edges, int64_t from, int64_t to) {
    edges->successor[edges->begin[from + 1]++] = to;
}

regal_status regal_op_edges_create(const regal_graph *graph, regal_op_edges *edges) {
    const int64_t n = regal_graph_op_count(graph);
    *edges = (regal_op_edges){.op_count = n};
    edges->begin = regal_allocate_zeroed(n + 1, sizeof *edges->begin);
    edges->predecessor_count = regal_allocate_zeroed(n, sizeof *edges->predecessor_count);
    if (edges->begin != NULL && edges->predecessor_count != NULL) {
        visit_edges(graph, edges, count_edge);
        int64_t total = 0;
        for (int64_t v = 1; v <= n; ++v) {
            const int64_t count = edges->begin[v];
            edges->begin[v] = total;
            total += count;
        }
        edges->successor = regal_allocate(total, sizeof *edges->successor);
    }
    if (edges->successor == NULL) {
        regal_op_edges_destroy(edges);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    visit_edges(graph, edges, place_edge);
    return REGAL_OK;
}

void regal_op_edges_destroy(regal_op_edges *edges) {
    free(edges->begin);
    free(edges->successor);
    free(edges->predecessor_count);
    *edges = (regal_op_edges){0};
}

static void heap_push(int64_t *heap, int64_t *count, int64_t op) {
    int64_t i = (*count)++;
    for (; i > 0 && op < heap[(i - 1) / 2]; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = op;
}

static int64_t heap_pop(int64_t *heap, int64_t *count) {
    const int64_t least = heap[0], last = heap[--*count];
    int64_t i = 0;
    for (int64_t child = 1; child < *count; child = 2 * i + 1) {
        if (child + 1 < *count && heap[child + 1] < heap[child])
            ++child;
        if (last <= heap[child])
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return least;
}

regal_status regal_canonical_order(const regal_op_edges *edges, int64_t *order, int64_t *ordered) {
    const int64_t n = edges->op_count;
    int64_t *missing = regal_allocate(n, sizeof *missing), *heap = regal_allocate(n, sizeof *heap);
    if (missing == NULL || heap == NULL) {
        free(missing);
        free(heap);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    int64_t ready = 0, count = 0;
    for (int64_t v = 0; v < n; ++v) {
        missing[v] = edges->predecessor_count[v];
        if (missing[v] == 0)
            heap_push(heap, &ready, v);
    }
    while (ready > 0) {
        const int64_t v = heap_pop(heap, &ready);
        order[count++] = v;
        for (int64_t i = edges->begin[v]; i < edges->begin[v + 1]; ++i)
            if (--missing[edges->successor[i]] == 0)
                heap_push(heap, &ready, edges->successor[i]);
    }
    *ordered = count;
    free(missing);
    free(heap);
    return REGAL_OK;
}
