/* The memory that the values inside a function body or loop take while it runs. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/tensorflow/graph_def.h"

enum { LISTED = 20, SCALAR = 8 };

typedef struct peaks {
    gd_file *file;
    const gd_scope *scope;
    const int64_t *part;
    int64_t *root; /* [values] what it is a view of, or itself */
    int64_t *last; /* [values] of roots: the last place in the order that uses them */
    int64_t *size; /* [values] of roots: bytes while they are there */
    int64_t *live; /* [parts] */
} peaks;

static int64_t part_of(const peaks *at, int64_t node) {
    return at->part != NULL ? at->part[node] : 0;
}

/* The input that output `port` is seen through, or -1. */
static int64_t seen_input(const gd_scope *scope, const gd_node *node, int64_t port) {
    int64_t k = 0;
    switch (node->kind->role) {
    case GD_VIEWS:
        k = port;
        break;
    case GD_MERGE:
        if (port > 0)
            return -1;
        break;
    case GD_VIEW:
    case GD_SWITCH:
    case GD_ENTER:
    case GD_EXIT:
    case GD_NEXT:
        break;
    default:
        return -1;
    }
    return k < node->input_count ? scope->inputs[node->first_input + k] : -1;
}

static void find_roots(peaks *at) {
    const gd_scope *scope = at->scope;
    for (int64_t v = 0; v < scope->value_count; ++v)
        at->root[v] = v;
    for (int64_t i = 0; i < scope->count; ++i) {
        const gd_node *node = &scope->nodes[scope->order[i]];
        for (int64_t k = 0; k < node->value_count; ++k) {
            const int64_t input =
                seen_input(scope, node, scope->values[node->first_value + k].port);
            if (input >= 0) /* a back edge leads to what has no root yet: itself */
                at->root[node->first_value + k] = at->root[input];
        }
    }
}

static int64_t size_of(peaks *at, int64_t v) {
    const gd_file *file = at->file;
    const int64_t bytes = gd_shape_bytes(&at->scope->values[v].shape);
    if (bytes >= 0)
        return bytes;
    if (at->file->unknown++ < LISTED && !file->options->assume_bytes) {
        char text[256];
        gd_shape_print(&at->scope->values[v].shape, text, sizeof text);
        regal_warn("%s: the size of output %" PRId64 " of %s is unknown: %s", file->name,
                   at->scope->values[v].port, gd_place(file, at->scope, at->scope->values[v].node),
                   text);
    }
    return file->options->assume_bytes ? file->options->assumed_bytes : 0;
}

static void find_sizes(peaks *at, const bool *outer) {
    const gd_scope *scope = at->scope;
    for (int64_t v = 0; v < scope->value_count; ++v) {
        at->last[v] = -1;
        at->size[v] = 0;
    }
    for (int64_t v = 0; v < scope->value_count; ++v)
        if (outer[v])
            at->size[at->root[v]] = -1;
    for (int64_t v = scope->argument_count; v < scope->value_count; ++v) {
        const bool counts =
            at->root[v] == v && at->size[v] == 0 && part_of(at, scope->values[v].node) >= 0;
        at->size[v] = counts ? size_of(at, v) : 0;
    }
    for (int64_t i = 0; i < scope->count; ++i) {
        const gd_node *node = &scope->nodes[scope->order[i]];
        for (int64_t k = 0; k < node->input_count; ++k)
            at->last[at->root[scope->inputs[node->first_input + k]]] = i;
    }
}

/* Constants and variables are there all the time. */
static bool is_held(const gd_node *node) {
    return node->kind->role == GD_CONST || node->kind->role == GD_HELD;
}

static void hold(peaks *at) {
    const gd_scope *scope = at->scope;
    for (int64_t v = scope->argument_count; v < scope->value_count; ++v) {
        const int64_t n = scope->values[v].node;
        if (!is_held(&scope->nodes[n]) || part_of(at, n) < 0)
            continue;
        if (scope->nodes[n].kind->role == GD_HELD || at->size[v] > SCALAR)
            at->live[part_of(at, n)] = regal_count_add(at->live[part_of(at, n)], at->size[v]);
        at->size[v] = 0;
    }
}

static void drop(peaks *at, int64_t value, int64_t place, int64_t part) {
    const int64_t root = at->root[value];
    if (at->last[root] > place || at->size[root] == 0)
        return;
    const int64_t n = at->scope->values[root].node;
    if (n >= 0 && part_of(at, n) == part)
        at->live[part] -= at->size[root];
    at->size[root] = 0;
}

static void run(peaks *at, int64_t *most) {
    const gd_scope *scope = at->scope;
    for (int64_t i = 0; i < scope->count; ++i) {
        const gd_node *node = &scope->nodes[scope->order[i]];
        const int64_t part = part_of(at, scope->order[i]);
        if (part < 0)
            continue;
        for (int64_t k = 0; k < node->value_count; ++k)
            at->live[part] = regal_count_add(at->live[part], at->size[node->first_value + k]);
        const int64_t now = regal_count_add(at->live[part], node->cost.workspace);
        if (now > most[part])
            most[part] = now;
        if (at->live[part] == INT64_MAX)
            continue; /* more than can be counted: nothing is taken off again */
        for (int64_t k = 0; k < node->input_count; ++k)
            drop(at, scope->inputs[node->first_input + k], i, part);
        for (int64_t k = 0; k < node->value_count; ++k)
            drop(at, node->first_value + k, i, part);
    }
}

regal_status gd_peaks(gd_file *file, const gd_scope *scope, const int64_t *part, int64_t part_count,
                      const bool *outer, int64_t *most) {
    peaks at = {.file = file, .scope = scope, .part = part};
    at.root = regal_allocate(scope->value_count, sizeof *at.root);
    at.last = regal_allocate(scope->value_count, sizeof *at.last);
    at.size = regal_allocate(scope->value_count, sizeof *at.size);
    at.live = regal_allocate_zeroed(part_count, sizeof *at.live);
    const bool ok = at.root != NULL && at.last != NULL && at.size != NULL && at.live != NULL;
    if (ok) {
        for (int64_t p = 0; p < part_count; ++p)
            most[p] = 0;
        find_roots(&at);
        find_sizes(&at, outer);
        hold(&at);
        run(&at, most);
        for (int64_t p = 0; p < part_count; ++p)
            if (at.live[p] > most[p])
                most[p] = at.live[p];
    }
    free(at.root);
    free(at.last);
    free(at.size);
    free(at.live);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}
