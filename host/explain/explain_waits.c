/* What each op and transfer waited for. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "explain/explanation_data.h"
#include "regal/core/duration.h"

static void set_times(regal_explanation *e) {
    const regal_plan *plan = e->plan;
    for (int64_t v = 0; v < e->op_count; ++v) {
        e->events[v] = (regal_event_reason){.start = plan->start[v], .finish = plan->finish[v]};
        e->lane[v] = plan->placement[v];
    }
    for (int64_t i = 0; i < plan->transfer_count; ++i) {
        const regal_transfer transfer = plan->transfers[i];
        const regal_tensor tensor = regal_graph_tensor(e->graph, transfer.tensor);
        const int64_t from = plan->placement[tensor.producer];
        const regal_link link = regal_cluster_link(e->cluster, from, transfer.to, NULL);
        e->events[e->op_count + i] =
            (regal_event_reason){.start = transfer.start,
                                 .finish = transfer.start + regal_link_ticks(link, tensor.bytes)};
        e->lane[e->op_count + i] = e->device_count + from * e->device_count + transfer.to;
        e->first_transfer[transfer.tensor + 1]++;
    }
    for (int64_t t = 0; t < regal_graph_tensor_count(e->graph); ++t)
        e->first_transfer[t + 1] += e->first_transfer[t];
}

/* ---- the order on devices and links */

static int compare_places(const void *a, const void *b, void *context) {
    const regal_explanation *e = context;
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    if (e->lane[left] != e->lane[right])
        return e->lane[left] < e->lane[right] ? -1 : 1;
    return (e->events[left].start > e->events[right].start) -
           (e->events[left].start < e->events[right].start);
}

/* An op's or a transfer's own number. */
static int64_t own_number(const regal_explanation *e, int64_t event) {
    return event < e->op_count ? event : event - e->op_count;
}

static void set_orders(regal_explanation *e) {
    for (int64_t i = 0; i < e->event_count; ++i) {
        e->order[i] = i;
        e->next[i] = -1;
    }
    qsort_r(e->order, (size_t)e->event_count, sizeof *e->order, compare_places, e);
    for (int64_t i = 0; i < e->event_count; ++i) {
        const int64_t event = e->order[i], before = i > 0 ? e->order[i - 1] : -1;
        regal_event_reason *reason = &e->events[event];
        reason->before = reason->op = reason->transfer = reason->tensor = -1;
        if (before < 0 || e->lane[before] != e->lane[event])
            continue;
        reason->before = own_number(e, before);
        reason->free = e->events[before].finish;
        e->next[before] = event;
    }
}

/* ---- what was there when */

/* In the order of preference where several come at one tick. */
static const int PREFERENCE[] = {[REGAL_WAIT_NOTHING] = 9,
                                 [REGAL_WAIT_TRANSFER] = 0,
                                 [REGAL_WAIT_INPUT] = 1,
                                 [REGAL_WAIT_CONTROL] = 2};

/* Control edges stand in any order; tensors come by number. */
static bool is_preferred(const regal_event_reason *reason, regal_wait wait, int64_t op) {
    if (wait == REGAL_WAIT_CONTROL && reason->wait == REGAL_WAIT_CONTROL)
        return op < reason->op;
    return PREFERENCE[wait] < PREFERENCE[reason->wait];
}

/* Something that the event needs came at this tick. */
static void arrive(regal_event_reason *reason, int64_t tick, regal_wait wait, int64_t op,
                   int64_t transfer, int64_t tensor) {
    if (tick < reason->ready || (tick == reason->ready && !is_preferred(reason, wait, op)))
        return;
    reason->ready = tick;
    reason->wait = wait;
    reason->op = op;
    reason->transfer = transfer;
    reason->tensor = tensor;
}

/* The transfer of tensor to device. */
static int64_t find_transfer(const regal_explanation *e, int64_t tensor, int64_t device) {
    int64_t low = e->first_transfer[tensor], high = e->first_transfer[tensor + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (e->plan->transfers[middle].to < device)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void arrive_at_consumers(regal_explanation *e, int64_t t) {
    const regal_tensor tensor = regal_graph_tensor(e->graph, t);
    const int64_t home = e->plan->placement[tensor.producer];
    for (int64_t i = 0; i < tensor.consumer_count; ++i) {
        const int64_t consumer = tensor.consumers[i], device = e->plan->placement[consumer];
        regal_event_reason *reason = &e->events[consumer];
        if (device == home) {
            arrive(reason, e->events[tensor.producer].finish, REGAL_WAIT_INPUT, tensor.producer, -1,
                   t);
        } else {
            const int64_t transfer = find_transfer(e, t, device);
            arrive(reason, e->events[e->op_count + transfer].finish, REGAL_WAIT_TRANSFER, -1,
                   transfer, t);
        }
    }
}

static void set_arrivals(regal_explanation *e) {
    for (int64_t t = 0; t < regal_graph_tensor_count(e->graph); ++t)
        arrive_at_consumers(e, t);
    for (int64_t i = 0; i < e->plan->transfer_count; ++i) {
        const int64_t t = e->plan->transfers[i].tensor;
        const int64_t producer = regal_graph_tensor(e->graph, t).producer;
        arrive(&e->events[e->op_count + i], e->events[producer].finish, REGAL_WAIT_INPUT, producer,
               -1, t);
    }
    for (int64_t c = 0; c < regal_graph_control_count(e->graph); ++c) {
        const regal_control_edge edge = regal_graph_control(e->graph, c);
        arrive(&e->events[edge.after], e->events[edge.before].finish, REGAL_WAIT_CONTROL,
               edge.before, -1, -1);
    }
}

/* ---- why then */

static void set_reason(regal_event_reason *reason, bool is_op, int64_t started_last) {
    if (reason->start == 0 || reason->start == reason->ready) {
        if (reason->start == 0)
            reason->wait = REGAL_WAIT_NOTHING;
        return;
    }
    reason->op = reason->transfer = reason->tensor = -1;
    if (reason->start == reason->free) {
        reason->wait = is_op ? REGAL_WAIT_DEVICE : REGAL_WAIT_LINK;
        *(is_op ? &reason->op : &reason->transfer) = reason->before;
        return;
    }
    reason->wait = REGAL_WAIT_CHOICE;
    reason->op = started_last;
}

static int compare_starts(const void *a, const void *b, void *context) {
    const regal_explanation *e = context;
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    if (e->events[left].start != e->events[right].start)
        return e->events[left].start < e->events[right].start ? -1 : 1;
    return (left > right) - (left < right);
}

static regal_status set_reasons(regal_explanation *e) {
    int64_t *by_start = regal_allocate(e->event_count, sizeof *by_start);
    REGAL_FAIL_IF_NULL(by_start);
    for (int64_t i = 0; i < e->event_count; ++i)
        by_start[i] = i;
    qsort_r(by_start, (size_t)e->event_count, sizeof *by_start, compare_starts, e);
    int64_t earlier = -1, latest = -1; /* ops: started before this tick, by this tick */
    for (int64_t i = 0; i < e->event_count; ++i) {
        const int64_t event = by_start[i];
        if (i > 0 && e->events[by_start[i - 1]].start < e->events[event].start)
            earlier = latest;
        set_reason(&e->events[event], event < e->op_count, earlier);
        if (event < e->op_count && (latest < 0 || e->events[latest].start < e->events[event].start))
            latest = event;
    }
    free(by_start);
    return REGAL_OK;
}

regal_status regal_explain_waits(regal_explanation *explanation) {
    set_times(explanation);
    set_orders(explanation);
    set_arrivals(explanation);
    return set_reasons(explanation);
}
