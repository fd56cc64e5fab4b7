/* Tensors and parameters of the graph. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/hlo/hlo_graph.h"
#include "io/hlo/hlo_text.h"

static const hlo_leaf *leaf_at(const hlo_graph_builder *build, int64_t index) {
    return &build->module->leaves[build->first_leaf + index];
}

static const hlo_node *node_at(const hlo_graph_builder *build, int64_t index) {
    return &build->module->nodes[leaf_at(build, index)->node];
}

static const hlo_instruction *owner_of(const hlo_graph_builder *build, int64_t index) {
    return &build->module->instructions[leaf_at(build, index)->instruction];
}

static int64_t op_of(const hlo_graph_builder *build, const hlo_instruction *instruction) {
    return build->op[instruction - build->module->instructions - build->entry->first];
}

static int64_t use_count(const hlo_graph_builder *build, int64_t index) {
    return build->use_begin[index + 1] - build->use_begin[index];
}

/* Counts (uses NULL) or lists the uses of all leaves, op by op, each once. */
static void visit_uses(hlo_graph_builder *build) {
    for (int64_t l = 0; l < build->leaf_count; ++l)
        build->last_user[l] = -1;
    for (int64_t i = 0; i < build->entry->count; ++i)
        build->visited[i] = -1;
    for (int64_t i = 0; i < build->entry->count; ++i) {
        const hlo_instruction *user = &build->module->instructions[build->entry->first + i];
        for (int64_t o = 0; o < user->operand_count && user->is_op; ++o) {
            const hlo_instruction *operand = regal_hlo_operand(build->module, user, o);
            int64_t *mark =
                &build->visited[operand - build->module->instructions - build->entry->first];
            for (int64_t k = 0; k < operand->leaf_count && *mark != i; ++k) {
                const int64_t l =
                    build->module->leaves[operand->first_leaf + k].source - build->first_leaf;
                if (build->last_user[l] == i)
                    continue;
                build->last_user[l] = i;
                if (build->uses == NULL)
                    ++build->use_begin[l + 2];
                else
                    build->uses[build->use_begin[l + 1]++] = build->op[i];
            }
            *mark = i;
        }
    }
}

/* use_begin is filled one place to the right of where it ends up. */
static regal_status list_uses(hlo_graph_builder *build) {
    visit_uses(build);
    for (int64_t l = 0; l < build->leaf_count; ++l)
        build->use_begin[l + 2] += build->use_begin[l + 1];
    build->uses = regal_allocate(build->use_begin[build->leaf_count + 1], sizeof *build->uses);
    REGAL_FAIL_IF_NULL(build->uses);
    visit_uses(build);
    return REGAL_OK;
}

/* Whether the output can be kept in the parameter's buffer: it has storage of its own and one place
 * in the result, and nobody needs the old value once its producer runs. */
static bool fits(const hlo_graph_builder *build, int64_t output, int64_t parameter) {
    const hlo_leaf *leaf = leaf_at(build, output);
    if (!owner_of(build, output)->is_op || leaf->result_count != 1 || leaf->in_place >= 0 ||
        build->home[output] >= 0 || build->donated[parameter] >= 0 ||
        leaf_at(build, parameter)->result_count > 0 ||
        node_at(build, output)->bytes != node_at(build, parameter)->bytes)
        return false;
    const int64_t end = build->use_begin[parameter + 1];
    return use_count(build, parameter) == 0 ||
           build->uses[end - 1] <= op_of(build, owner_of(build, output));
}

static regal_status donate(hlo_graph_builder *build, const hlo_alias *alias) {
    const hlo_module *module = build->module;
    const hlo_instruction *root = &module->instructions[build->entry->root];
    HLO_FAIL_IF(alias->number < 0 || alias->number >= build->entry->parameter_count, module,
                alias->output.data, "input_output_alias: the entry has no parameter %lld",
                (long long)alias->number);
    const hlo_instruction *parameter =
        &module->instructions[module->parameters[build->entry->first_parameter + alias->number]];
    const hlo_node *to =
        regal_hlo_path_follow(module, regal_hlo_shape(module, root), alias->output);
    const hlo_node *from =
        regal_hlo_path_follow(module, regal_hlo_shape(module, parameter), alias->inner);
    HLO_FAIL_IF(to == NULL || from == NULL, module, alias->output.data,
                "input_output_alias: %.*s: (%lld, %.*s) leads to no array", HLO_TEXT(alias->output),
                (long long)alias->number, HLO_TEXT(alias->inner));
    if (to->leaf_count != 1 || from->leaf_count != 1)
        return REGAL_OK;
    const int64_t output =
        module->leaves[root->first_leaf + to->first_leaf].source - build->first_leaf;
    const int64_t buffer = parameter->first_leaf + from->first_leaf - build->first_leaf;
    if (fits(build, output, buffer)) {
        build->home[output] = buffer;
        build->donated[buffer] = output;
    }
    return REGAL_OK;
}

static regal_status read_donations(hlo_graph_builder *build) {
    for (int64_t l = 0; l < build->leaf_count; ++l)
        build->home[l] = build->donated[l] = -1;
    if (build->module->input_output_alias.data == NULL)
        return REGAL_OK;
    hlo_cursor cursor = regal_hlo_cursor_of(build->module, build->module->input_output_alias);
    REGAL_FORWARD(regal_hlo_expect(&cursor, '{', " in input_output_alias"));
    for (;;) {
        hlo_alias alias;
        bool more;
        REGAL_FORWARD(regal_hlo_next_alias(&cursor, &alias, &more));
        if (!more)
            return REGAL_OK;
        REGAL_FORWARD(donate(build, &alias));
    }
}

static regal_status add_tensor(hlo_graph_builder *build, int64_t index) {
    const hlo_leaf *leaf = leaf_at(build, index);
    const hlo_instruction *owner = owner_of(build, index);
    build->tensor[index] = -1;
    if (leaf->source != build->first_leaf + index || !owner->is_op)
        return REGAL_OK;
    REGAL_FORWARD(
        regal_hlo_graph_set_name(build, owner, build->first_leaf + index - owner->first_leaf));
    const bool is_kept_elsewhere = build->home[index] >= 0;
    const int64_t consumers = use_count(build, index);
    const regal_tensor tensor = {
        .name = build->name,
        .producer = op_of(build, owner),
        .bytes = is_kept_elsewhere && consumers == 0 ? 0 : node_at(build, index)->bytes,
        .consumers = build->uses + build->use_begin[index],
        .consumer_count = consumers,
        .output = leaf->result_count > 0 && !(is_kept_elsewhere && consumers > 0),
        .alias_of = leaf->in_place >= 0 ? build->tensor[leaf->in_place - build->first_leaf] : -1};
    return regal_graph_add_tensor(build->graph, &tensor, &build->tensor[index]);
}

/* The producer of the output that is kept in this parameter: it waits for the others. */
static regal_status add_writer(hlo_graph_builder *build, int64_t index, int64_t *ops,
                               int64_t *count) {
    const int64_t writer = op_of(build, owner_of(build, build->donated[index]));
    if (*count > 0 && ops[*count - 1] == writer)
        --*count;
    for (int64_t i = 0; i < *count; ++i)
        REGAL_FORWARD(regal_graph_add_control(build->graph, ops[i], writer));
    ops[(*count)++] = writer;
    return REGAL_OK;
}

static regal_status add_parameter(hlo_graph_builder *build, int64_t index) {
    const hlo_instruction *owner = owner_of(build, index);
    const bool is_constant = owner->opcode == HLO_CONSTANT && node_at(build, index)->rank > 0;
    const bool is_donated = build->donated[index] >= 0;
    int64_t count = use_count(build, index);
    if ((owner->opcode != HLO_PARAMETER && !is_constant) || (count == 0 && !is_donated) ||
        node_at(build, index)->bytes == 0)
        return REGAL_OK;
    int64_t *ops = regal_allocate(count + 1, sizeof *ops);
    REGAL_FAIL_IF_NULL(ops);
    for (int64_t i = 0; i < count; ++i)
        ops[i] = build->uses[build->use_begin[index] + i];
    regal_status status = is_donated ? add_writer(build, index, ops, &count) : REGAL_OK;
    if (status == REGAL_OK)
        status =
            regal_hlo_graph_set_name(build, owner, build->first_leaf + index - owner->first_leaf);
    const regal_parameter parameter = {
        .name = build->name, .bytes = node_at(build, index)->bytes, .ops = ops, .op_count = count};
    if (status == REGAL_OK)
        status = regal_graph_add_parameter(build->graph, &parameter, NULL);
    build->resident_count += owner != build->last_resident;
    build->last_resident = owner;
    free(ops);
    return status;
}

regal_status regal_hlo_graph_add_values(hlo_graph_builder *build) {
    REGAL_FORWARD(list_uses(build));
    REGAL_FORWARD(read_donations(build));
    for (int64_t l = 0; l < build->leaf_count; ++l)
        REGAL_FORWARD(add_tensor(build, l));
    for (int64_t l = 0; l < build->leaf_count; ++l)
        REGAL_FORWARD(add_parameter(build, l));
    return REGAL_OK;
}
