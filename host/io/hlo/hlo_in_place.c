/* What is written in place: dynamic-update-slice and scatter, loops, calls and fusions that do so
 * with what they are given, declared aliases. The new value shares the storage of the old one if
 * that is sure: nothing else uses the old one (entry), or nothing later in the text does (inner
 * computations, which run in that order). */
#include "base/error.h"
#include "io/hlo/hlo_analysis.h"

static void write_in_place(hlo_module *module, const hlo_instruction *writer, int64_t own,
                           int64_t overwritten, int64_t position, bool is_entry) {
    const int64_t self = writer->first_leaf + own;
    hlo_leaf *leaf = &module->leaves[self];
    const int64_t target = module->leaves[overwritten].source;
    hlo_leaf *old = &module->leaves[target];
    const hlo_instruction *owner = &module->instructions[old->instruction];
    const bool dead =
        is_entry ? old->use_count == 1 : old->last_use == position && old->last_use_count == 1;
    /* In the entry an alias ties its producers to one device: a loop is not tied to what ran
     * before it only because its state starts there. */
    const bool suits =
        is_entry ? owner->is_op && regal_hlo_opcode_form(owner->opcode) != HLO_FORM_CONTROL
                 : owner->opcode != HLO_CONSTANT;
    if (leaf->source != self || leaf->in_place >= 0 || old->taken || old->result_count > 0 ||
        !dead || !suits || module->nodes[leaf->node].bytes != module->nodes[old->node].bytes)
        return;
    leaf->in_place = target;
    leaf->storage = old->storage;
    old->taken = true;
}

static regal_status write_declared(hlo_module *module, const hlo_instruction *writer,
                                   hlo_slice list, int64_t position, bool is_entry) {
    hlo_cursor cursor = regal_hlo_cursor_of(module, list);
    REGAL_FORWARD(regal_hlo_expect(&cursor, '{', " in output_to_operand_aliasing"));
    for (;;) {
        hlo_alias alias;
        bool more;
        REGAL_FORWARD(regal_hlo_next_alias(&cursor, &alias, &more));
        if (!more)
            return REGAL_OK;
        HLO_FAIL_IF(alias.number < 0 || alias.number >= writer->operand_count, module,
                    alias.output.data, "'%.*s' has no operand %lld", HLO_TEXT(writer->name),
                    (long long)alias.number);
        const hlo_instruction *operand = regal_hlo_operand(module, writer, alias.number);
        const hlo_node *to =
            regal_hlo_path_follow(module, regal_hlo_shape(module, writer), alias.output);
        const hlo_node *from =
            regal_hlo_path_follow(module, regal_hlo_shape(module, operand), alias.inner);
        HLO_FAIL_IF(to == NULL || from == NULL, module, alias.output.data,
                    "an alias of '%.*s' leads to no array", HLO_TEXT(writer->name));
        if (to->leaf_count == 1 && from->leaf_count == 1)
            write_in_place(module, writer, to->first_leaf, operand->first_leaf + from->first_leaf,
                           position, is_entry);
    }
}

/* What a called computation writes in place of its operands. */
static void write_callee(hlo_module *module, const hlo_instruction *caller, hlo_key key,
                         int64_t position, bool is_entry) {
    const int64_t index = regal_hlo_call_find(module, caller, key);
    if (index < 0)
        return;
    const hlo_computation *callee = &module->computations[index];
    if (module->instructions[callee->root].leaf_count != caller->leaf_count)
        return;
    for (int64_t k = 0; k < caller->leaf_count; ++k) {
        const hlo_origin origin = regal_hlo_result_origin(module, callee, k);
        if (origin.kind != HLO_ORIGIN_IN_PLACE || origin.number >= caller->operand_count ||
            (key == HLO_KEY_BODY && origin.leaf != k))
            continue;
        const hlo_instruction *operand = regal_hlo_operand(module, caller, origin.number);
        if (origin.leaf < operand->leaf_count)
            write_in_place(module, caller, k, operand->first_leaf + origin.leaf, position,
                           is_entry);
    }
}

regal_status regal_hlo_write_results(hlo_module *module, const hlo_instruction *writer,
                                     int64_t position, bool is_entry) {
    if (writer->repeats_tuple)
        return REGAL_OK;
    const hlo_slice declared =
        regal_hlo_attribute_find(module, writer, HLO_KEY_OUTPUT_TO_OPERAND_ALIASING);
    if (declared.data != NULL)
        REGAL_FORWARD(write_declared(module, writer, declared, position, is_entry));
    if (writer->opcode == HLO_WHILE)
        write_callee(module, writer, HLO_KEY_BODY, position, is_entry);
    else if (writer->opcode == HLO_CALL)
        write_callee(module, writer, HLO_KEY_TO_APPLY, position, is_entry);
    else if (writer->opcode == HLO_FUSION)
        write_callee(module, writer, HLO_KEY_CALLS, position, is_entry);
    const bool updates =
        writer->opcode == HLO_DYNAMIC_UPDATE_SLICE || writer->opcode == HLO_SCATTER;
    const int64_t count = writer->opcode == HLO_SCATTER ? writer->operand_count / 2 : 1;
    for (int64_t k = 0; updates && k < count && k < writer->leaf_count; ++k)
        if (k < writer->operand_count && regal_hlo_operand(module, writer, k)->leaf_count == 1)
            write_in_place(module, writer, k, regal_hlo_operand(module, writer, k)->first_leaf,
                           position, is_entry);
    return REGAL_OK;
}
