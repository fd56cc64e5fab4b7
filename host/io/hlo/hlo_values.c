/* Which instruction really defines a value, and who uses it. Tuples, their elements, bitcasts, the
 * ends of asynchronous pairs, reshapes and transposes that move nothing, and what a loop or call
 * hands through unchanged are looked through. */
#include "base/error.h"
#include "io/hlo/hlo_analysis.h"
#include "io/hlo/hlo_shape.h"

static hlo_leaf *leaf_of(hlo_module *module, const hlo_instruction *instruction, int64_t index) {
    return &module->leaves[instruction->first_leaf + index];
}

hlo_origin regal_hlo_result_origin(const hlo_module *module, const hlo_computation *computation,
                                   int64_t index) {
    const hlo_instruction *root = &module->instructions[computation->root];
    const int64_t source = module->leaves[root->first_leaf + index].source;
    const int64_t places[] = {source, module->leaves[source].storage};
    for (int p = 0; p < 2; ++p) {
        const hlo_instruction *owner = &module->instructions[module->leaves[places[p]].instruction];
        if (owner->opcode == HLO_PARAMETER)
            return (hlo_origin){p == 0 ? HLO_ORIGIN_SAME : HLO_ORIGIN_IN_PLACE, owner->number,
                                places[p] - owner->first_leaf};
    }
    return (hlo_origin){HLO_ORIGIN_NEW, -1, -1};
}

static void define_leaves(hlo_module *module, const hlo_instruction *instruction) {
    for (int64_t k = 0; k < instruction->leaf_count; ++k) {
        hlo_leaf *leaf = leaf_of(module, instruction, k);
        const int64_t self = instruction->first_leaf + k;
        *leaf = (hlo_leaf){.instruction = leaf->instruction,
                           .node = leaf->node,
                           .source = self,
                           .in_place = -1,
                           .storage = self,
                           .last_use = -1};
    }
}

/* own leaves [first, first + count) are those of `from`, in order. */
static void look_through(hlo_module *module, const hlo_instruction *own, int64_t first,
                         const hlo_instruction *from, int64_t from_first, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        leaf_of(module, own, first + k)->source = leaf_of(module, from, from_first + k)->source;
}

static regal_status look_through_tuple(hlo_module *module, const hlo_instruction *tuple) {
    int64_t count = 0;
    for (int64_t o = 0; o < tuple->operand_count; ++o) {
        const hlo_instruction *operand = regal_hlo_operand(module, tuple, o);
        if (operand->leaf_count <= tuple->leaf_count - count)
            look_through(module, tuple, count, operand, 0, operand->leaf_count);
        count += operand->leaf_count;
    }
    HLO_FAIL_IF(count != tuple->leaf_count, module, tuple->name.data,
                "the shape of tuple '%.*s' has %lld arrays, but its operands have %lld",
                HLO_TEXT(tuple->name), (long long)tuple->leaf_count, (long long)count);
    return REGAL_OK;
}

static regal_status look_through_element(hlo_module *module, const hlo_instruction *element) {
    hlo_cursor text =
        regal_hlo_cursor_of(module, regal_hlo_attribute_find(module, element, HLO_KEY_INDEX));
    int64_t index;
    HLO_FAIL_IF(!regal_hlo_take_integer(&text, &index), module, element->name.data,
                "get-tuple-element '%.*s' has no index", HLO_TEXT(element->name));
    HLO_FAIL_IF(element->operand_count != 1, module, element->name.data,
                "get-tuple-element '%.*s' needs one operand", HLO_TEXT(element->name));
    const hlo_instruction *tuple = regal_hlo_operand(module, element, 0);
    const hlo_node *child = regal_hlo_child(module, regal_hlo_shape(module, tuple), index);
    HLO_FAIL_IF(child == NULL, module, element->name.data,
                "'%.*s' takes element %lld of '%.*s', which has no such element",
                HLO_TEXT(element->name), (long long)index, HLO_TEXT(tuple->name));
    HLO_FAIL_IF(child->leaf_count != element->leaf_count, module, element->name.data,
                "'%.*s' has not the shape of element %lld of '%.*s'", HLO_TEXT(element->name),
                (long long)index, HLO_TEXT(tuple->name));
    look_through(module, element, 0, tuple, child->first_leaf, child->leaf_count);
    return REGAL_OK;
}

static regal_status look_through_view(hlo_module *module, const hlo_instruction *view) {
    if (view->opcode == HLO_TUPLE)
        return look_through_tuple(module, view);
    if (view->opcode == HLO_GET_TUPLE_ELEMENT)
        return look_through_element(module, view);
    HLO_FAIL_IF(view->operand_count == 0 ||
                    regal_hlo_operand(module, view, 0)->leaf_count != view->leaf_count,
                module, view->name.data, "'%.*s' has not the shape of its operand",
                HLO_TEXT(view->name));
    look_through(module, view, 0, regal_hlo_operand(module, view, 0), 0, view->leaf_count);
    return REGAL_OK;
}

/* Element `index` of the start's tuple is what the end yields. */
static bool look_through_child(hlo_module *module, const hlo_instruction *done, int64_t index) {
    const hlo_instruction *start = regal_hlo_operand(module, done, 0);
    const hlo_node *child = regal_hlo_child(module, regal_hlo_shape(module, start), index);
    if (child == NULL || child->leaf_count != done->leaf_count)
        return false;
    look_through(module, done, 0, start, child->first_leaf, child->leaf_count);
    return true;
}

/* recv yields (data, context, token), its end (data, token). */
static bool look_through_receive(hlo_module *module, const hlo_instruction *done) {
    const hlo_instruction *start = regal_hlo_operand(module, done, 0);
    if (done->leaf_count != 2 || start->leaf_count != 3)
        return false;
    look_through(module, done, 0, start, 0, 1);
    look_through(module, done, 1, start, 2, 1);
    return true;
}

/* False where the shapes are not those of a pair: the end is then an op of its own. */
static bool look_through_done(hlo_module *module, const hlo_instruction *done) {
    if (done->operand_count == 0)
        return false;
    switch (done->opcode) {
    case HLO_COPY_DONE:
        return look_through_child(module, done, 0);
    case HLO_SEND_DONE:
        return look_through_child(module, done, 2);
    case HLO_RECV_DONE:
        return look_through_receive(module, done);
    case HLO_ALL_REDUCE_DONE:
    case HLO_ASYNC_UPDATE:
        break;
    default:
        if (look_through_child(module, done, 1))
            return true;
    }
    const hlo_instruction *start = regal_hlo_operand(module, done, 0);
    if (start->leaf_count != done->leaf_count)
        return false;
    look_through(module, done, 0, start, 0, done->leaf_count);
    return true;
}

/* An asynchronous start's tuple repeats its operands at element `index`. */
static void look_through_operands(hlo_module *module, const hlo_instruction *start, int64_t index) {
    const hlo_node *child = regal_hlo_child(module, regal_hlo_shape(module, start), index);
    int64_t count = 0;
    for (int64_t o = 0; o < start->operand_count; ++o)
        count = regal_count_add(count, regal_hlo_operand(module, start, o)->leaf_count);
    if (child == NULL || count != child->leaf_count)
        return;
    int64_t first = child->first_leaf;
    for (int64_t o = 0; o < start->operand_count; ++o) {
        const hlo_instruction *operand = regal_hlo_operand(module, start, o);
        look_through(module, start, first, operand, 0, operand->leaf_count);
        first += operand->leaf_count;
    }
}

static regal_status check_callee(const hlo_module *module, const hlo_instruction *caller,
                                 int64_t callee, const char *what) {
    HLO_FAIL_IF(callee < 0, module, caller->name.data, "'%.*s' has no %s", HLO_TEXT(caller->name),
                what);
    const hlo_computation *computation = &module->computations[callee];
    HLO_FAIL_IF(computation->parameter_count != caller->operand_count, module, caller->name.data,
                "'%.*s' has %lld operands, but '%.*s' has %lld parameters", HLO_TEXT(caller->name),
                (long long)caller->operand_count, HLO_TEXT(computation->name),
                (long long)computation->parameter_count);
    for (int64_t p = 0; p < computation->parameter_count; ++p) {
        const int64_t parameter = module->parameters[computation->first_parameter + p];
        HLO_FAIL_IF(module->instructions[parameter].leaf_count !=
                        regal_hlo_operand(module, caller, p)->leaf_count,
                    module, caller->name.data,
                    "operand %lld of '%.*s' has not the shape of the parameter of '%.*s'",
                    (long long)p, HLO_TEXT(caller->name), HLO_TEXT(computation->name));
    }
    return REGAL_OK;
}

/* What a loop's body or a called computation hands through unchanged. A loop's state must come
 * back at its own place. */
static regal_status look_through_callee(hlo_module *module, const hlo_instruction *caller,
                                        int64_t callee, const char *what) {
    REGAL_FORWARD(check_callee(module, caller, callee, what));
    const hlo_computation *computation = &module->computations[callee];
    HLO_FAIL_IF(module->instructions[computation->root].leaf_count != caller->leaf_count, module,
                caller->name.data, "'%.*s' has not the shape of the result of '%.*s'",
                HLO_TEXT(caller->name), HLO_TEXT(computation->name));
    for (int64_t k = 0; k < caller->leaf_count; ++k) {
        const hlo_origin origin = regal_hlo_result_origin(module, computation, k);
        if (origin.kind == HLO_ORIGIN_SAME && (caller->opcode != HLO_WHILE || origin.leaf == k))
            look_through(module, caller, k, regal_hlo_operand(module, caller, origin.number),
                         origin.leaf, 1);
    }
    return REGAL_OK;
}

static regal_status look_through_control(hlo_module *module, const hlo_instruction *instruction) {
    switch (instruction->opcode) {
    case HLO_WHILE:
        REGAL_FORWARD(check_callee(module, instruction,
                                   regal_hlo_call_find(module, instruction, HLO_KEY_CONDITION),
                                   "condition"));
        HLO_FAIL_IF(instruction->operand_count != 1 ||
                        regal_hlo_operand(module, instruction, 0)->leaf_count !=
                            instruction->leaf_count,
                    module, instruction->name.data,
                    "loop '%.*s' needs one operand, of its own shape", HLO_TEXT(instruction->name));
        return look_through_callee(module, instruction,
                                   regal_hlo_call_find(module, instruction, HLO_KEY_BODY), "body");
    case HLO_CALL:
        return look_through_callee(module, instruction,
                                   regal_hlo_call_find(module, instruction, HLO_KEY_TO_APPLY),
                                   "to_apply");
    case HLO_ASYNC_START:
        HLO_FAIL_IF(instruction->wrapped == HLO_UNKNOWN &&
                        regal_hlo_call_find(module, instruction, HLO_KEY_CALLS) < 0,
                    module, instruction->name.data, "'%.*s' has no calls",
                    HLO_TEXT(instruction->name));
        look_through_operands(module, instruction, 0);
        return REGAL_OK;
    default: /* conditional: what a branch hands through, another may not */
        HLO_FAIL_IF(instruction->call_count == 0, module, instruction->name.data,
                    "conditional '%.*s' has no branches", HLO_TEXT(instruction->name));
        return REGAL_OK;
    }
}

static regal_status define(hlo_module *module, hlo_instruction *instruction) {
    define_leaves(module, instruction);
    instruction->is_op = true;
    switch (regal_hlo_opcode_form(instruction->opcode)) {
    case HLO_FORM_VALUE:
        instruction->is_op = false;
        return REGAL_OK;
    case HLO_FORM_VIEW:
        instruction->is_op = false;
        return look_through_view(module, instruction);
    case HLO_FORM_DONE:
        instruction->is_op = !look_through_done(module, instruction);
        return REGAL_OK;
    case HLO_FORM_CONTROL:
        return look_through_control(module, instruction);
    default:
        break;
    }
    if (instruction->opcode == HLO_AFTER_ALL && instruction->operand_count <= 1) {
        instruction->is_op = false;
        return instruction->operand_count == 0 ? REGAL_OK : look_through_view(module, instruction);
    }
    if (regal_hlo_is_same_storage(module, instruction)) {
        instruction->is_op = false;
        return look_through_view(module, instruction);
    }
    if (instruction->opcode == HLO_ALL_GATHER_START ||
        instruction->opcode == HLO_COLLECTIVE_PERMUTE_START || instruction->opcode == HLO_SEND)
        look_through_operands(module, instruction, 0);
    else if (instruction->opcode == HLO_COPY_START)
        look_through_operands(module, instruction, 1);
    return REGAL_OK;
}

/* What the user reads of operand `index`: no more than it takes out, nothing of what it only
 * overwrites. */
static int64_t bytes_read(const hlo_module *module, const hlo_instruction *user, int64_t index,
                          const hlo_leaf *source) {
    if (index == 0 && user->opcode == HLO_DYNAMIC_UPDATE_SLICE)
        return 0;
    if (index == 0 && (user->opcode == HLO_SLICE || user->opcode == HLO_DYNAMIC_SLICE ||
                       user->opcode == HLO_GATHER))
        return regal_hlo_shape(module, user)->bytes;
    return module->nodes[source->node].bytes;
}

static void use_leaves(hlo_module *module, const hlo_instruction *user, int64_t index,
                       int64_t position) {
    const hlo_instruction *operand = regal_hlo_operand(module, user, index);
    for (int64_t k = 0; k < operand->leaf_count; ++k) {
        hlo_leaf *source = &module->leaves[leaf_of(module, operand, k)->source];
        source->last_use_count = source->last_use == position ? source->last_use_count + 1 : 1;
        source->last_use = position;
        ++source->use_count;
        source->read_bytes =
            regal_count_add(source->read_bytes, bytes_read(module, user, index, source));
    }
}

/* A tuple named twice is visited once. */
static regal_status use_operands(hlo_module *module, hlo_instruction *user, int64_t position,
                                 int64_t *visited) {
    const int64_t self = user - module->instructions;
    user->repeats_tuple = false;
    for (int64_t o = 0; o < user->operand_count; ++o) {
        const hlo_instruction *operand = regal_hlo_operand(module, user, o);
        int64_t *mark = &visited[operand - module->instructions];
        if (*mark == self && operand->leaf_count > 1) {
            user->repeats_tuple = true;
            continue;
        }
        *mark = self;
        module->use_budget -= operand->leaf_count;
        HLO_FAIL_IF(module->use_budget < 0, module, user->name.data,
                    "'%.*s' and the instructions above use tuples of too many arrays too often",
                    HLO_TEXT(user->name));
        use_leaves(module, user, o, position);
    }
    return REGAL_OK;
}

regal_status regal_hlo_values_resolve(hlo_module *module, int64_t computation, bool is_entry,
                                      int64_t *visited) {
    const hlo_computation *self = &module->computations[computation];
    hlo_instruction *instructions = module->instructions + self->first;
    for (int64_t i = 0; i < self->count; ++i)
        visited[self->first + i] = -1;
    for (int64_t i = 0; i < self->count; ++i) {
        REGAL_FORWARD(define(module, &instructions[i]));
        if (instructions[i].is_op)
            REGAL_FORWARD(use_operands(module, &instructions[i], i, visited));
    }
    const hlo_instruction *root = &module->instructions[self->root];
    for (int64_t k = 0; k < root->leaf_count; ++k)
        ++module->leaves[leaf_of(module, root, k)->source].result_count;
    for (int64_t i = 0; i < self->count; ++i)
        if (instructions[i].is_op)
            REGAL_FORWARD(regal_hlo_write_results(module, &instructions[i], i, is_entry));
    return REGAL_OK;
}
