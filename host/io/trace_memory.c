#include "io/trace_memory.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static regal_status add_change(regal_memory_history *history, int64_t device, int64_t tick,
                               int64_t change) {
    REGAL_FAIL_IF(!regal_array_reserve(&history->changes, &history->capacity, history->count + 1,
                                       sizeof *history->changes),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    history->changes[history->count++] = (regal_memory_change){device, tick, change};
    return REGAL_OK;
}

static regal_status add_interval(regal_memory_history *history, int64_t device, int64_t from,
                                 int64_t to, int64_t bytes) {
    if (bytes == 0 || from >= to)
        return REGAL_OK;
    REGAL_FORWARD(add_change(history, device, from, bytes));
    return add_change(history, device, to, -bytes);
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
                                 const int64_t *transfer_finish, regal_memory_history *history) {
    const int64_t count = regal_graph_tensor_count(graph);
    int64_t *parent = regal_allocate(count, 2 * sizeof *parent);
    REGAL_FAIL_IF_NULL(parent);
    int64_t *end = parent + count;
    find_ends(graph, plan, transfer_finish, parent, end);
    regal_status status = REGAL_OK;
    for (int64_t t = 0; t < count && status == REGAL_OK; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        if (tensor.alias_of < 0)
            status = add_interval(history, plan->placement[tensor.producer],
                                  plan->start[tensor.producer], end[t], tensor.bytes);
    }
    free(parent);
    return status;
}

static regal_status add_copies(const regal_graph *graph, const regal_plan *plan,
                               regal_memory_history *history) {
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer transfer = plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(graph, transfer.tensor);
        REGAL_FORWARD(add_interval(history, transfer.to, transfer.start,
                                   copy_end(plan, &tensor, transfer.to), tensor.bytes));
    }
    return REGAL_OK;
}

static regal_status add_workspaces(const regal_graph *graph, const regal_plan *plan,
                                   regal_memory_history *history) {
    for (int64_t i = 0; i < plan->op_count; ++i)
        REGAL_FORWARD(add_interval(history, plan->placement[i], plan->start[i], plan->finish[i],
                                   regal_graph_op(graph, i).workspace));
    return REGAL_OK;
}

/* A parameter counts once on each device that hosts any of its users. */
static void add_resident(const regal_graph *graph, const regal_plan *plan, int64_t *resident) {
    for (int64_t p = 0; p < regal_graph_parameter_count(graph); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph, p);
        uint64_t hosts = 0;
        for (int64_t i = 0; i < parameter.op_count; ++i)
            hosts |= UINT64_C(1) << plan->placement[parameter.ops[i]];
        for (int64_t d = 0; d < plan->device_count; ++d)
            if (hosts >> d & 1)
                resident[d] += parameter.bytes;
    }
}

static int compare_changes(const void *left, const void *right) {
    const regal_memory_change *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->tick > b->tick) - (a->tick < b->tick);
}

static regal_status fill(const regal_graph *graph, const regal_plan *plan,
                         const int64_t *transfer_finish, regal_memory_history *history) {
    history->resident = regal_allocate_zeroed(plan->device_count, sizeof *history->resident);
    REGAL_FAIL_IF_NULL(history->resident);
    add_resident(graph, plan, history->resident);
    REGAL_FORWARD(add_storages(graph, plan, transfer_finish, history));
    REGAL_FORWARD(add_copies(graph, plan, history));
    REGAL_FORWARD(add_workspaces(graph, plan, history));
    if (history->count > 0)
        qsort(history->changes, (size_t)history->count, sizeof *history->changes, compare_changes);
    return REGAL_OK;
}

regal_status regal_memory_history_create(const regal_graph *graph, const regal_plan *plan,
                                         const int64_t *transfer_finish,
                                         regal_memory_history *history) {
    *history = (regal_memory_history){0};
    const regal_status status = fill(graph, plan, transfer_finish, history);
    if (status != REGAL_OK)
        regal_memory_history_destroy(history);
    return status;
}

void regal_memory_history_destroy(regal_memory_history *history) {
    free(history->resident);
    free(history->changes);
    *history = (regal_memory_history){0};
}
