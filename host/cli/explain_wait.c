/* What ops and transfers waited for, in words. */
#include <stdio.h>

#include "cli/explain_parts.h"
#include "cli/human_units.h"
#include "cli/json_values.h"

const char *explain_device(const explained_plan *all, int64_t device) {
    return regal_cluster_device(all->cluster, device).name;
}

int64_t explain_transfer(const explained_plan *all, int64_t tensor, int64_t device) {
    int64_t low = 0, high = all->plan->transfer_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const regal_transfer at = all->plan->transfers[middle];
        if (at.tensor < tensor || (at.tensor == tensor && at.to < device))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == all->plan->transfer_count || all->plan->transfers[low].tensor != tensor ||
        all->plan->transfers[low].to != device)
        return -1;
    return low;
}

static int64_t home_of(const explained_plan *all, int64_t tensor) {
    return all->plan->placement[regal_graph_tensor(all->graph, tensor).producer];
}

static const char *op_name(const explained_plan *all, int64_t op) {
    return regal_graph_op(all->graph, op).name;
}

void explain_wait_words(const explained_plan *all, const regal_event_reason *reason, char *text,
                        size_t size) {
    const char *at = HUMAN(ticks, reason->start);
    const char *tensor =
        reason->tensor >= 0 ? regal_graph_tensor(all->graph, reason->tensor).name : "";
    switch (reason->wait) {
    case REGAL_WAIT_NOTHING:
        snprintf(text, size, "it waited for nothing");
        break;
    case REGAL_WAIT_INPUT:
        snprintf(text, size, "it waited for '%.200s', which '%.200s' finished at %s", tensor,
                 op_name(all, reason->op), at);
        break;
    case REGAL_WAIT_TRANSFER:
        snprintf(text, size, "it waited for '%.200s' (%s), which arrived over link %s > %s at %s",
                 tensor, HUMAN(bytes, regal_graph_tensor(all->graph, reason->tensor).bytes),
                 explain_device(all, home_of(all, reason->tensor)),
                 explain_device(all, all->plan->transfers[reason->transfer].to), at);
        break;
    case REGAL_WAIT_CONTROL:
        snprintf(text, size, "it waited for '%.200s', which had to finish first and did at %s",
                 op_name(all, reason->op), at);
        break;
    case REGAL_WAIT_DEVICE:
        snprintf(text, size,
                 "all was there at %s; it waited for the device, where '%.200s' ran to %s",
                 HUMAN(ticks, reason->ready), op_name(all, reason->op), at);
        break;
    case REGAL_WAIT_LINK:
        snprintf(text, size, "it was ready at %s and waited for the link until %s",
                 HUMAN(ticks, reason->ready), at);
        break;
    case REGAL_WAIT_CHOICE:
        snprintf(text, size,
                 "all was there at %s and the device idle from %s: the plan holds it back, to keep "
                 "an order or to save memory%s%.200s%s",
                 HUMAN(ticks, reason->ready), HUMAN(ticks, reason->free),
                 reason->op >= 0 ? "; '" : "", reason->op >= 0 ? op_name(all, reason->op) : "",
                 reason->op >= 0 ? "' started last before it" : "");
        break;
    }
}

json_t *explain_wait_json(const explained_plan *all, const regal_event_reason *reason) {
    json_t *object = json_object();
    json_add_words(object, "for", regal_wait_name(reason->wait));
    if (reason->op >= 0)
        json_add_words(object, "op", op_name(all, reason->op));
    if (reason->tensor >= 0)
        json_add_words(object, "tensor", regal_graph_tensor(all->graph, reason->tensor).name);
    if (reason->transfer >= 0) {
        const regal_transfer transfer = all->plan->transfers[reason->transfer];
        json_add_words(object, "from", explain_device(all, home_of(all, transfer.tensor)));
        json_add_words(object, "to", explain_device(all, transfer.to));
    }
    return object;
}
