/* An XLA HLO module as parsed: computations of instructions, in flat arrays that refer to each
 * other by index. Names and attribute values are slices of the file's text, which outlives it.
 *
 * The reader works in three steps: hlo_parser.c (text to module), hlo_analysis.c (values, costs and
 * inner memory of every computation, callees first), hlo_graph.c (the entry computation to a
 * regal_graph). */
#ifndef REGAL_IO_HLO_MODULE_H
#define REGAL_IO_HLO_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/device_profile.h"
#include "io/hlo/hlo_opcode.h"
#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlo_slice {
    const char *data;
    size_t size;
} hlo_slice;

bool regal_hlo_slice_is(hlo_slice slice, const char *word);
bool regal_hlo_slice_contains(hlo_slice slice, const char *word); /* letter case ignored */

/* X(name, key): the attributes of instructions that are kept; the rest is skipped. */
#define HLO_KEY_LIST(X)                                                  \
    X(HLO_KEY_CALLS, "calls")                                            \
    X(HLO_KEY_TO_APPLY, "to_apply")                                      \
    X(HLO_KEY_BODY, "body")                                              \
    X(HLO_KEY_CONDITION, "condition")                                    \
    X(HLO_KEY_TRUE_COMPUTATION, "true_computation")                      \
    X(HLO_KEY_FALSE_COMPUTATION, "false_computation")                    \
    X(HLO_KEY_BRANCH_COMPUTATIONS, "branch_computations")                \
    X(HLO_KEY_CALLED_COMPUTATIONS, "called_computations")                \
    X(HLO_KEY_SELECT, "select")                                          \
    X(HLO_KEY_SCATTER, "scatter") /* the last that names computations */ \
    X(HLO_KEY_INDEX, "index")                                            \
    X(HLO_KEY_DIMENSIONS, "dimensions")                                  \
    X(HLO_KEY_DIRECTION, "direction")                                    \
    X(HLO_KEY_LHS_CONTRACTING_DIMS, "lhs_contracting_dims")              \
    X(HLO_KEY_OPERAND_PRECISION, "operand_precision")                    \
    X(HLO_KEY_ALGORITHM, "algorithm")                                    \
    X(HLO_KEY_WINDOW, "window")                                          \
    X(HLO_KEY_DIM_LABELS, "dim_labels")                                  \
    X(HLO_KEY_CUSTOM_CALL_TARGET, "custom_call_target")                  \
    X(HLO_KEY_BACKEND_CONFIG, "backend_config")                          \
    X(HLO_KEY_OUTPUT_TO_OPERAND_ALIASING, "output_to_operand_aliasing")  \
    X(HLO_KEY_CONTROL_PREDECESSORS, "control-predecessors")

typedef enum hlo_key {
#define HLO_KEY_ENUM(name, key) name,
    HLO_KEY_LIST(HLO_KEY_ENUM)
#undef HLO_KEY_ENUM
        HLO_KEY_COUNT
} hlo_key;

typedef struct hlo_attribute {
    hlo_key key;
    hlo_slice value;
} hlo_attribute;

enum { HLO_TUPLE_SHAPE = REGAL_TYPE_COUNT }; /* the type of a tuple's node */

/* A shape is its nodes in preorder: an array is one node, a tuple a node and those of its
 * elements. Leaves are arrays, numbered from 0 within the whole shape. */
typedef struct hlo_node {
    int type;        /* regal_type or HLO_TUPLE_SHAPE */
    bool has_layout; /* minor to major; without one: row-major */
    bool tiled;
    int64_t rank, first_dim; /* dims[first_dim..+rank], then the layout, if any, likewise */
    int64_t elements;        /* of an array */
    int64_t bytes;           /* of all leaves */
    int64_t child_count, first_child; /* of a tuple: nodes children[first_child..+child_count] */
    int64_t leaf_count, first_leaf;
} hlo_node;

/* One array-shaped value of an instruction. */
typedef struct hlo_leaf {
    int64_t instruction;
    int64_t node;
    /* Filled by the analysis: */
    int64_t source;   /* the leaf that really defines it: itself, unless looked through */
    int64_t in_place; /* the leaf in whose storage it is written, or -1 */
    int64_t storage;  /* the first of a chain of in-place writes; else itself */
    int64_t use_count, last_use; /* uses by ops (repeats count); position of the last, -1: none */
    int64_t last_use_count;      /* uses at that position */
    int64_t result_count;        /* how often it is a result of the computation */
    int64_t read_bytes;          /* by all uses together */
    bool taken;                  /* something is written in its place */
} hlo_leaf;

typedef struct hlo_instruction {
    hlo_slice name, opcode_word;
    hlo_opcode opcode;
    hlo_opcode wrapped; /* of "<opcode>-start" and its like, else HLO_UNKNOWN */
    hlo_slice literal;  /* of a constant */
    int64_t number;     /* of a parameter */
    int64_t shape;      /* node */
    int64_t computation;
    int64_t operand_count, first_operand; /* operands[]: instructions */
    int64_t attribute_count, first_attribute;
    int64_t call_count, first_call; /* calls[] */
    int64_t leaf_count, first_leaf;
    /* Filled by the analysis: */
    bool is_op;         /* does work, that is neither looked through nor a value at hand */
    bool repeats_tuple; /* an operand of several arrays is named twice */
    bool is_endless;    /* a loop whose trip count is unknown */
} hlo_instruction;

typedef struct hlo_control {
    int64_t before, after; /* instructions of one computation */
} hlo_control;

/* An instruction's reference to a computation. */
typedef struct hlo_call {
    hlo_key key;
    hlo_slice name;      /* where it is by name */
    int64_t computation; /* -1 until resolved */
} hlo_call;

typedef struct hlo_computation {
    hlo_slice name; /* empty for one written inside an attribute */
    const char *place;
    int64_t first, count, root;               /* instructions */
    int64_t parameter_count, first_parameter; /* parameters[]: instructions by number */
    int64_t depth;                            /* of being written inside attributes */
    /* Filled by the analysis: */
    regal_load load;   /* its arithmetic */
    int64_t workspace; /* peak of what is neither parameter nor result */
} hlo_computation;

typedef struct hlo_module {
    const char *text, *end, *file;
    hlo_slice name, input_output_alias;
    int64_t entry; /* computation */
    hlo_computation *computations;
    hlo_instruction *instructions;
    hlo_node *nodes;
    hlo_attribute *attributes;
    hlo_call *calls;
    hlo_control *controls;
    hlo_leaf *leaves;
    int64_t *operands, *dims, *children, *parameters;
    int64_t computation_count, computation_capacity, instruction_count, instruction_capacity,
        node_count, node_capacity, attribute_count, attribute_capacity, call_count, call_capacity,
        control_count, control_capacity, leaf_count, operand_count, operand_capacity, dim_count,
        dim_capacity, child_count, child_capacity, parameter_count, parameter_capacity;

    /* The analysis: ticks[computation * class_count + class] */
    const regal_device_profile *const *profiles;
    int64_t class_count;
    int64_t *ticks;
    int64_t use_budget; /* uses of leaves still allowed: keeps time and memory linear in the text */
} hlo_module;

/* Fails with "FILE:LINE: message", the line of `place` in the module's text. */
#define HLO_FAIL(module, place, ...) \
    return regal_hlo_fail((module), (place), __FILE__, __LINE__, __VA_ARGS__)
#define HLO_FAIL_IF(condition, module, place, ...) \
    do {                                           \
        if (condition)                             \
            HLO_FAIL(module, place, __VA_ARGS__);  \
    } while (0)
regal_status regal_hlo_fail(const hlo_module *module, const char *place, const char *file, int line,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));
int64_t regal_hlo_line(const hlo_module *module, const char *place);

/* A slice as arguments of "%.*s", long ones cut. */
#define HLO_TEXT(slice) ((slice).size < 200 ? (int)(slice).size : 200), (slice).data

/* Text to module: every name resolved, leaves laid out, the entry found. The module must be zeroed
 * and is destroyed by the caller whatever happens. */
regal_status regal_hlo_module_parse(hlo_module *module, const char *text, size_t size,
                                    const char *file);
void regal_hlo_module_destroy(hlo_module *module);

/* Resolves the names of called computations; *order ([computation_count], the caller's to free)
 * lists callees before callers. A cycle is an error. */
regal_status regal_hlo_module_order(hlo_module *module, int64_t **order);

/* Values, costs and workspace of each computation, then the values of the entry. */
regal_status regal_hlo_module_analyze(hlo_module *module,
                                      const regal_device_profile *const *profiles,
                                      int64_t class_count);

/* The first attribute of this key, or an empty slice with NULL data. */
hlo_slice regal_hlo_attribute_find(const hlo_module *module, const hlo_instruction *instruction,
                                   hlo_key key);
/* The computation of this key, or -1. */
int64_t regal_hlo_call_find(const hlo_module *module, const hlo_instruction *instruction,
                            hlo_key key);

/* Shapes. */
static inline const hlo_node *regal_hlo_shape(const hlo_module *module,
                                              const hlo_instruction *instruction) {
    return &module->nodes[instruction->shape];
}
static inline const hlo_instruction *
regal_hlo_operand(const hlo_module *module, const hlo_instruction *instruction, int64_t index) {
    return &module->instructions[module->operands[instruction->first_operand + index]];
}
/* The element `index` of a tuple, or NULL. */
const hlo_node *regal_hlo_child(const hlo_module *module, const hlo_node *node, int64_t index);
/* The first array of a shape, or NULL. */
const hlo_node *regal_hlo_array(const hlo_module *module, const hlo_node *node);
const int64_t *regal_hlo_dims(const hlo_module *module, const hlo_node *node);

#ifdef __cplusplus
}
#endif
#endif
