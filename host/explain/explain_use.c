/* How devices and links spent their time. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "explain/explanation_data.h"

static void use_device(regal_explanation *e, int64_t op) {
    const regal_event_reason *reason = &e->events[op];
    regal_device_use *use = &e->devices[e->plan->placement[op]];
    const int64_t idle = reason->start - reason->free;
    use->ops++;
    use->busy += reason->finish - reason->start;
    use->idle_for[reason->wait] += idle;
    if (reason->wait == REGAL_WAIT_TRANSFER && idle > use->worst_idle) {
        use->worst_idle = idle;
        use->worst_tensor = reason->tensor;
        use->worst_from = e->plan->placement[regal_graph_tensor(e->graph, reason->tensor).producer];
    }
    if (e->next[op] < 0)
        use->idle_end = e->plan->makespan - reason->finish;
}

static void use_devices(regal_explanation *e) {
    for (int64_t d = 0; d < e->device_count; ++d)
        e->devices[d] =
            (regal_device_use){.idle_end = e->plan->makespan, .worst_tensor = -1, .worst_from = -1};
    for (int64_t v = 0; v < e->op_count; ++v)
        use_device(e, v);
    for (int64_t d = 0; d < e->device_count; ++d)
        e->devices[d].idle = e->plan->makespan - e->devices[d].busy;
}

static int compare_links(const void *a, const void *b) {
    const regal_link_use *left = a, *right = b;
    if (left->busy != right->busy)
        return left->busy > right->busy ? -1 : 1;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

/* Transfers stand behind the ops in the order of lanes, link by link. */
static void use_links(regal_explanation *e) {
    int64_t lane = -1;
    for (int64_t i = 0; i < e->event_count; ++i) {
        const int64_t event = e->order[i];
        if (event < e->op_count)
            continue;
        const regal_event_reason *reason = &e->events[event];
        const regal_transfer transfer = e->plan->transfers[event - e->op_count];
        const regal_tensor tensor = regal_graph_tensor(e->graph, transfer.tensor);
        if (e->lane[event] != lane)
            e->links[e->link_count++] =
                (regal_link_use){.from = e->plan->placement[tensor.producer], .to = transfer.to};
        lane = e->lane[event];
        regal_link_use *use = &e->links[e->link_count - 1];
        use->transfers++;
        use->bytes += tensor.bytes;
        use->busy += reason->finish - reason->start;
        use->waited += reason->free > reason->ready ? reason->free - reason->ready : 0;
    }
    if (e->link_count > 0)
        qsort(e->links, (size_t)e->link_count, sizeof *e->links, compare_links);
}

regal_status regal_explain_use(regal_explanation *explanation) {
    const int64_t pairs = explanation->device_count * explanation->device_count;
    const int64_t transfers = explanation->plan->transfer_count;
    explanation->links =
        regal_allocate(pairs < transfers ? pairs : transfers, sizeof *explanation->links);
    REGAL_FAIL_IF_NULL(explanation->links);
    use_devices(explanation);
    use_links(explanation);
    return REGAL_OK;
}
