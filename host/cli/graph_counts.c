#include "cli/graph_counts.h"

#include "cli/json_values.h"

graph_counts graph_counts_of(const regal_graph *graph) {
    graph_counts counts = {.ops = regal_graph_op_count(graph),
                           .tensors = regal_graph_tensor_count(graph),
                           .controls = regal_graph_control_count(graph),
                           .parameters = regal_graph_parameter_count(graph)};
    regal_graph_digest(graph, counts.digest);
    return counts;
}

void graph_counts_add_json(const graph_counts *counts, json_t *object) {
    json_add_words(object, "digest", counts->digest);
    json_add_integer(object, "ops", counts->ops);
    json_add_integer(object, "tensors", counts->tensors);
    json_add_integer(object, "control_edges", counts->controls);
    json_add_integer(object, "parameters", counts->parameters);
}
