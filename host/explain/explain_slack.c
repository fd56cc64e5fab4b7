/* How much later everything could be, and what could not. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "explain/explanation_data.h"

/* What follows from an op: its tensors and the ops that wait for it. */
typedef struct followers {
    int64_t *first_tensor, *tensor;   /* [ops + 1], [tensors] by producer */
    int64_t *first_control, *control; /* [ops + 1], [controls] by what comes before */
} followers;

static void followers_free(followers *all) {
    free(all->first_tensor);
    free(all->tensor);
    free(all->first_control);
    free(all->control);
}

/* first is filled one place to the right of where it ends up. */
static void add_up(int64_t *first, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        first[i + 2] += first[i + 1];
}

static regal_status followers_create(const regal_graph *graph, followers *all) {
    const int64_t ops = regal_graph_op_count(graph), tensors = regal_graph_tensor_count(graph),
                  controls = regal_graph_control_count(graph);
    *all = (followers){.first_tensor = regal_allocate_zeroed(ops + 2, sizeof(int64_t)),
                       .tensor = regal_allocate(tensors, sizeof(int64_t)),
                       .first_control = regal_allocate_zeroed(ops + 2, sizeof(int64_t)),
                       .control = regal_allocate(controls, sizeof(int64_t))};
    REGAL_FAIL_IF(all->first_tensor == NULL || all->tensor == NULL || all->first_control == NULL ||
                      all->control == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t t = 0; t < tensors; ++t)
        all->first_tensor[regal_graph_tensor(graph, t).producer + 2]++;
    for (int64_t c = 0; c < controls; ++c)
        all->first_control[regal_graph_control(graph, c).before + 2]++;
    add_up(all->first_tensor, ops);
    add_up(all->first_control, ops);
    for (int64_t t = 0; t < tensors; ++t)
        all->tensor[all->first_tensor[regal_graph_tensor(graph, t).producer + 1]++] = t;
    for (int64_t c = 0; c < controls; ++c) {
        const regal_control_edge edge = regal_graph_control(graph, c);
        all->control[all->first_control[edge.before + 1]++] = edge.after;
    }
    return REGAL_OK;
}

/* The latest start of an event whose slack is known. */
static int64_t latest_start(const regal_explanation *e, int64_t event) {
    return e->events[event].start + e->events[event].slack;
}

static void lower(int64_t *latest, int64_t value) {
    if (value < *latest)
        *latest = value;
}

/* By the consumers of tensor on a device. */
static void lower_by_consumers(const regal_explanation *e, const regal_tensor *tensor,
                               int64_t device, int64_t *latest) {
    for (int64_t i = 0; i < tensor->consumer_count; ++i)
        if (e->plan->placement[tensor->consumers[i]] == device)
            lower(latest, latest_start(e, tensor->consumers[i]));
}

static void lower_by_followers(const regal_explanation *e, const followers *all, int64_t op,
                               int64_t *latest) {
    for (int64_t k = all->first_tensor[op]; k < all->first_tensor[op + 1]; ++k) {
        const int64_t t = all->tensor[k];
        const regal_tensor tensor = regal_graph_tensor(e->graph, t);
        lower_by_consumers(e, &tensor, e->plan->placement[op], latest);
        for (int64_t x = e->first_transfer[t]; x < e->first_transfer[t + 1]; ++x)
            lower(latest, latest_start(e, e->op_count + x));
    }
    for (int64_t k = all->first_control[op]; k < all->first_control[op + 1]; ++k)
        lower(latest, latest_start(e, all->control[k]));
}

static int compare_starts(const void *a, const void *b, void *context) {
    const regal_explanation *e = context;
    const int64_t left = e->events[*(const int64_t *)a].start,
                  right = e->events[*(const int64_t *)b].start;
    return (left < right) - (left > right);
}

/* From the last start to the first: whatever follows an event starts later than it. */
static void set_slack(regal_explanation *e, const followers *all, int64_t *by_start) {
    for (int64_t i = 0; i < e->event_count; ++i)
        by_start[i] = i;
    qsort_r(by_start, (size_t)e->event_count, sizeof *by_start, compare_starts, e);
    for (int64_t i = 0; i < e->event_count; ++i) {
        const int64_t event = by_start[i];
        int64_t latest = e->plan->makespan;
        if (e->next[event] >= 0)
            lower(&latest, latest_start(e, e->next[event]));
        if (event < e->op_count) {
            lower_by_followers(e, all, event, &latest);
        } else {
            const regal_transfer transfer = e->plan->transfers[event - e->op_count];
            const regal_tensor tensor = regal_graph_tensor(e->graph, transfer.tensor);
            lower_by_consumers(e, &tensor, transfer.to, &latest);
        }
        e->events[event].slack = latest - e->events[event].finish;
    }
}

/* ---- the critical path */

/* The event that an event began right behind, or -1. */
static int64_t event_behind(const regal_explanation *e, int64_t event) {
    const regal_event_reason *reason = &e->events[event];
    switch (reason->wait) {
    case REGAL_WAIT_INPUT:
    case REGAL_WAIT_CONTROL:
    case REGAL_WAIT_DEVICE:
        return reason->op;
    case REGAL_WAIT_TRANSFER:
    case REGAL_WAIT_LINK:
        return e->op_count + reason->transfer;
    case REGAL_WAIT_NOTHING:
    case REGAL_WAIT_CHOICE:
        break;
    }
    return -1;
}

static regal_status set_critical(regal_explanation *e) {
    int64_t last = e->op_count > 0 ? 0 : -1;
    for (int64_t v = 1; v < e->op_count; ++v)
        if (e->events[v].finish > e->events[last].finish)
            last = v;
    int64_t count = 0;
    for (int64_t event = last; event >= 0; event = event_behind(e, event))
        count++;
    e->critical = regal_allocate(count, sizeof *e->critical);
    REGAL_FAIL_IF_NULL(e->critical);
    e->critical_count = count;
    for (int64_t event = last; event >= 0; event = event_behind(e, event)) {
        const bool is_op = event < e->op_count;
        e->critical[--count] =
            (regal_critical_step){is_op ? event : -1, is_op ? -1 : event - e->op_count};
    }
    return REGAL_OK;
}

regal_status regal_explain_slack(regal_explanation *explanation) {
    followers all;
    int64_t *by_start = regal_allocate(explanation->event_count, sizeof *by_start);
    regal_status status = followers_create(explanation->graph, &all);
    if (status == REGAL_OK && by_start == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        set_slack(explanation, &all, by_start);
    free(by_start);
    followers_free(&all);
    return status == REGAL_OK ? set_critical(explanation) : status;
}
