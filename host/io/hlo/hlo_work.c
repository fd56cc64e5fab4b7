/* The work of one instruction that is a single launch, from its shapes and attributes. */
#include "base/error.h"
#include "io/hlo/hlo_analysis.h"

typedef struct scene {
    const hlo_module *module;
    const hlo_instruction *instruction;
    hlo_opcode opcode;       /* for a wrapped one: what is wrapped */
    const hlo_node *shape;   /* of the result proper */
    const hlo_node *result;  /* its first array, or NULL */
    const hlo_node *operand; /* the first array of the first operand, or NULL */
} scene;

enum {
    REPEATS_SEEN = 16, /* operands among which repeated ones are found (they are read once) */
    NORMALIZATION_FLOPS = 8,
    FFT_FLOPS = 5,     /* times n log2 n */
    CHOLESKY_SHARE = 3 /* n^3 / 3 */
};

static const hlo_node *operand_array(const scene *at, int64_t index) {
    if (index >= at->instruction->operand_count)
        return NULL;
    return regal_hlo_array(
        at->module,
        regal_hlo_shape(at->module, regal_hlo_operand(at->module, at->instruction, index)));
}

static int64_t elements_of(const hlo_node *array) {
    return array != NULL ? array->elements : 0;
}

static int64_t bytes_of(const hlo_node *array) {
    return array != NULL ? array->bytes : 0;
}

static regal_type type_of(const hlo_node *array) {
    return array != NULL ? (regal_type)array->type : REGAL_TYPE_U8;
}

static int64_t operand_bytes(const scene *at) {
    const int64_t *operands = at->module->operands + at->instruction->first_operand;
    const int64_t count = at->instruction->operand_count;
    int64_t bytes = 0;
    for (int64_t o = 0; o < count; ++o) {
        bool repeated = false;
        for (int64_t e = 0; e < o && e < REPEATS_SEEN && !repeated; ++e)
            repeated = operands[e] == operands[o];
        if (!repeated)
            bytes = regal_count_add(
                bytes, regal_hlo_shape(at->module, &at->module->instructions[operands[o]])->bytes);
    }
    return bytes;
}

static regal_status fail_without(const scene *at, const char *what) {
    HLO_FAIL(at->module, at->instruction->name.data, "%.*s '%.*s' has no %s",
             HLO_TEXT(at->instruction->opcode_word), HLO_TEXT(at->instruction->name), what);
}

static void add_flops(regal_load *load, regal_work_kind kind, regal_type type, int64_t flops,
                      bool full_precision) {
    const regal_work work = {
        .kind = kind, .type = type, .flops = flops, .full_precision = full_precision};
    regal_load_add(load, &work);
}

/* The computation of this key, run `count` times over elements. */
static regal_status apply(const scene *at, hlo_key key, const char *what, int64_t count,
                          regal_load *load) {
    const int64_t callee = regal_hlo_call_find(at->module, at->instruction, key);
    if (callee < 0)
        return fail_without(at, what);
    regal_load_merge_times(load, &at->module->computations[callee].load, count);
    return REGAL_OK;
}

static int64_t window_size(const scene *at) {
    hlo_cursor list = regal_hlo_cursor_of(
        at->module,
        regal_hlo_window_field(
            regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_WINDOW), "size"));
    int64_t size = 1, factor;
    while (regal_hlo_next_integer(&list, &factor))
        size = regal_count_multiply(size, factor);
    return size;
}

static regal_status product(const scene *at, regal_load *load) {
    if (at->instruction->operand_count < 2)
        return fail_without(at, "second operand");
    const int64_t depth = regal_hlo_contraction_size(
        at->module, at->instruction,
        regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_LHS_CONTRACTING_DIMS));
    const hlo_slice precision =
        regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_OPERAND_PRECISION);
    const hlo_slice algorithm =
        regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_ALGORITHM);
    add_flops(load, REGAL_WORK_MATRIX_PRODUCT, type_of(at->operand),
              regal_count_multiply(2, regal_count_multiply(elements_of(at->result), depth)),
              regal_hlo_slice_contains(precision, "highest") ||
                  regal_hlo_slice_is(algorithm, "dot_f32_f32_f32"));
    return REGAL_OK;
}

static regal_status convolution(const scene *at, regal_load *load) {
    const hlo_node *kernel = operand_array(at, 1);
    if (kernel == NULL)
        return fail_without(at, "kernel");
    if (regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_DIM_LABELS).data == NULL)
        return fail_without(at, "dim_labels");
    const int64_t taps = regal_hlo_kernel_taps(at->module, at->instruction, kernel);
    const hlo_slice precision =
        regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_OPERAND_PRECISION);
    add_flops(load, REGAL_WORK_CONVOLUTION, type_of(at->operand),
              regal_count_multiply(2, regal_count_multiply(elements_of(at->result), taps)),
              regal_hlo_slice_contains(precision, "highest"));
    return REGAL_OK;
}

/* Keys of the first operand, sorted along one dimension; the others follow. */
static regal_status sort(const scene *at, regal_load *load) {
    const hlo_node *keys = at->operand;
    hlo_cursor list = regal_hlo_cursor_of(
        at->module, regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_DIMENSIONS));
    int64_t dimension = keys != NULL ? keys->rank - 1 : -1;
    regal_hlo_next_integer(&list, &dimension);
    const int64_t length = keys != NULL && dimension >= 0 && dimension < keys->rank
                               ? regal_hlo_dims(at->module, keys)[dimension]
                               : 1;
    const int64_t rows = length > 0 ? elements_of(keys) / length : 0;
    const regal_work work = regal_work_sort(type_of(keys), rows, length);
    const int64_t others = operand_bytes(at) - bytes_of(keys);
    load->bytes = regal_count_add(work.bytes, regal_count_multiply(2, others));
    if (at->opcode == HLO_SORT)
        return apply(at, HLO_KEY_TO_APPLY, "to_apply", work.flops, load);
    regal_load_add(load, &work);
    return REGAL_OK;
}

/* operands, indices, updates: the indices and the updates are read, and what is updated is read
 * and written; without room to do it in place everything else is copied as well. */
static regal_status scatter(const scene *at, regal_load *load) {
    const int64_t count = at->instruction->operand_count / 2;
    if (count == 0)
        return fail_without(at, "updates");
    int64_t bytes = bytes_of(operand_array(at, count)), elements = 0;
    for (int64_t u = count + 1; u < at->instruction->operand_count; ++u) {
        const hlo_node *update = operand_array(at, u);
        bytes = regal_count_add(bytes, regal_count_multiply(3, bytes_of(update)));
        elements = regal_count_add(elements, elements_of(update));
    }
    if (at->module->leaves[at->instruction->first_leaf].in_place < 0)
        bytes = regal_count_add(bytes, regal_count_multiply(2, at->shape->bytes));
    load->bytes = bytes;
    return apply(at, HLO_KEY_TO_APPLY, "to_apply", elements / count, load);
}

static void update_slice(const scene *at, regal_load *load) {
    load->bytes = regal_count_multiply(2, bytes_of(operand_array(at, 1)));
    if (at->module->leaves[at->instruction->first_leaf].in_place < 0)
        load->bytes = regal_count_add(load->bytes, regal_count_multiply(2, bytes_of(at->result)));
}

static regal_status select_and_scatter(const scene *at, regal_load *load) {
    const int64_t sources = elements_of(operand_array(at, 1));
    REGAL_FORWARD(
        apply(at, HLO_KEY_SELECT, "select", regal_count_multiply(sources, window_size(at)), load));
    return apply(at, HLO_KEY_SCATTER, "scatter", sources, load);
}

static int64_t last_dimension(const scene *at, const hlo_node *array) {
    return array != NULL && array->rank > 0 ? regal_hlo_dims(at->module, array)[array->rank - 1]
                                            : 1;
}

static int64_t depth_of_tree(int64_t size) {
    int64_t depth = 1;
    for (; size > 2; size = size / 2 + size % 2)
        ++depth;
    return depth;
}

static void solver(const scene *at, regal_load *load) {
    const int64_t size = last_dimension(at, at->operand);
    int64_t flops;
    if (at->opcode == HLO_FFT)
        flops = regal_count_multiply(regal_count_multiply(elements_of(at->result), FFT_FLOPS),
                                     depth_of_tree(last_dimension(at, at->result)));
    else if (at->opcode == HLO_CHOLESKY)
        flops = regal_count_multiply(elements_of(at->operand), size) / CHOLESKY_SHARE;
    else
        flops = regal_count_multiply(elements_of(at->result), size);
    add_flops(load, REGAL_WORK_CUSTOM, type_of(at->result), flops, true);
}

static regal_status collective(const scene *at, regal_load *load) {
    const int64_t in = operand_bytes(at), out = at->shape->bytes;
    const regal_work work = regal_work_collective(in > out ? in : out);
    regal_load_add(load, &work);
    load->bytes = 0;
    const int64_t callee = regal_hlo_call_find(at->module, at->instruction, HLO_KEY_TO_APPLY);
    if (callee >= 0)
        regal_load_merge_times(load, &at->module->computations[callee].load,
                               elements_of(at->operand));
    return REGAL_OK;
}

/* Of the operands what the computation reads of its parameters, of results that are written in
 * place what is new. */
static int64_t fusion_bytes(const scene *at, const hlo_computation *callee) {
    const hlo_module *module = at->module;
    const hlo_instruction *root = &module->instructions[callee->root];
    int64_t bytes = 0;
    for (int64_t p = 0; p < callee->parameter_count; ++p) {
        const hlo_instruction *parameter =
            &module->instructions[module->parameters[callee->first_parameter + p]];
        for (int64_t k = 0; k < parameter->leaf_count; ++k) {
            const hlo_leaf *leaf = &module->leaves[parameter->first_leaf + k];
            const int64_t whole = module->nodes[leaf->node].bytes;
            bytes = regal_count_add(bytes, leaf->read_bytes < whole ? leaf->read_bytes : whole);
        }
    }
    for (int64_t k = 0; k < at->instruction->leaf_count; ++k) {
        const hlo_leaf *leaf = &module->leaves[at->instruction->first_leaf + k];
        int64_t written = module->nodes[leaf->node].bytes;
        if (leaf->in_place >= 0 && root->leaf_count == at->instruction->leaf_count) {
            const int64_t source = module->leaves[root->first_leaf + k].source;
            const hlo_instruction *writer =
                &module->instructions[module->leaves[source].instruction];
            if (writer->opcode == HLO_DYNAMIC_UPDATE_SLICE && writer->operand_count > 1)
                written = regal_hlo_shape(module, regal_hlo_operand(module, writer, 1))->bytes;
        }
        bytes = regal_count_add(bytes, written);
    }
    return bytes;
}

static regal_status fusion(const scene *at, regal_load *load) {
    REGAL_FORWARD(apply(at, HLO_KEY_CALLS, "calls", 1, load));
    const hlo_computation *callee =
        &at->module->computations[regal_hlo_call_find(at->module, at->instruction, HLO_KEY_CALLS)];
    HLO_FAIL_IF(callee->parameter_count != at->instruction->operand_count, at->module,
                at->instruction->name.data,
                "'%.*s' has %lld operands, but '%.*s' has %lld parameters",
                HLO_TEXT(at->instruction->name), (long long)at->instruction->operand_count,
                HLO_TEXT(callee->name), (long long)callee->parameter_count);
    load->bytes = fusion_bytes(at, callee);
    return REGAL_OK;
}

static regal_status other(const scene *at, regal_load *load) {
    switch (at->opcode) {
    case HLO_DOT:
    case HLO_RAGGED_DOT:
    case HLO_SCALED_DOT:
        return product(at, load);
    case HLO_CONVOLUTION:
        return convolution(at, load);
    case HLO_FUSION:
        return fusion(at, load);
    case HLO_MAP:
        return apply(at, HLO_KEY_TO_APPLY, "to_apply", elements_of(at->result), load);
    case HLO_REDUCE:
        return apply(at, HLO_KEY_TO_APPLY, "to_apply", elements_of(at->operand), load);
    case HLO_REDUCE_WINDOW:
        if (regal_hlo_attribute_find(at->module, at->instruction, HLO_KEY_WINDOW).data == NULL)
            return fail_without(at, "window");
        return apply(at, HLO_KEY_TO_APPLY, "to_apply",
                     regal_count_multiply(elements_of(at->result), window_size(at)), load);
    case HLO_SELECT_AND_SCATTER:
        return select_and_scatter(at, load);
    case HLO_SORT:
    case HLO_TOPK:
        return sort(at, load);
    case HLO_GATHER:
        load->bytes = regal_work_gather(type_of(at->result), elements_of(at->result),
                                        bytes_of(operand_array(at, 1)))
                          .bytes;
        return REGAL_OK;
    case HLO_SCATTER:
        return scatter(at, load);
    case HLO_DYNAMIC_UPDATE_SLICE:
        update_slice(at, load);
        return REGAL_OK;
    case HLO_COPY_START: /* (copy, what is copied, context) */
        load->bytes = regal_count_multiply(2, operand_bytes(at));
        return REGAL_OK;
    case HLO_FFT:
    case HLO_CHOLESKY:
    case HLO_TRIANGULAR_SOLVE:
        solver(at, load);
        return REGAL_OK;
    case HLO_CUSTOM_CALL:
        add_flops(load, REGAL_WORK_MATRIX_PRODUCT, type_of(at->operand),
                  regal_hlo_custom_call_flops(at->module, at->instruction), false);
        return REGAL_OK;
    default:
        return REGAL_OK;
    }
}

/* What an asynchronous start yields is element 1 of its tuple; of others all of it. */
static const hlo_node *result_shape(const hlo_module *module, const hlo_instruction *instruction) {
    const hlo_node *shape = regal_hlo_shape(module, instruction);
    const hlo_node *child = instruction->opcode == HLO_ASYNC_START ||
                                    instruction->opcode == HLO_ALL_GATHER_START ||
                                    instruction->opcode == HLO_COLLECTIVE_PERMUTE_START
                                ? regal_hlo_child(module, shape, 1)
                                : NULL;
    return child != NULL ? child : shape;
}

regal_status regal_hlo_instruction_load(const hlo_module *module,
                                        const hlo_instruction *instruction, regal_load *load) {
    scene at = {.module = module, .instruction = instruction, .opcode = instruction->opcode};
    if (instruction->opcode == HLO_ASYNC_START)
        at.opcode = instruction->wrapped;
    at.shape = result_shape(module, instruction);
    at.result = regal_hlo_array(module, at.shape);
    at.operand = operand_array(&at, 0);
    *load = (regal_load){.bytes = regal_count_add(operand_bytes(&at), at.shape->bytes)};

    const int64_t elements = elements_of(at.result);
    switch (regal_hlo_opcode_form(at.opcode)) {
    case HLO_FORM_ELEMENTWISE:
        add_flops(load, REGAL_WORK_ELEMENTWISE,
                  type_of(at.opcode == HLO_COMPARE ? at.operand : at.result), elements, false);
        return REGAL_OK;
    case HLO_FORM_TRANSCENDENTAL:
        add_flops(load, REGAL_WORK_TRANSCENDENTAL, type_of(at.result), elements, false);
        return REGAL_OK;
    case HLO_FORM_NORMALIZATION:
        add_flops(load, REGAL_WORK_REDUCTION, type_of(at.operand),
                  regal_count_multiply(NORMALIZATION_FLOPS, elements_of(at.operand)), false);
        return REGAL_OK;
    case HLO_FORM_RANDOM: {
        const regal_work work = regal_work_random(type_of(at.result), elements);
        regal_load_add(load, &work);
        return REGAL_OK;
    }
    case HLO_FORM_SLICE:
        load->bytes = regal_count_multiply(2, bytes_of(at.result));
        return REGAL_OK;
    case HLO_FORM_COLLECTIVE:
        return collective(&at, load);
    case HLO_FORM_OTHER:
        return other(&at, load);
    default:
        return REGAL_OK; /* it moves its bytes */
    }
}
