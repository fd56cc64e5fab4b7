#include "graph/graph_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *copy_text(regal_graph *graph, const char *text) {
    return regal_arena_copy(&graph->strings, text, strlen(text));
}

/* A given name, or "<word><index>". */
static const char *copy_name(regal_graph *graph, const char *name, const char *word,
                             int64_t index) {
    if (name != NULL)
        return copy_text(graph, name);
    char made[48];
    snprintf(made, sizeof made, "%s%lld", word, (long long)index);
    return copy_text(graph, made);
}

/* Keeps one item more than needed, so that an empty pool still has an address. */
static bool pool_append(regal_pool *pool, const int64_t *items, int64_t count) {
    int64_t needed;
    if (count < 0 || __builtin_add_overflow(pool->count, count, &needed) ||
        !regal_array_reserve(&pool->items, &pool->capacity, needed + 1, sizeof *items))
        return false;
    if (count > 0)
        memcpy(pool->items + pool->count, items, (size_t)count * sizeof *items);
    pool->count = needed;
    return true;
}

regal_status regal_graph_create(const char *name, int64_t class_count,
                                const char *const *class_names, regal_graph **graph) {
    *graph = NULL;
    REGAL_FAIL_IF(class_count < 1, REGAL_INVALID_INPUT,
                  "device_classes: at least one device class is needed");
    regal_graph *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    *graph = made;
    made->class_count = class_count;
    made->class_names = regal_allocate_zeroed(class_count, sizeof *made->class_names);
    bool ok = made->class_names != NULL && pool_append(&made->consumers, NULL, 0) &&
              pool_append(&made->parameter_ops, NULL, 0) && pool_append(&made->costs, NULL, 0);
    if (ok)
        ok = (made->name = copy_text(made, name != NULL ? name : "")) != NULL;
    for (int64_t i = 0; ok && i < class_count; ++i)
        ok = (made->class_names[i] = copy_text(made, class_names[i])) != NULL;
    if (!ok) {
        regal_graph_destroy(made);
        *graph = NULL;
    }
    REGAL_FAIL_IF_NULL(*graph);
    return REGAL_OK;
}

void regal_graph_destroy(regal_graph *graph) {
    if (graph == NULL)
        return;
    regal_arena_free(&graph->strings);
    free(graph->class_names);
    free(graph->ops);
    free(graph->costs.items);
    free(graph->allowed);
    free(graph->tensors);
    free(graph->consumers.items);
    free(graph->controls);
    free(graph->parameters);
    free(graph->parameter_ops.items);
    free(graph->options);
    free(graph);
}

static bool copy_allowed(regal_graph *graph, const regal_op *op) {
    /* One more than needed, so that an empty list still has an address. */
    const int64_t needed = graph->allowed_count + op->allowed_count + 1;
    if (!regal_array_reserve(&graph->allowed, &graph->allowed_capacity, needed,
                             sizeof *graph->allowed))
        return false;
    for (int64_t i = 0; i < op->allowed_count; ++i) {
        regal_allowed entry = op->allowed[i];
        if (entry.pattern != NULL && (entry.pattern = copy_text(graph, entry.pattern)) == NULL)
            return false;
        graph->allowed[graph->allowed_count++] = entry;
    }
    return true;
}

regal_status regal_graph_add_op(regal_graph *graph, const regal_op *op, int64_t *id) {
    const int64_t index = graph->op_count;
    regal_op_record record = {.workspace = op->workspace,
                              .flops = op->flops,
                              .allowed_begin = graph->allowed_count,
                              .allowed_count = op->allowed != NULL ? op->allowed_count : -1};
    const bool ok =
        regal_array_reserve(&graph->ops, &graph->op_capacity, index + 1, sizeof *graph->ops) &&
        (record.name = copy_name(graph, op->name, "op", index)) != NULL &&
        (record.kind = copy_text(graph, op->kind != NULL ? op->kind : "")) != NULL &&
        (op->group == NULL || (record.group = copy_text(graph, op->group)) != NULL) &&
        (op->allowed == NULL || copy_allowed(graph, op)) &&
        pool_append(&graph->costs, op->cost, graph->class_count);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out at op %lld", (long long)index);
    graph->ops[graph->op_count++] = record;
    if (id != NULL)
        *id = index;
    return REGAL_OK;
}

regal_status regal_graph_add_tensor(regal_graph *graph, const regal_tensor *tensor, int64_t *id) {
    const int64_t index = graph->tensor_count;
    regal_tensor_record record = {.producer = tensor->producer,
                                  .bytes = tensor->bytes,
                                  .alias_of = tensor->alias_of,
                                  .output = tensor->output,
                                  .consumer_begin = graph->consumers.count,
                                  .consumer_count = tensor->consumer_count};
    const bool ok = regal_array_reserve(&graph->tensors, &graph->tensor_capacity, index + 1,
                                        sizeof *graph->tensors) &&
                    (record.name = copy_name(graph, tensor->name, "tensor", index)) != NULL &&
                    pool_append(&graph->consumers, tensor->consumers, tensor->consumer_count);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out at tensor %lld", (long long)index);
    graph->tensors[graph->tensor_count++] = record;
    if (id != NULL)
        *id = index;
    return REGAL_OK;
}

regal_status regal_graph_add_consumer(regal_graph *graph, int64_t consumer) {
    REGAL_FAIL_IF(graph->tensor_count == 0, REGAL_INVALID_ARGUMENT, "there is no tensor yet");
    REGAL_FAIL_IF(!pool_append(&graph->consumers, &consumer, 1), REGAL_OUT_OF_MEMORY,
                  "memory ran out at the consumers of tensor %lld",
                  (long long)graph->tensor_count - 1);
    graph->tensors[graph->tensor_count - 1].consumer_count++;
    return REGAL_OK;
}

regal_status regal_graph_add_control(regal_graph *graph, int64_t before, int64_t after) {
    REGAL_FAIL_IF(!regal_array_reserve(&graph->controls, &graph->control_capacity,
                                       graph->control_count + 1, sizeof *graph->controls),
                  REGAL_OUT_OF_MEMORY, "memory ran out at control edge %lld",
                  (long long)graph->control_count);
    graph->controls[graph->control_count++] = (regal_control_edge){before, after};
    return REGAL_OK;
}

regal_status regal_graph_add_parameter(regal_graph *graph, const regal_parameter *parameter,
                                       int64_t *id) {
    const int64_t index = graph->parameter_count;
    regal_parameter_record record = {.bytes = parameter->bytes,
                                     .op_begin = graph->parameter_ops.count,
                                     .op_count = parameter->op_count};
    const bool ok = regal_array_reserve(&graph->parameters, &graph->parameter_capacity, index + 1,
                                        sizeof *graph->parameters) &&
                    (record.name = copy_name(graph, parameter->name, "parameter", index)) != NULL &&
                    pool_append(&graph->parameter_ops, parameter->ops, parameter->op_count);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out at parameter %lld", (long long)index);
    graph->parameters[graph->parameter_count++] = record;
    if (id != NULL)
        *id = index;
    return REGAL_OK;
}

regal_status regal_graph_set_option(regal_graph *graph, const char *key, const char *value) {
    const char *copy = copy_text(graph, value);
    REGAL_FAIL_IF_NULL(copy);
    for (int64_t i = 0; i < graph->option_count; ++i)
        if (strcmp(graph->options[i].key, key) == 0) {
            graph->options[i].value = copy;
            return REGAL_OK;
        }
    const char *key_copy = copy_text(graph, key);
    REGAL_FAIL_IF(key_copy == NULL ||
                      !regal_array_reserve(&graph->options, &graph->option_capacity,
                                           graph->option_count + 1, sizeof *graph->options),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    graph->options[graph->option_count++] = (regal_graph_setting){key_copy, copy};
    return REGAL_OK;
}

const char *regal_graph_option(const regal_graph *graph, const char *key) {
    for (int64_t i = 0; i < graph->option_count; ++i)
        if (strcmp(graph->options[i].key, key) == 0)
            return graph->options[i].value;
    return NULL;
}

void regal_graph_set_source(regal_graph *graph, const regal_source *source) {
    graph->source = *source;
}

const regal_source *regal_graph_source(const regal_graph *graph) {
    return graph->source.format != NULL ? &graph->source : NULL;
}

const char *regal_graph_name(const regal_graph *graph) {
    return graph->name;
}
int64_t regal_graph_class_count(const regal_graph *graph) {
    return graph->class_count;
}
int64_t regal_graph_op_count(const regal_graph *graph) {
    return graph->op_count;
}
int64_t regal_graph_tensor_count(const regal_graph *graph) {
    return graph->tensor_count;
}
int64_t regal_graph_control_count(const regal_graph *graph) {
    return graph->control_count;
}
int64_t regal_graph_parameter_count(const regal_graph *graph) {
    return graph->parameter_count;
}
int64_t regal_graph_option_count(const regal_graph *graph) {
    return graph->option_count;
}

const char *regal_graph_class_name(const regal_graph *graph, int64_t index) {
    return graph->class_names[index];
}

regal_op regal_graph_op(const regal_graph *graph, int64_t index) {
    const regal_op_record *op = &graph->ops[index];
    const bool restricted = op->allowed_count >= 0;
    return (regal_op){.name = op->name,
                      .kind = op->kind,
                      .cost = graph->costs.items + index * graph->class_count,
                      .workspace = op->workspace,
                      .group = op->group,
                      .allowed = restricted ? graph->allowed + op->allowed_begin : NULL,
                      .allowed_count = restricted ? op->allowed_count : 0,
                      .flops = op->flops};
}

regal_tensor regal_graph_tensor(const regal_graph *graph, int64_t index) {
    const regal_tensor_record *tensor = &graph->tensors[index];
    return (regal_tensor){.name = tensor->name,
                          .producer = tensor->producer,
                          .bytes = tensor->bytes,
                          .consumers = graph->consumers.items + tensor->consumer_begin,
                          .consumer_count = tensor->consumer_count,
                          .output = tensor->output,
                          .alias_of = tensor->alias_of};
}

regal_control_edge regal_graph_control(const regal_graph *graph, int64_t index) {
    return graph->controls[index];
}

regal_parameter regal_graph_parameter(const regal_graph *graph, int64_t index) {
    const regal_parameter_record *parameter = &graph->parameters[index];
    return (regal_parameter){.name = parameter->name,
                             .bytes = parameter->bytes,
                             .ops = graph->parameter_ops.items + parameter->op_begin,
                             .op_count = parameter->op_count};
}

void regal_graph_option_at(const regal_graph *graph, int64_t index, const char **key,
                           const char **value) {
    *key = graph->options[index].key;
    *value = graph->options[index].value;
}
