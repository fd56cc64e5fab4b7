#include "io/graph_def_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/graph_def_devices.h"
#include "io/model_graph.h"

enum { SCALAR = 8 };

typedef struct list {
    int64_t *items, count, capacity;
} list;

typedef struct mapping {
    gd_file *file;
    regal_model *model;
    int64_t *value;               /* [values] of the model, or -1: inside a loop */
    regal_node_role *role;        /* [nodes] */
    bool *ready;                  /* [nodes] what comes out is there before any op has run */
    int64_t *id;                  /* [nodes + loops] node of the model; -1 for a node in a loop */
    int64_t *group;               /* [nodes + loops] */
    bool *kept;                   /* [values] outputs */
    bool *outer;                  /* [values] leave the loop that makes them */
    int64_t *zeros;               /* [classes] */
    int64_t *device;              /* [nodes + loops] in sets, or -1 */
    const char **names, **owners; /* [set_count] device names, and an op that has it */
    gd_device_set *sets;
    int64_t set_count;
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

static bool is_weight(const gd_node *node, const gd_shape *shape) {
    return node->kind->role == GD_HELD ||
           (node->kind->role == GD_CONST &&
            (gd_shape_bytes(shape) < 0 || gd_shape_bytes(shape) > SCALAR));
}

static regal_status add_value(mapping *at, int64_t v) {
    const gd_scope *scope = &at->file->main;
    const gd_value *value = &scope->values[v];
    const gd_node *node = &scope->nodes[value->node];
    char shape[320], *name = NULL;
    gd_shape_print(&value->shape, shape, sizeof shape);
    const bool plain = is_weight(node, &value->shape) && value->port == 0;
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

/* ---- roles */

/* What shapes alone say is known before anything runs. */
static bool follows_from_shapes(const gd_scope *scope, const gd_node *node) {
    for (int64_t k = 0; k < node->value_count; ++k) {
        const gd_shape *shape = &scope->values[node->first_value + k].shape;
        if (shape->number_count < 0 || !shape->from_shape)
            return false;
    }
    return node->value_count > 0;
}

/* Whether inputs from k on are there before any op has run. */
static bool are_ready(const mapping *at, const gd_node *node, int64_t k) {
    const gd_scope *scope = &at->file->main;
    for (; k < node->input_count; ++k) {
        const int64_t from = scope->values[scope->inputs[node->first_input + k]].node;
        if (!at->ready[from])
            return false;
    }
    return true;
}

/* A view, or a shape that is known, that waits for what it does not see is an op, so that no order
 * goes against the file's. */
static regal_node_role role_of(const mapping *at, const gd_node *node) {
    const gd_scope *scope = &at->file->main;
    switch (node->kind->role) {
    case GD_CONST:
        return node->value_count > 0 && is_weight(node, &scope->values[node->first_value].shape)
                   ? REGAL_NODE_WEIGHT
                   : REGAL_NODE_NOTHING;
    case GD_HELD:
        return REGAL_NODE_WEIGHT;
    case GD_RETURN:
        return REGAL_NODE_NOTHING;
    case GD_VIEWS:
        return node->input_count == 1 ? REGAL_NODE_VIEW : REGAL_NODE_OP;
    case GD_VIEW:
    case GD_ENTER:
    case GD_EXIT:
    case GD_NEXT:
        return are_ready(at, node, 1) ? REGAL_NODE_VIEW : REGAL_NODE_OP;
    default:
        return follows_from_shapes(scope, node) && are_ready(at, node, 0) ? REGAL_NODE_NOTHING
                                                                          : REGAL_NODE_OP;
    }
}

static void find_roles(mapping *at) {
    const gd_scope *scope = &at->file->main;
    for (int64_t i = 0; i < scope->count; ++i) {
        const int64_t n = scope->order[i];
        const gd_node *node = &scope->nodes[n];
        at->ready[n] = false; /* for a loop's back edge to it */
        at->role[n] = role_of(at, node);
        at->ready[n] = at->role[n] != REGAL_NODE_OP && node->control_count == 0 &&
                       at->file->frame[n] < 0 && are_ready(at, node, 0);
    }
}

/* ---- devices */

/* The device name of a node or loop: its own, or in a plan that of its group. */
static const char *stated(const mapping *at, int64_t item, const char *const *of_group) {
    const gd_scope *scope = &at->file->main;
    if (item < scope->count && scope->nodes[item].device[0] != '\0')
        return scope->nodes[item].device;
    const bool plan = at->file->options->stated_devices == REGAL_DEVICES_PLAN;
    const char *shared = at->group[item] >= 0 && plan ? of_group[at->group[item]] : NULL;
    return shared != NULL ? shared : "";
}

static bool is_op(const mapping *at, int64_t n) {
    return at->role[n] == REGAL_NODE_OP || at->file->main.nodes[n].control_count > 0;
}

static void find_names(mapping *at, const char **of_item, regal_name_table *table) {
    const gd_file *file = at->file;
    const gd_scope *scope = &file->main;
    const int64_t items = scope->count + file->frame_count;
    /* A loop is where the first of its nodes says. */
    for (int64_t n = scope->count - 1; n >= 0; --n)
        if (file->frame[n] >= 0 && scope->nodes[n].device[0] != '\0')
            of_item[scope->count + file->frame[n]] = scope->nodes[n].device;
    for (int64_t n = scope->count - 1; n >= 0; --n)
        if (at->group[n] >= 0 && scope->nodes[n].device[0] != '\0' && file->frame[n] < 0)
            of_item[at->group[n]] = scope->nodes[n].device;
    for (int64_t i = 0; i < items; ++i) {
        const bool loop = i >= scope->count;
        at->device[i] = -1;
        if (!loop && (file->frame[i] >= 0 || !is_op(at, i)))
            continue;
        const char *name = loop && of_item[i] != NULL ? of_item[i] : stated(at, i, of_item);
        at->device[i] = regal_name_table_add(table, name, at->set_count);
        if (at->device[i] == at->set_count) {
            at->names[at->set_count] = name;
            at->owners[at->set_count++] =
                loop ? file->frames[i - scope->count] : scope->nodes[i].name;
        }
    }
}

static regal_status find_devices(mapping *at) {
    gd_file *file = at->file;
    const int64_t items = file->main.count + file->frame_count;
    regal_name_table table = {0};
    const char **of_item = regal_allocate_zeroed(items, sizeof *of_item);
    at->names = regal_allocate(items, sizeof *at->names);
    at->owners = regal_allocate(items, sizeof *at->owners);
    bool ok = of_item != NULL && at->names != NULL && at->owners != NULL &&
              regal_name_table_create(&table, items);
    if (ok) {
        find_names(at, of_item, &table);
        at->sets = regal_allocate(at->set_count, sizeof *at->sets);
        ok = at->sets != NULL;
    }
    free(of_item);
    regal_name_table_destroy(&table);
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    return gd_devices_find(file->name, file->options, at->names, at->owners, at->set_count,
                           at->sets);
}

static void place(const mapping *at, int64_t item, regal_model_node *node) {
    if (at->file->options->stated_devices == REGAL_DEVICES_IGNORED || at->device[item] < 0)
        return;
    const gd_device_set *set = &at->sets[at->device[item]];
    if (set->count < 0)
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

static bool is_free(const gd_scope *scope, const gd_node *node) {
    const gd_role role = node->kind->role;
    return role == GD_FREE || role == GD_VIEW || role == GD_VIEWS || role == GD_SWITCH ||
           role == GD_MERGE || (role == GD_OP && node->kind->work == GD_NONE) ||
           follows_from_shapes(scope, node);
}

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
                             .cost = is_free(scope, node) ? at->zeros : NULL,
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
    at->ready = regal_allocate_zeroed(file->main.count, sizeof *at->ready);
    at->group = regal_allocate(items, sizeof *at->group);
    at->device = regal_allocate(items, sizeof *at->device);
    at->zeros = regal_allocate_zeroed(file->profile_count, sizeof *at->zeros);
    file->frame_peak = regal_allocate(file->frame_count, sizeof *file->frame_peak);
    /* So that empty lists have an address. */
    const bool ok = push(&at->inputs, 0) && push(&at->outputs, 0) && push(&at->alias, 0);
    REGAL_FAIL_IF(!ok || at->value == NULL || at->kept == NULL || at->outer == NULL ||
                      at->id == NULL || at->role == NULL || at->ready == NULL ||
                      at->group == NULL || at->device == NULL || at->zeros == NULL ||
                      file->frame_peak == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status map(mapping *at, regal_graph **graph) {
    gd_file *file = at->file;
    REGAL_FORWARD(reserve(at));
    REGAL_FORWARD(regal_model_create(file->name, "", file->options, &at->model));
    mark_values(at);
    find_roles(at);
    if (file->frame_count > 0)
        REGAL_FORWARD(gd_peaks(file, &file->main, file->frame, file->frame_count, at->outer,
                               file->frame_peak));
    REGAL_FORWARD(gd_groups_find(file, at->group));
    if (file->options->stated_devices != REGAL_DEVICES_IGNORED)
        REGAL_FORWARD(find_devices(at));
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
    gd_devices_free(at.sets, at.set_count);
    free(at.sets);
    free(at.names);
    free(at.owners);
    free(at.value);
    free(at.kept);
    free(at.outer);
    free(at.id);
    free(at.role);
    free(at.ready);
    free(at.group);
    free(at.device);
    free(at.zeros);
    free(at.inputs.items);
    free(at.outputs.items);
    free(at.alias.items);
    return status;
}
