#include <fnmatch.h>
#include <inttypes.h>

#include "base/error.h"
#include "base/name_table.h"
#include "check/judge.h"

static regal_status check_allowed(const regal_judge *judge, const regal_op *op, int64_t device) {
    const char *name = judge->devices[device].name;
    bool found = op->allowed == NULL;
    for (int64_t i = 0; i < op->allowed_count; ++i) {
        const regal_allowed *entry = &op->allowed[i];
        if (entry->pattern != NULL) {
            found = found || fnmatch(entry->pattern, name, 0) == 0;
            continue;
        }
        REGAL_FAIL_IF(entry->device < 0 || entry->device >= judge->device_count,
                      REGAL_INVALID_INPUT,
                      "op '%s' allows device %" PRId64 ", but the cluster has devices 0..%" PRId64,
                      op->name, entry->device, judge->device_count - 1);
        found = found || entry->device == device;
    }
    REGAL_FAIL_IF(!found, REGAL_INVALID_INPUT, "op '%s' is on %s, which it does not allow",
                  op->name, name);
    return REGAL_OK;
}

static regal_status check_devices(const regal_judge *judge) {
    for (int64_t i = 0; i < judge->op_count; ++i) {
        const regal_op op = regal_graph_op(judge->graph, i);
        const int64_t device = judge->plan->placement[i];
        REGAL_FAIL_IF(device < 0 || device >= judge->device_count, REGAL_INVALID_INPUT,
                      "op '%s' is on device %" PRId64 ", but the cluster has devices 0..%" PRId64,
                      op.name, device, judge->device_count - 1);
        REGAL_FORWARD(check_allowed(judge, &op, device));
    }
    return REGAL_OK;
}

/* Every member is where the first one of its group is. */
static regal_status check_groups(const regal_judge *judge, regal_name_table *first_members) {
    const int64_t *placement = judge->plan->placement;
    for (int64_t i = 0; i < judge->op_count; ++i) {
        const regal_op op = regal_graph_op(judge->graph, i);
        if (op.group == NULL)
            continue;
        const int64_t first = regal_name_table_add(first_members, op.group, i);
        REGAL_FAIL_IF(placement[first] != placement[i], REGAL_INVALID_INPUT,
                      "ops '%s' on %s and '%s' on %s are of one colocation group, '%s'",
                      regal_judge_op_name(judge, first), judge->devices[placement[first]].name,
                      op.name, judge->devices[placement[i]].name, op.group);
    }
    return REGAL_OK;
}

static regal_status check_aliases(const regal_judge *judge) {
    const int64_t *placement = judge->plan->placement;
    for (int64_t i = 0; i < judge->tensor_count; ++i) {
        const regal_tensor tensor = regal_graph_tensor(judge->graph, i);
        if (tensor.alias_of < 0)
            continue;
        const regal_tensor target = regal_graph_tensor(judge->graph, tensor.alias_of);
        const int64_t here = placement[tensor.producer], there = placement[target.producer];
        REGAL_FAIL_IF(here != there, REGAL_INVALID_INPUT,
                      "ops '%s' on %s and '%s' on %s must share a device, since tensor '%s' is an "
                      "alias of '%s'",
                      regal_judge_op_name(judge, target.producer), judge->devices[there].name,
                      regal_judge_op_name(judge, tensor.producer), judge->devices[here].name,
                      tensor.name, target.name);
    }
    return REGAL_OK;
}

regal_status regal_judge_placement(const regal_judge *judge) {
    REGAL_FORWARD(check_devices(judge));
    regal_name_table first_members;
    REGAL_FAIL_IF(!regal_name_table_create(&first_members, judge->op_count), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    const regal_status status = check_groups(judge, &first_members);
    regal_name_table_destroy(&first_members);
    REGAL_FORWARD(status);
    return check_aliases(judge);
}
