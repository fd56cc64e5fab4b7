/* How an HLO module becomes a graph.
 *
 * Ops. One for each instruction of the entry computation that does work. Parameters, constants,
 * tuples, get-tuple-element, bitcasts, reshapes and transposes that move nothing, opt-barriers and
 * the ends of asynchronous pairs are none (hlo_values.c looks through them): a consumer is joined
 * to the tensor of the instruction that computes the value. While, call, conditional, fusion and
 * asynchronous starts are one op each; the peak of what lives only inside them is its workspace.
 *
 * Tensors. One for each array that such an instruction yields, "name" or, of a tuple, "name{leaf}"
 * (XLA's notation; "name.1" may be another instruction). The root's arrays are outputs.
 *
 * Parameters. HLO does not tell weights from inputs, and the buffers of both belong to the caller
 * and live for the whole run. So each array of an entry parameter that something uses is a resident
 * parameter, and so is each constant that is not a scalar (those are part of the code).
 *
 * input_output_alias (the caller donates a parameter's buffer to an output): the producer of the
 * output writes into the resident buffer. It becomes a user of the parameter, waits (control edges)
 * for the other users, and its tensor has no bytes of its own. Where the tensor has consumers too,
 * it keeps its bytes, as they may be sent to other devices, but only until they are consumed: it is
 * then no output. Where a user stands behind the producer in the text, the buffer cannot serve
 * both, and the output is an ordinary one, as for XLA, which would copy.
 *
 * alias_of, for writes in place: hlo_values.c decides. */
#include "io/hlo/hlo_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/hlo/hlo_analysis.h"

regal_status regal_hlo_graph_set_name(hlo_graph_builder *build, const hlo_instruction *instruction,
                                      int64_t leaf) {
    const hlo_slice name = instruction->name;
    REGAL_FAIL_IF(
        !regal_array_reserve(&build->name, &build->name_capacity, (int64_t)name.size + 32, 1),
        REGAL_OUT_OF_MEMORY, "memory ran out");
    memcpy(build->name, name.data, name.size);
    build->name[name.size] = '\0';
    if (leaf >= 0 && regal_hlo_shape(build->module, instruction)->type == HLO_TUPLE_SHAPE)
        snprintf(build->name + name.size, 32, "{%lld}", (long long)leaf);
    return REGAL_OK;
}

static regal_status add_op(hlo_graph_builder *build, int64_t index, hlo_cost *cost) {
    hlo_instruction *instruction = &build->module->instructions[build->entry->first + index];
    REGAL_FORWARD(regal_hlo_instruction_cost(build->module, instruction, cost));
    REGAL_FORWARD(regal_hlo_graph_set_name(build, instruction, -1));
    char *kind = strndup(instruction->opcode_word.data, instruction->opcode_word.size);
    REGAL_FAIL_IF_NULL(kind);
    const regal_op op = {.name = build->name,
                         .kind = kind,
                         .cost = cost->ticks,
                         .workspace = cost->workspace,
                         .flops = cost->load.counted};
    const regal_status status = regal_graph_add_op(build->graph, &op, &build->op[index]);
    free(kind);
    return status;
}

static regal_status add_ops(hlo_graph_builder *build) {
    hlo_cost cost = {.ticks = regal_allocate(build->module->class_count, sizeof *cost.ticks)};
    REGAL_FAIL_IF_NULL(cost.ticks);
    regal_status status = REGAL_OK;
    for (int64_t i = 0; i < build->entry->count && status == REGAL_OK; ++i) {
        build->op[i] = -1;
        if (build->module->instructions[build->entry->first + i].is_op)
            status = add_op(build, i, &cost);
    }
    free(cost.ticks);
    return status;
}

/* `after` waits for whatever computes the values of `before`. */
static regal_status add_control(hlo_graph_builder *build, const hlo_instruction *before,
                                const hlo_instruction *after) {
    hlo_module *module = build->module;
    const hlo_instruction *first = module->instructions + build->entry->first;
    const int64_t after_op = build->op[after - first];
    if (after_op < 0)
        return REGAL_OK;
    if (before->is_op)
        return regal_graph_add_control(build->graph, build->op[before - first], after_op);
    module->use_budget -= before->leaf_count;
    HLO_FAIL_IF(module->use_budget < 0, module, after->name.data,
                "'%.*s' waits for tuples of too many arrays", HLO_TEXT(after->name));
    for (int64_t k = 0; k < before->leaf_count; ++k) {
        const int64_t source = module->leaves[before->first_leaf + k].source;
        const hlo_instruction *owner = &module->instructions[module->leaves[source].instruction];
        if (owner->is_op)
            REGAL_FORWARD(
                regal_graph_add_control(build->graph, build->op[owner - first], after_op));
    }
    return REGAL_OK;
}

/* Control predecessors, and tokens that came in through an add-dependency. */
static regal_status add_controls(hlo_graph_builder *build) {
    const hlo_module *module = build->module;
    for (int64_t c = 0; c < module->control_count; ++c) {
        const hlo_instruction *after = &module->instructions[module->controls[c].after];
        if (&module->computations[after->computation] == build->entry)
            REGAL_FORWARD(
                add_control(build, &module->instructions[module->controls[c].before], after));
    }
    for (int64_t i = 0; i < build->entry->count; ++i) {
        const hlo_instruction *user = &module->instructions[build->entry->first + i];
        for (int64_t o = 0; o < user->operand_count; ++o) {
            const hlo_instruction *operand = regal_hlo_operand(module, user, o);
            if (operand->opcode == HLO_ADD_DEPENDENCY && operand->operand_count == 2)
                REGAL_FORWARD(add_control(build, regal_hlo_operand(module, operand, 1), user));
        }
    }
    return REGAL_OK;
}

static void warn_of_endless_loops(const hlo_module *module) {
    int64_t count = 0;
    const hlo_instruction *first = NULL;
    for (int64_t i = 0; i < module->instruction_count; ++i)
        if (module->instructions[i].is_endless && count++ == 0)
            first = &module->instructions[i];
    if (count == 1)
        regal_warn("%s:%lld: the trip count of loop '%.*s' is unknown: it counts as 1",
                   module->file, (long long)regal_hlo_line(module, first->name.data),
                   HLO_TEXT(first->name));
    else if (count > 1)
        regal_warn("%s:%lld: the trip counts of loop '%.*s' and %lld more are unknown: they count "
                   "as 1",
                   module->file, (long long)regal_hlo_line(module, first->name.data),
                   HLO_TEXT(first->name), (long long)count - 1);
}

static void tell_source(const hlo_graph_builder *build) {
    regal_source source = {.format = "hlo",
                           .unit = "instructions",
                           .nodes = build->entry->count,
                           .ops = regal_graph_op_count(build->graph),
                           .parameters = build->resident_count};
    source.nothing = source.nodes - source.ops - source.parameters;
    regal_graph_set_source(build->graph, &source);
}

static regal_status fill(hlo_graph_builder *build) {
    REGAL_FORWARD(add_ops(build));
    REGAL_FORWARD(regal_hlo_graph_add_values(build));
    tell_source(build);
    return add_controls(build);
}

regal_status regal_hlo_graph_fill(hlo_module *module, regal_graph *graph) {
    const hlo_computation *entry = &module->computations[module->entry];
    const hlo_instruction *first = &module->instructions[entry->first];
    const hlo_instruction *last = first + entry->count - 1;
    const int64_t leaves = last->first_leaf + last->leaf_count - first->first_leaf;
    hlo_graph_builder build = {.module = module,
                               .graph = graph,
                               .entry = entry,
                               .first_leaf = first->first_leaf,
                               .leaf_count = leaves};
    int64_t **const arrays[] = {&build.op,     &build.visited, &build.use_begin, &build.last_user,
                                &build.tensor, &build.donated, &build.home};
    enum { ARRAYS = sizeof arrays / sizeof arrays[0], BY_INSTRUCTION = 2 };
    bool ok = true;
    for (int a = 0; a < ARRAYS; ++a) {
        *arrays[a] =
            regal_allocate_zeroed(a < BY_INSTRUCTION ? entry->count : leaves + 2, sizeof(int64_t));
        ok = ok && *arrays[a] != NULL;
    }
    const regal_status status =
        ok ? fill(&build)
           : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    for (int a = 0; a < ARRAYS; ++a)
        free(*arrays[a]);
    free(build.uses);
    free(build.name);
    if (status == REGAL_OK)
        warn_of_endless_loops(module);
    return status;
}
