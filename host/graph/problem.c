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

static regal_op_facts *ops_of(regal_problem *problem) {
    return (regal_op_facts *)problem->view.ops; /* ours until the problem is handed out */
}

static regal_tensor_facts *tensors_of(regal_problem *problem) {
    return (regal_tensor_facts *)problem->view.tensors;
}

static regal_status create_records(regal_problem *problem) {
    regal_problem_view *view = &problem->view;
    view->op_count = (regal_id)regal_graph_op_count(problem->graph);
    view->tensor_count = (regal_id)regal_graph_tensor_count(problem->graph);
    view->ops = regal_problem_array(problem, (int64_t)view->op_count + 1, sizeof *view->ops);
    view->tensors =
        regal_problem_array(problem, (int64_t)view->tensor_count + 1, sizeof *view->tensors);
    REGAL_FAIL_IF(view->ops == NULL || view->tensors == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    return REGAL_OK;
}

/* Edges by tensor: consumers sorted, each once. */
static regal_status build_edges(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    regal_tensor_facts *tensors = tensors_of(problem);
    int64_t listed = 0;
    for (int64_t t = 0; t < view->tensor_count; ++t)
        listed += regal_graph_tensor(graph, t).consumer_count;
    regal_id *consumer = regal_problem_array(problem, listed, sizeof *consumer);
    regal_id *edge_tensor = regal_problem_array(problem, listed, sizeof *edge_tensor);
    REGAL_FAIL_IF(consumer == NULL || edge_tensor == NULL, REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_id edges = 0;
    for (regal_id t = 0; t < view->tensor_count; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        copy_ids(consumer + edges, tensor.consumers, tensor.consumer_count);
        edges += (regal_id)sort_unique(consumer + edges, tensor.consumer_count);
        tensors[t + 1].consumer_begin = edges;
        for (regal_id e = tensors[t].consumer_begin; e < edges; ++e)
            edge_tensor[e] = t;
    }
    view->edge_count = edges;
    view->consumer = consumer;
    view->edge_tensor = edge_tensor;
    return REGAL_OK;
}

/* Edges by op. A begin first counts the items of the op before it, then serves as its cursor. */
static regal_status build_inputs(regal_problem *problem) {
    regal_problem_view *view = &problem->view;
    regal_op_facts *ops = ops_of(problem);
    regal_input *inputs = regal_problem_array(problem, view->edge_count, sizeof *inputs);
    REGAL_FAIL_IF_NULL(inputs);
    for (regal_id e = 0; e < view->edge_count; ++e)
        ops[view->consumer[e]].predecessor_count++;
    for (regal_id v = 0; v < view->op_count; ++v)
        ops[v + 1].input_begin = ops[v].input_begin + ops[v].predecessor_count;
    for (regal_id e = 0; e < view->edge_count; ++e)
        inputs[ops[view->consumer[e]].input_begin++] = (regal_input){view->edge_tensor[e], e};
    for (regal_id v = 0; v < view->op_count; ++v)
        ops[v].input_begin -= ops[v].predecessor_count;
    view->inputs = inputs;
    return REGAL_OK;
}

static regal_status build_controls(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    regal_op_facts *ops = ops_of(problem);
    const regal_id n = view->op_count;
    const int64_t listed = regal_graph_control_count(graph);
    regal_id *successor = regal_problem_array(problem, listed, sizeof *successor);
    regal_id *end = regal_allocate_zeroed((int64_t)n + 1, sizeof *end);
    if (successor == NULL || end == NULL) {
        free(end);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (int64_t i = 0; i < listed; ++i)
        end[regal_graph_control(graph, i).before + 1]++;
    for (regal_id v = 0; v < n; ++v)
        end[v + 1] += end[v];
    for (int64_t i = 0; i < listed; ++i) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        successor[end[edge.before]++] = (regal_id)edge.after;
    }
    /* Drop repeats, moving the lists together. */
    regal_id count = 0, from = 0;
    for (regal_id v = 0; v < n; ++v) {
        const int64_t kept = sort_unique(successor + from, end[v] - from);
        memmove(successor + count, successor + from, (size_t)kept * sizeof *successor);
        from = end[v];
        ops[v].control_begin = count;
        count += (regal_id)kept;
    }
    free(end);
    ops[n].control_begin = count;
    for (regal_id i = 0; i < count; ++i)
        ops[successor[i]].predecessor_count++;
    view->control_count = count;
    view->control_successor = successor;
    return REGAL_OK;
}

/* Follows alias_of to the roots, whose storages are kept if any of their tensors is an output. */
static void find_roots(const regal_graph *graph, regal_tensor_facts *tensors, regal_id count) {
    for (regal_id t = 0; t < count; ++t)
        tensors[t].root = regal_graph_tensor(graph, t).alias_of >= 0 ? -1 : t;
    for (regal_id t = 0; t < count; ++t) {
        int64_t end = t;
        while (tensors[end].root < 0)
            end = regal_graph_tensor(graph, end).alias_of;
        const regal_id found = tensors[end].root;
        for (int64_t u = t; tensors[u].root < 0; u = regal_graph_tensor(graph, u).alias_of)
            tensors[u].root = found;
        tensors[found].kept |= regal_graph_tensor(graph, t).output;
    }
}

static regal_status build_tensors(regal_problem *problem) {
    const regal_graph *graph = problem->graph;
    regal_problem_view *view = &problem->view;
    regal_op_facts *ops = ops_of(problem);
    regal_tensor_facts *tensors = tensors_of(problem);
    regal_id *output = regal_problem_array(problem, view->tensor_count, sizeof *output);
    regal_id *begin =
        regal_allocate_zeroed((int64_t)view->op_count + 1, sizeof *begin); /* then the ends */
    if (output == NULL || begin == NULL) {
        free(begin);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (regal_id t = 0; t < view->tensor_count; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        tensors[t].producer = (regal_id)tensor.producer;
        tensors[t].bytes = tensor.bytes;
        begin[tensor.producer + 1]++;
    }
    find_roots(graph, tensors, view->tensor_count);
    for (regal_id v = 0; v < view->op_count; ++v) {
        begin[v + 1] += begin[v];
        ops[v + 1].output_begin = begin[v + 1];
    }
    for (regal_id t = 0; t < view->tensor_count; ++t)
        output[begin[tensors[t].producer]++] = t;
    free(begin);
    view->output_tensor = output;
    return REGAL_OK;
}

static regal_status build_ops(regal_problem *problem) {
    regal_problem_view *view = &problem->view;
    regal_op_facts *ops = ops_of(problem);
    const int64_t classes = view->class_count;
    int64_t *ticks = regal_problem_array(problem, view->op_count, (size_t)classes * sizeof *ticks);
    REGAL_FAIL_IF_NULL(ticks);
    for (int64_t v = 0; v < view->op_count; ++v) {
        const regal_op op = regal_graph_op(problem->graph, v);
        for (int64_t c = 0; c < classes; ++c)
            ticks[v * classes + c] = op.cost[c] > 1 ? op.cost[c] : 1;
        ops[v].start_bytes = ops[v].workspace = op.workspace;
    }
    for (regal_id t = 0; t < view->tensor_count; ++t)
        if (view->tensors[t].root == t)
            ops[view->tensors[t].producer].start_bytes += view->tensors[t].bytes;
    view->op_ticks = ticks;
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
    const regal_status status = sequence != NULL ? regal_canonical_order(&edges, sequence, &ordered)
                                                 : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__,
                                                                   __LINE__, "memory ran out");
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
               "device '%s' is of class '%s', which the graph does not have: its device classes "
               "begin with "
               "'%s'; name that one, or its number 0",
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
                          !regal_sum_add(&bytes, 1, view->ops[v].workspace),
                      REGAL_INVALID_INPUT, "the costs or workspaces of all ops exceed 2^62");
    }
    for (int64_t t = 0; t < view->tensor_count; ++t) {
        const int64_t consumers =
            view->tensors[t + 1].consumer_begin - view->tensors[t].consumer_begin;
        const int64_t copies = consumers < most - 1 ? consumers : most - 1;
        REGAL_FAIL_IF(
            !regal_sum_add(&ticks, copies, regal_link_ticks(slowest, view->tensors[t].bytes)),
            REGAL_INVALID_INPUT,
            "tensors[%" PRId64 "] '%s': ops and transfers could last more than 2^62 "
            "ticks in all; use a coarser tick or faster links",
            t, regal_graph_tensor(problem->graph, t).name);
        REGAL_FAIL_IF(!regal_sum_add(&bytes, copies + 1, view->tensors[t].bytes),
                      REGAL_INVALID_INPUT,
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
    REGAL_FORWARD(create_records(problem));
    REGAL_FORWARD(build_edges(problem));
    REGAL_FORWARD(build_inputs(problem));
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
