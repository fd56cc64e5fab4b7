/* The rules of a graph on its own. Each check names the culprit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_table.h"
#include "graph/graph_data.h"
#include "graph/graph_limits.h"
#include "graph/op_order.h"

static regal_status check_number(int64_t value, const char *word, int64_t index, const char *name,
                                 const char *what) {
    REGAL_FAIL_IF(value < 0, REGAL_INVALID_INPUT,
                  "%s[%" PRId64 "] '%s': %s is negative (%" PRId64 ")", word, index, name, what,
                  value);
    REGAL_FAIL_IF(value > REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                  "%s[%" PRId64 "] '%s': %s is %" PRId64 "; the limit is 2^53", word, index, name,
                  what, value);
    return REGAL_OK;
}

static regal_status check_op_reference(const regal_graph *graph, int64_t op, const char *word,
                                       int64_t index, const char *name, const char *what) {
    REGAL_FAIL_IF(op < 0 || op >= graph->op_count, REGAL_INVALID_INPUT,
                  "%s[%" PRId64 "] '%s': %s is op %" PRId64 ", but the graph has ops 0..%" PRId64,
                  word, index, name, what, op, graph->op_count - 1);
    return REGAL_OK;
}

typedef const char *name_of(const regal_graph *graph, int64_t index);

static const char *op_name(const regal_graph *graph, int64_t i) {
    return graph->ops[i].name;
}
static const char *tensor_name(const regal_graph *graph, int64_t i) {
    return graph->tensors[i].name;
}
static const char *parameter_name(const regal_graph *graph, int64_t i) {
    return graph->parameters[i].name;
}

static regal_status check_names(const regal_graph *graph, const char *word, int64_t count,
                                name_of *name) {
    regal_name_table table;
    REGAL_FAIL_IF(!regal_name_table_create(&table, count), REGAL_OUT_OF_MEMORY, "memory ran out");
    int64_t first = -1, second = -1;
    for (int64_t i = 0; i < count && first < 0; ++i) {
        const int64_t holder = regal_name_table_add(&table, name(graph, i), i);
        if (holder != i) {
            first = holder;
            second = i;
        }
    }
    regal_name_table_destroy(&table);
    REGAL_FAIL_IF(first >= 0, REGAL_INVALID_INPUT,
                  "%s[%" PRId64 "] and %s[%" PRId64 "] have the same name '%s'", word, first, word,
                  second, name(graph, first));
    return REGAL_OK;
}

static regal_status check_ops(const regal_graph *graph) {
    for (int64_t i = 0; i < graph->op_count; ++i) {
        const regal_op op = regal_graph_op(graph, i);
        for (int64_t c = 0; c < graph->class_count; ++c)
            REGAL_FORWARD(check_number(op.cost[c], "ops", i, op.name, "cost"));
        REGAL_FORWARD(check_number(op.workspace, "ops", i, op.name, "workspace"));
        for (int64_t a = 0; a < op.allowed_count; ++a)
            if (op.allowed[a].pattern == NULL)
                REGAL_FORWARD(
                    check_number(op.allowed[a].device, "ops", i, op.name, "allowed device"));
    }
    return REGAL_OK;
}

/* Does each alias's producer consume its target? One walk over the consumers of each target: the
 * aliases of a target form a list, and stamp[op] holds the last target seen to be consumed by op.
 */
static regal_status check_alias_producers(const regal_graph *graph, int64_t *first_alias,
                                          int64_t *next_alias, int64_t *stamp) {
    for (int64_t t = 0; t < graph->tensor_count; ++t)
        first_alias[t] = -1;
    for (int64_t v = 0; v < graph->op_count; ++v)
        stamp[v] = -1;
    for (int64_t t = 0; t < graph->tensor_count; ++t)
        if (graph->tensors[t].alias_of >= 0) {
            next_alias[t] = first_alias[graph->tensors[t].alias_of];
            first_alias[graph->tensors[t].alias_of] = t;
        }
    for (int64_t target = 0; target < graph->tensor_count; ++target) {
        if (first_alias[target] < 0)
            continue;
        const regal_tensor view = regal_graph_tensor(graph, target);
        for (int64_t i = 0; i < view.consumer_count; ++i)
            stamp[view.consumers[i]] = target;
        for (int64_t t = first_alias[target]; t >= 0; t = next_alias[t])
            REGAL_FAIL_IF(stamp[graph->tensors[t].producer] != target, REGAL_INVALID_INPUT,
                          "tensors[%" PRId64 "] '%s': it is an alias of '%s', but its producer "
                          "'%s' does not consume that",
                          t, tensor_name(graph, t), view.name,
                          op_name(graph, graph->tensors[t].producer));
    }
    return REGAL_OK;
}

static regal_status check_alias_references(const regal_graph *graph) {
    for (int64_t i = 0; i < graph->tensor_count; ++i) {
        const int64_t target = graph->tensors[i].alias_of;
        REGAL_FAIL_IF(target < -1 || target >= graph->tensor_count, REGAL_INVALID_INPUT,
                      "tensors[%" PRId64 "] '%s': alias_of is tensor %" PRId64
                      ", but the graph has tensors 0..%" PRId64,
                      i, tensor_name(graph, i), target, graph->tensor_count - 1);
    }
    return REGAL_OK;
}

static regal_status check_tensors(const regal_graph *graph) {
    for (int64_t i = 0; i < graph->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        REGAL_FORWARD(check_number(tensor.bytes, "tensors", i, tensor.name, "bytes"));
        REGAL_FORWARD(
            check_op_reference(graph, tensor.producer, "tensors", i, tensor.name, "producer"));
        for (int64_t c = 0; c < tensor.consumer_count; ++c)
            REGAL_FORWARD(check_op_reference(graph, tensor.consumers[c], "tensors", i, tensor.name,
                                             "a consumer"));
    }
    return REGAL_OK;
}

static regal_status check_controls(const regal_graph *graph) {
    for (int64_t i = 0; i < graph->control_count; ++i) {
        const regal_control_edge edge = graph->controls[i];
        REGAL_FORWARD(check_op_reference(graph, edge.before, "control", i, "", "the first"));
        REGAL_FORWARD(check_op_reference(graph, edge.after, "control", i, "", "the second"));
        REGAL_FAIL_IF(edge.before == edge.after, REGAL_INVALID_INPUT,
                      "control[%" PRId64 "]: op '%s' waits for itself", i,
                      op_name(graph, edge.before));
    }
    return REGAL_OK;
}

static regal_status check_parameters(const regal_graph *graph) {
    for (int64_t i = 0; i < graph->parameter_count; ++i) {
        const regal_parameter parameter = regal_graph_parameter(graph, i);
        REGAL_FORWARD(check_number(parameter.bytes, "parameters", i, parameter.name, "bytes"));
        for (int64_t k = 0; k < parameter.op_count; ++k)
            REGAL_FORWARD(check_op_reference(graph, parameter.ops[k], "parameters", i,
                                             parameter.name, "a user"));
    }
    return REGAL_OK;
}

/* What one device would need at most; problem.c repeats this with the copies and transfers that a
 * cluster adds. */
static regal_status check_sums(const regal_graph *graph) {
    int64_t ticks = 0, bytes = 0;
    for (int64_t i = 0; i < graph->op_count; ++i) {
        const regal_op op = regal_graph_op(graph, i);
        int64_t slowest = 1;
        for (int64_t c = 0; c < graph->class_count; ++c)
            slowest = op.cost[c] > slowest ? op.cost[c] : slowest;
        REGAL_FAIL_IF(!regal_sum_add(&ticks, 1, slowest), REGAL_INVALID_INPUT,
                      "ops[%" PRId64 "] '%s': the costs of all ops up to here exceed 2^62 ticks", i,
                      op.name);
        REGAL_FAIL_IF(!regal_sum_add(&bytes, 1, op.workspace), REGAL_INVALID_INPUT,
                      "ops[%" PRId64 "] '%s': the bytes up to here exceed 2^62", i, op.name);
    }
    for (int64_t i = 0; i < graph->tensor_count; ++i)
        REGAL_FAIL_IF(!regal_sum_add(&bytes, 1, graph->tensors[i].bytes), REGAL_INVALID_INPUT,
                      "tensors[%" PRId64 "] '%s': the bytes up to here exceed 2^62", i,
                      tensor_name(graph, i));
    for (int64_t i = 0; i < graph->parameter_count; ++i)
        REGAL_FAIL_IF(!regal_sum_add(&bytes, 1, graph->parameters[i].bytes), REGAL_INVALID_INPUT,
                      "parameters[%" PRId64 "] '%s': the bytes up to here exceed 2^62", i,
                      parameter_name(graph, i));
    return REGAL_OK;
}

/* Reports a cycle "a -> b -> a" given next[], by which each item on it leads to its successor. */
static regal_status report_cycle(const regal_graph *graph, const char *what, name_of *name,
                                 const int64_t *next, int64_t start) {
    enum { SHOWN = 12 };
    char text[1536];
    size_t used = 0;
    int64_t item = start, length = 0;
    do {
        if (length < SHOWN)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%.100s -> ", name(graph, item));
        ++length;
        item = next[item];
    } while (item != start);
    if (length > SHOWN)
        snprintf(text + used, sizeof text - used, "... (%" PRId64 " in all) -> ", length);
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s: %s%.100s", what, text, name(graph, start));
}

/* The smallest item of the cycle that is reached by following previous[] from `from`. */
static int64_t find_on_cycle(const int64_t *previous, int64_t from, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        from = previous[from];
    int64_t least = from;
    for (int64_t item = previous[from]; item != from; item = previous[item])
        least = item < least ? item : least;
    return least;
}

static regal_status find_op_cycle(const regal_graph *graph, const regal_op_edges *edges,
                                  const int64_t *order, int64_t ordered) {
    const int64_t n = graph->op_count;
    int64_t *previous = regal_allocate(n, sizeof *previous);
    int64_t *next = regal_allocate(n, sizeof *next);
    bool *left = regal_allocate(n, sizeof *left);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (previous != NULL && next != NULL && left != NULL) {
        memset(left, 1, (size_t)n * sizeof *left);
        for (int64_t i = 0; i < ordered; ++i)
            left[order[i]] = false;
        int64_t any = 0;
        for (int64_t v = 0; v < n; ++v)
            for (int64_t i = edges->begin[v]; left[v] && i < edges->begin[v + 1]; ++i)
                if (left[edges->successor[i]])
                    previous[any = edges->successor[i]] = v;
        const int64_t start = find_on_cycle(previous, any, n);
        int64_t op = start;
        do {
            next[previous[op]] = op;
            op = previous[op];
        } while (op != start);
        status = report_cycle(graph, "a cycle of ops", op_name, next, start);
    }
    free(previous);
    free(next);
    free(left);
    if (status == REGAL_OUT_OF_MEMORY)
        REGAL_FAIL(status, "memory ran out");
    return status;
}

static regal_status check_op_cycles(const regal_graph *graph) {
    regal_op_edges edges;
    REGAL_FORWARD(regal_op_edges_create(graph, &edges));
    int64_t ordered = 0, *order = regal_allocate(graph->op_count, sizeof *order);
    regal_status status =
        order != NULL ? regal_canonical_order(&edges, order, &ordered)
                      : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK && ordered < graph->op_count)
        status = find_op_cycle(graph, &edges, order, ordered);
    free(order);
    regal_op_edges_destroy(&edges);
    return status;
}

/* Aliases form chains: mark each chain as walked, and stop where a walk meets itself. */
static regal_status check_alias_cycles(const regal_graph *graph) {
    const int64_t m = graph->tensor_count;
    int64_t *next = regal_allocate(m, sizeof *next), *walk = regal_allocate_zeroed(m, sizeof *walk);
    if (next == NULL || walk == NULL) {
        free(next);
        free(walk);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < m; ++i)
        next[i] = graph->tensors[i].alias_of;
    for (int64_t i = 0; i < m && status == REGAL_OK; ++i) {
        int64_t t = i;
        while (t >= 0 && walk[t] == 0) {
            walk[t] = i + 1;
            t = next[t];
        }
        if (t >= 0 && walk[t] == i + 1)
            status = report_cycle(graph, "a cycle of aliases", tensor_name, next, t);
    }
    free(next);
    free(walk);
    return status;
}

static regal_status check_aliases(const regal_graph *graph) {
    REGAL_FORWARD(check_alias_references(graph));
    REGAL_FORWARD(check_alias_cycles(graph));
    int64_t *lists = regal_allocate(graph->tensor_count, 2 * sizeof *lists);
    int64_t *stamp = regal_allocate(graph->op_count, sizeof *stamp);
    regal_status status =
        lists != NULL && stamp != NULL
            ? check_alias_producers(graph, lists, lists + graph->tensor_count, stamp)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(lists);
    free(stamp);
    return status;
}

regal_status regal_graph_validate(const regal_graph *graph) {
    REGAL_FORWARD(check_names(graph, "ops", graph->op_count, op_name));
    REGAL_FORWARD(check_names(graph, "tensors", graph->tensor_count, tensor_name));
    REGAL_FORWARD(check_names(graph, "parameters", graph->parameter_count, parameter_name));
    REGAL_FORWARD(check_ops(graph));
    REGAL_FORWARD(check_tensors(graph));
    REGAL_FORWARD(check_controls(graph));
    REGAL_FORWARD(check_parameters(graph));
    REGAL_FORWARD(check_sums(graph));
    REGAL_FORWARD(check_aliases(graph));
    return check_op_cycles(graph);
}
