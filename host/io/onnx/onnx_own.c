/* ONNX models that REGAL wrote, as the graphs that they were. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/onnx/onnx_own.h"
#include "io/onnx/onnx_reading.h"

typedef struct list {
    const int64_t *items;
    int64_t count;
} list;

typedef struct output {
    int64_t node, place, first_consumer; /* node -1: none yet */
} output;

typedef struct restoring {
    const onnx_reading *in;
    regal_graph *graph;
    regal_onnx_scope main;
    int64_t class_count;
    int64_t *node_of; /* [op_count] */
    output *outputs;  /* [tensor_count] */
    int64_t tensor_count;
    regal_control_edge *controls; /* [control_count] */
    int64_t control_count;
    int64_t *users_begin, *users; /* of parameters */
    regal_allowed *allowed;
    int64_t allowed_capacity;
} restoring;

static regal_status fail(const restoring *at, int64_t node, const char *what) {
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s: node '%s': its attribute \"%s\" is missing or malformed",
               at->in->name, at->in->module->node(at->in->model, node).name, what);
}

/* An empty list where there is none. */
static list list_of(const restoring *at, int64_t node, const char *name) {
    regal_onnx_attribute attribute;
    if (!at->in->module->attribute(at->in->model, node, name, REGAL_ONNX_INTEGERS, &attribute))
        return (list){0};
    return (list){attribute.integers, attribute.count};
}

static const char *text_of(const restoring *at, int64_t node, const char *name,
                           const char *standard) {
    regal_onnx_attribute attribute;
    return at->in->module->attribute(at->in->model, node, name, REGAL_ONNX_TEXT, &attribute)
               ? attribute.text
               : standard;
}

/* ---- the model's metadata */

bool regal_onnx_is_own(const onnx_reading *in) {
    regal_onnx_entry entry;
    for (int64_t i = 0; in->module->metadata(in->model, i, &entry); ++i)
        if (strcmp(entry.key, ONNX_OWN_FORMAT) == 0)
            return true;
    return false;
}

static const char *behind(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static regal_status create(restoring *at) {
    const onnx_reading *in = at->in;
    regal_onnx_entry entry;
    const char **names = NULL;
    int64_t capacity = 0;
    bool room = true;
    for (int64_t i = 0; room && in->module->metadata(in->model, i, &entry); ++i) {
        if (behind(entry.key, ONNX_OWN_CLASS) == NULL)
            continue;
        room = regal_array_reserve(&names, &capacity, at->class_count + 1, sizeof *names);
        if (room)
            names[at->class_count++] = entry.value;
    }
    regal_status status =
        !room ? regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out")
        : at->class_count == 0
            ? regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__,
                              "%s: its metadata name no device class (\"" ONNX_OWN_CLASS "0\")",
                              in->name)
            : regal_graph_create(in->module->graph_name(in->model), at->class_count, names,
                                 &at->graph);
    free(names);
    for (int64_t i = 0; status == REGAL_OK && in->module->metadata(in->model, i, &entry); ++i) {
        const char *key = behind(entry.key, ONNX_OWN_OPTION);
        if (key != NULL)
            status = regal_graph_set_option(at->graph, key, entry.value);
    }
    return status;
}

/* ---- where everything lies */

static regal_status count_items(restoring *at) {
    for (int64_t n = 0; n < at->main.node_count; ++n) {
        at->tensor_count += list_of(at, n, ONNX_OWN_TENSORS).count;
        at->control_count += list_of(at, n, ONNX_OWN_CONTROL).count / 2;
    }
    at->node_of = regal_allocate(at->main.node_count, sizeof *at->node_of);
    at->outputs = regal_allocate(at->tensor_count, sizeof *at->outputs);
    at->controls = regal_allocate(at->control_count, sizeof *at->controls);
    at->users_begin =
        regal_allocate_zeroed(at->main.initializer_count + 1, sizeof *at->users_begin);
    REGAL_FAIL_IF(at->node_of == NULL || at->outputs == NULL || at->controls == NULL ||
                      at->users_begin == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t n = 0; n < at->main.node_count; ++n)
        at->node_of[n] = -1;
    for (int64_t t = 0; t < at->tensor_count; ++t)
        at->outputs[t].node = -1;
    for (int64_t c = 0; c < at->control_count; ++c)
        at->controls[c].before = -1;
    return REGAL_OK;
}

static regal_status place_outputs(restoring *at, int64_t n) {
    const list tensors = list_of(at, n, ONNX_OWN_TENSORS), counts = list_of(at, n, ONNX_OWN_COUNTS);
    const list consumers = list_of(at, n, ONNX_OWN_CONSUMERS);
    int64_t next = 0;
    if (counts.count != tensors.count)
        return fail(at, n, ONNX_OWN_COUNTS);
    if (list_of(at, n, ONNX_OWN_BYTES).count != tensors.count)
        return fail(at, n, ONNX_OWN_BYTES);
    if (list_of(at, n, ONNX_OWN_ALIASES).count != tensors.count)
        return fail(at, n, ONNX_OWN_ALIASES);
    if (list_of(at, n, ONNX_OWN_KEPT).count != tensors.count)
        return fail(at, n, ONNX_OWN_KEPT);
    if (at->in->module->node(at->in->model, n).output_count != tensors.count)
        return fail(at, n, ONNX_OWN_TENSORS);
    for (int64_t k = 0; k < tensors.count; ++k) {
        const int64_t t = tensors.items[k], count = counts.items[k];
        if (t < 0 || t >= at->tensor_count || at->outputs[t].node >= 0)
            return fail(at, n, ONNX_OWN_TENSORS);
        if (count < 0 || count > consumers.count - next)
            return fail(at, n, ONNX_OWN_CONSUMERS);
        at->outputs[t] = (output){n, k, next};
        next += count;
    }
    return REGAL_OK;
}

static regal_status place_op(restoring *at, int64_t n) {
    const int64_t op = regal_onnx_integer(at->in, n, ONNX_OWN_INDEX, -1);
    if (op < 0 || op >= at->main.node_count || at->node_of[op] >= 0)
        return fail(at, n, ONNX_OWN_INDEX);
    at->node_of[op] = n;
    const list control = list_of(at, n, ONNX_OWN_CONTROL);
    for (int64_t i = 0; i + 1 < control.count; i += 2) {
        const int64_t edge = control.items[i];
        if (edge < 0 || edge >= at->control_count || at->controls[edge].before >= 0)
            return fail(at, n, ONNX_OWN_CONTROL);
        at->controls[edge] = (regal_control_edge){op, control.items[i + 1]};
    }
    const list parameters = list_of(at, n, ONNX_OWN_PARAMETERS);
    for (int64_t i = 0; i + 1 < parameters.count; i += 2) {
        const int64_t parameter = parameters.items[i];
        if (parameter < 0 || parameter >= at->main.initializer_count)
            return fail(at, n, ONNX_OWN_PARAMETERS);
        ++at->users_begin[parameter + 1];
    }
    return place_outputs(at, n);
}

static regal_status place_users(restoring *at) {
    const int64_t count = at->main.initializer_count;
    for (int64_t p = 0; p < count; ++p)
        at->users_begin[p + 1] += at->users_begin[p];
    const int64_t total = at->users_begin[count];
    at->users = regal_allocate(total, sizeof *at->users);
    REGAL_FAIL_IF_NULL(at->users);
    for (int64_t u = 0; u < total; ++u)
        at->users[u] = -1;
    for (int64_t n = 0; n < at->main.node_count; ++n) {
        const list parameters = list_of(at, n, ONNX_OWN_PARAMETERS);
        for (int64_t i = 0; i + 1 < parameters.count; i += 2) {
            const int64_t begin = at->users_begin[parameters.items[i]];
            const int64_t room = at->users_begin[parameters.items[i] + 1] - begin;
            const int64_t place = parameters.items[i + 1];
            if (place < 0 || place >= room || at->users[begin + place] >= 0)
                return fail(at, n, ONNX_OWN_PARAMETERS);
            at->users[begin + place] = regal_onnx_integer(at->in, n, ONNX_OWN_INDEX, -1);
        }
    }
    return REGAL_OK;
}

/* ---- into the graph */

static regal_status list_allowed(restoring *at, int64_t n, regal_op *op) {
    regal_onnx_attribute attribute;
    if (!at->in->module->attribute(at->in->model, n, ONNX_OWN_ALLOWED, REGAL_ONNX_TEXTS,
                                   &attribute))
        return REGAL_OK;
    REGAL_FAIL_IF(!regal_array_reserve(&at->allowed, &at->allowed_capacity, attribute.count + 1,
                                       sizeof *at->allowed),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < attribute.count; ++i) {
        const char *text = at->in->module->text(at->in->model, n, ONNX_OWN_ALLOWED, i);
        char *end;
        at->allowed[i] = (regal_allowed){.device = -1};
        if (text[0] == ':')
            at->allowed[i].pattern = text + 1;
        else
            at->allowed[i].device = strtoll(text, &end, 10);
        if (text[0] != ':' && (text[0] < '0' || text[0] > '9' || *end != '\0'))
            return fail(at, n, ONNX_OWN_ALLOWED);
    }
    op->allowed = at->allowed;
    op->allowed_count = attribute.count;
    return REGAL_OK;
}

static regal_status add_op(restoring *at, int64_t n) {
    const regal_onnx_node node = at->in->module->node(at->in->model, n);
    const list cost = list_of(at, n, ONNX_OWN_COST);
    if (cost.count != at->class_count)
        return fail(at, n, ONNX_OWN_COST);
    regal_op op = {.name = text_of(at, n, ONNX_OWN_NAME, node.name),
                   .kind = text_of(at, n, ONNX_OWN_KIND, node.kind),
                   .cost = cost.items,
                   .workspace = regal_onnx_integer(at->in, n, ONNX_OWN_WORKSPACE, 0),
                   .group = text_of(at, n, ONNX_OWN_GROUP, NULL),
                   .flops = regal_onnx_integer(at->in, n, ONNX_OWN_FLOPS, 0)};
    REGAL_FORWARD(list_allowed(at, n, &op));
    return regal_graph_add_op(at->graph, &op, NULL);
}

static regal_status add_tensor(restoring *at, int64_t t) {
    const output *place = &at->outputs[t];
    const int64_t n = place->node, k = place->place;
    const regal_onnx_node node = at->in->module->node(at->in->model, n);
    regal_onnx_value value = {.name = NULL};
    regal_onnx_output(at->in, &node, k, &value);
    const list consumers = list_of(at, n, ONNX_OWN_CONSUMERS);
    const regal_tensor tensor = {
        .name = value.name,
        .producer = regal_onnx_integer(at->in, n, ONNX_OWN_INDEX, -1),
        .bytes = list_of(at, n, ONNX_OWN_BYTES).items[k],
        .consumers = consumers.count > 0 ? consumers.items + place->first_consumer : NULL,
        .consumer_count = list_of(at, n, ONNX_OWN_COUNTS).items[k],
        .output = list_of(at, n, ONNX_OWN_KEPT).items[k] != 0,
        .alias_of = list_of(at, n, ONNX_OWN_ALIASES).items[k]};
    return regal_graph_add_tensor(at->graph, &tensor, NULL);
}

static regal_status add_parameter(restoring *at, int64_t p) {
    const regal_onnx_value value = at->in->module->value(at->in->model, at->main.initializers[p]);
    const regal_parameter parameter = {.name = value.name,
                                       .bytes = regal_onnx_bytes(&value),
                                       .ops = at->users + at->users_begin[p],
                                       .op_count = at->users_begin[p + 1] - at->users_begin[p]};
    return regal_graph_add_parameter(at->graph, &parameter, NULL);
}

static regal_status restore(restoring *at) {
    REGAL_FORWARD(create(at));
    REGAL_FORWARD(count_items(at));
    for (int64_t n = 0; n < at->main.node_count; ++n)
        REGAL_FORWARD(place_op(at, n));
    REGAL_FORWARD(place_users(at));
    for (int64_t op = 0; op < at->main.node_count; ++op)
        REGAL_FORWARD(add_op(at, at->node_of[op]));
    for (int64_t t = 0; t < at->tensor_count; ++t)
        REGAL_FORWARD(add_tensor(at, t));
    for (int64_t c = 0; c < at->control_count; ++c)
        REGAL_FORWARD(
            regal_graph_add_control(at->graph, at->controls[c].before, at->controls[c].after));
    for (int64_t p = 0; p < at->main.initializer_count; ++p)
        REGAL_FORWARD(add_parameter(at, p));
    const regal_source source = {.format = "onnx",
                                 .unit = "nodes",
                                 .nodes = at->main.node_count,
                                 .ops = at->main.node_count};
    regal_graph_set_source(at->graph, &source);
    const regal_status status = regal_graph_validate(at->graph);
    return status == REGAL_OK ? status : regal_error_prefix(status, "%s", at->in->name);
}

regal_status regal_onnx_own_graph(const onnx_reading *in, regal_graph **graph) {
    restoring at = {.in = in, .main = in->module->scope(in->model, 0)};
    const regal_status status = restore(&at);
    *graph = NULL;
    if (status == REGAL_OK)
        *graph = at.graph;
    else
        regal_graph_destroy(at.graph);
    free(at.node_of);
    free(at.outputs);
    free(at.controls);
    free(at.users_begin);
    free(at.users);
    free(at.allowed);
    return status;
}
