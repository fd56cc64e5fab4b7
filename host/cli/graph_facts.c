#include "cli/graph_facts.h"

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

static regal_status measure_shape(const regal_graph *graph, graph_facts *facts) {
    successors next;
    regal_status status = find_successors(graph, &next);
    int64_t *finish = new_array(facts->counts.ops), *level = new_array(facts->counts.ops);
    if (!finish || !level)
        status = own_memory_failure();
    if (status == REGAL_OK) {
        for (int64_t c = 0; c < facts->classes; c++)
            facts->critical_path[c] = longest_chain(graph, &next, c, finish);
        facts->depth = longest_chain(graph, &next, -1, finish);
        for (int64_t i = 0; i < facts->counts.ops; i++)
            if (++level[finish[i] - 1] > facts->width)
                facts->width = level[finish[i] - 1];
    }
    free(finish);
    free(level);
    clear_successors(&next);
    return status;
}

static void count_tensors(const regal_graph *graph, graph_facts *facts) {
    facts->largest_tensor = -1;
    for (int64_t i = 0; i < facts->counts.tensors; i++) {
        const regal_tensor tensor = regal_graph_tensor(graph, i);
        add(&facts->tensor_bytes, tensor.bytes);
        if (facts->largest_tensor < 0 || tensor.bytes > facts->largest_bytes) {
            facts->largest_bytes = tensor.bytes;
            facts->largest_tensor = i;
        }
        facts->outputs += tensor.output;
        facts->aliases += tensor.alias_of >= 0;
        facts->unused_tensors += tensor.consumer_count == 0 && !tensor.output;
        facts->zero_tensors += tensor.bytes == 0;
    }
    for (int64_t i = 0; i < facts->counts.parameters; i++)
        add(&facts->parameter_bytes, regal_graph_parameter(graph, i).bytes);
}

static void count_ops(const regal_graph *graph, graph_facts *facts) {
    facts->costliest_op = -1;
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
        if (facts->costliest_op < 0 ||
            op.cost[0] > regal_graph_op(graph, facts->costliest_op).cost[0])
            facts->costliest_op = i;
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

static void count_kinds(const regal_graph *graph, graph_facts *facts) {
    kind_facts *kinds = facts->kinds;
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        const regal_op op = regal_graph_op(graph, i);
        kinds[i] = (kind_facts){op.kind, 1, ticks(op.cost[0])};
    }
    qsort(kinds, (size_t)facts->counts.ops, sizeof *kinds, compare_kind_names);
    for (int64_t i = 0; i < facts->counts.ops; i++) {
        if (i == 0 || strcmp(kinds[i].name, kinds[facts->kind_count - 1].name) != 0) {
            kinds[facts->kind_count++] = kinds[i];
        } else {
            kinds[facts->kind_count - 1].ops++;
            add(&kinds[facts->kind_count - 1].work, kinds[i].work);
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
    int64_t *fan_in = new_array(facts->counts.ops);
    const char **names = calloc((size_t)facts->counts.ops + 1, sizeof *names);
    regal_status status = REGAL_OK;
    if (facts->work && facts->critical_path && facts->kinds && fan_in && names) {
        count_tensors(graph, facts);
        count_ops(graph, facts);
        find_fan_in(graph, fan_in, facts);
        count_groups(graph, names, facts);
        count_kinds(graph, facts);
        status = measure_shape(graph, facts);
    } else {
        status = own_memory_failure();
    }
    free(fan_in);
    free(names);
    return status;
}

void graph_facts_clear(graph_facts *facts) {
    free(facts->work);
    free(facts->critical_path);
    free(facts->kinds);
    memset(facts, 0, sizeof *facts);
}
