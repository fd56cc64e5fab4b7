/* regal-graph 1, out: one op, tensor or parameter a line; what has its default value is left out.
 */
#include <stddef.h>

#include "io/json_out.h"
#include "io/writer.h"
#include "regal/io.h"

static void put_member(regal_out *out, const char *key, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    regal_out_format(out, ", \"%s\": ", key);
    regal_out_string(out, text);
}

static void put_allowed(regal_out *out, const regal_op *op) {
    if (op->allowed == NULL)
        return;
    regal_out_text(out, ", \"allowed\": [");
    for (int64_t i = 0; i < op->allowed_count; ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        if (op->allowed[i].pattern != NULL)
            regal_out_string(out, op->allowed[i].pattern);
        else
            regal_out_integer(out, op->allowed[i].device);
    }
    regal_out_text(out, "]");
}

static void put_op(regal_out *out, const regal_graph *graph, int64_t index) {
    const regal_op op = regal_graph_op(graph, index);
    regal_out_text(out, "{\"name\": ");
    regal_out_string(out, op.name);
    put_member(out, "kind", op.kind);
    regal_out_text(out, ", \"cost\": ");
    regal_out_integers(out, op.cost, regal_graph_class_count(graph));
    if (op.workspace != 0)
        regal_out_format(out, ", \"workspace\": %lld", (long long)op.workspace);
    if (op.flops != 0)
        regal_out_format(out, ", \"flops\": %lld", (long long)op.flops);
    put_allowed(out, &op);
    if (op.group != NULL) {
        regal_out_text(out, ", \"group\": ");
        regal_out_string(out, op.group);
    }
    regal_out_text(out, "}");
}

static void put_tensor(regal_out *out, const regal_graph *graph, int64_t index) {
    const regal_tensor tensor = regal_graph_tensor(graph, index);
    regal_out_text(out, "{\"name\": ");
    regal_out_string(out, tensor.name);
    regal_out_format(out, ", \"producer\": %lld, \"bytes\": %lld, \"consumers\": ",
                     (long long)tensor.producer, (long long)tensor.bytes);
    regal_out_integers(out, tensor.consumers, tensor.consumer_count);
    if (tensor.output)
        regal_out_text(out, ", \"output\": true");
    if (tensor.alias_of >= 0)
        regal_out_format(out, ", \"alias_of\": %lld", (long long)tensor.alias_of);
    regal_out_text(out, "}");
}

static void put_control(regal_out *out, const regal_graph *graph, int64_t index) {
    const regal_control_edge edge = regal_graph_control(graph, index);
    regal_out_format(out, "[%lld, %lld]", (long long)edge.before, (long long)edge.after);
}

static void put_parameter(regal_out *out, const regal_graph *graph, int64_t index) {
    const regal_parameter parameter = regal_graph_parameter(graph, index);
    regal_out_text(out, "{\"name\": ");
    regal_out_string(out, parameter.name);
    regal_out_format(out, ", \"bytes\": %lld, \"ops\": ", (long long)parameter.bytes);
    regal_out_integers(out, parameter.ops, parameter.op_count);
    regal_out_text(out, "}");
}

typedef void put_item(regal_out *out, const regal_graph *graph, int64_t index);

static void put_list(regal_out *out, const char *key, const regal_graph *graph, int64_t count,
                     put_item *put) {
    regal_out_format(out, ",\n\"%s\": [", key);
    for (int64_t i = 0; i < count; ++i) {
        regal_out_text(out, i > 0 ? ",\n" : "\n");
        put(out, graph, i);
    }
    regal_out_text(out, count > 0 ? "\n]" : "]");
}

static void put_options(regal_out *out, const regal_graph *graph) {
    const int64_t count = regal_graph_option_count(graph);
    for (int64_t i = 0; i < count; ++i) {
        const char *key, *value;
        regal_graph_option_at(graph, i, &key, &value);
        regal_out_text(out, i > 0 ? ", " : ",\n\"options\": {");
        regal_out_string(out, key);
        regal_out_text(out, ": ");
        regal_out_string(out, value);
    }
    regal_out_text(out, count > 0 ? "}" : "");
}

static void put_classes(regal_out *out, const regal_graph *graph) {
    regal_out_text(out, ",\n\"device_classes\": [");
    for (int64_t i = 0; i < regal_graph_class_count(graph); ++i) {
        regal_out_text(out, i > 0 ? ", " : "");
        regal_out_string(out, regal_graph_class_name(graph, i));
    }
    regal_out_text(out, "]");
}

regal_status regal_graph_write(const regal_graph *graph, const char *path) {
    regal_out out = {0};
    regal_out_text(&out, "{\n\"format\": \"regal-graph\",\n\"version\": 1,\n\"name\": ");
    regal_out_string(&out, regal_graph_name(graph));
    put_options(&out, graph);
    put_classes(&out, graph);
    put_list(&out, "ops", graph, regal_graph_op_count(graph), put_op);
    put_list(&out, "tensors", graph, regal_graph_tensor_count(graph), put_tensor);
    put_list(&out, "control", graph, regal_graph_control_count(graph), put_control);
    put_list(&out, "parameters", graph, regal_graph_parameter_count(graph), put_parameter);
    regal_out_text(&out, "\n}\n");
    return regal_out_save(&out, path);
}

regal_status regal_write_regal_graph(const regal_written *what, const char *path) {
    return regal_graph_write(what->graph, path);
}
