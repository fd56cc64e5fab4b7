/* One op, for machines. */
#include <stdlib.h>

#include "cli/explain_parts.h"
#include "cli/json_values.h"
#include "cli/op_choices.h"

static json_t *input_json(const explained_plan *all, int64_t op, int64_t t) {
    const op_input input = explain_input(all, op, t);
    json_t *object = json_object();
    json_add_words(object, "tensor", input.tensor.name);
    json_add_integer(object, "bytes", input.tensor.bytes);
    json_add_words(object, "producer", regal_graph_op(all->graph, input.tensor.producer).name);
    json_add_words(object, "from", explain_device(all, input.from));
    json_add_integer(object, "made", input.made);
    json_object_set_new(object, "sent",
                        input.started < 0 ? json_null() : json_integer(input.started));
    json_add_integer(object, "there", input.there);
    return object;
}

static json_t *use_json(const explained_plan *all, int64_t t, int64_t user) {
    const op_input input = explain_input(all, user, t);
    json_t *object = json_object();
    json_add_words(object, "tensor", input.tensor.name);
    json_add_integer(object, "bytes", input.tensor.bytes);
    json_add_words(object, "user", regal_graph_op(all->graph, user).name);
    json_add_words(object, "to", explain_device(all, all->plan->placement[user]));
    json_object_set_new(object, "sent",
                        input.started < 0 ? json_null() : json_integer(input.started));
    json_add_integer(object, "there", input.there);
    json_add_integer(object, "start", all->plan->start[user]);
    return object;
}

static void add_uses(const explained_plan *all, int64_t t, json_t *uses) {
    const regal_tensor tensor = regal_graph_tensor(all->graph, t);
    int64_t *users;
    const int64_t count = explain_users(&tensor, &users);
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(uses, use_json(all, t, users[i]));
    free(users);
}

static void add_data(const explained_plan *all, int64_t op, json_t *object) {
    json_t *inputs = json_array(), *uses = json_array();
    for (int64_t t = 0; t < regal_graph_tensor_count(all->graph); t++) {
        const regal_tensor tensor = regal_graph_tensor(all->graph, t);
        if (explain_consumes(&tensor, op))
            json_array_append_new(inputs, input_json(all, op, t));
        if (tensor.producer == op)
            add_uses(all, t, uses);
    }
    json_object_set_new(object, "inputs", inputs);
    json_object_set_new(object, "uses", uses);
}

static json_t *controls_json(const explained_plan *all, int64_t op, bool behind) {
    json_t *names = json_array();
    int64_t *ops;
    const int64_t count = explain_controls(all, op, behind, &ops);
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(names, json_words(regal_graph_op(all->graph, ops[i]).name));
    free(ops);
    return names;
}

static json_t *choices_json(const explained_plan *all, int64_t index) {
    int64_t bytes[REGAL_MAX_DEVICES] = {0};
    json_t *list = json_array();
    explain_sum_inputs(all, index, bytes);
    for (int64_t d = 0; d < regal_cluster_device_count(all->cluster); d++) {
        json_t *object = json_object();
        json_add_words(object, "device", explain_device(all, d));
        json_object_set_new(object, "allowed", json_boolean(explain_may_run(all, index, d)));
        json_add_integer(object, "ticks", op_ticks(all->graph, all->cluster, index, d));
        json_add_integer(object, "input_bytes", bytes[d]);
        json_array_append_new(list, object);
    }
    return list;
}

json_t *explain_op_json(const explained_plan *all, int64_t op) {
    const regal_op info = regal_graph_op(all->graph, op);
    const regal_event_reason reason = regal_explanation_op(all->why, op);
    json_t *object = json_object();
    json_add_words(object, "op", info.name);
    json_add_integer(object, "index", op);
    json_add_words(object, "kind", info.kind);
    json_add_words(object, "device", explain_device(all, all->plan->placement[op]));
    json_add_integer(object, "start", reason.start);
    json_add_integer(object, "finish", reason.finish);
    json_add_integer(object, "ready", reason.ready);
    json_add_integer(object, "device_free", reason.free);
    json_add_integer(object, "slack", reason.slack);
    json_object_set_new(object, "critical", json_boolean(reason.slack == 0));
    json_object_set_new(object, "waited", explain_wait_json(all, &reason));
    json_add_words(object, "before",
                   reason.before >= 0 ? regal_graph_op(all->graph, reason.before).name : NULL);
    add_data(all, op, object);
    json_object_set_new(object, "not_before", controls_json(all, op, false));
    json_object_set_new(object, "must_follow", controls_json(all, op, true));
    json_add_words(object, "group", info.group);
    json_object_set_new(object, "devices", choices_json(all, op));
    return object;
}
