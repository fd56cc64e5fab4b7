#include "io/memory_buffers.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/duration.h"

const char *regal_buffer_kind_name(regal_buffer_kind kind) {
    static const char *const NAMES[] = {"tensor", "copy", "workspace", "parameter"};
    return NAMES[kind];
}

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static regal_status add(regal_buffers *buffers, const regal_buffer *buffer) {
    if (buffer->bytes == 0 || buffer->from >= buffer->to)
        return REGAL_OK;
    REGAL_FAIL_IF(!regal_array_reserve(&buffers->items, &buffers->capacity, buffers->count + 1,
                                       sizeof *buffers->items),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    buffers->items[buffers->count++] = *buffer;
    return REGAL_OK;
}

/* Follows alias_of to the tensor that owns the storage. The ones on the way are shortened, so that
 * long chains cost no more than their length in all. */
static int64_t find_root(int64_t *parent, int64_t tensor) {
    int64_t root = tensor;
    while (parent[root] != root)
        root = parent[root];
    while (parent[tensor] != root) {
        const int64_t next = parent[tensor];
        parent[tensor] = root;
        tensor = next;
    }
    return root;
}

/* Until when a tensor needs its bytes on its producer's device, but for its transfers. */
static int64_t local_end(const regal_plan *plan, const regal_tensor *tensor) {
    const int64_t device = plan->placement[tensor->producer];
    if (tensor->output)
        return plan->makespan;
    int64_t end = plan->finish[tensor->producer];
    for (int64_t i = 0; i < tensor->consumer_count; ++i)
        if (plan->placement[tensor->consumers[i]] == device)
            end = later(end, plan->finish[tensor->consumers[i]]);
    return end;
}

/* Until when the copy that a transfer makes is needed. */
static int64_t copy_end(const regal_plan *plan, const regal_tensor *tensor, int64_t device) {
    int64_t end = 0;
    for (int64_t i = 0; i < tensor->consumer_count; ++i)
        if (plan->placement[tensor->consumers[i]] == device)
            end = later(end, plan->finish[tensor->consumers[i]]);
    return end;
}

/* end[root] becomes the end of each storage; parent[t] leads to the root. */
static void find_ends(const regal_graph *graph, const regal_plan *plan,
                      const int64_t *transfer_finish, int64_t *parent, int64_t *end) {
    const int64_t count = regal_graph_tensor_count(graph);
    for (int64_t t = 0; t < count; ++t) {
        const int64_t target = regal_graph_tensor(graph, t).alias_of;
        parent[t] = target >= 0 ? target : t;
        end[t] = 0;
    }
    for (int64_t t = 0; t < count; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        const int64_t root = find_root(parent, t);
        end[root] = later(end[root], local_end(plan, &tensor));
    }
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const int64_t root = find_root(parent, plan->transfers[i].tensor);
        end[root] = later(end[root], transfer_finish[i]);
    }
}

static regal_status add_storages(const regal_graph *graph, const regal_plan *plan,
                                 const int64_t *transfer_finish, regal_buffers *buffers) {
    const int64_t count = regal_graph_tensor_count(graph);
    int64_t *parent = regal_allocate(count, 2 * sizeof *parent);
    REGAL_FAIL_IF_NULL(parent);
    int64_t *end = parent + count;
    find_ends(graph, plan, transfer_finish, parent, end);
    regal_status status = REGAL_OK;
    for (int64_t t = 0; t < count && status == REGAL_OK; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        const regal_buffer buffer = {
            REGAL_BUFFER_TENSOR,          t,      plan->placement[tensor.producer],
            plan->start[tensor.producer], end[t], tensor.bytes};
        if (tensor.alias_of < 0)
            status = add(buffers, &buffer);
    }
    free(parent);
    return status;
}

static regal_status add_copies(const regal_graph *graph, const regal_plan *plan,
                               regal_buffers *buffers) {
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer transfer = plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(graph, transfer.tensor);
        const regal_buffer buffer = {REGAL_BUFFER_COPY,
                                     transfer.tensor,
                                     transfer.to,
                                     transfer.start,
                                     copy_end(plan, &tensor, transfer.to),
                                     tensor.bytes};
        REGAL_FORWARD(add(buffers, &buffer));
    }
    return REGAL_OK;
}

static regal_status add_workspaces(const regal_graph *graph, const regal_plan *plan,
                                   regal_buffers *buffers) {
    for (int64_t i = 0; i < plan->op_count; ++i) {
        const regal_buffer buffer = {REGAL_BUFFER_WORKSPACE, i,
                                     plan->placement[i],     plan->start[i],
                                     plan->finish[i],        regal_graph_op(graph, i).workspace};
        REGAL_FORWARD(add(buffers, &buffer));
    }
    return REGAL_OK;
}

/* A parameter counts once on each device that hosts any of its users. */
static regal_status add_parameters(const regal_graph *graph, const regal_plan *plan,
                                   regal_buffers *buffers) {
    for (int64_t p = 0; p < regal_graph_parameter_count(graph); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph, p);
        uint64_t hosts = 0;
        for (int64_t i = 0; i < parameter.op_count; ++i)
            hosts |= UINT64_C(1) << plan->placement[parameter.ops[i]];
        for (; hosts != 0; hosts &= hosts - 1) {
            const regal_buffer buffer = {REGAL_BUFFER_PARAMETER, p,
                                         __builtin_ctzll(hosts), 0,
                                         plan->makespan,         parameter.bytes};
            REGAL_FORWARD(add(buffers, &buffer));
        }
    }
    return REGAL_OK;
}

static regal_status fill(const regal_graph *graph, const regal_plan *plan,
                         const int64_t *transfer_finish, regal_buffers *buffers) {
    REGAL_FORWARD(add_storages(graph, plan, transfer_finish, buffers));
    REGAL_FORWARD(add_copies(graph, plan, buffers));
    REGAL_FORWARD(add_workspaces(graph, plan, buffers));
    return add_parameters(graph, plan, buffers);
}

regal_status regal_buffers_create(const regal_graph *graph, const regal_plan *plan,
                                  const int64_t *transfer_finish, regal_buffers *buffers) {
    *buffers = (regal_buffers){0};
    const regal_status status = fill(graph, plan, transfer_finish, buffers);
    if (status != REGAL_OK)
        regal_buffers_destroy(buffers);
    return status;
}

void regal_buffers_destroy(regal_buffers *buffers) {
    free(buffers->items);
    *buffers = (regal_buffers){0};
}

int64_t *regal_transfer_finishes(const regal_graph *graph, const regal_plan *plan) {
    int64_t *finish = regal_allocate(plan->transfer_count, sizeof *finish);
    for (int64_t i = 0; finish != NULL && i < plan->transfer_count; ++i) {
        const regal_transfer *transfer = &plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(graph, transfer->tensor);
        const regal_link link =
            regal_cluster_link(plan->cluster, plan->placement[tensor.producer], transfer->to, NULL);
        finish[i] = transfer->start + regal_link_ticks(link, tensor.bytes);
    }
    return finish;
}
