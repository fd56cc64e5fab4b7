/* The nodes of a graph or function body, with inputs resolved to the values that they name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_scope.h"

typedef struct making {
    gd_file *file;
    gd_scope *scope;
    gd_reference *references;            /* of all nodes, one behind the other */
    int64_t *first;                      /* [count + 1] in references */
    gd_reference *results;               /* [result_count] node -2: left open */
    int64_t *named;                      /* [count] output names that no table has */
    regal_name_table arguments, outputs; /* outputs: "node:name" to the first port of that name */
} making;

/* ---- nodes */

/* Kinds that are functions of the file are calls. */
static const gd_kind *kind_of(const gd_file *file, const char *op) {
    static const gd_kind call = {.name = "", .role = GD_CALL};
    return regal_name_table_find(&file->functions, op) >= 0 ? &call : gd_kind_find(op);
}

static regal_status read_node(making *at, int64_t index) {
    gd_file *file = at->file;
    const regal_tf_node view = file->module->node(file->parsed, at->scope->function, index);
    gd_node *node = &at->scope->nodes[index];
    char what[64];
    snprintf(what, sizeof what, "node[%" PRId64 "]: the name", index);
    REGAL_FORWARD(gd_copy_text(file, view.name, what, &node->name));
    REGAL_FORWARD(gd_copy_text(file, view.op, "an op", &node->op));
    REGAL_FORWARD(gd_copy_text(file, view.device, "a device", &node->device));
    REGAL_FAIL_IF(node->name[0] == '\0' || node->name[0] == '^' || strchr(node->name, ':') != NULL,
                  REGAL_INVALID_INPUT, "%s: node[%" PRId64 "]: '%s' is no name of a node",
                  file->name, index, node->name);
    node->handle = view.handle;
    node->kind = kind_of(file, node->op);
    const int64_t same = regal_name_table_add(&at->scope->names, node->name, index);
    REGAL_FAIL_IF(same != index, REGAL_INVALID_INPUT,
                  "%s: node[%" PRId64 "] and node[%" PRId64 "] have the same name '%s'", file->name,
                  same, index, node->name);
    return REGAL_OK;
}

static regal_status read_nodes(making *at) {
    gd_scope *scope = at->scope;
    int64_t references = 0;
    for (int64_t i = 0; i < scope->count; ++i) {
        REGAL_FORWARD(read_node(at, i));
        at->first[i] = references;
        references += at->file->module->node(at->file->parsed, scope->function, i).input_count;
    }
    at->first[scope->count] = references;
    at->references = regal_allocate(references, sizeof *at->references);
    scope->inputs = regal_allocate(references, sizeof *scope->inputs);
    scope->controls = regal_allocate(references, sizeof *scope->controls);
    REGAL_FAIL_IF(at->references == NULL || scope->inputs == NULL || scope->controls == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* ---- inputs */

/* A number of digits only, or -1. */
static int64_t read_port(const char *text) {
    int64_t port = 0;
    if (*text == '\0')
        return -1;
    for (; *text >= '0' && *text <= '9'; ++text)
        port = regal_count_add(regal_count_multiply(port, 10), *text - '0');
    return *text == '\0' && port < INT32_MAX ? port : -1;
}

/* Outputs whose names no table has are told apart: each name of a node has a range of its own. */
static regal_status unknown_output(making *at, int64_t node, const char *output, int64_t *base) {
    const size_t room = strlen(output) + 32;
    char *key = regal_allocate((int64_t)room, 1);
    REGAL_FAIL_IF_NULL(key);
    const int length = snprintf(key, room, "%" PRId64 ":%s", node, output);
    *base = regal_name_table_find(&at->outputs, key);
    if (*base < 0) {
        const char *kept = regal_arena_copy(&at->file->strings, key, (size_t)length);
        *base = at->named[node]++ * ((int64_t)INT32_MAX + 1);
        if (kept == NULL)
            *base = -1;
        else
            regal_name_table_add(&at->outputs, kept, *base);
    }
    free(key);
    REGAL_FAIL_IF(*base < 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* Output "name:index" of a node as function bodies write it; text is changed. */
static regal_status named_port(making *at, int64_t node, char *text, int64_t *port) {
    char *colon = strchr(text, ':');
    const int64_t index = colon != NULL ? read_port(colon + 1) : 0;
    if (colon != NULL)
        *colon = '\0';
    const char *op = at->scope->nodes[node].op;
    const int64_t function = regal_name_table_find(&at->file->functions, op);
    int64_t base = gd_kind_port(op, text);
    if (function >= 0) {
        const regal_graph_def_module *module = at->file->module;
        const int64_t count = module->function(at->file->parsed, function).result_count;
        for (int64_t k = 0; k < count && base < 0; ++k) {
            regal_tf_text name;
            module->result(at->file->parsed, function, k, &name);
            if (name.size == strlen(text) && memcmp(name.data, text, name.size) == 0)
                base = k;
        }
    }
    if (base < 0)
        REGAL_FORWARD(unknown_output(at, node, text, &base));
    *port = index < 0 ? -1 : base + index;
    return REGAL_OK;
}

/* Of "node", "node:port", "node:output:index" or the name of an argument; text is changed. */
static regal_status resolve(making *at, char *text, gd_reference *found, bool *malformed) {
    char *colon = strchr(text, ':');
    if (colon != NULL)
        *colon = '\0';
    *malformed = false;
    const int64_t argument = regal_name_table_find(&at->arguments, text);
    found->node = argument >= 0 ? -1 : regal_name_table_find(&at->scope->names, text);
    found->port = argument >= 0 ? argument : 0;
    if (argument < 0 && found->node < 0) {
        found->node = -2;
        return REGAL_OK;
    }
    if (colon == NULL || argument >= 0)
        return REGAL_OK;
    found->port = read_port(colon + 1);
    if (found->port < 0 && at->scope->function >= 0)
        REGAL_FORWARD(named_port(at, found->node, colon + 1, &found->port));
    *malformed = found->port < 0;
    return REGAL_OK;
}

static regal_status read_input(making *at, int64_t index, int64_t k, gd_reference *found) {
    gd_file *file = at->file;
    const gd_node *node = &at->scope->nodes[index];
    const regal_tf_text view = file->module->input(node->handle, k);
    const char *copy;
    REGAL_FORWARD(gd_copy_text(file, view, "an input", &copy));
    const bool control = copy[0] == '^';
    bool malformed;
    REGAL_FORWARD(resolve(at, (char *)copy + control, found, &malformed));
    REGAL_FAIL_IF(malformed, REGAL_INVALID_INPUT,
                  "%s: %s: input[%" PRId64 "] '%.*s' is malformed: expected 'node:port'",
                  file->name, gd_place(file, at->scope, index), k,
                  (int)(view.size < 200 ? view.size : 200), view.data);
    REGAL_FAIL_IF(found->node == -2, REGAL_INVALID_INPUT,
                  "%s: %s: input[%" PRId64 "] comes from '%.200s', which no node is called",
                  file->name, gd_place(file, at->scope, index), k, copy + control);
    if (control)
        found->port = GD_CONTROL;
    return REGAL_OK;
}

static regal_status read_inputs(making *at) {
    gd_scope *scope = at->scope;
    int64_t controls = 0;
    for (int64_t i = 0; i < scope->count; ++i) {
        gd_node *node = &scope->nodes[i];
        node->first_control = controls;
        int64_t kept = at->first[i];
        node->first_input = kept;
        for (int64_t k = 0; k < at->first[i + 1] - at->first[i]; ++k) {
            gd_reference found;
            REGAL_FORWARD(read_input(at, i, k, &found));
            if (found.port != GD_CONTROL)
                at->references[kept++] = found;
            else if (found.node >= 0)
                scope->controls[controls++] = found.node;
        }
        node->input_count = kept - node->first_input;
        node->control_count = controls - node->first_control;
    }
    return REGAL_OK;
}

/* ---- functions */

static regal_status read_arguments(making *at) {
    gd_file *file = at->file;
    for (int64_t k = 0; k < at->scope->argument_count; ++k) {
        const char *name;
        REGAL_FORWARD(
            gd_copy_text(file, file->module->argument(file->parsed, at->scope->function, k).name,
                         "an argument's name", &name));
        regal_name_table_add(&at->arguments, name, k);
    }
    return REGAL_OK;
}

/* A result that a body does not make is left open (node -2). Results of the main graph are the
 * tensors that a signature names. */
static regal_status read_results(making *at) {
    gd_file *file = at->file;
    const bool main = at->scope->function < 0;
    for (int64_t k = 0; k < at->scope->result_count; ++k) {
        regal_tf_text name, text;
        const char *source;
        bool malformed;
        text = main ? file->module->output(file->parsed, k)
                    : file->module->result(file->parsed, at->scope->function, k, &name);
        REGAL_FORWARD(gd_copy_text(file, text, "the name of an output", &source));
        REGAL_FORWARD(resolve(at, (char *)source, &at->results[k], &malformed));
        REGAL_FAIL_IF(main && (malformed || at->results[k].node < 0), REGAL_INVALID_INPUT,
                      "%s: a signature names the output '%.*s', which no node makes", file->name,
                      (int)(text.size < 200 ? text.size : 200), text.data);
        if (malformed)
            at->results[k].node = -2;
    }
    return REGAL_OK;
}

/* ---- */

static regal_status reserve(making *at) {
    gd_file *file = at->file;
    gd_scope *scope = at->scope;
    scope->count = file->module->node_count(file->parsed, scope->function);
    if (scope->function < 0)
        scope->result_count = file->module->output_count(file->parsed);
    if (scope->function >= 0) {
        const regal_tf_function function = file->module->function(file->parsed, scope->function);
        scope->argument_count = function.argument_count;
        scope->result_count = function.result_count;
    }
    scope->nodes = regal_allocate_zeroed(scope->count, sizeof *scope->nodes);
    scope->results = regal_allocate(scope->result_count, sizeof *scope->results);
    at->results = regal_allocate(scope->result_count, sizeof *at->results);
    at->named = regal_allocate_zeroed(scope->count, sizeof *at->named);
    at->first = regal_allocate(scope->count + 1, sizeof *at->first);
    REGAL_FAIL_IF(scope->nodes == NULL || scope->results == NULL || at->results == NULL ||
                      at->named == NULL || at->first == NULL ||
                      !regal_name_table_create(&scope->names, scope->count) ||
                      !regal_name_table_create(&at->arguments, scope->argument_count),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status make(making *at) {
    REGAL_FORWARD(reserve(at));
    REGAL_FORWARD(read_nodes(at));
    REGAL_FAIL_IF(!regal_name_table_create(&at->outputs,
                                           at->first[at->scope->count] + at->scope->result_count),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    REGAL_FORWARD(read_arguments(at));
    REGAL_FORWARD(read_inputs(at));
    REGAL_FORWARD(read_results(at));
    REGAL_FORWARD(gd_scope_values(at->file, at->scope, at->references, at->results));
    return gd_scope_order(at->file, at->scope);
}

regal_status gd_scope_make(gd_file *file, gd_scope *scope, int64_t function) {
    if (scope->made)
        return REGAL_OK;
    making at = {.file = file, .scope = scope};
    scope->function = function;
    scope->made = true;
    const regal_status status = make(&at);
    free(at.references);
    free(at.results);
    free(at.named);
    free(at.first);
    regal_name_table_destroy(&at.arguments);
    regal_name_table_destroy(&at.outputs);
    return status;
}

void gd_scope_free(gd_scope *scope) {
    free(scope->nodes);
    free(scope->values);
    free(scope->inputs);
    free(scope->controls);
    free(scope->results);
    free(scope->order);
    regal_name_table_destroy(&scope->names);
}
