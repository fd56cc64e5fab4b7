#include "cli/graph_facts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/console.h"

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

static void top_add(top_list *list, int64_t index, int64_t value) {
    int at = list->count < TOP_SHOWN ? list->count++ : TOP_SHOWN;
    for (; at > 0 && value > list->items[at - 1].value; at--)
        if (at < TOP_SHOWN)
            list->items[at] = list->items[at - 1];
    if (at < TOP_SHOWN)
        list->items[at] = (top_item){index, value};
}

static void count_tensors(const regal_graph *graph, graph_facts *facts) {
    for (int64_t i = 0; i < facts->counts.tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        add(&facts->tensor_bytes, tensor.bytes);
        if (tensor.alias_of < 0) {
            add(&facts->activation_bytes, tensor.bytes);
            top_add(&facts->largest_tensors, i, tensor.bytes);
        }
        facts->outputs += tensor.output;
        facts->aliases += tensor.alias_of >= 0;
        facts->unused_tensors += tensor.consumer_count == 0 && !tensor.output;
        facts->zero_tensors += tensor.bytes == 0;
    }
}

static void count_parameters(const regal_graph *graph, graph_facts *facts) {
    for (int64_t i = 0; i < facts->counts.parameters; i++) {
        const regal_parameter parameter = regal_graph_parameter(graph, i);
        add(&facts->parameter_bytes, parameter.bytes);
        top_add(&facts->largest_parameters, i, parameter.bytes);
        facts->unused_parameters += parameter.op_count == 0;
    }
}

static void count_ops(const regal_graph *graph, graph_facts *facts) {
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        const regal_op op = regal_graph_op(graph, i);
        bool is_free = true;
        for (int64_t c = 0; c < facts->classes; c++) {
            add(&facts->work[c], ticks(op.cost[c]));
            is_free = is_free && op.cost[c] == 0;
        }
        facts->free_ops += is_free;
        facts->grouped_ops += op.group != NULL;
        facts->restricted_ops += op.allowed_count > 0;
        if (op.workspace > facts->greatest_workspace)
            facts->greatest_workspace = op.workspace;
        add(&facts->flops, op.flops);
        top_add(&facts->costliest_ops, i, ticks(op.cost[0]));
    }
}

static void find_fan_in(const regal_graph *graph, int64_t *fan_in, graph_facts *facts) {
    facts->control_fan_in_op = -1;
    for (int64_t i = 0; i < facts->counts.controls; i++) {
        const int64_t op = regal_graph_control(graph, i).after;
        if (++fan_in[op] > facts->control_fan_in) {
            facts->control_fan_in = fan_in[op];
            facts->control_fan_in_op = op;
        }
    }
}

static int compare_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void count_groups(const regal_graph *graph, const char **names, graph_facts *facts) {
    int64_t count = 0;
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        const char *group = regal_graph_op(graph, i).group;
        if (group)
            names[count++] = group;
    }
    qsort(names, (size_t)count, sizeof *names, compare_text);
    for (int64_t i = 0; i < count; i++)
        facts->groups += i == 0 || strcmp(names[i], names[i - 1]) != 0;
}

static int compare_kind_names(const void *a, const void *b) {
    return strcmp(((const kind_facts *)a)->name, ((const kind_facts *)b)->name);
}

static int compare_kinds(const void *a, const void *b) {
    const kind_facts *left = a, *right = b;
    if (left->work != right->work)
        return left->work > right->work ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* What each op makes, in bytes. */
static void sum_outputs(const regal_graph *graph, int64_t *bytes) {
    const int64_t tensors = regal_graph_tensor_count(graph);
    for (int64_t i = 0; i < tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        if (tensor.alias_of < 0)
            add(&bytes[tensor.producer], tensor.bytes);
    }
}

static void count_kinds(const regal_graph *graph, const int64_t *output_bytes, graph_facts *facts) {
    kind_facts *kinds = facts->kinds;
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        const regal_op op = regal_graph_op(graph, i);
        kinds[i] = (kind_facts){op.kind, 1, ticks(op.cost[0]), output_bytes[i], op.flops};
    }
    qsort(kinds, (size_t)facts->counts.ops, sizeof *kinds, compare_kind_names);
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        if (i == 0 || strcmp(kinds[i].name, kinds[facts->kind_count - 1].name) != 0) {
            kinds[facts->kind_count++] = kinds[i];
        } else {
            kind_facts *kind = &kinds[facts->kind_count - 1];
            kind->ops++;
            add(&kind->work, kinds[i].work);
            add(&kind->output_bytes, kinds[i].output_bytes);
            add(&kind->flops, kinds[i].flops);
        }
    }
    qsort(kinds, (size_t)facts->kind_count, sizeof *kinds, compare_kinds);
}

regal_status graph_facts_collect(const regal_graph *graph, graph_facts *facts) {
    memset(facts, 0, sizeof *facts);
    facts->counts = graph_counts_of(graph);
    facts->classes = regal_graph_class_count(graph);
    facts->work = new_array(facts->classes);
    facts->critical_path = new_array(facts->classes);
    facts->kinds = calloc((size_t)facts->counts.ops + 1, sizeof *facts->kinds);
    int64_t *fan_in = new_array(facts->counts.ops), *output_bytes = new_array(facts->counts.ops);
    const char **names = calloc((size_t)facts->counts.ops + 1, sizeof *names);
    regal_status status = REGAL_OK;
    if (facts->work && facts->critical_path && facts->kinds && fan_in && output_bytes && names) {
        count_tensors(graph, facts);
        count_parameters(graph, facts);
        count_ops(graph, facts);
        find_fan_in(graph, fan_in, facts);
        count_groups(graph, names, facts);
        sum_outputs(graph, output_bytes);
        count_kinds(graph, output_bytes, facts);
        status = graph_shape_measure(graph, &facts->shape, facts->critical_path);
    } else {
        status = own_memory_failure();
    }
    free(fan_in);
    free(output_bytes);
    free(names);
    return status;
}

void graph_facts_clear(graph_facts *facts) {
    free(facts->work);
    free(facts->critical_path);
    free(facts->kinds);
    memset(facts, 0, sizeof *facts);
}
