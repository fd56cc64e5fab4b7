#include "policy/graph_change.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph_limits.h"

typedef struct change_work {
    const regal_graph *from;
    const regal_graph_change *change;
    regal_graph *to;
    int64_t op_count, tensor_count; /* of the old graph */
    int64_t kept_ops;
    int64_t *old_op;        /* [new op] */
    int64_t *tensor_begin;  /* [old op + 1] places in tensor_order of what it produces */
    int64_t *tensor_order;  /* [old tensor] by producer */
    int64_t *tensor_number; /* [old tensor] in the new graph, -1: left out */
    int64_t *alias;         /* [old tensor] new number of what it is an alias of, or -1 */
    int64_t *edge_begin;    /* [old tensor] its first consumer's place in keep_edge */
    int64_t *list;          /* consumers, users or costs of one item */
    int64_t list_room;
} change_work;

static double factor_of(const double *factors, int64_t index, double all) {
    return (factors != NULL ? factors[index] : 1) * (all > 0 ? all : 1);
}

static int64_t scaled(int64_t amount, double factor) {
    if (factor == 1 || amount <= 0)
        return amount;
    const double product = round((double)amount * factor);
    return product < 1                          ? 1
           : product > (double)REGAL_NUMBER_MAX ? REGAL_NUMBER_MAX
                                                : (int64_t)product;
}

static int64_t new_number(const change_work *work, int64_t op) {
    return work->change->number != NULL ? work->change->number[op] : op;
}

static regal_status make_room(change_work *work, int64_t count) {
    REGAL_FAIL_IF(!regal_array_reserve(&work->list, &work->list_room, count, sizeof *work->list),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status number_ops(change_work *work) {
    const int64_t n = work->op_count = regal_graph_op_count(work->from);
    const int64_t m = work->tensor_count = regal_graph_tensor_count(work->from);
    work->old_op = regal_allocate(n, sizeof *work->old_op);
    work->tensor_begin = regal_allocate_zeroed(n + 2, sizeof *work->tensor_begin);
    work->tensor_order = regal_allocate(m, sizeof *work->tensor_order);
    work->tensor_number = regal_allocate(m, sizeof *work->tensor_number);
    work->edge_begin = regal_allocate(m, sizeof *work->edge_begin);
    REGAL_FAIL_IF(work->old_op == NULL || work->tensor_begin == NULL ||
                      work->tensor_order == NULL || work->tensor_number == NULL ||
                      work->edge_begin == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t v = 0; v < n; ++v)
        if (new_number(work, v) >= 0) {
            work->old_op[new_number(work, v)] = v;
            work->kept_ops++;
        }
    return REGAL_OK;
}

static void order_tensors(change_work *work) {
    int64_t *end = work->tensor_begin + 1, edges = 0;
    for (int64_t t = 0; t < work->tensor_count; ++t) {
        const regal_tensor tensor = regal_graph_tensor(work->from, t);
        end[tensor.producer + 1]++;
        work->edge_begin[t] = edges;
        edges += tensor.consumer_count;
        work->tensor_number[t] = -1;
    }
    for (int64_t v = 0; v < work->op_count; ++v)
        end[v + 1] += end[v];
    for (int64_t t = 0; t < work->tensor_count; ++t)
        work->tensor_order[end[regal_graph_tensor(work->from, t).producer]++] = t;
    int64_t count = 0;
    for (int64_t v = 0; v < work->kept_ops; ++v) {
        const int64_t old = work->old_op[v];
        for (int64_t i = work->tensor_begin[old]; i < work->tensor_begin[old + 1]; ++i)
            work->tensor_number[work->tensor_order[i]] = count++;
    }
}

static regal_status create(change_work *work) {
    const int64_t classes = regal_graph_class_count(work->from);
    const char **names = regal_allocate(classes, sizeof *names);
    REGAL_FAIL_IF_NULL(names);
    for (int64_t c = 0; c < classes; ++c)
        names[c] = regal_graph_class_name(work->from, c);
    const char *name =
        work->change->name != NULL ? work->change->name : regal_graph_name(work->from);
    const regal_status status = regal_graph_create(name, classes, names, &work->to);
    free(names);
    REGAL_FORWARD(status);
    for (int64_t i = 0; i < regal_graph_option_count(work->from); ++i) {
        const char *key, *value;
        regal_graph_option_at(work->from, i, &key, &value);
        REGAL_FORWARD(regal_graph_set_option(work->to, key, value));
    }
    return REGAL_OK;
}

static regal_status add_ops(change_work *work) {
    const regal_graph_change *change = work->change;
    const int64_t classes = regal_graph_class_count(work->from);
    REGAL_FORWARD(make_room(work, classes));
    for (int64_t v = 0; v < work->kept_ops; ++v) {
        const int64_t old = work->old_op[v];
        regal_op op = regal_graph_op(work->from, old);
        const double factor = factor_of(change->cost_factor, old, change->all_costs);
        for (int64_t c = 0; c < classes; ++c)
            work->list[c] = scaled(op.cost[c], factor);
        op.cost = work->list;
        op.workspace =
            scaled(op.workspace, factor_of(change->bytes_factor, old, change->all_bytes));
        REGAL_FORWARD(regal_graph_add_op(work->to, &op, NULL));
    }
    return REGAL_OK;
}

/* The consumers of an old tensor that still read it, by their new numbers, into the list. */
static regal_status collect_consumers(change_work *work, int64_t index, int64_t *count) {
    const regal_tensor tensor = regal_graph_tensor(work->from, index);
    const bool *keep = work->change->keep_edge;
    REGAL_FORWARD(make_room(work, tensor.consumer_count));
    *count = 0;
    for (int64_t i = 0; i < tensor.consumer_count; ++i) {
        const int64_t consumer = new_number(work, tensor.consumers[i]);
        if (consumer >= 0 && (keep == NULL || keep[work->edge_begin[index] + i]))
            work->list[(*count)++] = consumer;
    }
    return REGAL_OK;
}

static void find_aliases(change_work *work, int64_t *first, int64_t *next, int64_t *reads) {
    const int64_t m = work->tensor_count;
    const bool *keep = work->change->keep_edge;
    for (int64_t t = 0; t < m; ++t)
        work->alias[t] = first[t] = -1;
    for (int64_t v = 0; v < work->op_count; ++v)
        reads[v] = -1;
    for (int64_t t = 0; t < m; ++t) {
        const int64_t target = regal_graph_tensor(work->from, t).alias_of;
        if (target >= 0) {
            next[t] = first[target];
            first[target] = t;
        }
    }
    for (int64_t target = 0; target < m; ++target) {
        if (first[target] < 0 || work->tensor_number[target] < 0)
            continue;
        const regal_tensor tensor = regal_graph_tensor(work->from, target);
        for (int64_t i = 0; i < tensor.consumer_count; ++i)
            if (keep == NULL || keep[work->edge_begin[target] + i])
                reads[tensor.consumers[i]] = target;
        for (int64_t t = first[target]; t >= 0; t = next[t])
            if (reads[regal_graph_tensor(work->from, t).producer] == target)
                work->alias[t] = work->tensor_number[target];
    }
}

/* Of each tensor, what it is still an alias of. One walk over the consumers of each target: its
 * aliases form a list, and reads[op] holds the last target that the op was seen to read. */
static regal_status keep_aliases(change_work *work) {
    const int64_t m = work->tensor_count;
    int64_t *first = regal_allocate(m, sizeof *first), *next = regal_allocate(m, sizeof *next);
    int64_t *reads = regal_allocate(work->op_count, sizeof *reads);
    work->alias = regal_allocate(m, sizeof *work->alias);
    const bool room = first != NULL && next != NULL && reads != NULL && work->alias != NULL;
    if (room)
        find_aliases(work, first, next, reads);
    free(first);
    free(next);
    free(reads);
    REGAL_FAIL_IF(!room, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status add_tensor(change_work *work, int64_t index) {
    const regal_graph_change *change = work->change;
    regal_tensor tensor = regal_graph_tensor(work->from, index);
    const int64_t producer = tensor.producer;
    tensor.producer = new_number(work, producer);
    tensor.bytes =
        scaled(tensor.bytes, factor_of(change->bytes_factor, producer, change->all_bytes));
    tensor.alias_of = work->alias[index];
    REGAL_FORWARD(collect_consumers(work, index, &tensor.consumer_count));
    tensor.consumers = work->list;
    return regal_graph_add_tensor(work->to, &tensor, NULL);
}

static regal_status add_tensors(change_work *work) {
    for (int64_t v = 0; v < work->kept_ops; ++v) {
        const int64_t old = work->old_op[v];
        for (int64_t i = work->tensor_begin[old]; i < work->tensor_begin[old + 1]; ++i)
            REGAL_FORWARD(add_tensor(work, work->tensor_order[i]));
    }
    return REGAL_OK;
}

static regal_status add_controls(change_work *work) {
    const bool *keep = work->change->keep_control;
    for (int64_t i = 0; i < regal_graph_control_count(work->from); ++i) {
        const regal_control_edge edge = regal_graph_control(work->from, i);
        const int64_t before = new_number(work, edge.before), after = new_number(work, edge.after);
        if (before >= 0 && after >= 0 && (keep == NULL || keep[i]))
            REGAL_FORWARD(regal_graph_add_control(work->to, before, after));
    }
    return REGAL_OK;
}

static regal_status add_parameters(change_work *work) {
    for (int64_t p = 0; p < regal_graph_parameter_count(work->from); ++p) {
        regal_parameter parameter = regal_graph_parameter(work->from, p);
        REGAL_FORWARD(make_room(work, parameter.op_count));
        int64_t count = 0;
        for (int64_t i = 0; i < parameter.op_count; ++i)
            if (new_number(work, parameter.ops[i]) >= 0)
                work->list[count++] = new_number(work, parameter.ops[i]);
        if (count == 0 && parameter.op_count > 0)
            continue;
        parameter.ops = work->list;
        parameter.op_count = count;
        parameter.bytes = scaled(parameter.bytes, factor_of(NULL, 0, work->change->all_bytes));
        REGAL_FORWARD(regal_graph_add_parameter(work->to, &parameter, NULL));
    }
    return REGAL_OK;
}

static regal_status rebuild(change_work *work) {
    REGAL_FORWARD(number_ops(work));
    order_tensors(work);
    REGAL_FORWARD(keep_aliases(work));
    REGAL_FORWARD(create(work));
    REGAL_FORWARD(add_ops(work));
    REGAL_FORWARD(add_tensors(work));
    REGAL_FORWARD(add_controls(work));
    return add_parameters(work);
}

regal_status regal_graph_apply_change(const regal_graph *graph, const regal_graph_change *change,
                                      regal_graph **changed) {
    change_work work = {.from = graph, .change = change};
    regal_status status = rebuild(&work);
    free(work.old_op);
    free(work.tensor_begin);
    free(work.tensor_order);
    free(work.tensor_number);
    free(work.alias);
    free(work.edge_begin);
    free(work.list);
    if (status != REGAL_OK) {
        regal_graph_destroy(work.to);
        work.to = NULL;
    }
    *changed = work.to;
    return status;
}
