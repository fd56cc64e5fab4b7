/* A model becomes a graph. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/model_graph_data.h"

enum { LISTED = 100 };

static const int64_t *inputs_of(const regal_model *model, const model_node *node) {
    return model->ids + node->first;
}

static const int64_t *outputs_of(const regal_model *model, const model_node *node) {
    return model->ids + node->first + node->input_count;
}

/* ---- who uses what */

/* Counts (users NULL) or lists the ops that use each root, each once. last is scratch. */
static void visit_users(regal_model *model, int64_t *last) {
    for (int64_t v = 0; v < model->value_count; ++v)
        last[v] = -1;
    for (int64_t n = 0; n < model->node_count; ++n) {
        const model_node *node = &model->nodes[n];
        for (int64_t i = 0; i < node->input_count && model->op[n] >= 0; ++i) {
            const int64_t input = inputs_of(model, node)[i];
            const int64_t root = input >= 0 ? model->root[input] : -1;
            if (root < 0 || last[root] == n)
                continue;
            last[root] = n;
            if (model->users == NULL)
                ++model->users_begin[root + 2];
            else
                model->users[model->users_begin[root + 1]++] = model->op[n];
        }
    }
}

/* users_begin is filled one place to the right of where it ends up. */
static regal_status find_users(regal_model *model) {
    int64_t *last = regal_allocate(model->value_count, sizeof *last);
    REGAL_FAIL_IF_NULL(last);
    visit_users(model, last);
    for (int64_t v = 0; v < model->value_count; ++v)
        model->users_begin[v + 2] += model->users_begin[v + 1];
    model->users = regal_allocate(model->users_begin[model->value_count + 1], sizeof *model->users);
    if (model->users != NULL)
        visit_users(model, last);
    free(last);
    REGAL_FAIL_IF_NULL(model->users);
    return REGAL_OK;
}

static int64_t user_count(const regal_model *model, int64_t value) {
    return model->users_begin[value + 1] - model->users_begin[value];
}

/* A root that the caller holds and an op uses. */
static bool is_parameter(const regal_model *model, int64_t value) {
    const int64_t n = model->producer[value];
    return model->root[value] == value && user_count(model, value) > 0 &&
           model->values[value].bytes != 0 &&
           (n < 0 ? !model->values[value].nothing
                  : model->op[n] < 0 && model->nodes[n].role == REGAL_NODE_WEIGHT);
}

/* ---- sizes */

static bool needs_size(const regal_model *model, int64_t value) {
    return model->tensor[value] >= 0 || is_parameter(model, value);
}

/* Lists what has no size; counts it and names the first. */
static int64_t list_unknown(const regal_model *model, const char **first) {
    int64_t count = 0;
    for (int64_t v = 0; v < model->value_count; ++v) {
        const model_value *value = &model->values[v];
        if (value->bytes >= 0 || !needs_size(model, v))
            continue;
        if (count == 0)
            *first = value->name;
        if (count++ < LISTED)
            regal_warn("%s: the size of '%s' is unknown%s%s", model->file, value->name,
                       value->shape != NULL ? ": " : "", value->shape != NULL ? value->shape : "");
    }
    if (count > LISTED)
        regal_warn("%s: so are those of %" PRId64 " more", model->file, count - LISTED);
    return count;
}

/* Asked last: in a file that is wrong otherwise, sizes may be unknown for that. */
static regal_status judge_sizes(const regal_model *model) {
    const char *first = "";
    const int64_t count = list_unknown(model, &first);
    REGAL_FAIL_IF(count == 1 && !model->options->assume_bytes, REGAL_INVALID_INPUT,
                  "%s: the size of tensor '%s' is unknown: give the dimensions that it lacks "
                  "(--dim NAME=SIZE), or its size (--assume-bytes BYTES)",
                  model->file, first);
    REGAL_FAIL_IF(count > 1 && !model->options->assume_bytes, REGAL_INVALID_INPUT,
                  "%s: the sizes of %" PRId64
                  " tensors are unknown (the first is '%s'): give the dimensions that they lack "
                  "(--dim NAME=SIZE), or a size for each of them (--assume-bytes BYTES)",
                  model->file, count, first);
    if (count == 0)
        return REGAL_OK;
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, model->options->assumed_bytes);
    return regal_graph_set_option(model->graph, "assume-bytes", text);
}

static int64_t bytes_of(const regal_model *model, int64_t value) {
    const int64_t bytes = model->values[value].bytes;
    return bytes >= 0 ? bytes : model->options->assume_bytes ? model->options->assumed_bytes : 0;
}

/* ---- ops, tensors, parameters, control edges */

static void find_costs(const regal_model *model, const model_node *node, int64_t *cost) {
    const bool free_of_charge = node->role != REGAL_NODE_OP;
    for (int64_t c = 0; c < model->profile_count; ++c)
        cost[c] = node->has_cost   ? model->costs[node->first_cost + c]
                  : free_of_charge ? 0
                                   : regal_load_ticks(model->profiles[c], &node->load);
}

static regal_status add_ops(regal_model *model) {
    int64_t *cost = regal_allocate(model->profile_count, sizeof *cost);
    REGAL_FAIL_IF_NULL(cost);
    regal_status status = REGAL_OK;
    for (int64_t n = 0; n < model->node_count && status == REGAL_OK; ++n) {
        const model_node *node = &model->nodes[n];
        if (model->op[n] < 0)
            continue;
        find_costs(model, node, cost);
        const regal_op op = {
            .name = node->name,
            .kind = node->kind,
            .cost = cost,
            .workspace = node->workspace,
            .group = node->group,
            .allowed = node->allowed_count >= 0 ? model->allowed + node->first_allowed : NULL,
            .allowed_count = node->allowed_count >= 0 ? node->allowed_count : 0,
            .flops = node->flops};
        status = regal_graph_add_op(model->graph, &op, NULL);
    }
    free(cost);
    return status;
}

static void number_tensors(regal_model *model) {
    int64_t count = 0;
    for (int64_t v = 0; v < model->value_count; ++v)
        model->tensor[v] = -1;
    for (int64_t n = 0; n < model->node_count; ++n)
        for (int64_t k = 0; k < model->nodes[n].output_count && model->op[n] >= 0; ++k) {
            const int64_t value = outputs_of(model, &model->nodes[n])[k];
            if (value >= 0)
                model->tensor[value] = count++;
        }
}

/* Users stand in ascending order. */
static bool uses(const regal_model *model, int64_t value, int64_t op) {
    int64_t low = model->users_begin[value], high = model->users_begin[value + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (model->users[middle] < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->users_begin[value + 1] && model->users[low] == op;
}

/* The tensor whose storage output k of node n shares, or -1. */
static int64_t alias_of(const regal_model *model, int64_t n, int64_t k) {
    const model_node *node = &model->nodes[n];
    int64_t value = -1;
    if (node->has_alias)
        value = model->ids[node->first + node->input_count + node->output_count + k];
    else if (node->role == REGAL_NODE_VIEW && node->input_count > 0)
        value = inputs_of(model, node)[0];
    if (value < 0)
        return -1;
    value = model->root[value];
    return model->tensor[value] >= 0 && uses(model, value, model->op[n]) ? model->tensor[value]
                                                                         : -1;
}

static regal_status add_tensors(regal_model *model) {
    for (int64_t n = 0; n < model->node_count; ++n)
        for (int64_t k = 0; k < model->nodes[n].output_count && model->op[n] >= 0; ++k) {
            const int64_t value = outputs_of(model, &model->nodes[n])[k];
            if (value < 0)
                continue;
            const regal_tensor tensor = {.name = model->values[value].name,
                                         .producer = model->op[n],
                                         .bytes = bytes_of(model, value),
                                         .consumers = model->users + model->users_begin[value],
                                         .consumer_count = user_count(model, value),
                                         .output = model->kept[value],
                                         .alias_of = alias_of(model, n, k)};
            REGAL_FORWARD(regal_graph_add_tensor(model->graph, &tensor, NULL));
        }
    return REGAL_OK;
}

static regal_status add_parameters(regal_model *model) {
    for (int64_t v = 0; v < model->value_count; ++v) {
        if (!is_parameter(model, v))
            continue;
        const regal_parameter parameter = {.name = model->values[v].name,
                                           .bytes = bytes_of(model, v),
                                           .ops = model->users + model->users_begin[v],
                                           .op_count = user_count(model, v)};
        REGAL_FORWARD(regal_graph_add_parameter(model->graph, &parameter, NULL));
    }
    return REGAL_OK;
}

/* The op that has run when this node's outputs are there, or -1: always there. */
static int64_t op_behind(const regal_model *model, int64_t n) {
    if (model->op[n] >= 0)
        return model->op[n];
    if (model->nodes[n].role != REGAL_NODE_VIEW)
        return -1;
    const int64_t producer = model->producer[model->root[inputs_of(model, &model->nodes[n])[0]]];
    return producer >= 0 ? model->op[producer] : -1;
}

static int compare_controls(const void *a, const void *b) {
    const regal_control_edge *left = a, *right = b;
    if (left->before != right->before)
        return left->before < right->before ? -1 : 1;
    return (left->after > right->after) - (left->after < right->after);
}

static regal_status add_controls(regal_model *model) {
    int64_t count = 0;
    for (int64_t c = 0; c < model->control_count; ++c) {
        const int64_t before = op_behind(model, model->controls[c].before);
        if (before >= 0)
            model->controls[count++] =
                (regal_control_edge){before, model->op[model->controls[c].after]};
    }
    if (count > 0)
        qsort(model->controls, (size_t)count, sizeof *model->controls, compare_controls);
    for (int64_t c = 0; c < count; ++c)
        if (c == 0 || compare_controls(&model->controls[c], &model->controls[c - 1]) != 0)
            REGAL_FORWARD(regal_graph_add_control(model->graph, model->controls[c].before,
                                                  model->controls[c].after));
    return REGAL_OK;
}

/* ---- */

static bool has_parameter(const regal_model *model, const model_node *node) {
    for (int64_t k = 0; k < node->output_count; ++k) {
        const int64_t value = outputs_of(model, node)[k];
        if (value >= 0 && is_parameter(model, value))
            return true;
    }
    return false;
}

static void tell_source(regal_model *model, const char *format, const char *unit) {
    regal_source source = {.format = format, .unit = unit};
    for (int64_t n = 0; n < model->node_count; ++n) {
        const model_node *node = &model->nodes[n];
        source.nodes += node->nodes;
        if (model->op[n] >= 0)
            source.ops += node->nodes;
        else if (node->role == REGAL_NODE_WEIGHT && has_parameter(model, node))
            source.parameters += node->nodes;
        else
            source.nothing += node->nodes;
    }
    regal_graph_set_source(model->graph, &source);
}

static regal_status reserve(regal_model *model) {
    const int64_t values = model->value_count;
    model->producer = regal_allocate(values, sizeof *model->producer);
    model->root = regal_allocate(values, sizeof *model->root);
    model->op = regal_allocate(model->node_count, sizeof *model->op);
    model->users_begin = regal_allocate_zeroed(values + 2, sizeof *model->users_begin);
    model->tensor = regal_allocate(values, sizeof *model->tensor);
    model->kept = regal_allocate_zeroed(values, sizeof *model->kept);
    REGAL_FAIL_IF(model->producer == NULL || model->root == NULL || model->op == NULL ||
                      model->users_begin == NULL || model->tensor == NULL || model->kept == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

regal_status regal_model_finish(regal_model *model, const char *format, const char *unit,
                                regal_graph **graph) {
    *graph = NULL;
    REGAL_FORWARD(reserve(model));
    REGAL_FORWARD(regal_model_trace(model));
    REGAL_FORWARD(find_users(model));
    number_tensors(model);
    REGAL_FORWARD(add_ops(model));
    REGAL_FORWARD(add_tensors(model));
    REGAL_FORWARD(add_parameters(model));
    REGAL_FORWARD(add_controls(model));
    tell_source(model, format, unit);
    const regal_status status = regal_graph_validate(model->graph);
    if (status != REGAL_OK)
        return regal_error_prefix(status, "%s", model->file);
    REGAL_FORWARD(judge_sizes(model));
    *graph = model->graph;
    model->graph = NULL;
    return REGAL_OK;
}
