#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "explain/explanation_data.h"

const char *regal_wait_name(regal_wait wait) {
    static const char *const NAMES[] = {"nothing", "input", "transfer", "control",
                                        "device",  "link",  "choice"};
    return NAMES[wait];
}

static regal_status reserve(regal_explanation *made) {
    const int64_t devices = made->device_count;
    made->events = regal_allocate_zeroed(made->event_count, sizeof *made->events);
    made->lane = regal_allocate(made->event_count, sizeof *made->lane);
    made->order = regal_allocate(made->event_count, sizeof *made->order);
    made->next = regal_allocate(made->event_count, sizeof *made->next);
    made->first_transfer = regal_allocate_zeroed(regal_graph_tensor_count(made->graph) + 1,
                                                 sizeof *made->first_transfer);
    made->devices = regal_allocate_zeroed(devices, sizeof *made->devices);
    made->curves = regal_allocate_zeroed(devices, sizeof *made->curves);
    REGAL_FAIL_IF(made->events == NULL || made->lane == NULL || made->order == NULL ||
                      made->next == NULL || made->first_transfer == NULL || made->devices == NULL ||
                      made->curves == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status fill(regal_explanation *made) {
    REGAL_FORWARD(reserve(made));
    REGAL_FORWARD(regal_explain_waits(made));
    REGAL_FORWARD(regal_explain_slack(made));
    REGAL_FORWARD(regal_explain_use(made));
    return regal_explain_memory(made);
}

regal_status regal_explanation_create(const regal_graph *graph, const regal_cluster *cluster,
                                      const regal_plan *plan, regal_explanation **explanation) {
    *explanation = NULL;
    REGAL_FAIL_IF(plan->op_count != regal_graph_op_count(graph) ||
                      plan->device_count != regal_cluster_device_count(cluster),
                  REGAL_INVALID_ARGUMENT, "the plan is for another graph or cluster");
    REGAL_FAIL_IF(plan->finish == NULL && plan->op_count > 0, REGAL_INVALID_ARGUMENT,
                  "the plan is not attached to its graph (regal_plan_attach)");
    regal_explanation *made = calloc(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    made->graph = graph;
    made->cluster = cluster;
    made->plan = plan;
    made->op_count = plan->op_count;
    made->event_count = plan->op_count + plan->transfer_count;
    made->device_count = plan->device_count;
    const regal_status status = fill(made);
    if (status == REGAL_OK)
        *explanation = made;
    else
        regal_explanation_destroy(made);
    return status;
}

void regal_explanation_destroy(regal_explanation *explanation) {
    if (explanation == NULL)
        return;
    for (int64_t d = 0; explanation->curves != NULL && d < explanation->device_count; ++d) {
        free(explanation->curves[d].tick);
        free(explanation->curves[d].bytes);
        free(explanation->curves[d].held);
    }
    free(explanation->events);
    free(explanation->lane);
    free(explanation->order);
    free(explanation->next);
    free(explanation->first_transfer);
    free(explanation->critical);
    free(explanation->devices);
    free(explanation->links);
    free(explanation->curves);
    free(explanation);
}

regal_event_reason regal_explanation_op(const regal_explanation *explanation, int64_t op) {
    return explanation->events[op];
}

regal_event_reason regal_explanation_transfer(const regal_explanation *explanation,
                                              int64_t transfer) {
    return explanation->events[explanation->op_count + transfer];
}

int64_t regal_explanation_critical_count(const regal_explanation *explanation) {
    return explanation->critical_count;
}

regal_critical_step regal_explanation_critical(const regal_explanation *explanation,
                                               int64_t index) {
    return explanation->critical[index];
}

regal_device_use regal_explanation_device(const regal_explanation *explanation, int64_t device) {
    return explanation->devices[device];
}

int64_t regal_explanation_link_count(const regal_explanation *explanation) {
    return explanation->link_count;
}

regal_link_use regal_explanation_link(const regal_explanation *explanation, int64_t index) {
    return explanation->links[index];
}

void regal_explanation_memory(const regal_explanation *explanation, int64_t device, int64_t *count,
                              const int64_t **tick, const int64_t **bytes) {
    const memory_curve *curve = &explanation->curves[device];
    *count = curve->count;
    *tick = curve->tick;
    *bytes = curve->bytes;
}

void regal_explanation_peak(const regal_explanation *explanation, int64_t device, int64_t *tick,
                            int64_t *count, const regal_held **held) {
    const memory_curve *curve = &explanation->curves[device];
    *tick = curve->peak_tick;
    *count = curve->held_count;
    *held = curve->held;
}
