/* How often a while loop runs: what the compiler noted, or, for a counter that starts at a
 * constant, steps by a constant and is compared with a constant, what follows from them. */
#include <string.h>

#include "io/hlo/hlo_analysis.h"

enum { CONSTANT_STEPS = 16 }; /* copies and conversions between a constant and its use */

static bool noted_count(const hlo_module *module, const hlo_instruction *loop, int64_t *trips) {
    static const char key[] = "known_trip_count";
    const hlo_slice config = regal_hlo_attribute_find(module, loop, HLO_KEY_BACKEND_CONFIG);
    if (config.data == NULL)
        return false;
    const char *found = memmem(config.data, config.size, key, sizeof key - 1);
    if (found == NULL)
        return false;
    hlo_cursor rest = {module, found, config.data + config.size};
    return regal_hlo_next_integer(&rest, trips);
}

static const hlo_instruction *owner_of(const hlo_module *module, int64_t leaf) {
    return &module->instructions[module->leaves[leaf].instruction];
}

/* The source of operand `index`, an array; -1 if it is none. */
static int64_t operand_source(const hlo_module *module, const hlo_instruction *instruction,
                              int64_t index) {
    if (index >= instruction->operand_count)
        return -1;
    const hlo_instruction *operand = regal_hlo_operand(module, instruction, index);
    return operand->leaf_count == 1 ? module->leaves[operand->first_leaf].source : -1;
}

/* Behind copies, conversions and reshapes. */
static int64_t behind_copies(const hlo_module *module, int64_t leaf) {
    for (int step = 0; step < CONSTANT_STEPS && leaf >= 0; ++step) {
        const hlo_opcode opcode = owner_of(module, leaf)->opcode;
        if (opcode != HLO_COPY && opcode != HLO_CONVERT && opcode != HLO_RESHAPE &&
            opcode != HLO_BITCAST_CONVERT)
            break;
        leaf = operand_source(module, owner_of(module, leaf), 0);
    }
    return leaf;
}

static bool constant_value(const hlo_module *module, int64_t leaf, int64_t *value) {
    leaf = behind_copies(module, leaf);
    if (leaf < 0 || owner_of(module, leaf)->opcode != HLO_CONSTANT)
        return false;
    hlo_cursor text = regal_hlo_cursor_of(module, owner_of(module, leaf)->literal);
    return regal_hlo_take(&text, '(') && regal_hlo_take_integer(&text, value) &&
           regal_hlo_take(&text, ')');
}

/* The place in the loop's state that a leaf of its body or condition comes from, or -1. */
static int64_t state_index(const hlo_module *module, int64_t leaf) {
    leaf = behind_copies(module, leaf);
    if (leaf < 0 || owner_of(module, leaf)->opcode != HLO_PARAMETER)
        return -1;
    return leaf - owner_of(module, leaf)->first_leaf;
}

/* counter <direction> bound */
typedef struct comparison {
    int64_t counter; /* place in the state */
    int64_t bound;
    char direction[2];
} comparison;

/* The bound may itself be a constant of the state that the body leaves alone. */
static bool bound_value(const hlo_module *module, const hlo_instruction *loop, int64_t leaf,
                        int64_t *value) {
    if (constant_value(module, leaf, value))
        return true;
    const int64_t index = state_index(module, leaf);
    const int64_t body = regal_hlo_call_find(module, loop, HLO_KEY_BODY);
    if (index < 0 || index >= loop->leaf_count)
        return false;
    const hlo_origin origin = regal_hlo_result_origin(module, &module->computations[body], index);
    return origin.kind == HLO_ORIGIN_SAME && origin.leaf == index &&
           constant_value(
               module,
               module->leaves[regal_hlo_operand(module, loop, 0)->first_leaf + index].source,
               value);
}

static bool read_condition(const hlo_module *module, const hlo_instruction *loop,
                           comparison *found) {
    const int64_t condition = regal_hlo_call_find(module, loop, HLO_KEY_CONDITION);
    const hlo_instruction *root = &module->instructions[module->computations[condition].root];
    const hlo_slice direction = regal_hlo_attribute_find(module, root, HLO_KEY_DIRECTION);
    if (root->opcode != HLO_COMPARE || direction.size != 2)
        return false;
    memcpy(found->direction, direction.data, 2);
    const int64_t left = operand_source(module, root, 0), right = operand_source(module, root, 1);
    if (left < 0 || right < 0)
        return false;
    found->counter = state_index(module, left);
    if (found->counter >= 0 && bound_value(module, loop, right, &found->bound))
        return true;
    /* bound < counter: the other way round */
    found->counter = state_index(module, right);
    if (found->direction[0] != 'N')
        found->direction[0] = found->direction[0] == 'L' ? 'G' : 'L';
    return found->counter >= 0 && bound_value(module, loop, left, &found->bound);
}

/* What the body adds to the counter each time. */
static bool read_step(const hlo_module *module, const hlo_instruction *loop, int64_t counter,
                      int64_t *step) {
    const hlo_computation *body =
        &module->computations[regal_hlo_call_find(module, loop, HLO_KEY_BODY)];
    const hlo_instruction *root = &module->instructions[body->root];
    const int64_t next = behind_copies(module, module->leaves[root->first_leaf + counter].source);
    if (next < 0)
        return false;
    const hlo_instruction *change = owner_of(module, next);
    if (change->opcode != HLO_ADD && change->opcode != HLO_SUBTRACT)
        return false;
    const int64_t left = operand_source(module, change, 0);
    const int64_t right = operand_source(module, change, 1);
    if (left < 0 || right < 0)
        return false;
    if (state_index(module, left) == counter && constant_value(module, right, step))
        return change->opcode == HLO_ADD || !__builtin_sub_overflow(0, *step, step);
    return change->opcode == HLO_ADD && state_index(module, right) == counter &&
           constant_value(module, left, step);
}

/* The least count >= 0 after which the comparison fails. */
static bool count_trips(const comparison *test, int64_t start, int64_t step, int64_t *trips) {
    __int128 distance = (__int128)test->bound - start, pace = step;
    if (memcmp(test->direction, "NE", 2) == 0) {
        if (distance == 0) {
            *trips = 0;
            return true;
        }
        if (pace == 0 || distance % pace != 0 || distance / pace < 0)
            return false;
    } else if (test->direction[0] == 'G') {
        distance = -distance;
        pace = -pace;
    } else if (test->direction[0] != 'L') {
        return false;
    }
    if (memcmp(test->direction, "NE", 2) != 0) {
        if (test->direction[1] == 'E')
            ++distance;
        if (distance <= 0) {
            *trips = 0;
            return true;
        }
        if (pace <= 0)
            return false;
        distance += pace - 1;
    }
    const __int128 count = distance / pace;
    *trips = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    return true;
}

bool regal_hlo_trip_count(const hlo_module *module, const hlo_instruction *loop, int64_t *trips) {
    if (noted_count(module, loop, trips))
        return true;
    comparison test;
    int64_t step, start;
    if (!read_condition(module, loop, &test) || test.counter >= loop->leaf_count ||
        !read_step(module, loop, test.counter, &step))
        return false;
    const int64_t initial =
        module->leaves[regal_hlo_operand(module, loop, 0)->first_leaf + test.counter].source;
    return constant_value(module, initial, &start) && count_trips(&test, start, step, trips);
}
