#include "cli/graph_shape.h"

#include <stdlib.h>
#include <string.h>

#include "cli/console.h"

/* The data and control edges by source. */
typedef struct successors {
    int64_t *first; /* [ops + 1] into to */
    int64_t *to;
    int64_t *waiting; /* [ops] edges into the op that are not passed yet */
    int64_t *order;   /* [ops] every op after its predecessors */
} successors;

static void *new_array(int64_t count) {
    return calloc((size_t)count + 1, sizeof(int64_t));
}

static int64_t ticks(int64_t cost) {
    return cost < 1 ? 1 : cost;
}

/* Sums of a valid graph stay below 2^62; this keeps the sum right even where a rule changes. */
static void add(int64_t *sum, int64_t value) {
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = INT64_MAX;
}

static int64_t count_edges(const regal_graph *graph, int64_t *degree) {
    const int64_t tensors = regal_graph_tensor_count(graph);
    const int64_t controls = regal_graph_control_count(graph);
    int64_t edges = controls;
    for (int64_t i = 0; i < tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        degree[tensor.producer] += tensor.consumer_count;
        edges += tensor.consumer_count;
    }
    for (int64_t i = 0; i < controls; i++)
        degree[regal_graph_control(graph, i).before]++;
    return edges;
}

static void fill_edges(const regal_graph *graph, successors *next, int64_t *end) {
    const int64_t tensors = regal_graph_tensor_count(graph);
    const int64_t controls = regal_graph_control_count(graph);
    for (int64_t i = 0; i < tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        for (int64_t k = 0; k < tensor.consumer_count; k++)
            next->to[end[tensor.producer]++] = tensor.consumers[k];
    }
    for (int64_t i = 0; i < controls; i++) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        next->to[end[edge.before]++] = edge.after;
    }
}

static void sort_ops(int64_t ops, int64_t edges, successors *next) {
    int64_t tail = 0;
    for (int64_t i = 0; i < edges; i++)
        next->waiting[next->to[i]]++;
    for (int64_t i = 0; i < ops; i++)
        if (next->waiting[i] == 0)
            next->order[tail++] = i;
    for (int64_t head = 0; head < tail; head++)
        for (int64_t e = next->first[next->order[head]]; e < next->first[next->order[head] + 1];
             e++)
            if (--next->waiting[next->to[e]] == 0)
                next->order[tail++] = next->to[e];
}

static void clear_successors(successors *next) {
    free(next->first);
    free(next->to);
    free(next->waiting);
    free(next->order);
}

static regal_status find_successors(const regal_graph *graph, successors *next) {
    const int64_t ops = regal_graph_op_count(graph);
    memset(next, 0, sizeof *next);
    int64_t *end = new_array(ops);
    next->first = new_array(ops);
    next->waiting = new_array(ops);
    next->order = new_array(ops);
    if (!end || !next->first || !next->waiting || !next->order) {
        free(end);
        return own_memory_failure();
    }
    const int64_t edges = count_edges(graph, end);
    for (int64_t i = 0; i < ops; i++) {
        next->first[i + 1] = next->first[i] + end[i];
        end[i] = next->first[i];
    }
    next->to = new_array(edges);
    if (next->to) {
        fill_edges(graph, next, end);
        sort_ops(ops, edges, next);
    }
    free(end);
    return next->to ? REGAL_OK : own_memory_failure();
}

/* The longest chain to the end of each op, counted in ticks of a class, or in ops (class -1). */
static int64_t longest_chain(const regal_graph *graph, const successors *next, int64_t class_index,
                             int64_t *finish) {
    const int64_t ops = regal_graph_op_count(graph);
    int64_t longest = 0;
    memset(finish, 0, (size_t)ops * sizeof *finish);
    for (int64_t i = 0; i < ops; i++) {
        const int64_t op = next->order[i];
        add(&finish[op], class_index < 0 ? 1 : ticks(regal_graph_op(graph, op).cost[class_index]));
        if (finish[op] > longest)
            longest = finish[op];
        for (int64_t e = next->first[op]; e < next->first[op + 1]; e++)
            if (finish[op] > finish[next->to[e]])
                finish[next->to[e]] = finish[op];
    }
    return longest;
}

/* The part of each op, by its least op; `part` becomes a forest whose roots stand for parts. */
static int64_t root_of(int64_t *part, int64_t op) {
    while (part[op] != op)
        op = part[op] = part[part[op]];
    return op;
}

static int64_t count_parts(const successors *next, int64_t ops, int64_t *part) {
    int64_t parts = ops;
    for (int64_t i = 0; i < ops; i++)
        part[i] = i;
    for (int64_t i = 0; i < ops; i++)
        for (int64_t e = next->first[i]; e < next->first[i + 1]; e++) {
            const int64_t a = root_of(part, i), b = root_of(part, next->to[e]);
            parts -= a != b;
            part[a > b ? a : b] = a < b ? a : b;
        }
    return parts;
}

static void measure(const regal_graph *graph, const successors *next, int64_t *finish,
                    int64_t *scratch, graph_shape *shape, int64_t *critical_path) {
    const int64_t ops = regal_graph_op_count(graph), classes = regal_graph_class_count(graph);
    for (int64_t c = 0; c < classes; c++)
        critical_path[c] = longest_chain(graph, next, c, finish);
    shape->depth = longest_chain(graph, next, -1, finish);
    memset(scratch, 0, (size_t)ops * sizeof *scratch);
    for (int64_t i = 0; i < ops; i++)
        if (++scratch[finish[i] - 1] > shape->width)
            shape->width = scratch[finish[i] - 1];
    shape->parts = count_parts(next, ops, scratch);
}

regal_status graph_shape_measure(const regal_graph *graph, graph_shape *shape,
                                 int64_t *critical_path) {
    const int64_t ops = regal_graph_op_count(graph);
    successors next;
    *shape = (graph_shape){0};
    regal_status status = find_successors(graph, &next);
    int64_t *finish = new_array(ops), *scratch = new_array(ops);
    if (!finish || !scratch)
        status = own_memory_failure();
    if (status == REGAL_OK)
        measure(graph, &next, finish, scratch, shape, critical_path);
    free(finish);
    free(scratch);
    clear_successors(&next);
    return status;
}
