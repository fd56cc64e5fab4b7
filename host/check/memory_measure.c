#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "check/judge.h"

/* Memory of a device grows or shrinks at a tick. */
typedef struct memory_change {
    int64_t device, tick, bytes;
} memory_change;

typedef struct memory_changes {
    memory_change *items;
    int64_t count, capacity;
} memory_changes;

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* bytes on the device over [from, to), which is not empty. */
static regal_status hold(memory_changes *changes, int64_t device, int64_t from, int64_t to,
                         int64_t bytes) {
    if (bytes == 0)
        return REGAL_OK;
    REGAL_FAIL_IF(!regal_array_reserve(&changes->items, &changes->capacity, changes->count + 2,
                                       sizeof *changes->items),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    changes->items[changes->count++] = (memory_change){device, from, bytes};
    changes->items[changes->count++] = (memory_change){device, to, -bytes};
    return REGAL_OK;
}

/* What is freed at a tick is free for what starts then: shrinking comes first. */
static int compare_changes(const void *left, const void *right) {
    const memory_change *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The storage of an alias, with the chains on the way cut short so that each is walked once. */
static int64_t find_root(int64_t *alias_of, int64_t tensor) {
    int64_t root = tensor;
    while (alias_of[root] >= 0)
        root = alias_of[root];
    while (alias_of[tensor] >= 0) {
        const int64_t next = alias_of[tensor];
        alias_of[tensor] = root;
        tensor = next;
    }
    return root;
}

/* Copies of one tensor, each from its transfer's start to its last consumer's finish there. */
static regal_status hold_copies(const regal_judge *judge, const regal_tensor *tensor, int64_t id,
                                memory_changes *changes) {
    int64_t until[REGAL_MAX_DEVICES] = {0};
    for (int64_t c = 0; c < tensor->consumer_count; ++c) {
        const int64_t op = tensor->consumers[c], device = judge->plan->placement[op];
        until[device] = later(until[device], judge->finish[op]);
    }
    for (uint64_t rest = judge->needed[id]; rest != 0; rest &= rest - 1) {
        const int64_t device = __builtin_ctzll(rest);
        REGAL_FORWARD(hold(changes, device, judge->sent[regal_judge_slot(judge, id, device)],
                           until[device], tensor->bytes));
    }
    return REGAL_OK;
}

/* Until when the tensor itself needs its storage on its producer's device. */
static int64_t kept_until(const regal_judge *judge, const regal_tensor *tensor, int64_t id) {
    if (tensor->output)
        return judge->makespan;
    const int64_t *placement = judge->plan->placement;
    int64_t until = judge->finish[tensor->producer];
    for (int64_t c = 0; c < tensor->consumer_count; ++c)
        if (placement[tensor->consumers[c]] == placement[tensor->producer])
            until = later(until, judge->finish[tensor->consumers[c]]);
    const int64_t first = judge->slot[id], count = __builtin_popcountll(judge->needed[id]);
    for (int64_t i = first; i < first + count; ++i)
        until = later(until, judge->arrived[i]);
    return until;
}

/* alias_of and until are scratch, [tensor_count] each. */
static regal_status hold_tensors(const regal_judge *judge, int64_t *alias_of, int64_t *until,
                                 memory_changes *changes) {
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        alias_of[i] = regal_graph_tensor(judge->graph, i).alias_of;
        until[i] = 0;
    }
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(judge->graph, i);
        const int64_t root = find_root(alias_of, i);
        until[root] = later(until[root], kept_until(judge, &tensor, i));
        REGAL_FORWARD(hold_copies(judge, &tensor, i, changes));
    }
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(judge->graph, i);
        if (tensor.alias_of < 0)
            REGAL_FORWARD(hold(changes, judge->plan->placement[tensor.producer],
                               judge->plan->start[tensor.producer], until[i], tensor.bytes));
    }
    return REGAL_OK;
}

static regal_status hold_workspaces(const regal_judge *judge, memory_changes *changes) {
    for (int64_t i = 0; i < judge->op_count; ++i)
        REGAL_FORWARD(hold(changes, judge->plan->placement[i], judge->plan->start[i],
                           judge->finish[i], regal_graph_op(judge->graph, i).workspace));
    return REGAL_OK;
}

static regal_status add(const regal_judge *judge, int64_t device, int64_t bytes, int64_t *sum) {
    REGAL_FAIL_IF(__builtin_add_overflow(*sum, bytes, sum), REGAL_INVALID_INPUT,
                  "the memory of %s sums up to more than 2^63 bytes", judge->devices[device].name);
    return REGAL_OK;
}

static regal_status add_residents(const regal_judge *judge, int64_t *peak) {
    const int64_t count = regal_graph_parameter_count(judge->graph);
    for (int64_t i = 0; i < count; ++i) {
        const regal_parameter parameter = regal_graph_parameter(judge->graph, i);
        uint64_t hosts = 0;
        for (int64_t k = 0; k < parameter.op_count; ++k)
            hosts |= (uint64_t)1 << judge->plan->placement[parameter.ops[k]];
        for (; hosts != 0; hosts &= hosts - 1) {
            const int64_t device = __builtin_ctzll(hosts);
            REGAL_FORWARD(add(judge, device, parameter.bytes, &peak[device]));
        }
    }
    return REGAL_OK;
}

static regal_status add_greatest_sums(const regal_judge *judge, memory_changes *changes,
                                      int64_t *peak) {
    if (changes->count == 0)
        return REGAL_OK;
    int64_t now[REGAL_MAX_DEVICES] = {0}, greatest[REGAL_MAX_DEVICES] = {0};
    qsort(changes->items, (size_t)changes->count, sizeof *changes->items, compare_changes);
    for (int64_t i = 0; i < changes->count; ++i) {
        const memory_change *change = &changes->items[i];
        REGAL_FORWARD(add(judge, change->device, change->bytes, &now[change->device]));
        greatest[change->device] = later(greatest[change->device], now[change->device]);
    }
    for (int64_t d = 0; d < judge->device_count; ++d)
        REGAL_FORWARD(add(judge, d, greatest[d], &peak[d]));
    return REGAL_OK;
}

static regal_status find_peaks(const regal_judge *judge, int64_t *peak) {
    memory_changes changes = {0};
    int64_t *alias_of = regal_allocate(judge->tensor_count, sizeof *alias_of);
    int64_t *until = regal_allocate(judge->tensor_count, sizeof *until);
    regal_status status =
        alias_of != NULL && until != NULL
            ? hold_tensors(judge, alias_of, until, &changes)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        status = hold_workspaces(judge, &changes);
    if (status == REGAL_OK)
        status = add_residents(judge, peak);
    if (status == REGAL_OK)
        status = add_greatest_sums(judge, &changes, peak);
    free(changes.items);
    free(alias_of);
    free(until);
    return status;
}

static regal_status count_transfer_bytes(const regal_judge *judge, int64_t *bytes) {
    for (int64_t i = 0; i < judge->plan->transfer_count; ++i) {
        const int64_t tensor = judge->plan->transfers[i].tensor;
        REGAL_FAIL_IF(
            __builtin_add_overflow(*bytes, regal_graph_tensor(judge->graph, tensor).bytes, bytes),
            REGAL_INVALID_INPUT, "the transfers sum up to more than 2^63 bytes");
    }
    return REGAL_OK;
}

regal_status regal_judge_memory(const regal_judge *judge, regal_measure *measure) {
    REGAL_FORWARD(find_peaks(judge, measure->peak));
    REGAL_FORWARD(count_transfer_bytes(judge, &measure->transfer_bytes));
    int64_t excess = 0, greatest = 0;
    for (int64_t d = 0; d < judge->device_count; ++d) {
        const int64_t peak = measure->peak[d], capacity = judge->devices[d].memory;
        greatest = later(greatest, peak);
        if (capacity > 0 && peak > capacity)
            REGAL_FAIL_IF(__builtin_add_overflow(excess, peak - capacity, &excess),
                          REGAL_INVALID_INPUT, "the excess sums up to more than 2^63 bytes");
    }
    measure->makespan = judge->makespan;
    measure->time = (regal_fitness){{excess, judge->makespan, greatest}};
    measure->memory = (regal_fitness){{excess, greatest, judge->makespan}};
    return REGAL_OK;
}
