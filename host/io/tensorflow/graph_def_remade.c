#include "io/tensorflow/graph_def_remade.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_places.h"

typedef struct tensor_record {
    int64_t producer; /* -1: not there */
    int64_t bytes, output, alias_of;
    int64_t first, count; /* of consumers, in the attribute _regal_tensors of its producer */
    int64_t port;
} tensor_record;

typedef struct remaking {
    gd_file *file;
    const regal_graph_def_module *module;
    int64_t nodes, ops, parameters, tensors, class_count;
    int64_t *op_node;    /* [ops] */
    tensor_record *made; /* [tensors] */
    int64_t *list;       /* scratch */
    int64_t list_room;
    const char **texts; /* scratch */
    int64_t texts_room;
    regal_graph *graph;
} remaking;

bool gd_is_remade(const gd_file *file) {
    static const char kind[] = GD_GRAPH_NODE;
    if (file->module->node_count(file->parsed, REGAL_TF_MAIN) == 0)
        return false;
    const regal_tf_text op = file->module->node(file->parsed, REGAL_TF_MAIN, 0).op;
    return op.size == sizeof kind - 1 && memcmp(op.data, kind, op.size) == 0;
}

static bool is(regal_tf_text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

static regal_tf_node node_at(const remaking *at, int64_t n) {
    return at->module->node(at->file->parsed, REGAL_TF_MAIN, n);
}

/* ---- attributes */

/* All numbers of an attribute, into at->list; the count is 0 where there is none. */
static regal_status read_list(remaking *at, const regal_tf_node *node, const char *name,
                              int64_t *count) {
    regal_tf_attribute view;
    const void *found = at->module->attribute(node->handle, name, &view);
    *count = found != NULL ? view.integer_count : 0;
    REGAL_FAIL_IF(!regal_array_reserve(&at->list, &at->list_room, *count + 1, sizeof *at->list),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < *count; ++i)
        at->list[i] = at->module->integer(found, i);
    return REGAL_OK;
}

static int64_t read_number(const remaking *at, const regal_tf_node *node, const char *name) {
    regal_tf_attribute view;
    const void *found = at->module->attribute(node->handle, name, &view);
    return found != NULL && view.integer_count > 0 ? at->module->integer(found, 0) : 0;
}

/* -1: no such attribute. */
static regal_status read_texts(remaking *at, const regal_tf_node *node, const char *name,
                               int64_t *count) {
    regal_tf_attribute view;
    const void *found = at->module->attribute(node->handle, name, &view);
    *count = found != NULL ? view.string_count : -1;
    REGAL_FAIL_IF(
        !regal_array_reserve(&at->texts, &at->texts_room, view.string_count + 1, sizeof *at->texts),
        REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < *count; ++i)
        REGAL_FORWARD(gd_copy_text(at->file, at->module->string(found, i), name, &at->texts[i]));
    return REGAL_OK;
}

/* The attribute's first text, or `otherwise`. */
static regal_status read_text(remaking *at, const regal_tf_node *node, const char *name,
                              const char *otherwise, const char **text) {
    int64_t count;
    REGAL_FORWARD(read_texts(at, node, name, &count));
    *text = count > 0 ? at->texts[0] : otherwise;
    return REGAL_OK;
}

static regal_status read_name(remaking *at, const regal_tf_node *node, const char **name) {
    REGAL_FORWARD(gd_copy_text(at->file, node->name, "a name", name));
    return read_text(at, node, "_regal_name", *name, name);
}

static regal_status fail_at(const remaking *at, const regal_tf_node *node, const char *attribute) {
    REGAL_FAIL(REGAL_INVALID_INPUT, "%s: node '%.*s': its attribute %s is malformed",
               at->file->name, (int)(node->name.size < 200 ? node->name.size : 200),
               node->name.data, attribute);
}

/* ---- ops */

static regal_status read_allowed(remaking *at, const regal_tf_node *node, regal_op *op,
                                 regal_allowed **allowed) {
    int64_t count;
    REGAL_FORWARD(read_texts(at, node, "_regal_allowed", &count));
    if (count < 0)
        return REGAL_OK;
    *allowed = regal_allocate(count, sizeof **allowed);
    REGAL_FAIL_IF_NULL(*allowed);
    for (int64_t i = 0; i < count; ++i) {
        const char *text = at->texts[i];
        char *end = NULL;
        (*allowed)[i] = (regal_allowed){.pattern = text[0] == '~' ? text + 1 : NULL};
        if (text[0] == '=')
            (*allowed)[i].device = strtoll(text + 1, &end, 10);
        if (text[0] != '~' && (end == NULL || end == text + 1 || *end != '\0'))
            return fail_at(at, node, "_regal_allowed");
    }
    op->allowed = *allowed;
    op->allowed_count = count;
    return REGAL_OK;
}

static regal_status add_op(remaking *at, const regal_tf_node *node, const gd_device_set *placed) {
    regal_op op = {.workspace = read_number(at, node, "_regal_workspace"),
                   .flops = read_number(at, node, "_regal_flops")};
    regal_allowed *allowed = NULL;
    const char *kind;
    int64_t count;
    REGAL_FORWARD(read_name(at, node, &op.name));
    REGAL_FORWARD(gd_copy_text(at->file, node->op, "an op", &kind));
    REGAL_FORWARD(
        read_text(at, node, "_regal_kind", strcmp(kind, GD_PLAIN_OP) == 0 ? "" : kind, &op.kind));
    REGAL_FORWARD(read_text(at, node, "_regal_group", NULL, &op.group));
    REGAL_FORWARD(read_list(at, node, "_regal_cost", &count));
    if (count != at->class_count)
        return fail_at(at, node, "_regal_cost");
    op.cost = at->list;
    regal_status status = read_allowed(at, node, &op, &allowed);
    if (placed != NULL) {
        op.allowed = placed->allowed;
        op.allowed_count = placed->count;
    }
    if (status == REGAL_OK)
        status = regal_graph_add_op(at->graph, &op, NULL);
    free(allowed);
    return status;
}

/* With the places of a plan that was written too. */
static regal_status put_places(remaking *at, gd_places *places) {
    for (int64_t v = 0; v < at->ops; ++v) {
        const regal_tf_node node = node_at(at, at->op_node[v]);
        const char *device, *name;
        REGAL_FORWARD(gd_copy_text(at->file, node.device, "a device", &device));
        REGAL_FORWARD(gd_copy_text(at->file, node.name, "a name", &name));
        gd_places_put(places, v, device, name);
    }
    return gd_places_find(places, at->file->name, at->file->options);
}

static regal_status add_ops(remaking *at) {
    gd_places places;
    regal_status status = gd_places_create(&places, at->ops);
    if (status == REGAL_OK)
        status = put_places(at, &places);
    for (int64_t v = 0; v < at->ops && status == REGAL_OK; ++v) {
        const regal_tf_node node = node_at(at, at->op_node[v]);
        status = add_op(at, &node, gd_places_at(&places, v));
    }
    gd_places_free(&places);
    return status;
}

/* ---- tensors */

static regal_status note_tensors(remaking *at, int64_t v) {
    const regal_tf_node node = node_at(at, at->op_node[v]);
    int64_t count, port = 0;
    REGAL_FORWARD(read_list(at, &node, "_regal_tensors", &count));
    for (int64_t i = 0; i < count; ++port) {
        const int64_t *entry = at->list + i;
        if (count - i < 5 || entry[4] < 0 || entry[4] > count - i - 5 || entry[0] < 0 ||
            entry[0] >= at->tensors || at->made[entry[0]].producer >= 0 || entry[3] < 0)
            return fail_at(at, &node, "_regal_tensors");
        at->made[entry[0]] = (tensor_record){.producer = v,
                                             .bytes = entry[1],
                                             .output = entry[2],
                                             .alias_of = entry[3] - 1,
                                             .first = i + 5,
                                             .count = entry[4],
                                             .port = port};
        i += 5 + entry[4];
    }
    return REGAL_OK;
}

static int64_t count_tensors(const remaking *at) {
    int64_t count = 0;
    for (int64_t v = 0; v < at->ops; ++v) {
        regal_tf_attribute view;
        const regal_tf_node node = node_at(at, at->op_node[v]);
        at->module->attribute(node.handle, "_regal_tensor_names", &view);
        count += view.string_count;
    }
    return count;
}

static regal_status add_tensor(remaking *at, const tensor_record *of) {
    const regal_tf_node node = node_at(at, at->op_node[of->producer]);
    regal_tf_attribute numbers, names;
    const void *found = at->module->attribute(node.handle, "_regal_tensors", &numbers);
    const void *texts = at->module->attribute(node.handle, "_regal_tensor_names", &names);
    regal_tensor tensor = {.producer = of->producer,
                           .bytes = of->bytes,
                           .output = of->output != 0,
                           .alias_of = of->alias_of};
    if (of->port >= names.string_count)
        return fail_at(at, &node, "_regal_tensor_names");
    REGAL_FORWARD(gd_copy_text(at->file, at->module->string(texts, of->port),
                               "the name of a tensor", &tensor.name));
    REGAL_FORWARD(regal_graph_add_tensor(at->graph, &tensor, NULL));
    for (int64_t i = 0; i < of->count; ++i)
        REGAL_FORWARD(
            regal_graph_add_consumer(at->graph, at->module->integer(found, of->first + i)));
    return REGAL_OK;
}

static regal_status add_tensors(remaking *at) {
    at->tensors = count_tensors(at);
    at->made = regal_allocate(at->tensors, sizeof *at->made);
    REGAL_FAIL_IF_NULL(at->made);
    for (int64_t t = 0; t < at->tensors; ++t)
        at->made[t].producer = -1;
    for (int64_t v = 0; v < at->ops; ++v)
        REGAL_FORWARD(note_tensors(at, v));
    for (int64_t t = 0; t < at->tensors; ++t) {
        REGAL_FAIL_IF(at->made[t].producer < 0, REGAL_INVALID_INPUT,
                      "%s: no attribute _regal_tensors has tensor %" PRId64 " of %" PRId64,
                      at->file->name, t, at->tensors);
        REGAL_FORWARD(add_tensor(at, &at->made[t]));
    }
    return REGAL_OK;
}

/* ---- parameters, control edges, the graph */

static regal_status add_parameter(remaking *at, const regal_tf_node *node) {
    regal_parameter parameter = {.bytes = read_number(at, node, "_regal_bytes")};
    REGAL_FORWARD(read_name(at, node, &parameter.name));
    REGAL_FORWARD(read_list(at, node, "_regal_ops", &parameter.op_count));
    parameter.ops = at->list;
    return regal_graph_add_parameter(at->graph, &parameter, NULL);
}

static regal_status add_control(remaking *at, const regal_tf_node *node) {
    int64_t count;
    REGAL_FORWARD(read_list(at, node, "_regal_control", &count));
    if (count % 2 != 0)
        return fail_at(at, node, "_regal_control");
    for (int64_t i = 0; i < count; i += 2)
        REGAL_FORWARD(regal_graph_add_control(at->graph, at->list[i], at->list[i + 1]));
    return REGAL_OK;
}

static regal_status create_graph(remaking *at, const regal_tf_node *node) {
    const char *name;
    int64_t count;
    REGAL_FAIL_IF(read_number(at, node, "_regal_version") != 1, REGAL_INVALID_INPUT,
                  "%s: a graph of REGAL's own, of another version (_regal_version)",
                  at->file->name);
    REGAL_FORWARD(read_text(at, node, "_regal_name", "", &name));
    REGAL_FORWARD(read_texts(at, node, "_regal_classes", &at->class_count));
    if (at->class_count < 1)
        return fail_at(at, node, "_regal_classes");
    REGAL_FORWARD(regal_graph_create(name, at->class_count, at->texts, &at->graph));
    REGAL_FORWARD(read_texts(at, node, "_regal_options", &count));
    for (int64_t i = 0; i + 1 < count; i += 2) /* how devices are read is for this reading to say */
        if (strcmp(at->texts[i], "stated-devices") != 0)
            REGAL_FORWARD(regal_graph_set_option(at->graph, at->texts[i], at->texts[i + 1]));
    return REGAL_OK;
}

static regal_status remake(remaking *at) {
    at->nodes = at->module->node_count(at->file->parsed, REGAL_TF_MAIN);
    at->op_node = regal_allocate(at->nodes, sizeof *at->op_node);
    REGAL_FAIL_IF_NULL(at->op_node);
    for (int64_t n = 1; n < at->nodes; ++n)
        if (!is(node_at(at, n).op, GD_PARAMETER))
            at->op_node[at->ops++] = n;
    const regal_tf_node first = node_at(at, 0);
    REGAL_FORWARD(create_graph(at, &first));
    REGAL_FORWARD(add_ops(at));
    REGAL_FORWARD(add_tensors(at));
    for (int64_t n = 1; n < at->nodes; ++n) {
        const regal_tf_node node = node_at(at, n);
        if (is(node.op, GD_PARAMETER))
            REGAL_FORWARD(add_parameter(at, &node));
    }
    REGAL_FORWARD(add_control(at, &first));
    const regal_source source = {.format = "graph-def",
                                 .unit = "nodes",
                                 .nodes = at->nodes,
                                 .ops = at->ops,
                                 .parameters = at->nodes - 1 - at->ops,
                                 .nothing = 1};
    regal_graph_set_source(at->graph, &source);
    return regal_graph_validate(at->graph);
}

regal_status gd_read_remade(gd_file *file, regal_graph **graph) {
    remaking at = {.file = file, .module = file->module};
    const regal_status status = remake(&at);
    free(at.op_node);
    free(at.made);
    free(at.list);
    free(at.texts);
    if (status != REGAL_OK) {
        regal_graph_destroy(at.graph);
        at.graph = NULL;
    }
    *graph = at.graph;
    const size_t known = strlen(file->name);
    return status != REGAL_OK && strncmp(regal_error_message(), file->name, known) != 0
               ? regal_error_prefix(status, "%s", file->name)
               : status;
}
