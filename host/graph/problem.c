/* Graph + cluster -> the flat view. The steps follow the order of regal_problem_create at the end.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "graph/op_order.h"
#include "graph/problem_build.h"

/* Owned memory of the problem; NULL when memory ran out, which the builder then remembers. */
void *regal_problem_array(regal_problem *problem, int64_t count, size_t item_size) {
    struct regal_problem_block *block = regal_allocate(1, sizeof *block);
    void *data = block != NULL ? regal_allocate_zeroed(count, item_size) : NULL;
    if (data == NULL) {
        free(block);
        return NULL;
    }
    *block = (struct regal_problem_block){problem->blocks, data};
    problem->blocks = block;
    return data;
}

static void copy_ids(regal_id *to, const int64_t *from, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        to[i] = (regal_id)from[i];
}

static int compare_ids(const void *a, const void *b) {
    const regal_id x = *(const regal_id *)a, y = *(const regal_id *)b;
    return (x > y) - (x < y);
}

/* Sorts items and drops repeats; returns how many are left. */
static int64_t sort_unique(regal_id *items, int64_t count) {
    bool sorted = true;
    for (int64_t i = 1; i < count && sorted; ++i)
        sorted = items[i - 1] < items[i];
    if (sorted)
        return count;
    qsort(items, (size_t)count, sizeof *items, compare_ids);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i)
        if (kept == 0 || items[kept - 1] != items[i])
            items[kept++] = items[i];
    return kept;
}

/* counts of i stand in begin[i + 1]: makes them the begins of a CSR. */
static void sum_counts(regal_id *begin, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        begin[i + 1] += begin[i];
}

/* Moves begins that served as cursors back by one place: begin[i] = end of i -> begin of i. */
static void rewind_cursors(regal_id *begin, int64_t count) {
    memmove(begin + 1, begin, (size_t)count * sizeof *begin);
    begin[0] = 0;
}

static regal_status build_edges(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    const int64_t n = view->op_count, m = view->tensor_count;
    int64_t listed = 0;
    for (int64_t t = 0; t < m; ++t)
        listed += regal_graph_tensor(graph, t).consumer_count;

    regal_id *begin = regal_problem_array(problem, m + 1, sizeof *begin);
    regal_id *consumer = regal_problem_array(problem, listed, sizeof *consumer);
    REGAL_FAIL_IF(begin == NULL || consumer == NULL, REGAL_OUT_OF_MEMORY, "memory ran out");
    int64_t edges = 0;
    for (int64_t t = 0; t < m; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        copy_ids(consumer + edges, tensor.consumers, tensor.consumer_count);
        edges += sort_unique(consumer + edges, tensor.consumer_count);
        begin[t + 1] = edges;
    }

    regal_id *edge_tensor = regal_problem_array(problem, edges, sizeof *edge_tensor);
    regal_id *input_begin = regal_problem_array(problem, n + 1, sizeof *input_begin);
    regal_id *input_tensor = regal_problem_array(problem, edges, sizeof *input_tensor);
    regal_id *input_edge = regal_problem_array(problem, edges, sizeof *input_edge);
    REGAL_FAIL_IF(edge_tensor == NULL || input_begin == NULL || input_tensor == NULL ||
                      input_edge == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t e = 0; e < edges; ++e)
        input_begin[consumer[e] + 1]++;
    sum_counts(input_begin, n);
    for (int64_t t = 0; t < m; ++t)
        for (int64_t e = begin[t]; e < begin[t + 1]; ++e) {
            const int64_t place = input_begin[consumer[e]]++;
            edge_tensor[e] = t;
            input_tensor[place] = t;
            input_edge[place] = e;
        }
    rewind_cursors(input_begin, n);

    view->edge_count = edges;
    view->consumer_begin = begin;
    view->consumer = consumer;
    view->edge_tensor = edge_tensor;
    view->input_begin = input_begin;
    view->input_tensor = input_tensor;
    view->input_edge = input_edge;
    return REGAL_OK;
}

static regal_status build_controls(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    const int64_t n = view->op_count, listed = regal_graph_control_count(graph);
    regal_id *begin = regal_problem_array(problem, n + 1, sizeof *begin);
    regal_id *successor = regal_problem_array(problem, listed, sizeof *successor);
    regal_id *predecessors = regal_problem_array(problem, n, sizeof *predecessors);
    REGAL_FAIL_IF(begin == NULL || successor == NULL || predecessors == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t i = 0; i < listed; ++i)
        begin[regal_graph_control(graph, i).before + 1]++;
    sum_counts(begin, n);
    for (int64_t i = 0; i < listed; ++i) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        successor[begin[edge.before]++] = edge.after;
    }
    /* begin[v] is now the end of v: drop repeats, moving the lists together. */
    int64_t count = 0, from = 0;
    for (int64_t v = 0; v < n; ++v) {
        const int64_t end = begin[v], kept = sort_unique(successor + from, end - from);
        memmove(successor + count, successor + from, (size_t)kept * sizeof *successor);
        begin[v] = count;
        count += kept;
        from = end;
    }
    begin[n] = count;
    for (int64_t v = 0; v < n; ++v)
        predecessors[v] = view->input_begin[v + 1] - view->input_begin[v];
    for (int64_t i = 0; i < count; ++i)
        predecessors[successor[i]]++;
    view->control_count = count;
    view->control_begin = begin;
    view->control_successor = successor;
    view->predecessor_count = predecessors;
    return REGAL_OK;
}

static regal_status build_tensors(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    const int64_t n = view->op_count, m = view->tensor_count;
    regal_id *producer = regal_problem_array(problem, m, sizeof *producer);
    regal_id *root = regal_problem_array(problem, m, sizeof *root);
    regal_id *output_begin = regal_problem_array(problem, n + 1, sizeof *output_begin);
    regal_id *output_tensor = regal_problem_array(problem, m, sizeof *output_tensor);
    int64_t *bytes = regal_problem_array(problem, m, sizeof *bytes);
    uint8_t *kept = regal_problem_array(problem, m, sizeof *kept);
    REGAL_FAIL_IF(producer == NULL || root == NULL || output_begin == NULL ||
                      output_tensor == NULL || bytes == NULL || kept == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t t = 0; t < m; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        producer[t] = tensor.producer;
        bytes[t] = tensor.bytes;
        root[t] = tensor.alias_of >= 0 ? -1 : t;
        output_begin[tensor.producer + 1]++;
    }
    for (int64_t t = 0; t < m; ++t) {
        int64_t end = t;
        while (root[end] < 0)
            end = regal_graph_tensor(graph, end).alias_of;
        const regal_id found = root[end];
        for (int64_t u = t; root[u] < 0; u = regal_graph_tensor(graph, u).alias_of)
            root[u] = found;
        kept[found] |= regal_graph_tensor(graph, t).output;
    }
    sum_counts(output_begin, n);
    for (int64_t t = 0; t < m; ++t)
        output_tensor[output_begin[producer[t]]++] = t;
    rewind_cursors(output_begin, n);
    view->producer = producer;
    view->root = root;
    view->bytes = bytes;
    view->kept = kept;
    view->output_begin = output_begin;
    view->output_tensor = output_tensor;
    return REGAL_OK;
}

static regal_status build_ops(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    const int64_t n = view->op_count, classes = view->class_count;
    int64_t *ticks = regal_problem_array(problem, n, (size_t)classes * sizeof *ticks);
    int64_t *start_bytes = regal_problem_array(problem, n, sizeof *start_bytes);
    int64_t *workspace = regal_problem_array(problem, n, sizeof *workspace);
    REGAL_FAIL_IF(ticks == NULL || start_bytes == NULL || workspace == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t v = 0; v < n; ++v) {
        const regal_op op = regal_graph_op(graph, v);
        for (int64_t c = 0; c < classes; ++c)
            ticks[v * classes + c] = op.cost[c] > 1 ? op.cost[c] : 1;
        start_bytes[v] = workspace[v] = op.workspace;
    }
    for (int64_t t = 0; t < view->tensor_count; ++t)
        if (view->root[t] == t)
            start_bytes[view->producer[t]] += view->bytes[t];
    view->op_ticks = ticks;
    view->op_start_bytes = start_bytes;
    view->workspace = workspace;
    return REGAL_OK;
}

static regal_status build_parameters(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    const int64_t count = regal_graph_parameter_count(graph);
    int64_t listed = 0;
    for (int64_t p = 0; p < count; ++p)
        listed += regal_graph_parameter(graph, p).op_count;
    regal_id *begin = regal_problem_array(problem, count + 1, sizeof *begin);
    regal_id *op = regal_problem_array(problem, listed, sizeof *op);
    int64_t *bytes = regal_problem_array(problem, count, sizeof *bytes);
    REGAL_FAIL_IF(begin == NULL || op == NULL || bytes == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t p = 0; p < count; ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph, p);
        copy_ids(op + begin[p], parameter.ops, parameter.op_count);
        begin[p + 1] = begin[p] + sort_unique(op + begin[p], parameter.op_count);
        bytes[p] = parameter.bytes;
    }
    view->parameter_count = count;
    view->parameter_begin = begin;
    view->parameter_op = op;
    view->parameter_bytes = bytes;
    return REGAL_OK;
}

static regal_status build_canonical_order(regal_problem *problem) {
    regal_id *order = regal_problem_array(problem, problem->view.op_count, sizeof *order);
    REGAL_FAIL_IF_NULL(order);
    regal_op_edges edges;
    REGAL_FORWARD(regal_op_edges_create(problem->graph, &edges));
    int64_t ordered = 0, *sequence = regal_allocate(edges.op_count, sizeof *sequence);
    const regal_status status =
        sequence != NULL
            ? regal_canonical_order(&edges, sequence, &ordered)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        copy_ids(order, sequence, ordered);
    free(sequence);
    regal_op_edges_destroy(&edges);
    problem->view.canonical = order;
    return status;
}

static regal_status find_class(const regal_problem *problem, const regal_device *device,
                               int64_t *found) {
    const int64_t count = regal_graph_class_count(problem->graph);
    if (device->class_name == NULL) {
        *found = device->class_index;
        REGAL_FAIL_IF(*found < 0 || *found >= count, REGAL_INVALID_INPUT,
                      "device '%s' is of class %" PRId64
                      ", but the graph has device classes 0..%" PRId64,
                      device->name, *found, count - 1);
        return REGAL_OK;
    }
    for (*found = 0; *found < count; ++*found)
        if (strcmp(regal_graph_class_name(problem->graph, *found), device->class_name) == 0)
            return REGAL_OK;
    REGAL_FAIL(REGAL_INVALID_INPUT,
               "device '%s' is of class '%s', which the graph does not have (its first is '%s')",
               device->name, device->class_name, regal_graph_class_name(problem->graph, 0));
}

static regal_status build_cluster(regal_problem *problem) {
    const regal_cluster *cluster = problem->cluster;
    regal_problem_view *view = &problem->view;
    const int64_t devices = regal_cluster_device_count(cluster);
    REGAL_FAIL_IF(devices < 1, REGAL_INVALID_INPUT, "the cluster has no devices");
    int32_t *device_class = regal_problem_array(problem, devices, sizeof *device_class);
    int64_t *capacity = regal_problem_array(problem, devices, sizeof *capacity);
    regal_link *link = regal_problem_array(problem, devices * devices, sizeof *link);
    REGAL_FAIL_IF(device_class == NULL || capacity == NULL || link == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t d = 0; d < devices; ++d) {
        const regal_device device = regal_cluster_device(cluster, d);
        int64_t found;
        REGAL_FORWARD(find_class(problem, &device, &found));
        device_class[d] = (int32_t)found;
        capacity[d] = device.memory;
        for (int64_t to = 0; to < devices; ++to)
            if (to != d)
                link[d * devices + to] = regal_cluster_link(cluster, d, to, NULL);
    }
    view->device_count = (int32_t)devices;
    view->device_class = device_class;
    view->capacity = capacity;
    view->link = link;
    return REGAL_OK;
}

/* Sums that no plan can exceed must fit, so that nothing overflows later. */
static regal_status check_worst_case(const regal_problem *problem) {
    const regal_problem_view *view = &problem->view;
    const int64_t pairs = (int64_t)view->device_count * view->device_count;
    const int64_t most = view->device_count;
    regal_link slowest = {0, 0};
    for (int64_t i = 0; i < pairs; ++i) {
        const int64_t rate = view->link[i].bytes_per_1000_ticks;
        if (view->link[i].latency > slowest.latency)
            slowest.latency = view->link[i].latency;
        if (rate > 0 && (slowest.bytes_per_1000_ticks == 0 || rate < slowest.bytes_per_1000_ticks))
            slowest.bytes_per_1000_ticks = rate;
    }
    int64_t ticks = 0, bytes = 0;
    for (int64_t v = 0; v < view->op_count; ++v) {
        int64_t longest = 1;
        for (int32_t c = 0; c < view->class_count; ++c)
            if (view->op_ticks[v * view->class_count + c] > longest)
                longest = view->op_ticks[v * view->class_count + c];
        REGAL_FAIL_IF(!regal_sum_add(&ticks, 1, longest) ||
                          !regal_sum_add(&bytes, 1, view->workspace[v]),
                      REGAL_INVALID_INPUT, "the costs or workspaces of all ops exceed 2^62");
    }
    for (int64_t t = 0; t < view->tensor_count; ++t) {
        const int64_t consumers = view->consumer_begin[t + 1] - view->consumer_begin[t];
        const int64_t copies = consumers < most - 1 ? consumers : most - 1;
        REGAL_FAIL_IF(!regal_sum_add(&ticks, copies, regal_link_ticks(slowest, view->bytes[t])),
                      REGAL_INVALID_INPUT,
                      "tensors[%" PRId64 "] '%s': ops and transfers could last more than 2^62 "
                      "ticks in all; use a coarser tick or faster links",
                      t, regal_graph_tensor(problem->graph, t).name);
        REGAL_FAIL_IF(!regal_sum_add(&bytes, copies + 1, view->bytes[t]), REGAL_INVALID_INPUT,
                      "tensors[%" PRId64 "] '%s': tensors and their copies could take more than "
                      "2^62 bytes in all",
                      t, regal_graph_tensor(problem->graph, t).name);
    }
    for (int64_t p = 0; p < view->parameter_count; ++p) {
        const int64_t users = view->parameter_begin[p + 1] - view->parameter_begin[p];
        REGAL_FAIL_IF(!regal_sum_add(&bytes, users < most ? users : most, view->parameter_bytes[p]),
                      REGAL_INVALID_INPUT,
                      "parameters[%" PRId64 "] '%s': bytes could exceed 2^62 in all", p,
                      regal_graph_parameter(problem->graph, p).name);
    }
    return REGAL_OK;
}

/* Ops, edges and tensors share the numbers of one regal_id. */
static regal_status check_counts(const regal_graph *graph) {
    int64_t sum = regal_graph_op_count(graph) + regal_graph_control_count(graph);
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t)
        sum += 1 + regal_graph_tensor(graph, t).consumer_count;
    for (int64_t p = 0; p < regal_graph_parameter_count(graph); ++p)
        sum += 1 + regal_graph_parameter(graph, p).op_count;
    REGAL_FAIL_IF(sum > REGAL_ID_MAX - 1, REGAL_UNAVAILABLE,
                  "the graph has %" PRId64 " ops, tensors and edges: more than this build can "
                  "number; configure with -DREGAL_WIDE_IDS=ON",
                  sum);
    return REGAL_OK;
}

static regal_status build(regal_problem *problem) {
    REGAL_FORWARD(check_counts(problem->graph));
    problem->view.op_count = (regal_id)regal_graph_op_count(problem->graph);
    problem->view.tensor_count = (regal_id)regal_graph_tensor_count(problem->graph);
    REGAL_FORWARD(build_edges(problem));
    REGAL_FORWARD(build_controls(problem));
    REGAL_FORWARD(build_tensors(problem));
    REGAL_FORWARD(build_ops(problem));
    REGAL_FORWARD(build_parameters(problem));
    REGAL_FORWARD(build_canonical_order(problem));
    REGAL_FORWARD(build_cluster(problem));
    REGAL_FORWARD(check_worst_case(problem));
    REGAL_FORWARD(regal_groups_build(problem));
    return regal_bounds_compute(problem);
}

regal_status regal_problem_create(const regal_graph *graph, const regal_cluster *cluster,
                                  regal_problem **problem) {
    *problem = NULL;
    REGAL_FORWARD(regal_graph_validate(graph));
    REGAL_FAIL_IF(regal_graph_class_count(graph) > INT32_MAX, REGAL_INVALID_INPUT,
                  "too many device classes");
    regal_problem *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    made->graph = graph;
    made->cluster = cluster;
    made->view.class_count = (int32_t)regal_graph_class_count(graph);
    const regal_status status = build(made);
    if (status == REGAL_OK)
        *problem = made;
    else
        regal_problem_destroy(made);
    return status;
}

void regal_problem_destroy(regal_problem *problem) {
    if (problem == NULL)
        return;
    while (problem->blocks != NULL) {
        struct regal_problem_block *next = problem->blocks->next;
        free(problem->blocks->data);
        free(problem->blocks);
        problem->blocks = next;
    }
    free(problem);
}

const regal_graph *regal_problem_graph(const regal_problem *problem) {
    return problem->graph;
}

const regal_cluster *regal_problem_cluster(const regal_problem *problem) {
    return problem->cluster;
}

regal_bounds regal_problem_bounds(const regal_problem *problem) {
    return problem->bounds;
}
