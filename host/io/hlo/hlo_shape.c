#include "io/hlo/hlo_shape.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph_limits.h"

const hlo_node *regal_hlo_child(const hlo_module *module, const hlo_node *node, int64_t index) {
    if (node->type != HLO_TUPLE_SHAPE || index < 0 || index >= node->child_count)
        return NULL;
    return &module->nodes[module->children[node->first_child + index]];
}

const hlo_node *regal_hlo_array(const hlo_module *module, const hlo_node *node) {
    (void)module;
    if (node->leaf_count == 0)
        return NULL;
    while (node->type == HLO_TUPLE_SHAPE) /* preorder: the first array lies ahead */
        ++node;
    return node;
}

const int64_t *regal_hlo_dims(const hlo_module *module, const hlo_node *node) {
    return &module->dims[node->first_dim];
}

bool regal_hlo_shape_is_next(hlo_cursor *cursor) {
    if (regal_hlo_peek(cursor) == '(')
        return true;
    hlo_cursor ahead = *cursor;
    return regal_hlo_take_word(&ahead).size > 0 && regal_hlo_take(&ahead, '[');
}

/* A layout starts with a number, ':' or '}'; the body of a computation with none of them. */
static bool layout_is_next(const hlo_cursor *cursor) {
    hlo_cursor ahead = *cursor;
    if (!regal_hlo_take(&ahead, '{'))
        return false;
    const char c = regal_hlo_peek(&ahead);
    return (c >= '0' && c <= '9') || c == ':' || c == '}';
}

regal_status regal_hlo_skip_shape(hlo_cursor *cursor) {
    hlo_slice skipped;
    if (regal_hlo_peek(cursor) == '(')
        return regal_hlo_take_balanced(cursor, &skipped);
    regal_hlo_take_word(cursor);
    REGAL_FORWARD(regal_hlo_take_balanced(cursor, &skipped));
    return layout_is_next(cursor) ? regal_hlo_take_balanced(cursor, &skipped) : REGAL_OK;
}

static regal_status push_number(hlo_module *module, int64_t number) {
    REGAL_FAIL_IF(!regal_array_reserve(&module->dims, &module->dim_capacity, module->dim_count + 1,
                                       sizeof *module->dims),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    module->dims[module->dim_count++] = number;
    return REGAL_OK;
}

/* One dimension: "4", "<=4" (a bound counts in full) or "?". */
static regal_status take_dimension(hlo_module *module, hlo_cursor *cursor, hlo_node *node) {
    HLO_FAIL_IF(regal_hlo_peek(cursor) == '?', module, cursor->at,
                "a dimension without a bound ('?') has no size to plan with");
    if (regal_hlo_take(cursor, '<'))
        REGAL_FORWARD(regal_hlo_expect(cursor, '=', " in a dimension"));
    int64_t size;
    HLO_FAIL_IF(!regal_hlo_take_integer(cursor, &size) || size < 0, module, cursor->at,
                "bad shape: a dimension must be a number from 0 to 2^63 - 1");
    ++node->rank;
    node->elements =
        size == 0 || node->elements == 0 ? 0 : regal_count_multiply(node->elements, size);
    return push_number(module, size);
}

static regal_status take_layout(hlo_module *module, hlo_cursor *cursor, hlo_node *node) {
    hlo_slice text;
    REGAL_FORWARD(regal_hlo_take_balanced(cursor, &text));
    hlo_cursor inside = regal_hlo_cursor_of(module, text);
    regal_hlo_take(&inside, '{');
    int64_t count = 0, dimension;
    for (; regal_hlo_take_integer(&inside, &dimension); ++count) {
        REGAL_FORWARD(push_number(module, dimension));
        regal_hlo_take(&inside, ',');
    }
    node->has_layout = true;
    /* An order that does not fit is as unknown as one in tiles. */
    node->tiled = count != node->rank || regal_hlo_slice_contains(text, "T(");
    return REGAL_OK;
}

static regal_status take_array(hlo_module *module, hlo_cursor *cursor, hlo_node *node) {
    regal_hlo_peek(cursor);
    const char *place = cursor->at;
    const hlo_slice word = regal_hlo_take_word(cursor);
    const regal_type type = regal_type_find(word.data, word.size);
    HLO_FAIL_IF(type == REGAL_TYPE_COUNT, module, place,
                "bad shape: '%.*s' is no type of elements (f32, bf16, s32, pred, ...)",
                HLO_TEXT(word));
    REGAL_FORWARD(regal_hlo_expect(cursor, '[', " in a shape"));
    *node = (hlo_node){
        .type = (int)type, .elements = 1, .first_dim = module->dim_count, .leaf_count = 1};
    while (!regal_hlo_take(cursor, ']')) {
        REGAL_FORWARD(take_dimension(module, cursor, node));
        if (!regal_hlo_take(cursor, ','))
            HLO_FAIL_IF(regal_hlo_peek(cursor) != ']', module, cursor->at,
                        "bad shape: ',' or ']' is expected behind a dimension");
    }
    if (layout_is_next(cursor))
        REGAL_FORWARD(take_layout(module, cursor, node));
    node->bytes = regal_type_bytes(type, node->elements);
    HLO_FAIL_IF(node->bytes > REGAL_NUMBER_MAX, module, place, "bad shape: more than 2^53 bytes");
    return REGAL_OK;
}

/* Tuples that are open, and the elements so far of all of them. */
typedef struct builder {
    int64_t *open, *pending;
    int64_t open_count, open_capacity, pending_count, pending_capacity;
    int64_t leaf_count;
} builder;

static bool push(int64_t **items, int64_t *count, int64_t *capacity, int64_t item) {
    if (!regal_array_reserve(items, capacity, *count + 1, sizeof **items))
        return false;
    (*items)[(*count)++] = item;
    return true;
}

static regal_status add_node(hlo_module *module, builder *build, const hlo_node *node) {
    const int64_t index = module->node_count;
    const bool ok = regal_array_reserve(&module->nodes, &module->node_capacity, index + 1,
                                        sizeof *module->nodes) &&
                    (build->open_count == 0 ||
                     push(&build->pending, &build->pending_count, &build->pending_capacity, index));
    REGAL_FAIL_IF(!ok, REGAL_OUT_OF_MEMORY, "memory ran out");
    module->nodes[index] = *node;
    module->nodes[index].first_leaf = build->leaf_count;
    build->leaf_count += node->leaf_count;
    ++module->node_count;
    return REGAL_OK;
}

/* child_count of an open tuple holds where its elements begin in `pending`. */
static regal_status open_tuple(hlo_module *module, builder *build) {
    hlo_node node = {.type = HLO_TUPLE_SHAPE};
    REGAL_FORWARD(add_node(module, build, &node));
    module->nodes[module->node_count - 1].child_count = build->pending_count;
    REGAL_FAIL_IF(
        !push(&build->open, &build->open_count, &build->open_capacity, module->node_count - 1),
        REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static regal_status close_tuple(hlo_module *module, builder *build) {
    hlo_node *node = &module->nodes[build->open[--build->open_count]];
    const int64_t begin = node->child_count, count = build->pending_count - begin;
    REGAL_FAIL_IF(!regal_array_reserve(&module->children, &module->child_capacity,
                                       module->child_count + count, sizeof *module->children),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    node->first_child = module->child_count;
    node->child_count = count;
    node->leaf_count = build->leaf_count - node->first_leaf;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t child = build->pending[begin + i];
        module->children[module->child_count++] = child;
        node->bytes = regal_count_add(node->bytes, module->nodes[child].bytes);
    }
    build->pending_count = begin;
    return REGAL_OK;
}

static regal_status take_nodes(hlo_module *module, hlo_cursor *cursor, builder *build) {
    do {
        if (regal_hlo_take(cursor, '(')) {
            REGAL_FORWARD(open_tuple(module, build));
        } else if (build->open_count > 0 && regal_hlo_take(cursor, ')')) {
            REGAL_FORWARD(close_tuple(module, build));
            regal_hlo_take(cursor, ',');
        } else {
            hlo_node node;
            REGAL_FORWARD(take_array(module, cursor, &node));
            REGAL_FORWARD(add_node(module, build, &node));
            if (build->open_count > 0 && !regal_hlo_take(cursor, ','))
                HLO_FAIL_IF(regal_hlo_peek(cursor) != ')', module, cursor->at,
                            "bad shape: ',' or ')' is expected in a tuple");
        }
    } while (build->open_count > 0);
    return REGAL_OK;
}

regal_status regal_hlo_take_shape(hlo_module *module, hlo_cursor *cursor, int64_t *node) {
    builder build = {0};
    *node = module->node_count;
    const regal_status status = take_nodes(module, cursor, &build);
    free(build.open);
    free(build.pending);
    return status;
}

static int64_t minor_to_major(const hlo_module *module, const hlo_node *node, int64_t index) {
    return node->has_layout ? module->dims[node->first_dim + node->rank + index]
                            : node->rank - 1 - index;
}

static bool is_row_major(const hlo_module *module, const hlo_node *node) {
    for (int64_t i = 0; i < node->rank; ++i)
        if (minor_to_major(module, node, i) != node->rank - 1 - i)
            return false;
    return true;
}

/* The transposed dimensions lie in memory in the order of the operand's. */
static bool is_transposed_layout(const hlo_module *module, const hlo_instruction *instruction,
                                 const hlo_node *from, const hlo_node *to) {
    hlo_cursor list = regal_hlo_cursor_of(
        module, regal_hlo_attribute_find(module, instruction, HLO_KEY_DIMENSIONS));
    int64_t *permutation = regal_allocate(to->rank, sizeof *permutation);
    bool same = permutation != NULL && from->rank == to->rank;
    for (int64_t i = 0; same && i < to->rank; ++i)
        same = regal_hlo_next_integer(&list, &permutation[i]);
    for (int64_t i = 0; same && i < to->rank; ++i) {
        const int64_t dimension = minor_to_major(module, to, i);
        same = dimension >= 0 && dimension < to->rank &&
               permutation[dimension] == minor_to_major(module, from, i);
    }
    free(permutation);
    return same;
}

bool regal_hlo_is_same_storage(const hlo_module *module, const hlo_instruction *instruction) {
    if (instruction->operand_count != 1)
        return false;
    const hlo_node *from = regal_hlo_shape(module, regal_hlo_operand(module, instruction, 0));
    const hlo_node *to = regal_hlo_shape(module, instruction);
    if (from->type == HLO_TUPLE_SHAPE || from->type != to->type || from->bytes != to->bytes ||
        from->tiled || to->tiled)
        return false;
    if (instruction->opcode == HLO_RESHAPE)
        return is_row_major(module, from) && is_row_major(module, to);
    return instruction->opcode == HLO_TRANSPOSE &&
           is_transposed_layout(module, instruction, from, to);
}
