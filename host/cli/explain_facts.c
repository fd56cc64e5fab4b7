/* What stands around an op: its inputs, and where else it could run. */
#include <stdlib.h>

#include "cli/explain_parts.h"
#include "cli/op_choices.h"

bool explain_consumes(const regal_tensor *tensor, int64_t op) {
    for (int64_t i = 0; i < tensor->consumer_count; i++)
        if (tensor->consumers[i] == op)
            return true;
    return false;
}

op_input explain_input(const explained_plan *all, int64_t op, int64_t index) {
    const int64_t to = all->plan->placement[op];
    op_input input = {.tensor = regal_graph_tensor(all->graph, index), .started = -1};
    input.from = all->plan->placement[input.tensor.producer];
    input.made = input.there = all->plan->finish[input.tensor.producer];
    const int64_t transfer = input.from == to ? -1 : explain_transfer(all, index, to);
    if (transfer >= 0) {
        input.started = all->plan->transfers[transfer].start;
        input.there = regal_explanation_transfer(all->why, transfer).finish;
    }
    return input;
}

void explain_sum_inputs(const explained_plan *all, int64_t op, int64_t *bytes) {
    for (int64_t t = 0; t < regal_graph_tensor_count(all->graph); t++) {
        const regal_tensor tensor = regal_graph_tensor(all->graph, t);
        if (explain_consumes(&tensor, op))
            bytes[all->plan->placement[tensor.producer]] += tensor.bytes;
    }
}

bool explain_may_run(const explained_plan *all, int64_t op, int64_t device) {
    const regal_op info = regal_graph_op(all->graph, op);
    bool may = info.allowed == NULL;
    for (int64_t i = 0; i < info.allowed_count && !may; i++)
        may = allowed_covers(info.allowed[i], all->cluster, device);
    return may;
}

static int compare_ops(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Sorts the ops, each once; their number. */
static int64_t sort_once(int64_t *ops, int64_t count) {
    int64_t kept = 0;
    if (count > 0)
        qsort(ops, (size_t)count, sizeof *ops, compare_ops);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || ops[i] != ops[i - 1])
            ops[kept++] = ops[i];
    return kept;
}

int64_t explain_users(const regal_tensor *tensor, int64_t **ops) {
    *ops = calloc((size_t)tensor->consumer_count + 1, sizeof **ops);
    if (*ops == NULL)
        return 0;
    for (int64_t i = 0; i < tensor->consumer_count; i++)
        (*ops)[i] = tensor->consumers[i];
    return sort_once(*ops, tensor->consumer_count);
}

int64_t explain_controls(const explained_plan *all, int64_t op, bool behind, int64_t **ops) {
    const int64_t edges = regal_graph_control_count(all->graph);
    int64_t count = 0;
    *ops = calloc((size_t)edges + 1, sizeof **ops);
    for (int64_t c = 0; *ops != NULL && c < edges; c++) {
        const regal_control_edge edge = regal_graph_control(all->graph, c);
        if ((behind ? edge.before : edge.after) == op)
            (*ops)[count++] = behind ? edge.after : edge.before;
    }
    return sort_once(*ops, count);
}
