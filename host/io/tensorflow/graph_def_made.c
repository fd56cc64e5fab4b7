/* A graph of another format as a GraphDef: a node for each op and parameter, inputs by tensor, "^"
 * for control edges, and in attributes all that these do not say (graph_def_remade.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_devices.h"
#include "io/tensorflow/graph_def_remade.h"
#include "io/tensorflow/graph_def_write.h"

typedef struct numbers {
    int64_t *items, count, capacity;
} numbers;

typedef struct making {
    gd_file *file;
    const regal_graph *graph;
    const regal_plan *plan;
    int64_t ops, tensors, parameters;
    const char **names; /* [ops + parameters] of nodes */
    int64_t *first;     /* [ops + 1] in made: an op's tensors, ascending */
    int64_t *made;      /* [tensors] */
    int64_t *port;      /* [tensors] */
    numbers list;       /* scratch */
    regal_name_table taken;
} making;

/* The graph's node is 0; ops follow, then parameters. */
static int64_t node_of(int64_t item) {
    return 1 + item;
}

/* ---- names */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* A name as TensorFlow has them. */
static bool is_plain(const char *name) {
    if (!is_letter(name[0]) && name[0] != '.')
        return false;
    for (const char *c = name; *c != '\0'; ++c)
        if (!is_letter(*c) && strchr("_>./-", *c) == NULL)
            return false;
    return true;
}

static const char *const RESERVED[] = {GD_GRAPH_NODE, GD_PLAIN_OP, GD_PARAMETER};

static bool is_plain_kind(const char *kind) {
    for (int i = 0; i < 3; ++i)
        if (strcmp(kind, RESERVED[i]) == 0)
            return false;
    return is_plain(kind);
}

static char *plain_copy(const char *name, int64_t item, bool numbered) {
    char *text = NULL;
    const int length =
        numbered ? asprintf(&text, "%s_r%lld", name, (long long)item) : asprintf(&text, "%s", name);
    for (int i = 0; i < length; ++i)
        if (!is_letter(text[i]) && (i == 0 || strchr("_>./-", text[i]) == NULL))
            text[i] = i == 0 ? '.' : '_';
    return length < 0 ? NULL : text;
}

/* Unique among nodes: the item's number is added where it is taken, as often as that takes. */
static regal_status name_item(making *at, int64_t item, const char *name) {
    char *text = plain_copy(name[0] != '\0' ? name : "unnamed", item, false);
    while (text != NULL && regal_name_table_find(&at->taken, text) >= 0) {
        char *longer = plain_copy(text, item, true);
        free(text);
        text = longer;
    }
    REGAL_FAIL_IF_NULL(text);
    at->names[item] = regal_arena_copy(&at->file->strings, text, strlen(text));
    free(text);
    REGAL_FAIL_IF_NULL(at->names[item]);
    regal_name_table_add(&at->taken, at->names[item], item);
    return REGAL_OK;
}

/* ---- attributes */

static regal_status put_list(making *at, int64_t node, const char *name, const int64_t *list,
                             int64_t count) {
    return at->file->module->put_integers(at->file->parsed, node, name, list, count);
}

static regal_status put_number(making *at, int64_t node, const char *name, int64_t number) {
    return number != 0 ? put_list(at, node, name, &number, 1) : REGAL_OK;
}

static regal_status put_text(making *at, int64_t node, const char *name, const char *text) {
    return at->file->module->put_strings(at->file->parsed, node, name, &text, 1);
}

static regal_status put_name(making *at, int64_t item, const char *name) {
    return strcmp(name, at->names[item]) != 0 ? put_text(at, node_of(item), "_regal_name", name)
                                              : REGAL_OK;
}

static bool push(making *at, int64_t number) {
    if (!regal_array_reserve(&at->list.items, &at->list.capacity, at->list.count + 1,
                             sizeof(int64_t)))
        return false;
    at->list.items[at->list.count++] = number;
    return true;
}

/* "=3" a device, "~gpu*" a pattern. */
static regal_status put_allowed(making *at, int64_t node, const regal_op *op) {
    if (op->allowed == NULL)
        return REGAL_OK;
    char **texts = regal_allocate_zeroed(op->allowed_count, sizeof *texts);
    bool ok = texts != NULL;
    for (int64_t i = 0; i < op->allowed_count && ok; ++i)
        ok = (op->allowed[i].pattern != NULL
                  ? asprintf(&texts[i], "~%s", op->allowed[i].pattern)
                  : asprintf(&texts[i], "=%lld", (long long)op->allowed[i].device)) >= 0;
    const regal_status status =
        ok ? at->file->module->put_strings(at->file->parsed, node, "_regal_allowed",
                                           (const char *const *)texts, op->allowed_count)
           : REGAL_OUT_OF_MEMORY;
    for (int64_t i = 0; i < op->allowed_count && ok; ++i)
        free(texts[i]);
    free(texts);
    return status;
}

/* Of each tensor: number, bytes, output, alias_of + 1, count of consumers, consumers. */
static regal_status put_tensors(making *at, int64_t v) {
    const int64_t count = at->first[v + 1] - at->first[v];
    const char **names = regal_allocate(count, sizeof *names);
    bool ok = names != NULL;
    at->list.count = 0;
    for (int64_t k = 0; k < count && ok; ++k) {
        const int64_t t = at->made[at->first[v] + k];
        const regal_tensor tensor = regal_graph_tensor(at->graph, t);
        names[k] = tensor.name;
        ok = push(at, t) && push(at, tensor.bytes) && push(at, tensor.output) &&
             push(at, tensor.alias_of + 1) && push(at, tensor.consumer_count);
        for (int64_t i = 0; i < tensor.consumer_count && ok; ++i)
            ok = push(at, tensor.consumers[i]);
    }
    regal_status status = ok ? REGAL_OK : REGAL_OUT_OF_MEMORY;
    if (status == REGAL_OK && count > 0)
        status = put_list(at, node_of(v), "_regal_tensors", at->list.items, at->list.count);
    if (status == REGAL_OK && count > 0)
        status = at->file->module->put_strings(at->file->parsed, node_of(v), "_regal_tensor_names",
                                               names, count);
    free(names);
    return status;
}

static regal_status put_op(making *at, int64_t v) {
    const regal_op op = regal_graph_op(at->graph, v);
    const int64_t node = node_of(v);
    const char *kind = op.kind != NULL ? op.kind : "";
    REGAL_FORWARD(at->file->module->add_node(at->file->parsed, at->names[v],
                                             is_plain_kind(kind) ? kind : GD_PLAIN_OP));
    REGAL_FORWARD(put_name(at, v, op.name));
    if (!is_plain_kind(kind) && kind[0] != '\0')
        REGAL_FORWARD(put_text(at, node, "_regal_kind", kind));
    REGAL_FORWARD(put_list(at, node, "_regal_cost", op.cost, regal_graph_class_count(at->graph)));
    REGAL_FORWARD(put_number(at, node, "_regal_workspace", op.workspace));
    REGAL_FORWARD(put_number(at, node, "_regal_flops", op.flops));
    if (op.group != NULL)
        REGAL_FORWARD(put_text(at, node, "_regal_group", op.group));
    REGAL_FORWARD(put_allowed(at, node, &op));
    return put_tensors(at, v);
}

static regal_status put_parameter(making *at, int64_t p) {
    const regal_parameter parameter = regal_graph_parameter(at->graph, p);
    const int64_t item = at->ops + p, node = node_of(item);
    REGAL_FORWARD(at->file->module->add_node(at->file->parsed, at->names[item], GD_PARAMETER));
    REGAL_FORWARD(put_name(at, item, parameter.name));
    REGAL_FORWARD(put_list(at, node, "_regal_bytes", &parameter.bytes, 1));
    return put_list(at, node, "_regal_ops", parameter.ops, parameter.op_count);
}

/* ---- the graph's own node */

static regal_status put_texts(making *at, const char *name, const char **texts, int64_t count) {
    return at->file->module->put_strings(at->file->parsed, 0, name, texts, count);
}

static regal_status put_strings_of_graph(making *at, const char **texts) {
    const int64_t classes = regal_graph_class_count(at->graph);
    const int64_t options = regal_graph_option_count(at->graph);
    for (int64_t c = 0; c < classes; ++c)
        texts[c] = regal_graph_class_name(at->graph, c);
    REGAL_FORWARD(put_texts(at, "_regal_classes", texts, classes));
    for (int64_t i = 0; i < options; ++i)
        regal_graph_option_at(at->graph, i, &texts[2 * i], &texts[2 * i + 1]);
    return put_texts(at, "_regal_options", texts, 2 * options);
}

static regal_status put_graph(making *at) {
    static const int64_t version = 1;
    const char *name = regal_graph_name(at->graph);
    REGAL_FORWARD(at->file->module->add_node(at->file->parsed, "regal_graph", GD_GRAPH_NODE));
    REGAL_FORWARD(put_list(at, 0, "_regal_version", &version, 1));
    REGAL_FORWARD(put_text(at, 0, "_regal_name", name != NULL ? name : ""));
    const char **texts =
        regal_allocate(regal_graph_class_count(at->graph) + 2 * regal_graph_option_count(at->graph),
                       sizeof *texts);
    const regal_status status =
        texts != NULL ? put_strings_of_graph(at, texts) : REGAL_OUT_OF_MEMORY;
    free(texts);
    REGAL_FORWARD(status);
    at->list.count = 0;
    for (int64_t i = 0; i < regal_graph_control_count(at->graph); ++i) {
        const regal_control_edge edge = regal_graph_control(at->graph, i);
        if (!push(at, edge.before) || !push(at, edge.after))
            return REGAL_OUT_OF_MEMORY;
    }
    return put_list(at, 0, "_regal_control", at->list.items, at->list.count);
}

/* ---- inputs: data, parameters, then control */

static regal_status add_input(making *at, int64_t v, const char *mark, const char *name,
                              int64_t port) {
    char *text = NULL;
    const int length = port > 0 ? asprintf(&text, "%s%s:%lld", mark, name, (long long)port)
                                : asprintf(&text, "%s%s", mark, name);
    const regal_status status =
        length < 0 ? REGAL_OUT_OF_MEMORY
                   : at->file->module->add_input(at->file->parsed, node_of(v), text);
    if (length >= 0)
        free(text);
    return status;
}

/* last[v]: the tensor or parameter that op v was given last: what stands several times counts once.
 */
static regal_status put_data(making *at, int64_t *last) {
    for (int64_t v = 0; v < at->ops; ++v)
        last[v] = -1;
    for (int64_t t = 0; t < at->tensors; ++t) {
        const regal_tensor tensor = regal_graph_tensor(at->graph, t);
        for (int64_t i = 0; i < tensor.consumer_count; ++i) {
            const int64_t v = tensor.consumers[i];
            if (last[v] != t)
                REGAL_FORWARD(add_input(at, v, "", at->names[tensor.producer], at->port[t]));
            last[v] = t;
        }
    }
    for (int64_t p = 0; p < at->parameters; ++p) {
        const regal_parameter parameter = regal_graph_parameter(at->graph, p);
        for (int64_t i = 0; i < parameter.op_count; ++i) {
            const int64_t v = parameter.ops[i];
            if (last[v] != at->tensors + p)
                REGAL_FORWARD(add_input(at, v, "", at->names[at->ops + p], 0));
            last[v] = at->tensors + p;
        }
    }
    return REGAL_OK;
}

static regal_status put_control(making *at) {
    for (int64_t i = 0; i < regal_graph_control_count(at->graph); ++i) {
        const regal_control_edge edge = regal_graph_control(at->graph, i);
        REGAL_FORWARD(add_input(at, edge.after, "^", at->names[edge.before], 0));
    }
    return REGAL_OK;
}

/* ---- the plan */

static regal_status put_devices(making *at) {
    char *names[REGAL_MAX_DEVICES] = {NULL};
    regal_status status = REGAL_OK;
    for (int64_t d = 0; d < at->plan->device_count && status == REGAL_OK; ++d)
        status = gd_device_write(at->graph, at->plan->cluster, d, &names[d]);
    for (int64_t v = 0; v < at->ops && status == REGAL_OK; ++v)
        status = at->file->module->set_device(at->file->parsed, node_of(v),
                                              names[at->plan->placement[v]]);
    for (int d = 0; d < REGAL_MAX_DEVICES; ++d)
        free(names[d]);
    return status;
}

static regal_status put_plan(making *at) {
    gd_chain chain = {0};
    if (at->plan == NULL)
        return REGAL_OK;
    REGAL_FORWARD(put_devices(at));
    regal_status status = gd_chain_make(at->plan, &chain);
    for (int64_t d = 0; d < at->plan->device_count && status == REGAL_OK; ++d)
        for (int64_t i = chain.begin[d] + 1; i < chain.begin[d + 1] && status == REGAL_OK; ++i)
            status = add_input(at, chain.ops[i], "^", at->names[chain.ops[i - 1]], 0);
    gd_chain_free(&chain);
    return status;
}

/* ---- */

static regal_status name_items(making *at) {
    REGAL_FAIL_IF(!regal_name_table_create(&at->taken, at->ops + at->parameters + 1),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_name_table_add(&at->taken, "regal_graph", -2);
    for (int64_t v = 0; v < at->ops; ++v)
        REGAL_FORWARD(name_item(at, v, regal_graph_op(at->graph, v).name));
    for (int64_t p = 0; p < at->parameters; ++p)
        REGAL_FORWARD(name_item(at, at->ops + p, regal_graph_parameter(at->graph, p).name));
    return REGAL_OK;
}

static regal_status reserve(making *at) {
    at->ops = regal_graph_op_count(at->graph);
    at->tensors = regal_graph_tensor_count(at->graph);
    at->parameters = regal_graph_parameter_count(at->graph);
    at->names = regal_allocate_zeroed(at->ops + at->parameters, sizeof *at->names);
    at->first = regal_allocate_zeroed(at->ops + 2, sizeof *at->first);
    at->made = regal_allocate(at->tensors, sizeof *at->made);
    at->port = regal_allocate(at->tensors, sizeof *at->port);
    REGAL_FAIL_IF(at->names == NULL || at->first == NULL || at->made == NULL || at->port == NULL ||
                      !push(at, 0),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t t = 0; t < at->tensors; ++t)
        ++at->first[regal_graph_tensor(at->graph, t).producer + 2];
    for (int64_t v = 0; v < at->ops; ++v)
        at->first[v + 2] += at->first[v + 1];
    for (int64_t t = 0; t < at->tensors; ++t) {
        int64_t *cursor = &at->first[regal_graph_tensor(at->graph, t).producer + 1];
        at->made[(*cursor)++] = t;
    }
    for (int64_t v = 0; v < at->ops; ++v)
        for (int64_t k = at->first[v]; k < at->first[v + 1]; ++k)
            at->port[at->made[k]] = k - at->first[v];
    return REGAL_OK;
}

static regal_status make(making *at) {
    REGAL_FORWARD(reserve(at));
    REGAL_FORWARD(name_items(at));
    REGAL_FORWARD(put_graph(at));
    for (int64_t v = 0; v < at->ops; ++v)
        REGAL_FORWARD(put_op(at, v));
    for (int64_t p = 0; p < at->parameters; ++p)
        REGAL_FORWARD(put_parameter(at, p));
    int64_t *last = regal_allocate(at->ops, sizeof *last);
    const regal_status status = last != NULL ? put_data(at, last) : REGAL_OUT_OF_MEMORY;
    free(last);
    REGAL_FORWARD(status);
    REGAL_FORWARD(put_control(at));
    return put_plan(at);
}

regal_status gd_make(gd_file *file, const regal_graph *graph, const regal_plan *plan) {
    making at = {.file = file, .graph = graph, .plan = plan};
    const regal_status status = make(&at);
    free(at.names);
    free(at.first);
    free(at.made);
    free(at.port);
    free(at.list.items);
    regal_name_table_destroy(&at.taken);
    if (status == REGAL_OUT_OF_MEMORY)
        REGAL_FAIL(status, "memory ran out");
    return status;
}
