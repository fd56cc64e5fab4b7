#include "io/tensorflow/cost_graph_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_out.h"
#include "io/writer.h"

enum { TICKS_PER_COST = 1000 };

typedef struct op_lists {
    int64_t *first_tensor; /* [ops + 1] into tensors */
    int64_t *tensors;      /* [tensor_count] by producer */
    int64_t *port;         /* [tensor_count] place among the producer's */
    int64_t *first_input;  /* [ops + 1] into inputs */
    int64_t *inputs;       /* tensors */
    int64_t *first_before; /* [ops + 1] into before */
    int64_t *before;       /* ops, by control edges */
    int64_t *persistent;   /* [ops] bytes, or -1 */
} op_lists;

static void lists_free(op_lists *lists) {
    free(lists->first_tensor);
    free(lists->tensors);
    free(lists->port);
    free(lists->first_input);
    free(lists->inputs);
    free(lists->first_before);
    free(lists->before);
    free(lists->persistent);
}

/* first[1..count] holds numbers of items; they become where each one's begin: first[i + 1] serves
 * as the cursor of i until its items are in place. */
static int64_t begin_lists(int64_t *first, int64_t count) {
    int64_t total = 0;
    for (int64_t i = 1; i <= count; ++i) {
        const int64_t items = first[i];
        first[i] = total;
        total += items;
    }
    return total;
}

static bool allocate_firsts(op_lists *lists, int64_t ops, int64_t tensors) {
    lists->first_tensor = regal_allocate_zeroed(ops + 1, sizeof(int64_t));
    lists->first_input = regal_allocate_zeroed(ops + 1, sizeof(int64_t));
    lists->first_before = regal_allocate_zeroed(ops + 1, sizeof(int64_t));
    lists->persistent = regal_allocate(ops, sizeof(int64_t));
    lists->tensors = regal_allocate(tensors, sizeof(int64_t));
    lists->port = regal_allocate(tensors, sizeof(int64_t));
    return lists->first_tensor != NULL && lists->first_input != NULL &&
           lists->first_before != NULL && lists->persistent != NULL && lists->tensors != NULL &&
           lists->port != NULL;
}

static void fill_lists(op_lists *lists, const regal_graph *graph) {
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        lists->tensors[lists->first_tensor[tensor.producer + 1]++] = t;
        for (int64_t i = 0; i < tensor.consumer_count; ++i)
            lists->inputs[lists->first_input[tensor.consumers[i] + 1]++] = t;
    }
    for (int64_t i = 0; i < regal_graph_control_count(graph); ++i) {
        const regal_control_edge edge = regal_graph_control(graph, i);
        lists->before[lists->first_before[edge.after + 1]++] = edge.before;
    }
    for (int64_t v = 0; v < regal_graph_op_count(graph); ++v) {
        lists->persistent[v] = -1;
        for (int64_t k = lists->first_tensor[v]; k < lists->first_tensor[v + 1]; ++k)
            lists->port[lists->tensors[k]] = k - lists->first_tensor[v];
    }
}

static regal_status make_lists(op_lists *lists, const regal_graph *graph) {
    const int64_t ops = regal_graph_op_count(graph), tensors = regal_graph_tensor_count(graph);
    REGAL_FAIL_IF(!allocate_firsts(lists, ops, tensors), REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t t = 0; t < tensors; ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        lists->first_tensor[tensor.producer + 1]++;
        for (int64_t i = 0; i < tensor.consumer_count; ++i)
            lists->first_input[tensor.consumers[i] + 1]++;
    }
    for (int64_t i = 0; i < regal_graph_control_count(graph); ++i)
        lists->first_before[regal_graph_control(graph, i).after + 1]++;
    begin_lists(lists->first_tensor, ops);
    lists->inputs = regal_allocate(begin_lists(lists->first_input, ops), sizeof(int64_t));
    lists->before = regal_allocate(begin_lists(lists->first_before, ops), sizeof(int64_t));
    REGAL_FAIL_IF(lists->inputs == NULL || lists->before == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    fill_lists(lists, graph);
    return REGAL_OK;
}

static regal_status place_parameters(op_lists *lists, const regal_graph *graph) {
    for (int64_t p = 0; p < regal_graph_parameter_count(graph); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph, p);
        REGAL_FAIL_IF(parameter.op_count != 1 || lists->persistent[parameter.ops[0]] >= 0,
                      REGAL_INVALID_ARGUMENT,
                      "a CostGraphDef has no room for parameter '%s', which %s", parameter.name,
                      parameter.op_count != 1 ? "is not of one op" : "is its op's second");
        lists->persistent[parameter.ops[0]] = parameter.bytes;
    }
    return REGAL_OK;
}

/* ---- nodes */

static regal_status check_op(const regal_op *op) {
    const char *found = op->group != NULL                   ? "in a colocation group"
                        : op->allowed != NULL               ? "not allowed on every device"
                        : op->cost[0] % TICKS_PER_COST != 0 ? "of parts of a unit of cost"
                                                            : NULL;
    REGAL_FAIL_IF(found != NULL, REGAL_INVALID_ARGUMENT,
                  "a CostGraphDef has no room for op '%s', which is %s", op->name, found);
    return REGAL_OK;
}

/* In quotes: bytes that are not printable ASCII in octal. */
static void put_name(regal_out *out, const char *name) {
    regal_out_text(out, "  name: \"");
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; ++c)
        if (*c == '"' || *c == '\\')
            regal_out_format(out, "\\%c", *c);
        else if (*c >= 0x20 && *c < 0x7f)
            regal_out_bytes(out, (const char *)c, 1);
        else
            regal_out_format(out, "\\%03o", *c);
    regal_out_text(out, "\"\n");
}

/* proto3 leaves out what is 0. */
static void put_number(regal_out *out, const char *indent, const char *field, int64_t number) {
    if (number != 0)
        regal_out_format(out, "%s%s: %" PRId64 "\n", indent, field, number);
}

static void put_input(regal_out *out, const regal_graph *graph, const op_lists *lists, int64_t t) {
    regal_out_text(out, "  input_info {\n");
    put_number(out, "    ", "preceding_node", regal_graph_tensor(graph, t).producer);
    put_number(out, "    ", "preceding_port", lists->port[t]);
    regal_out_text(out, "  }\n");
}

/* The input that the tensor is an alias of, or -1. */
static int64_t alias_input(const regal_tensor *tensor, const op_lists *lists) {
    const int64_t begin = lists->first_input[tensor->producer];
    for (int64_t k = begin; k < lists->first_input[tensor->producer + 1]; ++k)
        if (lists->inputs[k] == tensor->alias_of)
            return k - begin;
    return -1;
}

static void put_output(regal_out *out, const regal_tensor *tensor, const op_lists *lists) {
    regal_out_text(out, "  output_info {\n");
    put_number(out, "    ", "size", tensor->bytes);
    put_number(out, "    ", "alias_input_port",
               tensor->alias_of >= 0 ? alias_input(tensor, lists) : -1);
    regal_out_text(out, "  }\n");
}

/* A node is final, or not, as a whole. */
static regal_status put_outputs(regal_out *out, const regal_graph *graph, const op_lists *lists,
                                int64_t v, const char *name) {
    const int64_t begin = lists->first_tensor[v], end = lists->first_tensor[v + 1];
    int64_t kept = 0;
    for (int64_t k = begin; k < end; ++k) {
        const regal_tensor tensor = regal_graph_tensor(graph, lists->tensors[k]);
        put_output(out, &tensor, lists);
        kept += tensor.output;
    }
    REGAL_FAIL_IF(kept > 0 && kept < end - begin, REGAL_INVALID_ARGUMENT,
                  "a CostGraphDef has no room for op '%s', of which some outputs are kept to the "
                  "end and others are not",
                  name);
    if (kept > 0)
        regal_out_text(out, "  is_final: true\n");
    return REGAL_OK;
}

static regal_status put_node(regal_out *out, const regal_graph *graph, const op_lists *lists,
                             int64_t v) {
    const regal_op op = regal_graph_op(graph, v);
    REGAL_FORWARD(check_op(&op));
    regal_out_text(out, "node {\n");
    put_name(out, op.name);
    put_number(out, "  ", "id", v);
    for (int64_t k = lists->first_input[v]; k < lists->first_input[v + 1]; ++k)
        put_input(out, graph, lists, lists->inputs[k]);
    REGAL_FORWARD(put_outputs(out, graph, lists, v, op.name));
    put_number(out, "  ", "temporary_memory_size", op.workspace);
    for (int64_t k = lists->first_before[v]; k < lists->first_before[v + 1]; ++k)
        regal_out_format(out, "  control_input: %" PRId64 "\n", lists->before[k]);
    put_number(out, "  ", "compute_cost", op.cost[0] / TICKS_PER_COST);
    put_number(out, "  ", "persistent_memory_size",
               lists->persistent[v] > 0 ? lists->persistent[v] : 0);
    regal_out_text(out, "}\n");
    return REGAL_OK;
}

static regal_status put_graph(regal_out *out, const regal_graph *graph, op_lists *lists) {
    REGAL_FAIL_IF(regal_graph_class_count(graph) != 1, REGAL_INVALID_ARGUMENT,
                  "a CostGraphDef has no room for costs on %" PRId64 " device classes",
                  regal_graph_class_count(graph));
    REGAL_FORWARD(make_lists(lists, graph));
    REGAL_FORWARD(place_parameters(lists, graph));
    for (int64_t v = 0; v < regal_graph_op_count(graph); ++v)
        REGAL_FORWARD(put_node(out, graph, lists, v));
    return REGAL_OK;
}

regal_status regal_cost_graph_write(const regal_graph *graph, const char *path) {
    regal_out out = {0};
    op_lists lists = {0};
    const regal_status status = put_graph(&out, graph, &lists);
    lists_free(&lists);
    if (status == REGAL_OK)
        return regal_out_save(&out, path);
    free(out.data);
    return status;
}

regal_status regal_write_cost_graph(const regal_written *what, const char *path) {
    return regal_cost_graph_write(what->graph, path);
}
