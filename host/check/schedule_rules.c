#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "check/judge.h"

/* ---- finishes ---- */

static regal_status find_finishes(regal_judge *judge) {
    for (int64_t i = 0; i < judge->op_count; ++i) {
        const regal_op op = regal_graph_op(judge->graph, i);
        const int64_t start = judge->plan->start[i];
        const int64_t cost = op.cost[judge->classes[judge->plan->placement[i]]];
        REGAL_FAIL_IF(start < 0, REGAL_INVALID_INPUT,
                      "op '%s' starts at %" PRId64 ", before tick 0", op.name, start);
        REGAL_FAIL_IF(__builtin_add_overflow(start, cost > 1 ? cost : 1, &judge->finish[i]),
                      REGAL_INVALID_INPUT,
                      "op '%s' starts at %" PRId64 " and finishes past the last tick", op.name,
                      start);
        if (judge->finish[i] > judge->makespan)
            judge->makespan = judge->finish[i];
    }
    return REGAL_OK;
}

/* max(1, latency + ceil(bytes * 1000 / rate)); false where that overflows. */
static bool transfer_ticks(regal_link link, int64_t bytes, int64_t *ticks) {
    *ticks = link.latency;
    if (link.bytes_per_1000_ticks > 0) {
        int64_t scaled;
        if (__builtin_mul_overflow(bytes, 1000, &scaled))
            return false;
        const int64_t rest = scaled % link.bytes_per_1000_ticks != 0;
        if (__builtin_add_overflow(*ticks, scaled / link.bytes_per_1000_ticks + rest, ticks))
            return false;
    }
    if (*ticks < 1)
        *ticks = 1;
    return true;
}

/* ---- rule 2: exactly the needed transfers ---- */

static void find_needed(regal_judge *judge) {
    const int64_t *placement = judge->plan->placement;
    judge->slot_count = 0;
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(judge->graph, i);
        uint64_t needed = 0;
        for (int64_t c = 0; c < tensor.consumer_count; ++c)
            needed |= (uint64_t)1 << placement[tensor.consumers[c]];
        judge->needed[i] = needed & ~((uint64_t)1 << placement[tensor.producer]);
        judge->slot[i] = judge->slot_count;
        judge->slot_count += __builtin_popcountll(judge->needed[i]);
    }
}

static regal_status check_transfer_needed(const regal_judge *judge, int64_t index) {
    const regal_transfer *transfer = &judge->plan->transfers[index];
    REGAL_FAIL_IF(
        transfer->tensor < 0 || transfer->tensor >= judge->tensor_count, REGAL_INVALID_INPUT,
        "transfers[%" PRId64 "] is of tensor %" PRId64 ", but the graph has %" PRId64 " tensors",
        index, transfer->tensor, judge->tensor_count);
    const regal_tensor tensor = regal_graph_tensor(judge->graph, transfer->tensor);
    REGAL_FAIL_IF(transfer->to < 0 || transfer->to >= judge->device_count, REGAL_INVALID_INPUT,
                  "transfers[%" PRId64 "] takes tensor '%s' to device %" PRId64
                  ", but the cluster has devices 0..%" PRId64,
                  index, tensor.name, transfer->to, judge->device_count - 1);
    REGAL_FAIL_IF(judge->plan->placement[tensor.producer] == transfer->to, REGAL_INVALID_INPUT,
                  "tensor '%s' is transferred to %s, where it is produced", tensor.name,
                  judge->devices[transfer->to].name);
    REGAL_FAIL_IF((judge->needed[transfer->tensor] >> transfer->to & 1) == 0, REGAL_INVALID_INPUT,
                  "tensor '%s' is transferred to %s, where no op consumes it", tensor.name,
                  judge->devices[transfer->to].name);
    return REGAL_OK;
}

static regal_status take_transfer(regal_judge *judge, int64_t index) {
    REGAL_FORWARD(check_transfer_needed(judge, index));
    const regal_transfer *transfer = &judge->plan->transfers[index];
    const regal_tensor tensor = regal_graph_tensor(judge->graph, transfer->tensor);
    const char *to = judge->devices[transfer->to].name;
    const int64_t slot = regal_judge_slot(judge, transfer->tensor, transfer->to);
    REGAL_FAIL_IF(judge->sent[slot] >= 0, REGAL_INVALID_INPUT,
                  "tensor '%s' is transferred to %s twice, at %" PRId64 " and at %" PRId64,
                  tensor.name, to, judge->sent[slot], transfer->start);
    REGAL_FAIL_IF(transfer->start < judge->finish[tensor.producer], REGAL_INVALID_INPUT,
                  "the transfer of tensor '%s' to %s starts at %" PRId64
                  " before its producer '%s' finishes at %" PRId64,
                  tensor.name, to, transfer->start, regal_judge_op_name(judge, tensor.producer),
                  judge->finish[tensor.producer]);
    const int64_t from = judge->plan->placement[tensor.producer];
    const regal_link link = regal_cluster_link(judge->cluster, from, transfer->to, NULL);
    int64_t ticks;
    REGAL_FAIL_IF(!transfer_ticks(link, tensor.bytes, &ticks) ||
                      __builtin_add_overflow(transfer->start, ticks, &judge->arrived[slot]),
                  REGAL_INVALID_INPUT,
                  "the transfer of tensor '%s' to %s starts at %" PRId64
                  " and finishes past the last tick",
                  tensor.name, to, transfer->start);
    judge->sent[slot] = transfer->start;
    return REGAL_OK;
}

static regal_status check_transfers(regal_judge *judge) {
    for (int64_t i = 0; i < judge->slot_count; ++i)
        judge->sent[i] = -1;
    for (int64_t i = 0; i < judge->plan->transfer_count; ++i)
        REGAL_FORWARD(take_transfer(judge, i));
    return REGAL_OK;
}

/* ---- rule 3: order ---- */

static regal_status check_input(const regal_judge *judge, int64_t id, int64_t op) {
    const regal_tensor tensor = regal_graph_tensor(judge->graph, id);
    const int64_t device = judge->plan->placement[op], start = judge->plan->start[op];
    const char *where = judge->devices[device].name;
    if (judge->plan->placement[tensor.producer] == device) {
        const int64_t ready = judge->finish[tensor.producer];
        REGAL_FAIL_IF(start < ready, REGAL_INVALID_INPUT,
                      "op '%s' starts at %" PRId64
                      " on %s before its input '%s' is ready at %" PRId64,
                      regal_judge_op_name(judge, op), start, where, tensor.name, ready);
        return REGAL_OK;
    }
    const int64_t slot = regal_judge_slot(judge, id, device);
    REGAL_FAIL_IF(judge->sent[slot] < 0, REGAL_INVALID_INPUT,
                  "tensor '%s' is not transferred to %s, where op '%s' consumes it", tensor.name,
                  where, regal_judge_op_name(judge, op));
    REGAL_FAIL_IF(start < judge->arrived[slot], REGAL_INVALID_INPUT,
                  "op '%s' starts at %" PRId64 " on %s before its input '%s' arrives at %" PRId64,
                  regal_judge_op_name(judge, op), start, where, tensor.name, judge->arrived[slot]);
    return REGAL_OK;
}

static regal_status check_order(const regal_judge *judge) {
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(judge->graph, i);
        for (int64_t c = 0; c < tensor.consumer_count; ++c)
            REGAL_FORWARD(check_input(judge, i, tensor.consumers[c]));
    }
    const int64_t count = regal_graph_control_count(judge->graph);
    for (int64_t i = 0; i < count; ++i) {
        const regal_control_edge edge = regal_graph_control(judge->graph, i);
        const int64_t start = judge->plan->start[edge.after], end = judge->finish[edge.before];
        REGAL_FAIL_IF(start < end, REGAL_INVALID_INPUT,
                      "op '%s' starts at %" PRId64 " before its control predecessor '%s' finishes "
                      "at %" PRId64,
                      regal_judge_op_name(judge, edge.after), start,
                      regal_judge_op_name(judge, edge.before), end);
    }
    return REGAL_OK;
}

/* ---- rule 4: one thing at a time ---- */

typedef struct span {
    int64_t place; /* device, or from * REGAL_MAX_DEVICES + to */
    int64_t from, to, id;
} span;

static int compare_spans(const void *left, const void *right) {
    const span *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Sorts the spans; the index of the first that begins before the one before it on its place ends,
 * or 0. No span is empty, so neighbours tell all. */
static int64_t find_overlap(span *spans, int64_t count) {
    qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    for (int64_t i = 1; i < count; ++i)
        if (spans[i].place == spans[i - 1].place && spans[i].from < spans[i - 1].to)
            return i;
    return 0;
}

static regal_status check_devices_busy(const regal_judge *judge, span *spans) {
    for (int64_t i = 0; i < judge->op_count; ++i)
        spans[i] = (span){judge->plan->placement[i], judge->plan->start[i], judge->finish[i], i};
    const int64_t found = find_overlap(spans, judge->op_count);
    if (found == 0)
        return REGAL_OK;
    const span *a = &spans[found - 1], *b = &spans[found];
    REGAL_FAIL(REGAL_INVALID_INPUT,
               "ops '%s' (%" PRId64 " to %" PRId64 ") and '%s' (%" PRId64 " to %" PRId64
               ") overlap on %s",
               regal_judge_op_name(judge, a->id), a->from, a->to, regal_judge_op_name(judge, b->id),
               b->from, b->to, judge->devices[a->place].name);
}

static regal_status check_links_busy(const regal_judge *judge, span *spans) {
    const regal_plan *plan = judge->plan;
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer *transfer = &plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(judge->graph, transfer->tensor);
        const int64_t slot = regal_judge_slot(judge, transfer->tensor, transfer->to);
        spans[i] = (span){plan->placement[tensor.producer] * REGAL_MAX_DEVICES + transfer->to,
                          judge->sent[slot], judge->arrived[slot], transfer->tensor};
    }
    const int64_t found = find_overlap(spans, plan->transfer_count);
    if (found == 0)
        return REGAL_OK;
    const span *a = &spans[found - 1], *b = &spans[found];
    REGAL_FAIL(REGAL_INVALID_INPUT,
               "the transfers of tensors '%s' (%" PRId64 " to %" PRId64 ") and '%s' (%" PRId64
               " to %" PRId64 ") overlap on the link from %s to %s",
               regal_graph_tensor(judge->graph, a->id).name, a->from, a->to,
               regal_graph_tensor(judge->graph, b->id).name, b->from, b->to,
               judge->devices[a->place / REGAL_MAX_DEVICES].name,
               judge->devices[a->place % REGAL_MAX_DEVICES].name);
}

static regal_status check_overlaps(const regal_judge *judge) {
    /* Every transfer took a slot of its own, so the plan has no more than slots. */
    const int64_t count = judge->op_count > judge->slot_count ? judge->op_count : judge->slot_count;
    span *spans = regal_allocate(count, sizeof *spans);
    REGAL_FAIL_IF_NULL(spans);
    regal_status status = check_devices_busy(judge, spans);
    if (status == REGAL_OK)
        status = check_links_busy(judge, spans);
    free(spans);
    return status;
}

regal_status regal_judge_schedule(regal_judge *judge) {
    judge->finish = regal_allocate(judge->op_count, sizeof *judge->finish);
    judge->needed = regal_allocate(judge->tensor_count, sizeof *judge->needed);
    judge->slot = regal_allocate(judge->tensor_count, sizeof *judge->slot);
    REGAL_FAIL_IF_NULL(judge->finish);
    REGAL_FAIL_IF_NULL(judge->needed);
    REGAL_FAIL_IF_NULL(judge->slot);
    REGAL_FORWARD(find_finishes(judge));
    find_needed(judge);
    judge->sent = regal_allocate(judge->slot_count, sizeof *judge->sent);
    judge->arrived = regal_allocate(judge->slot_count, sizeof *judge->arrived);
    REGAL_FAIL_IF_NULL(judge->sent);
    REGAL_FAIL_IF_NULL(judge->arrived);
    REGAL_FORWARD(check_transfers(judge));
    REGAL_FORWARD(check_order(judge)); /* finds the missing transfers, too */
    return check_overlaps(judge);
}
