/* Shapes and costs of the main graph and, through its calls, of function bodies. A body is
 * evaluated for each set of argument shapes that it is called with, on a stack of our own:
 * functions may nest as deeply as a file likes. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_rules.h"

enum { SETS = 16 }; /* of argument shapes; the last one stands for all further ones */

typedef struct evaluation {
    gd_shape *arguments, *results;
    gd_cost cost;
} evaluation;

struct gd_memo {
    evaluation *sets;
    int64_t count;
};

typedef struct level {
    gd_scope *scope;
    int64_t position; /* in its order */
    gd_shape *arguments;
} level;

typedef struct machine {
    gd_file *file;
    level *levels;
    int64_t count, capacity;
} machine;

void gd_memos_free(gd_file *file) {
    for (int64_t f = 0; file->memos != NULL && f < file->function_count; ++f) {
        for (int64_t i = 0; i < file->memos[f].count; ++i) {
            free(file->memos[f].sets[i].arguments);
            free(file->memos[f].sets[i].results);
        }
        free(file->memos[f].sets);
    }
    free(file->memos);
    file->memos = NULL;
}

/* ---- which functions a node calls */

/* Entry k of the functions in an attribute; -1: no such entry. */
static regal_status find_called(const gd_file *file, const gd_scope *scope, int64_t index,
                                const char *attribute, int64_t k, int64_t *function) {
    regal_tf_attribute view;
    const void *found = file->module->attribute(scope->nodes[index].handle, attribute, &view);
    *function = -1;
    if (found == NULL || k >= view.function_count)
        return REGAL_OK;
    const regal_tf_text name = file->module->called(found, k);
    char *text = strndup(name.data, name.size);
    REGAL_FAIL_IF_NULL(text);
    *function = regal_name_table_find(&file->functions, text);
    const regal_status status =
        *function >= 0
            ? REGAL_OK
            : regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__,
                              "%s: %s calls '%.200s', which no function of the library is called",
                              file->name, gd_place(file, scope, index), text);
    free(text);
    return status;
}

/* Function k that the node may call, or -1 past the last. */
static regal_status find_callee(const gd_file *file, const gd_scope *scope, int64_t index,
                                int64_t k, int64_t *function) {
    const gd_node *node = &scope->nodes[index];
    *function = -1;
    if (node->kind->role == GD_LOOP)
        return k < 2 ? find_called(file, scope, index, k == 0 ? "cond" : "body", 0, function)
                     : REGAL_OK;
    if (node->kind->role == GD_CHOICE) {
        if (strstr(node->op, "Case") != NULL)
            return find_called(file, scope, index, "branches", k, function);
        return k < 2 ? find_called(file, scope, index, k == 0 ? "then_branch" : "else_branch", 0,
                                   function)
                     : REGAL_OK;
    }
    if (node->kind->role != GD_CALL || k > 0)
        return REGAL_OK;
    *function = regal_name_table_find(&file->functions, node->op);
    if (*function >= 0)
        return REGAL_OK;
    return find_called(file, scope, index, strcmp(node->op, "XlaLaunch") == 0 ? "function" : "f", 0,
                       function);
}

/* The node's input that is the functions' first argument. */
static int64_t first_argument(const gd_node *node) {
    return node->kind->role == GD_CHOICE || strcmp(node->op, "RemoteCall") == 0 ? 1 : 0;
}

/* ---- evaluations that are there already */

static const evaluation *find_set(const gd_file *file, gd_scope *scope, gd_node *node,
                                  int64_t function) {
    const gd_call call = {.file = (gd_file *)file, .scope = scope, .node = node};
    const struct gd_memo *memo = &file->memos[function];
    const int64_t first = first_argument(node);
    const int64_t arguments = file->module->function(file->parsed, function).argument_count;
    for (int64_t i = 0; i < memo->count; ++i) {
        int64_t k = 0;
        while (k < arguments &&
               gd_shape_equal(&memo->sets[i].arguments[k], gd_input(&call, first + k)))
            ++k;
        if (k == arguments)
            return &memo->sets[i];
    }
    return memo->count == SETS ? &memo->sets[SETS - 1] : NULL;
}

/* ---- levels */

static regal_status push(machine *at, gd_scope *scope, gd_shape *arguments) {
    if (!regal_array_reserve(&at->levels, &at->capacity, at->count + 1, sizeof *at->levels)) {
        free(arguments);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    at->levels[at->count++] = (level){.scope = scope, .arguments = arguments};
    scope->active = true;
    return REGAL_OK;
}

/* What the function itself says of its arguments joins what the call says. */
static void set_arguments(const gd_file *file, gd_scope *body, const gd_shape *arguments) {
    for (int64_t k = 0; k < body->argument_count; ++k) {
        const regal_tf_argument own = file->module->argument(file->parsed, body->function, k);
        gd_shape shape = arguments[k];
        if (shape.type == GD_TYPE_UNKNOWN)
            shape.type = gd_shape_unknown(own.type).type;
        if (own.shapes != NULL && file->module->shape_count(own.shapes) > 0) {
            const gd_shape said =
                gd_shape_read(file->module, file->module->shape(own.shapes, 0), shape.type);
            shape = gd_shape_merge(&shape, &said);
        }
        body->values[k].shape = shape;
    }
}

static regal_status enter(machine *at, gd_scope *scope, gd_node *node, int64_t function) {
    gd_file *file = at->file;
    gd_scope *body = &file->bodies[function];
    const gd_call call = {.file = file, .scope = scope, .node = node};
    REGAL_FAIL_IF(body->active, REGAL_INVALID_INPUT,
                  "%s: function '%.*s' calls itself, through %s: recursion has no bound",
                  file->name, (int)file->module->function(file->parsed, function).name.size,
                  file->module->function(file->parsed, function).name.data,
                  gd_place(file, scope, node - scope->nodes));
    REGAL_FORWARD(gd_scope_make(file, body, function));
    gd_shape *arguments = regal_allocate(body->argument_count, sizeof *arguments);
    REGAL_FAIL_IF_NULL(arguments);
    for (int64_t k = 0; k < body->argument_count; ++k)
        arguments[k] = *gd_input(&call, first_argument(node) + k);
    set_arguments(file, body, arguments);
    return push(at, body, arguments);
}

/* ---- nodes */

static bool costs_less(const gd_file *file, const regal_load *a, const regal_load *b) {
    return regal_load_ticks(file->profiles[0], a) < regal_load_ticks(file->profiles[0], b);
}

/* Output `port` is result `port`; of several functions' results the greatest counts. */
static void take_results(const gd_file *file, gd_scope *scope, gd_node *node, int64_t function,
                         const evaluation *set) {
    const int64_t count = file->module->function(file->parsed, function).result_count;
    for (int64_t k = 0; k < node->value_count; ++k) {
        gd_value *value = &scope->values[node->first_value + k];
        if (value->port >= count)
            continue;
        const gd_shape *result = &set->results[value->port];
        const gd_shape before = value->shape;
        value->shape = gd_shape_merge(&before, result);
        if (result->elements > value->shape.elements)
            value->shape = *result;
        if (result->type != GD_TYPE_UNKNOWN)
            value->shape.type = result->type;
        value->shape.number_count = node->kind->role == GD_CALL ? result->number_count : -1;
    }
}

static regal_status finish_call(gd_file *file, gd_scope *scope, int64_t index) {
    gd_node *node = &scope->nodes[index];
    int64_t function;
    gd_cost total = {0};
    for (int64_t k = 0;; ++k) {
        REGAL_FORWARD(find_callee(file, scope, index, k, &function));
        if (function < 0)
            break;
        const evaluation *set = find_set(file, scope, node, function);
        if (node->kind->role != GD_LOOP || k == 1)
            take_results(file, scope, node, function, set);
        if (node->kind->role != GD_CHOICE)
            regal_load_merge_times(&total.load, &set->cost.load, 1);
        else if (k == 0 || costs_less(file, &total.load, &set->cost.load))
            total.load = set->cost.load;
        if (set->cost.workspace > total.workspace)
            total.workspace = set->cost.workspace;
    }
    node->cost = total;
    file->endless |= node->kind->role == GD_LOOP;
    return REGAL_OK;
}

/* *waiting: a function was entered that the node needs first. */
static regal_status visit(machine *at, gd_scope *scope, int64_t index, bool *waiting) {
    gd_node *node = &scope->nodes[index];
    int64_t function = -1, k = 0;
    *waiting = false;
    for (;; ++k) {
        REGAL_FORWARD(find_callee(at->file, scope, index, k, &function));
        if (function < 0)
            break;
        if (find_set(at->file, scope, node, function) == NULL) {
            *waiting = true;
            return enter(at, scope, node, function);
        }
    }
    gd_infer(at->file, scope, index);
    if (k > 0)
        return finish_call(at->file, scope, index);
    node->cost = (gd_cost){0};
    if (node->kind->role == GD_OP || node->kind->role == GD_CALL || node->kind->role == GD_CHOICE ||
        node->kind->role == GD_LOOP)
        node->cost.load = gd_work_load(at->file, scope, index);
    return REGAL_OK;
}

/* ---- the end of a body */

static regal_status total_of(gd_file *file, const gd_scope *scope, gd_cost *total) {
    bool *outer = regal_allocate_zeroed(scope->value_count, sizeof *outer);
    REGAL_FAIL_IF_NULL(outer);
    for (int64_t k = 0; k < scope->result_count; ++k)
        if (scope->results[k] >= 0)
            outer[scope->results[k]] = true;
    *total = (gd_cost){0};
    for (int64_t i = 0; i < scope->count; ++i)
        regal_load_merge_times(&total->load, &scope->nodes[i].cost.load, 1);
    const regal_status status = gd_peaks(file, scope, NULL, 1, outer, &total->workspace);
    free(outer);
    return status;
}

static regal_status leave(machine *at) {
    gd_file *file = at->file;
    level *top = &at->levels[at->count - 1];
    gd_scope *scope = top->scope;
    struct gd_memo *memo = &file->memos[scope->function];
    evaluation made = {0};
    if (memo->sets == NULL)
        memo->sets = regal_allocate(SETS, sizeof *memo->sets);
    made.results = regal_allocate(scope->result_count, sizeof *made.results);
    if (memo->sets == NULL || made.results == NULL) {
        free(made.results);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    for (int64_t k = 0; k < scope->result_count; ++k)
        made.results[k] = scope->results[k] >= 0 ? scope->values[scope->results[k]].shape
                                                 : gd_shape_unknown(GD_TYPE_UNKNOWN);
    const regal_status status = total_of(file, scope, &made.cost);
    made.arguments = top->arguments;
    memo->sets[memo->count++] = made;
    scope->active = false;
    --at->count;
    return status;
}

static regal_status run(machine *at) {
    while (at->count > 0) {
        level *top = &at->levels[at->count - 1];
        if (top->position < top->scope->count) {
            bool waiting;
            REGAL_FORWARD(visit(at, top->scope, top->scope->order[top->position], &waiting));
            if (!waiting)
                ++at->levels[at->count - 1].position;
        } else if (at->count > 1) {
            REGAL_FORWARD(leave(at));
        } else {
            --at->count;
        }
    }
    return REGAL_OK;
}

regal_status gd_evaluate(gd_file *file) {
    machine at = {.file = file};
    file->memos = regal_allocate_zeroed(file->function_count, sizeof *file->memos);
    REGAL_FAIL_IF_NULL(file->memos);
    regal_status status = push(&at, &file->main, NULL);
    if (status == REGAL_OK)
        status = run(&at);
    for (int64_t i = 0; i < at.count; ++i)
        free(at.levels[i].arguments);
    free(at.levels);
    return status;
}
