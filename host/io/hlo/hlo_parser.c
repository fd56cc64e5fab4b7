#include "io/hlo/hlo_parser.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

static regal_status skip_attributes(hlo_cursor *cursor, hlo_slice *alias) {
    while (regal_hlo_take(cursor, ',')) {
        hlo_slice key, value;
        REGAL_FORWARD(regal_hlo_take_name(cursor, "an attribute", &key));
        REGAL_FORWARD(regal_hlo_expect(cursor, '=', " behind the name of an attribute"));
        REGAL_FORWARD(regal_hlo_take_value(cursor, &value));
        if (alias != NULL && regal_hlo_slice_is(key, "input_output_alias"))
            *alias = value;
    }
    return REGAL_OK;
}

/* Puts the computation's parameters in the order of their numbers. */
static regal_status number_parameters(hlo_module *module, hlo_computation *computation) {
    const hlo_instruction *instructions = module->instructions + computation->first;
    int64_t count = 0;
    for (int64_t i = 0; i < computation->count; ++i)
        count += instructions[i].opcode == HLO_PARAMETER;
    REGAL_FAIL_IF(!regal_array_reserve(&module->parameters, &module->parameter_capacity,
                                       module->parameter_count + count + 1,
                                       sizeof *module->parameters),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    int64_t *parameters = module->parameters + module->parameter_count;
    for (int64_t p = 0; p < count; ++p)
        parameters[p] = -1;
    for (int64_t i = 0; i < computation->count; ++i) {
        if (instructions[i].opcode != HLO_PARAMETER)
            continue;
        const int64_t number = instructions[i].number;
        HLO_FAIL_IF(number >= count, module, instructions[i].name.data,
                    "parameter '%.*s' has number %lld, but there are %lld of them",
                    HLO_TEXT(instructions[i].name), (long long)number, (long long)count);
        HLO_FAIL_IF(parameters[number] >= 0, module, instructions[i].name.data,
                    "parameter '%.*s' has number %lld, which another one has already",
                    HLO_TEXT(instructions[i].name), (long long)number);
        parameters[number] = computation->first + i;
    }
    computation->first_parameter = module->parameter_count;
    computation->parameter_count = count;
    module->parameter_count += count;
    return REGAL_OK;
}

/* From "{" behind "}". */
static regal_status take_body(hlo_parser *parser, hlo_cursor *cursor, hlo_slice name,
                              int64_t depth) {
    hlo_module *module = parser->module;
    const int64_t index = module->computation_count;
    hlo_computation made = {.name = name,
                            .place = name.data,
                            .root = -1,
                            .depth = depth,
                            .first = module->instruction_count};
    REGAL_FORWARD(regal_hlo_expect(cursor, '{', " before the instructions of a computation"));
    REGAL_FAIL_IF(!regal_array_reserve(&module->computations, &module->computation_capacity,
                                       index + 1, sizeof *module->computations),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    module->computations[module->computation_count++] = made;
    while (!regal_hlo_take(cursor, '}')) {
        bool is_root;
        HLO_FAIL_IF(regal_hlo_peek(cursor) == '\0' && cursor->at >= cursor->end, module, made.place,
                    "unbalanced braces: computation '%.*s' is not closed", HLO_TEXT(name));
        REGAL_FORWARD(regal_hlo_take_instruction(parser, cursor, index, &is_root));
        HLO_FAIL_IF(is_root && made.root >= 0, module,
                    module->instructions[module->instruction_count - 1].name.data,
                    "computation '%.*s' has two instructions marked ROOT", HLO_TEXT(name));
        if (is_root)
            made.root = module->instruction_count - 1;
    }
    made.count = module->instruction_count - made.first;
    HLO_FAIL_IF(made.count == 0, module, made.place, "computation '%.*s' has no instructions",
                HLO_TEXT(name));
    if (made.root < 0)
        made.root = module->instruction_count - 1;
    REGAL_FORWARD(number_parameters(module, &made));
    module->computations[index] = made;
    return REGAL_OK;
}

static regal_status take_inner_texts(hlo_parser *parser) {
    while (parser->inner_count > 0) {
        const hlo_inner_text inner = parser->inner[--parser->inner_count];
        hlo_cursor cursor = regal_hlo_cursor_of(parser->module, inner.text);
        parser->module->calls[inner.call].computation = parser->module->computation_count;
        REGAL_FORWARD(take_body(parser, &cursor, (hlo_slice){inner.text.data, 0}, inner.depth));
    }
    return REGAL_OK;
}

/* The signature says nothing that the parameters and the root do not say. */
static regal_status skip_signature(hlo_cursor *cursor) {
    hlo_slice parameters;
    if (regal_hlo_peek(cursor) == '(') {
        REGAL_FORWARD(regal_hlo_take_balanced(cursor, &parameters));
        REGAL_FORWARD(regal_hlo_expect(cursor, '-', " behind the parameters of a computation"));
        REGAL_FORWARD(regal_hlo_expect(cursor, '>', " behind the parameters of a computation"));
        HLO_FAIL_IF(!regal_hlo_shape_is_next(cursor), cursor->module, cursor->at,
                    "a shape is expected behind '->'");
        REGAL_FORWARD(regal_hlo_skip_shape(cursor));
    }
    return skip_attributes(cursor, NULL);
}

static regal_status take_computation(hlo_parser *parser, hlo_cursor *cursor, hlo_slice name) {
    hlo_module *module = parser->module;
    const int64_t index = module->computation_count;
    const int64_t holder = regal_hlo_names_add(&parser->names, HLO_COMPUTATIONS, name, index);
    REGAL_FAIL_IF(holder < 0, REGAL_OUT_OF_MEMORY, "memory ran out");
    HLO_FAIL_IF(holder != index, module, name.data,
                "duplicate name '%.*s': a computation in line %lld has it already", HLO_TEXT(name),
                (long long)regal_hlo_line(module, module->computations[holder].place));
    REGAL_FORWARD(skip_signature(cursor));
    REGAL_FORWARD(take_body(parser, cursor, name, 0));
    REGAL_FORWARD(skip_attributes(cursor, NULL));
    return take_inner_texts(parser);
}

static bool is_table(hlo_slice word, hlo_cursor *cursor) {
    if (!regal_hlo_slice_is(word, "FileNames") && !regal_hlo_slice_is(word, "FunctionNames") &&
        !regal_hlo_slice_is(word, "FileLocations") && !regal_hlo_slice_is(word, "StackFrames"))
        return false;
    const char next = regal_hlo_peek(cursor);
    return next != '{' && next != '(';
}

/* Rows of a number and a text or a bracket. */
static regal_status skip_table(hlo_cursor *cursor) {
    int64_t number;
    hlo_slice value;
    while (regal_hlo_take_integer(cursor, &number))
        REGAL_FORWARD(regal_hlo_take_value(cursor, &value));
    return REGAL_OK;
}

static regal_status take_header(hlo_module *module, hlo_cursor *cursor) {
    HLO_FAIL_IF(module->name.data != NULL, module, cursor->at, "a second HloModule in one file");
    REGAL_FORWARD(regal_hlo_take_name(cursor, "the module's name", &module->name));
    return skip_attributes(cursor, &module->input_output_alias);
}

static regal_status take_entry_mark(hlo_module *module, hlo_cursor *cursor, hlo_slice *word,
                                    bool *is_entry) {
    *is_entry = false;
    const char next = regal_hlo_peek(cursor);
    if (!regal_hlo_slice_is(*word, "ENTRY") || next == '{' || next == '(')
        return REGAL_OK;
    HLO_FAIL_IF(module->entry >= 0, module, word->data, "a second ENTRY computation");
    *is_entry = true;
    return regal_hlo_take_name(cursor, "the name of the ENTRY computation", word);
}

static regal_status take_module(hlo_parser *parser, hlo_cursor *cursor) {
    hlo_module *module = parser->module;
    int64_t last = -1;
    while (regal_hlo_peek(cursor) != '\0' || cursor->at < cursor->end) {
        hlo_slice word;
        bool is_entry;
        REGAL_FORWARD(regal_hlo_take_name(cursor, "a computation", &word));
        if (regal_hlo_slice_is(word, "HloModule")) {
            REGAL_FORWARD(take_header(module, cursor));
        } else if (is_table(word, cursor)) {
            REGAL_FORWARD(skip_table(cursor));
        } else {
            REGAL_FORWARD(take_entry_mark(module, cursor, &word, &is_entry));
            last = module->computation_count;
            if (is_entry)
                module->entry = last;
            REGAL_FORWARD(take_computation(parser, cursor, word));
        }
    }
    HLO_FAIL_IF(last < 0, module, module->text, "no computation: there is nothing to plan");
    if (module->entry < 0)
        module->entry = last;
    return REGAL_OK;
}

/* Numbers the leaves of all instructions. */
static regal_status lay_out_leaves(hlo_module *module) {
    int64_t count = 0;
    for (int64_t i = 0; i < module->instruction_count; ++i) {
        module->instructions[i].first_leaf = count;
        module->instructions[i].leaf_count =
            module->nodes[module->instructions[i].shape].leaf_count;
        count += module->instructions[i].leaf_count;
    }
    module->leaf_count = count;
    module->leaves = regal_allocate_zeroed(count, sizeof *module->leaves);
    REGAL_FAIL_IF_NULL(module->leaves);
    for (int64_t i = 0; i < module->instruction_count; ++i) {
        const hlo_instruction *instruction = &module->instructions[i];
        int64_t node = instruction->shape;
        for (int64_t k = 0; k < instruction->leaf_count; ++node)
            if (module->nodes[node].type != HLO_TUPLE_SHAPE)
                module->leaves[instruction->first_leaf + k++] =
                    (hlo_leaf){.instruction = i, .node = node};
    }
    return REGAL_OK;
}

static regal_status resolve_calls(hlo_parser *parser) {
    hlo_module *module = parser->module;
    for (int64_t c = 0; c < module->call_count; ++c) {
        hlo_call *call = &module->calls[c];
        if (call->computation >= 0)
            continue;
        call->computation = regal_hlo_names_find(&parser->names, HLO_COMPUTATIONS, call->name);
        HLO_FAIL_IF(call->computation < 0, module, call->name.data, "unknown computation '%.*s'",
                    HLO_TEXT(call->name));
    }
    return REGAL_OK;
}

/* So that an empty pool has an address too. */
static bool reserve_pools(hlo_module *m) {
    return regal_array_reserve(&m->attributes, &m->attribute_capacity, 1, sizeof *m->attributes) &&
           regal_array_reserve(&m->calls, &m->call_capacity, 1, sizeof *m->calls) &&
           regal_array_reserve(&m->operands, &m->operand_capacity, 1, sizeof *m->operands) &&
           regal_array_reserve(&m->dims, &m->dim_capacity, 1, sizeof *m->dims) &&
           regal_array_reserve(&m->children, &m->child_capacity, 1, sizeof *m->children);
}

regal_status regal_hlo_module_parse(hlo_module *module, const char *text, size_t size,
                                    const char *file) {
    module->text = text;
    module->end = text + size;
    module->file = file;
    module->entry = -1;
    REGAL_FAIL_IF(!reserve_pools(module), REGAL_OUT_OF_MEMORY, "memory ran out");
    hlo_parser parser = {.module = module};
    hlo_cursor cursor = {module, text, text + size};
    regal_status status = take_module(&parser, &cursor);
    if (status == REGAL_OK)
        status = resolve_calls(&parser);
    if (status == REGAL_OK)
        status = lay_out_leaves(module);
    regal_hlo_names_destroy(&parser.names);
    free(parser.inner);
    return status;
}

void regal_hlo_module_destroy(hlo_module *module) {
    free(module->computations);
    free(module->instructions);
    free(module->nodes);
    free(module->attributes);
    free(module->calls);
    free(module->controls);
    free(module->leaves);
    free(module->operands);
    free(module->dims);
    free(module->children);
    free(module->parameters);
    free(module->ticks);
}
