/* What the nodes of the main graph are. */
#include <stdlib.h>

#include "base/error.h"
#include "io/tensorflow/graph_def_map.h"

enum { SCALAR = 8 };

bool gd_is_weight(const gd_node *node, const gd_shape *shape) {
    return node->kind->role == GD_HELD ||
           (node->kind->role == GD_CONST &&
            (gd_shape_bytes(shape) < 0 || gd_shape_bytes(shape) > SCALAR));
}

/* What shapes alone say is known before anything runs. */
static bool follows_from_shapes(const gd_scope *scope, const gd_node *node) {
    for (int64_t k = 0; k < node->value_count; ++k) {
        const gd_shape *shape = &scope->values[node->first_value + k].shape;
        if (shape->number_count < 0 || !shape->from_shape)
            return false;
    }
    return node->value_count > 0;
}

/* Whether inputs from k on are there before any op has run: ready[node], what it makes is. */
static bool are_ready(const gd_file *file, const bool *ready, const gd_node *node, int64_t k) {
    const gd_scope *scope = &file->main;
    for (; k < node->input_count; ++k) {
        const int64_t from = scope->values[scope->inputs[node->first_input + k]].node;
        if (!ready[from])
            return false;
    }
    return true;
}

/* A view, or a shape that is known, that waits for what it does not see is an op, so that no order
 * goes against the file's. */
static regal_node_role role_of(const gd_file *file, const bool *ready, const gd_node *node) {
    const gd_scope *scope = &file->main;
    switch (node->kind->role) {
    case GD_CONST:
        return node->value_count > 0 && gd_is_weight(node, &scope->values[node->first_value].shape)
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
        return are_ready(file, ready, node, 1) ? REGAL_NODE_VIEW : REGAL_NODE_OP;
    default:
        return follows_from_shapes(scope, node) && are_ready(file, ready, node, 0)
                   ? REGAL_NODE_NOTHING
                   : REGAL_NODE_OP;
    }
}

regal_status gd_roles_find(const gd_file *file, regal_node_role *role) {
    const gd_scope *scope = &file->main;
    bool *ready = regal_allocate_zeroed(scope->count, sizeof *ready);
    REGAL_FAIL_IF_NULL(ready);
    for (int64_t i = 0; i < scope->count; ++i) {
        const int64_t n = scope->order[i];
        const gd_node *node = &scope->nodes[n];
        role[n] = role_of(file, ready, node);
        ready[n] = role[n] != REGAL_NODE_OP && node->control_count == 0 && file->frame[n] < 0 &&
                   are_ready(file, ready, node, 0);
    }
    free(ready);
    return REGAL_OK;
}

bool gd_is_free(const gd_scope *scope, const gd_node *node) {
    const gd_role role = node->kind->role;
    return role == GD_FREE || role == GD_VIEW || role == GD_VIEWS || role == GD_SWITCH ||
           role == GD_MERGE || (role == GD_OP && node->kind->work == GD_NONE) ||
           follows_from_shapes(scope, node);
}
