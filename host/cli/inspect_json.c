/* An inspection for machines. */
#include "cli/inspection.h"
#include "cli/json_values.h"

static json_t *classes_json(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    json_t *array = json_array();
    for (int64_t i = 0; i < facts->classes; i++)
        json_array_append_new(
            array, json_pack("{s:o,s:I,s:I,s:o}", "name",
                             json_words(regal_graph_class_name(seen->graph, i)), "work",
                             (json_int_t)facts->work[i], "critical_path",
                             (json_int_t)facts->critical_path[i], "parallelism",
                             json_ratio((double)facts->work[i], (double)facts->critical_path[i])));
    return array;
}

static json_t *kinds_json(const graph_facts *facts) {
    json_t *array = json_array();
    for (int64_t i = 0; i < facts->kind_count; i++) {
        const kind_facts *kind = &facts->kinds[i];
        json_array_append_new(
            array, json_pack("{s:o,s:I,s:I,s:o,s:I,s:I}", "kind", json_words(kind->name), "ops",
                             (json_int_t)kind->ops, "work", (json_int_t)kind->work, "work_share",
                             json_ratio((double)kind->work, (double)facts->work[0]), "output_bytes",
                             (json_int_t)kind->output_bytes, "flops", (json_int_t)kind->flops));
    }
    return array;
}

static json_t *source_json(const regal_source *source) {
    if (!source)
        return json_null();
    return json_pack("{s:s,s:s,s:I,s:I,s:I,s:I}", "format", source->format, "unit", source->unit,
                     "nodes", (json_int_t)source->nodes, "ops", (json_int_t)source->ops,
                     "parameters", (json_int_t)source->parameters, "nothing",
                     (json_int_t)source->nothing);
}

static json_t *tensors_json(const inspection *seen) {
    const top_list *list = &seen->facts.largest_tensors;
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++) {
        const regal_tensor tensor = regal_graph_tensor(seen->graph, list->items[i].index);
        json_array_append_new(
            array, json_pack("{s:o,s:I,s:o}", "tensor", json_words(tensor.name), "bytes",
                             (json_int_t)tensor.bytes, "op",
                             json_words(regal_graph_op(seen->graph, tensor.producer).name)));
    }
    return array;
}

static json_t *parameters_json(const inspection *seen) {
    const top_list *list = &seen->facts.largest_parameters;
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++) {
        const regal_parameter parameter = regal_graph_parameter(seen->graph, list->items[i].index);
        json_array_append_new(
            array, json_pack("{s:o,s:I,s:I}", "parameter", json_words(parameter.name), "bytes",
                             (json_int_t)parameter.bytes, "ops", (json_int_t)parameter.op_count));
    }
    return array;
}

static json_t *ops_json(const inspection *seen) {
    const top_list *list = &seen->facts.costliest_ops;
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++) {
        const regal_op op = regal_graph_op(seen->graph, list->items[i].index);
        json_array_append_new(
            array,
            json_pack("{s:o,s:o,s:I,s:o,s:I}", "op", json_words(op.name), "kind",
                      json_words(op.kind), "work", (json_int_t)list->items[i].value, "work_share",
                      json_ratio((double)list->items[i].value, (double)seen->facts.work[0]),
                      "flops", (json_int_t)op.flops));
    }
    return array;
}

static json_t *communication_json(const inspection *seen) {
    return json_pack("{s:I,s:I,s:f,s:o}", "tensors", (json_int_t)seen->sent.tensors, "bytes",
                     (json_int_t)seen->sent.bytes, "ticks", seen->sent.ticks, "to_work",
                     json_ratio(seen->sent.ticks, (double)seen->facts.work[0]));
}

static json_t *oddities_json(const oddity_list *list) {
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++)
        json_array_append_new(array, json_words(list->lines[i]));
    return array;
}

static void add_numbers(const inspection *seen, json_t *object) {
    const graph_facts *facts = &seen->facts;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"flops", facts->flops},
        {"tensor_bytes", facts->tensor_bytes},
        {"activation_bytes", facts->activation_bytes},
        {"largest_tensor_bytes", facts->largest_tensors.items[0].value},
        {"parameter_bytes", facts->parameter_bytes},
        {"greatest_workspace", facts->greatest_workspace},
        {"outputs", facts->outputs},
        {"aliases", facts->aliases},
        {"zero_tensors", facts->zero_tensors},
        {"unused_tensors", facts->unused_tensors},
        {"unused_parameters", facts->unused_parameters},
        {"groups", facts->groups},
        {"grouped_ops", facts->grouped_ops},
        {"restricted_ops", facts->restricted_ops},
        {"homeless_ops", seen->homeless_ops},
        {"free_ops", facts->free_ops},
        {"greatest_control_fan_in", facts->control_fan_in},
        {"depth", facts->shape.depth},
        {"width", facts->shape.width},
        {"parts", facts->shape.parts},
        {"devices", regal_cluster_device_count(seen->setting->cluster)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_add_integer(object, numbers[i].name, numbers[i].value);
}

json_t *inspection_json(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    json_t *object = json_object();
    json_add_words(object, "graph", seen->options->arguments[0]);
    json_add_words(object, "name", regal_graph_name(seen->graph));
    json_object_set_new(object, "source", source_json(regal_graph_source(seen->graph)));
    graph_counts_add_json(&facts->counts, object);
    add_numbers(seen, object);
    json_object_set_new(object, "bounds",
                        seen->bounded
                            ? json_pack("{s:I,s:I}", "time", (json_int_t)seen->bounds.time,
                                        "memory", (json_int_t)seen->bounds.memory)
                            : json_null());
    json_object_set_new(object, "communication", communication_json(seen));
    json_object_set_new(object, "classes", classes_json(seen));
    json_object_set_new(object, "kinds", kinds_json(facts));
    json_object_set_new(object, "largest_tensors", tensors_json(seen));
    json_object_set_new(object, "largest_parameters", parameters_json(seen));
    json_object_set_new(object, "costliest_ops", ops_json(seen));
    json_object_set_new(object, "odd", oddities_json(&seen->oddities));
    return object;
}
