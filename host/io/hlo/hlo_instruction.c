#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/hlo/hlo_parser.h"

enum {
    DEPTH_LIMIT = 32, /* of computations written inside attributes: bounds the rescanning */
    UNKNOWN_OPCODES_NAMED = 20
};

typedef struct key_info {
    const char *word;
    size_t size;
} key_info;

static const key_info keys[HLO_KEY_COUNT] = {
#define KEY_INFO(name, key) {key, sizeof(key) - 1},
    HLO_KEY_LIST(KEY_INFO)
#undef KEY_INFO
};

static hlo_key find_key(hlo_slice word) {
    int key = 0;
    while (key < HLO_KEY_COUNT &&
           (keys[key].size != word.size || memcmp(keys[key].word, word.data, word.size) != 0))
        ++key;
    return (hlo_key)key;
}

hlo_slice regal_hlo_attribute_find(const hlo_module *module, const hlo_instruction *instruction,
                                   hlo_key key) {
    const hlo_attribute *attributes = module->attributes + instruction->first_attribute;
    for (int64_t a = 0; a < instruction->attribute_count; ++a)
        if (attributes[a].key == key)
            return attributes[a].value;
    return (hlo_slice){NULL, 0};
}

int64_t regal_hlo_call_find(const hlo_module *module, const hlo_instruction *instruction,
                            hlo_key key) {
    const hlo_call *calls = module->calls + instruction->first_call;
    for (int64_t c = 0; c < instruction->call_count; ++c)
        if (calls[c].key == key)
            return calls[c].computation;
    return -1;
}

static bool ends_with(hlo_slice word, const char *suffix) {
    const size_t size = strlen(suffix);
    return word.size > size && memcmp(word.data + word.size - size, suffix, size) == 0;
}

/* "dot-start" and its like: an asynchronous wrapper around an opcode, written short. */
static void find_opcode(hlo_instruction *instruction) {
    static const struct {
        const char *suffix;
        hlo_opcode opcode;
    } forms[] = {
        {"-start", HLO_ASYNC_START}, {"-update", HLO_ASYNC_UPDATE}, {"-done", HLO_ASYNC_DONE}};
    const hlo_slice word = instruction->opcode_word;
    instruction->wrapped = HLO_UNKNOWN;
    instruction->opcode = regal_hlo_opcode_find(word.data, word.size);
    for (int f = 0; instruction->opcode == HLO_UNKNOWN && f < 3; ++f)
        if (ends_with(word, forms[f].suffix)) {
            instruction->wrapped =
                regal_hlo_opcode_find(word.data, word.size - strlen(forms[f].suffix));
            if (instruction->wrapped != HLO_UNKNOWN)
                instruction->opcode = forms[f].opcode;
            break;
        }
}

static regal_status take_operand(hlo_parser *parser, hlo_cursor *cursor, int64_t computation,
                                 const hlo_instruction *user) {
    hlo_module *module = parser->module;
    if (regal_hlo_shape_is_next(cursor))
        REGAL_FORWARD(regal_hlo_skip_shape(cursor));
    hlo_slice name;
    regal_hlo_peek(cursor);
    const char *place = cursor->at;
    REGAL_FORWARD(regal_hlo_take_name(cursor, "an operand", &name));
    const int64_t operand = regal_hlo_names_find(&parser->names, computation, name);
    HLO_FAIL_IF(operand < 0, module, place,
                "unknown operand '%.*s' of '%.*s': no instruction above has this name",
                HLO_TEXT(name), HLO_TEXT(user->name));
    REGAL_FAIL_IF(!regal_array_reserve(&module->operands, &module->operand_capacity,
                                       module->operand_count + 1, sizeof *module->operands),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    module->operands[module->operand_count++] = operand;
    return REGAL_OK;
}

static regal_status take_operands(hlo_parser *parser, hlo_cursor *cursor, int64_t computation,
                                  hlo_instruction *user) {
    REGAL_FORWARD(regal_hlo_expect(cursor, '(', " behind an opcode"));
    user->first_operand = parser->module->operand_count;
    while (!regal_hlo_take(cursor, ')')) {
        REGAL_FORWARD(take_operand(parser, cursor, computation, user));
        if (!regal_hlo_take(cursor, ','))
            HLO_FAIL_IF(regal_hlo_peek(cursor) != ')', parser->module, cursor->at,
                        "',' or ')' is expected behind an operand of '%.*s'", HLO_TEXT(user->name));
    }
    user->operand_count = parser->module->operand_count - user->first_operand;
    return REGAL_OK;
}

/* The text in the brackets of a parameter or a constant. */
static regal_status take_content(hlo_parser *parser, hlo_cursor *cursor,
                                 hlo_instruction *instruction) {
    hlo_module *module = parser->module;
    if (regal_hlo_peek(cursor) != '(')
        return regal_hlo_expect(cursor, '(', " behind an opcode");
    REGAL_FORWARD(regal_hlo_take_balanced(cursor, &instruction->literal));
    instruction->first_operand = module->operand_count;
    if (instruction->opcode != HLO_PARAMETER)
        return REGAL_OK;
    hlo_cursor inside = regal_hlo_cursor_of(module, instruction->literal);
    regal_hlo_take(&inside, '(');
    HLO_FAIL_IF(!regal_hlo_take_integer(&inside, &instruction->number) || instruction->number < 0,
                module, instruction->literal.data, "parameter '%.*s' has no number",
                HLO_TEXT(instruction->name));
    return REGAL_OK;
}

static regal_status add_call(hlo_parser *parser, hlo_key key, hlo_slice name) {
    hlo_module *module = parser->module;
    REGAL_FAIL_IF(!regal_array_reserve(&module->calls, &module->call_capacity,
                                       module->call_count + 1, sizeof *module->calls),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    module->calls[module->call_count++] = (hlo_call){key, name, -1};
    return REGAL_OK;
}

static regal_status add_inner(hlo_parser *parser, hlo_key key, hlo_slice text, int64_t depth) {
    HLO_FAIL_IF(depth > DEPTH_LIMIT, parser->module, text.data,
                "computations inside attributes are nested more than %d deep", DEPTH_LIMIT);
    REGAL_FAIL_IF(!regal_array_reserve(&parser->inner, &parser->inner_capacity,
                                       parser->inner_count + 1, sizeof *parser->inner),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    parser->inner[parser->inner_count++] =
        (hlo_inner_text){parser->module->call_count, text, depth};
    return add_call(parser, key, (hlo_slice){text.data, 0});
}

/* "name", "{name, name}" or "{ instructions }". */
static regal_status take_calls(hlo_parser *parser, hlo_key key, hlo_slice value, int64_t depth) {
    hlo_cursor inside = regal_hlo_cursor_of(parser->module, value);
    hlo_slice name;
    if (!regal_hlo_take(&inside, '{')) {
        REGAL_FORWARD(regal_hlo_take_name(&inside, "the name of a computation", &name));
        return add_call(parser, key, name);
    }
    for (bool first = true; !regal_hlo_take(&inside, '}'); first = false) {
        REGAL_FORWARD(regal_hlo_take_name(&inside, "the name of a computation", &name));
        const char next = regal_hlo_peek(&inside);
        if (first && next != ',' && next != '}')
            return add_inner(parser, key, value, depth + 1);
        REGAL_FORWARD(add_call(parser, key, name));
        if (!regal_hlo_take(&inside, ','))
            HLO_FAIL_IF(regal_hlo_peek(&inside) != '}', parser->module, inside.at,
                        "',' or '}' is expected in a list of computations");
    }
    return REGAL_OK;
}

/* "{a, b}": instructions that must have finished. */
static regal_status take_controls(hlo_parser *parser, hlo_slice value, int64_t computation) {
    hlo_module *module = parser->module;
    hlo_cursor inside = regal_hlo_cursor_of(module, value);
    REGAL_FORWARD(regal_hlo_expect(&inside, '{', " before control predecessors"));
    while (!regal_hlo_take(&inside, '}')) {
        hlo_slice name;
        REGAL_FORWARD(regal_hlo_take_name(&inside, "the name of an instruction", &name));
        const int64_t before = regal_hlo_names_find(&parser->names, computation, name);
        HLO_FAIL_IF(before < 0, module, name.data,
                    "unknown control predecessor '%.*s': no instruction above has this name",
                    HLO_TEXT(name));
        REGAL_FAIL_IF(!regal_array_reserve(&module->controls, &module->control_capacity,
                                           module->control_count + 1, sizeof *module->controls),
                      REGAL_OUT_OF_MEMORY, "memory ran out");
        module->controls[module->control_count++] =
            (hlo_control){before, module->instruction_count};
        regal_hlo_take(&inside, ',');
    }
    return REGAL_OK;
}

static regal_status take_attribute(hlo_parser *parser, hlo_key key, hlo_slice value,
                                   int64_t computation) {
    hlo_module *module = parser->module;
    if (key == HLO_KEY_CONTROL_PREDECESSORS)
        return take_controls(parser, value, computation);
    if (key <= HLO_KEY_SCATTER)
        return take_calls(parser, key, value, module->computations[computation].depth);
    if (key == HLO_KEY_COUNT)
        return REGAL_OK;
    REGAL_FAIL_IF(!regal_array_reserve(&module->attributes, &module->attribute_capacity,
                                       module->attribute_count + 1, sizeof *module->attributes),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    module->attributes[module->attribute_count++] = (hlo_attribute){key, value};
    return REGAL_OK;
}

static regal_status take_attributes(hlo_parser *parser, hlo_cursor *cursor, int64_t computation,
                                    hlo_instruction *instruction) {
    hlo_module *module = parser->module;
    instruction->first_attribute = module->attribute_count;
    instruction->first_call = module->call_count;
    while (regal_hlo_take(cursor, ',')) {
        hlo_slice word, value;
        REGAL_FORWARD(regal_hlo_take_name(cursor, "an attribute", &word));
        REGAL_FORWARD(regal_hlo_expect(cursor, '=', " behind the name of an attribute"));
        REGAL_FORWARD(regal_hlo_take_value(cursor, &value));
        REGAL_FORWARD(take_attribute(parser, find_key(word), value, computation));
    }
    instruction->attribute_count = module->attribute_count - instruction->first_attribute;
    instruction->call_count = module->call_count - instruction->first_call;
    return REGAL_OK;
}

/* "ROOT", unless it is an instruction's name. */
static bool take_root_mark(hlo_cursor *cursor) {
    hlo_cursor ahead = *cursor;
    if (!regal_hlo_slice_is(regal_hlo_take_word(&ahead), "ROOT") || regal_hlo_peek(&ahead) == '=')
        return false;
    *cursor = ahead;
    return true;
}

/* Once for each unknown opcode, as long as they are few. */
static regal_status warn_of_opcode(hlo_parser *parser, const hlo_instruction *instruction) {
    const hlo_module *module = parser->module;
    const int64_t index = module->instruction_count;
    const int64_t first =
        regal_hlo_names_add(&parser->names, HLO_OPCODES, instruction->opcode_word, index);
    REGAL_FAIL_IF(first < 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    if (first == index && parser->unknown_opcodes++ < UNKNOWN_OPCODES_NAMED)
        regal_warn("%s:%lld: opcode '%.*s' is unknown: it counts as moving its operands and "
                   "results",
                   module->file, (long long)regal_hlo_line(module, instruction->opcode_word.data),
                   HLO_TEXT(instruction->opcode_word));
    return REGAL_OK;
}

static regal_status add_instruction(hlo_parser *parser, const hlo_instruction *instruction) {
    hlo_module *module = parser->module;
    const int64_t index = module->instruction_count;
    REGAL_FAIL_IF(!regal_array_reserve(&module->instructions, &module->instruction_capacity,
                                       index + 1, sizeof *module->instructions),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    const int64_t holder =
        regal_hlo_names_add(&parser->names, instruction->computation, instruction->name, index);
    REGAL_FAIL_IF(holder < 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    HLO_FAIL_IF(holder != index, module, instruction->name.data,
                "duplicate name '%.*s': an instruction in line %lld has it already",
                HLO_TEXT(instruction->name),
                (long long)regal_hlo_line(module, module->instructions[holder].name.data));
    module->instructions[module->instruction_count++] = *instruction;
    return REGAL_OK;
}

regal_status regal_hlo_take_instruction(hlo_parser *parser, hlo_cursor *cursor, int64_t computation,
                                        bool *is_root) {
    hlo_module *module = parser->module;
    hlo_instruction made = {.computation = computation};
    *is_root = take_root_mark(cursor);
    REGAL_FORWARD(regal_hlo_take_name(cursor, "an instruction", &made.name));
    REGAL_FORWARD(regal_hlo_expect(cursor, '=', " behind an instruction's name"));
    REGAL_FORWARD(regal_hlo_take_shape(module, cursor, &made.shape));
    made.opcode_word = regal_hlo_take_word(cursor);
    HLO_FAIL_IF(made.opcode_word.size == 0, module, cursor->at, "instruction '%.*s' has no opcode",
                HLO_TEXT(made.name));
    find_opcode(&made);
    if (made.opcode == HLO_PARAMETER || made.opcode == HLO_CONSTANT)
        REGAL_FORWARD(take_content(parser, cursor, &made));
    else
        REGAL_FORWARD(take_operands(parser, cursor, computation, &made));
    REGAL_FORWARD(take_attributes(parser, cursor, computation, &made));
    if (made.opcode == HLO_UNKNOWN)
        REGAL_FORWARD(warn_of_opcode(parser, &made));
    return add_instruction(parser, &made);
}
