/* The outermost while loops of a graph with control flow of old: nodes between the Enters of a
 * frame and its Exits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def.h"

typedef struct place {
    int64_t frame, depth; /* outermost loop, or -1; how deep within it */
} place;

static regal_status frame_of(gd_file *file, regal_name_table *table, const gd_node *node,
                             int64_t *frame) {
    regal_tf_attribute view;
    const void *found = file->module->attribute(node->handle, "frame_name", &view);
    const regal_tf_text text = found != NULL && view.string_count > 0
                                   ? file->module->string(found, 0)
                                   : (regal_tf_text){node->name, strlen(node->name)};
    const char *name;
    REGAL_FORWARD(gd_copy_text(file, text, "a frame's name", &name));
    *frame = regal_name_table_add(table, name, file->frame_count);
    if (*frame < file->frame_count)
        return REGAL_OK;
    REGAL_FAIL_IF(!regal_array_reserve(&file->frames, &file->frame_capacity, file->frame_count + 1,
                                       sizeof *file->frames),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    file->frames[file->frame_count++] = name;
    return REGAL_OK;
}

/* Where what comes out of a node lies. */
static place behind(const gd_scope *scope, const place *places, int64_t node) {
    place at = places[node];
    if (scope->nodes[node].kind->role == GD_EXIT && at.frame >= 0 && --at.depth == 0)
        at.frame = -1;
    return at;
}

/* Of all that leads to a node: the deepest. */
static regal_status join(const gd_file *file, int64_t node, place *at, place source) {
    if (source.frame < 0)
        return REGAL_OK;
    REGAL_FAIL_IF(at->frame >= 0 && at->frame != source.frame, REGAL_INVALID_INPUT,
                  "%s: %s has inputs from two loops, '%.200s' and '%.200s'", file->name,
                  gd_place(file, &file->main, node), file->frames[at->frame],
                  file->frames[source.frame]);
    at->frame = source.frame;
    at->depth = source.depth > at->depth ? source.depth : at->depth;
    return REGAL_OK;
}

static regal_status locate(gd_file *file, regal_name_table *table, place *places, int64_t node) {
    const gd_scope *scope = &file->main;
    const gd_node *of = &scope->nodes[node];
    place at = {.frame = -1};
    for (int64_t k = 0; k < of->input_count; ++k) {
        const int64_t from = scope->values[scope->inputs[of->first_input + k]].node;
        if (from >= 0 && !gd_is_back_edge(scope, from, node))
            REGAL_FORWARD(join(file, node, &at, behind(scope, places, from)));
    }
    for (int64_t k = 0; k < of->control_count; ++k)
        REGAL_FORWARD(
            join(file, node, &at, behind(scope, places, scope->controls[of->first_control + k])));
    if (of->kind->role == GD_ENTER) {
        if (at.frame < 0)
            REGAL_FORWARD(frame_of(file, table, of, &at.frame));
        ++at.depth;
    }
    places[node] = at;
    return REGAL_OK;
}

static int64_t count_enters(const gd_scope *scope) {
    int64_t count = 0;
    for (int64_t i = 0; i < scope->count; ++i)
        count += scope->nodes[i].kind->role == GD_ENTER;
    return count;
}

static bool is_taken(const gd_file *file, const regal_name_table *table, int64_t f) {
    const int64_t other = regal_name_table_find(table, file->frames[f]);
    return regal_name_table_find(&file->main.names, file->frames[f]) >= 0 ||
           (other >= 0 && other != f);
}

/* A loop is an op of its own: its name must differ from those of nodes and other loops. */
static regal_status name_frames(gd_file *file, regal_name_table *table) {
    for (int64_t f = 0; f < file->frame_count; ++f) {
        while (is_taken(file, table, f)) {
            char *longer = NULL;
            const int length = asprintf(&longer, "%s/loop", file->frames[f]);
            file->frames[f] =
                length >= 0 ? regal_arena_copy(&file->strings, longer, (size_t)length) : NULL;
            if (length >= 0)
                free(longer);
            REGAL_FAIL_IF_NULL(file->frames[f]);
        }
        regal_name_table_add(table, file->frames[f], f);
    }
    return REGAL_OK;
}

static regal_status find(gd_file *file, regal_name_table *table, place *places) {
    const gd_scope *scope = &file->main;
    for (int64_t i = 0; i < scope->count; ++i)
        REGAL_FORWARD(locate(file, table, places, scope->order[i]));
    for (int64_t i = 0; i < scope->count; ++i) {
        const gd_role role = scope->nodes[i].kind->role;
        file->frame[i] = places[i].frame;
        file->border[i] = places[i].depth == 1 && (role == GD_ENTER || role == GD_EXIT);
    }
    return name_frames(file, table);
}

regal_status gd_frames_find(gd_file *file) {
    const int64_t n = file->main.count;
    place *places = regal_allocate(n, sizeof *places);
    regal_name_table table = {0};
    file->frame = regal_allocate(n, sizeof *file->frame);
    file->border = regal_allocate(n, sizeof *file->border);
    regal_status status =
        places != NULL && file->frame != NULL && file->border != NULL &&
                regal_name_table_create(&table, 2 * count_enters(&file->main))
            ? REGAL_OK
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        status = find(file, &table, places);
    regal_name_table_destroy(&table);
    free(places);
    return status;
}
