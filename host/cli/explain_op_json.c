/* One op, for machines. */
#include "cli/explain_parts.h"
#include "cli/json_values.h"

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

static json_t *choices_json(const explained_plan *all, int64_t index) {
    const regal_op op = regal_graph_op(all->graph, index);
    int64_t bytes[REGAL_MAX_DEVICES] = {0};
    json_t *list = json_array();
    explain_sum_inputs(all, index, bytes);
    for (int64_t d = 0; d < regal_cluster_device_count(all->cluster); d++) {
        json_t *object = json_object();
        json_add_words(object, "device", explain_device(all, d));
        json_object_set_new(object, "allowed", json_boolean(explain_may_run(all, &op, d)));
        json_add_integer(object, "ticks", explain_cost(all, &op, d));
        json_add_integer(object, "input_bytes", bytes[d]);
        json_array_append_new(list, object);
    }
    return list;
}

json_t *explain_op_json(const explained_plan *all, int64_t op) {
    const regal_op info = regal_graph_op(all->graph, op);
    const regal_event_reason reason = regal_explanation_op(all->why, op);
    json_t *object = json_object(), *inputs = json_array(), *after = json_array();
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
    for (int64_t t = 0; t < regal_graph_tensor_count(all->graph); t++) {
        const regal_tensor tensor = regal_graph_tensor(all->graph, t);
        if (explain_consumes(&tensor, op))
            json_array_append_new(inputs, input_json(all, op, t));
    }
    for (int64_t c = 0; c < regal_graph_control_count(all->graph); c++) {
        const regal_control_edge edge = regal_graph_control(all->graph, c);
        if (edge.after == op)
            json_array_append_new(after, json_words(regal_graph_op(all->graph, edge.before).name));
    }
    json_object_set_new(object, "inputs", inputs);
    json_object_set_new(object, "not_before", after);
    json_add_words(object, "group", info.group);
    json_object_set_new(object, "devices", choices_json(all, op));
    return object;
}
