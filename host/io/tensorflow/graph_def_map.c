#include "io/tensorflow/graph_def_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_places.h"

typedef struct list {
    int64_t *items, count, capacity;
} list;

typedef struct mapping {
    gd_file *file;
    regal_model *model;
    int64_t *value;        /* [values] of the model, or -1: inside a loop */
    regal_node_role *role; /* [nodes] */
    int64_t *id;           /* [nodes + loops] node of the model; -1 for a node in a loop */
    int64_t *group;        /* [nodes + loops] */
    bool *kept;            /* [values] outputs */
    bool *outer;           /* [values] leave the loop that makes them */
    int64_t *zeros;        /* [classes] */
    gd_places places;
    list inputs, outputs, alias;
} mapping;

static bool push(list *to, int64_t item) {
    if (!regal_array_reserve(&to->items, &to->capacity, to->count + 1, sizeof *to->items))
        return false;
    to->items[to->count++] = item;
    return true;
}

static int64_t frame_of(const mapping *at, int64_t node) {
    return node < 0 ? -1 : at->file->frame[node];
}

/* ---- outputs, and what leaves loops */

static void mark_values(mapping *at) {
    const gd_scope *scope = &at->file->main;
    for (int64_t k = 0; k < scope->result_count; ++k)
        at->kept[scope->results[k]] = at->outer[scope->results[k]] = true;
    for (int64_t n = 0; n < scope->count; ++n) {
        const gd_node *node = &scope->nodes[n];
        for (int64_t k = 0; k < node->input_count; ++k) {
            const int64_t v = scope->inputs[node->first_input + k];
            if (frame_of(at, scope->values[v].node) != frame_of(at, n))
                at->outer[v] = true;
            if (node->kind->role == GD_RETURN)
                at->kept[v] = true;
        }
    }
}

/* ---- values */

static regal_status add_value(mapping *at, int64_t v) {
    const gd_scope *scope = &at->file->main;
    const gd_value *value = &scope->values[v];
    const gd_node *node = &scope->nodes[value->node];
    char shape[320], *name = NULL;
    gd_shape_print(&value->shape, shape, sizeof shape);
    const bool plain = gd_is_weight(node, &value->shape) && value->port == 0;
    if (asprintf(&name, plain ? "%s" : "%s:%lld", node->name, (long long)value->port) < 0)
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    const regal_model_value made = {.name = name,
                                    .bytes = gd_shape_bytes(&value->shape),
                                    .shape = shape,
                                    .output = at->kept[v]};
    const regal_status status = regal_model_add_value(at->model, &made, &at->value[v]);
    free(name);
    return status;
}

static regal_status add_values(mapping *at) {
    const gd_scope *scope = &at->file->main;
    for (int64_t v = 0; v < scope->value_count; ++v) {
        at->value[v] = -1;
        if (frame_of(at, scope->values[v].node) < 0 || at->outer[v])
            REGAL_FORWARD(add_value(at, v));
    }
    return REGAL_OK;
}

/* ---- devices */

static bool is_op(const mapping *at, int64_t n) {
    return at->role[n] == REGAL_NODE_OP || at->file->main.nodes[n].control_count > 0;
}

/* of_item: what the first node of a loop says, and the first of a group, under its item. */
static void find_shared(const mapping *at, const char **of_item) {
    const gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    for (int64_t n = scope->count - 1; n >= 0; --n) {
        const int64_t item = file->frame[n] >= 0 ? scope->count + file->frame[n] : at->group[n];
        if (item >= 0 && scope->nodes[n].device[0] != '\0')
            of_item[item] = scope->nodes[n].device;
    }
}

/* An op is where it says; in a plan, else where its group is. */
static void put_places(mapping *at, const char *const *of_item) {
    const gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    const bool plan = file->options->stated_devices == REGAL_DEVICES_PLAN;
    for (int64_t i = 0; i < scope->count + file->frame_count; ++i) {
        const bool loop = i >= scope->count;
        if (!loop && (file->frame[i] >= 0 || !is_op(at, i)))
            continue;
        const char *own = loop ? of_item[i] : scope->nodes[i].device;
        const bool stated = own != NULL && own[0] != '\0';
        if (!stated)
            own = plan && at->group[i] >= 0 ? of_item[at->group[i]] : NULL;
        gd_places_put(&at->places, i, own != NULL ? own : "",
                      loop ? file->frames[i - scope->count] : scope->nodes[i].name);
    }
}

static regal_status find_places(mapping *at) {
    const gd_file *file = at->file;
    const int64_t items = file->main.count + file->frame_count;
    const char **of_item = regal_allocate_zeroed(items, sizeof *of_item);
    regal_status status = gd_places_create(&at->places, items);
    if (of_item == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK) {
        find_shared(at, of_item);
        put_places(at, of_item);
        status = gd_places_find(&at->places, file->name, file->options);
    }
    free(of_item);
    return status;
}

static void place(const mapping *at, int64_t item, regal_model_node *node) {
    const gd_device_set *set = gd_places_at(&at->places, item);
    if (set == NULL)
        return;
    node->allowed = set->allowed;
    node->allowed_count = set->count;
}

static void join_group(const mapping *at, int64_t item, regal_model_node *node) {
    const gd_file *file = at->file;
    const int64_t group = at->group[item];
    if (group >= 0)
        node->group = group < file->main.count ? file->main.nodes[group].name
                                               : file->frames[group - file->main.count];
}

/* ---- nodes */

/* The input value whose storage output `port` shares, or -1. */
static int64_t alias_of(const mapping *at, const gd_node *node, int64_t port) {
    const gd_role role = node->kind->role;
    const int64_t k = role == GD_VIEWS                       ? port
                      : role == GD_SWITCH || role == GD_VIEW ? 0
                                                             : node->input_count;
    return k < node->input_count ? at->value[at->file->main.inputs[node->first_input + k]] : -1;
}

static regal_status add_node(mapping *at, int64_t n) {
    const gd_scope *scope = &at->file->main;
    const gd_node *node = &scope->nodes[n];
    bool ok = true;
    at->inputs.count = at->outputs.count = at->alias.count = 0;
    for (int64_t k = 0; k < node->input_count; ++k)
        ok = ok && push(&at->inputs, at->value[scope->inputs[node->first_input + k]]);
    for (int64_t k = 0; k < node->value_count; ++k) {
        const gd_value *value = &scope->values[node->first_value + k];
        ok = ok && push(&at->outputs, at->value[node->first_value + k]) &&
             push(&at->alias, alias_of(at, node, value->port));
    }
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_model_node made = {.name = node->name,
                             .kind = node->op,
                             .role = at->role[n],
                             .inputs = at->inputs.items,
                             .input_count = at->inputs.count,
                             .outputs = at->outputs.items,
                             .output_count = at->outputs.count,
                             .cost = gd_is_free(scope, node) ? at->zeros : NULL,
                             .load = node->cost.load,
                             .flops = node->cost.load.counted,
                             .workspace = node->cost.workspace};
    if (made.role == REGAL_NODE_OP)
        made.alias = at->alias.items;
    join_group(at, n, &made);
    place(at, n, &made);
    return regal_model_add_node(at->model, &made, &at->id[n]);
}

/* ---- loops */

static regal_status add_loop(mapping *at, int64_t f, const int64_t *members, int64_t count) {
    gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    regal_model_node made = {.name = file->frames[f],
                             .kind = "While",
                             .role = REGAL_NODE_OP,
                             .nodes = count,
                             .workspace = file->frame_peak[f]};
    bool ok = true;
    at->inputs.count = at->outputs.count = 0;
    for (int64_t i = 0; i < count; ++i) {
        const gd_node *node = &scope->nodes[members[i]];
        for (int64_t k = 0; k < node->input_count; ++k) {
            const int64_t v = scope->inputs[node->first_input + k];
            if (frame_of(at, scope->values[v].node) != f)
                ok = ok && push(&at->inputs, at->value[v]);
        }
        for (int64_t k = 0; k < node->value_count; ++k)
            if (at->value[node->first_value + k] >= 0)
                ok = ok && push(&at->outputs, at->value[node->first_value + k]);
        regal_load_merge_times(&made.load, &node->cost.load, 1);
    }
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    made.flops = made.load.counted;
    made.inputs = at->inputs.items;
    made.input_count = at->inputs.count;
    made.outputs = at->outputs.items;
    made.output_count = at->outputs.count;
    join_group(at, scope->count + f, &made);
    place(at, scope->count + f, &made);
    file->endless = true;
    return regal_model_add_node(at->model, &made, &at->id[scope->count + f]);
}

/* members: the nodes of loop f are begin[f]..begin[f + 1]. A loop stands where its first node
 * does. */
static regal_status add_nodes(mapping *at, const int64_t *begin, const int64_t *members) {
    const gd_scope *scope = &at->file->main;
    for (int64_t n = 0; n < scope->count; ++n) {
        const int64_t f = at->file->frame[n];
        at->id[n] = -1;
        if (f < 0)
            REGAL_FORWARD(add_node(at, n));
        else if (members[begin[f]] == n)
            REGAL_FORWARD(add_loop(at, f, members + begin[f], begin[f + 1] - begin[f]));
    }
    return REGAL_OK;
}

static regal_status add_all_nodes(mapping *at) {
    const gd_file *file = at->file;
    const int64_t n = file->main.count;
    int64_t *begin = regal_allocate_zeroed(file->frame_count + 2, sizeof *begin);
    int64_t *members = regal_allocate(n, sizeof *members);
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (begin != NULL && members != NULL) {
        for (int64_t i = 0; i < n; ++i)
            if (file->frame[i] >= 0)
                ++begin[file->frame[i] + 2];
        for (int64_t f = 0; f < file->frame_count; ++f)
            begin[f + 2] += begin[f + 1];
        for (int64_t i = 0; i < n; ++i)
            if (file->frame[i] >= 0)
                members[begin[file->frame[i] + 1]++] = i;
        status = add_nodes(at, begin, members);
    }
    free(begin);
    free(members);
    if (status == REGAL_OUT_OF_MEMORY)
        REGAL_FAIL(status, "memory ran out");
    return status;
}

static int64_t id_of(const mapping *at, int64_t node) {
    const int64_t f = at->file->frame[node];
    return at->id[f >= 0 ? at->file->main.count + f : node];
}

static regal_status add_controls(mapping *at) {
    const gd_scope *scope = &at->file->main;
    for (int64_t n = 0; n < scope->count; ++n)
        for (int64_t k = 0; k < scope->nodes[n].control_count; ++k) {
            const int64_t before = id_of(at, scope->controls[scope->nodes[n].first_control + k]);
            if (before != id_of(at, n))
                REGAL_FORWARD(regal_model_add_control(at->model, before, id_of(at, n)));
        }
    return REGAL_OK;
}

/* ---- */

static regal_status reserve(mapping *at) {
    gd_file *file = at->file;
    const int64_t values = file->main.value_count, items = file->main.count + file->frame_count;
    at->value = regal_allocate(values, sizeof *at->value);
    at->kept = regal_allocate_zeroed(values, sizeof *at->kept);
    at->outer = regal_allocate_zeroed(values, sizeof *at->outer);
    at->id = regal_allocate(items, sizeof *at->id);
    at->role = regal_allocate(file->main.count, sizeof *at->role);
    at->group = regal_allocate(items, sizeof *at->group);
    at->zeros = regal_allocate_zeroed(file->profile_count, sizeof *at->zeros);
    file->frame_peak = regal_allocate(file->frame_count, sizeof *file->frame_peak);
    /* So that empty lists have an address. */
    const bool ok = push(&at->inputs, 0) && push(&at->outputs, 0) && push(&at->alias, 0);
    REGAL_FAIL_IF(!ok || at->value == NULL || at->kept == NULL || at->outer == NULL ||
                      at->id == NULL || at->role == NULL || at->group == NULL ||
                      at->zeros == NULL || file->frame_peak == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status map(mapping *at, regal_graph **graph) {
    gd_file *file = at->file;
    REGAL_FORWARD(reserve(at));
    REGAL_FORWARD(regal_model_create(file->name, "", file->options, &at->model));
    mark_values(at);
    REGAL_FORWARD(gd_roles_find(file, at->role));
    if (file->frame_count > 0)
        REGAL_FORWARD(gd_peaks(file, &file->main, file->frame, file->frame_count, at->outer,
                               file->frame_peak));
    REGAL_FORWARD(gd_groups_find(file, at->group));
    REGAL_FORWARD(find_places(at));
    REGAL_FORWARD(add_values(at));
    REGAL_FORWARD(add_all_nodes(at));
    REGAL_FORWARD(add_controls(at));
    return regal_model_finish(at->model, "graph-def", "nodes", graph);
}

regal_status gd_map(gd_file *file, regal_graph **graph) {
    mapping at = {.file = file};
    *graph = NULL;
    const regal_status status = map(&at, graph);
    regal_model_destroy(at.model);
    gd_places_free(&at.places);
    free(at.value);
    free(at.kept);
    free(at.outer);
    free(at.id);
    free(at.role);
    free(at.group);
    free(at.zeros);
    free(at.inputs.items);
    free(at.outputs.items);
    free(at.alias.items);
    return status;
}
