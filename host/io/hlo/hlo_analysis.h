/* What the analysis of one computation consists of; hlo_analysis.c drives it, callees first. */
#ifndef REGAL_IO_HLO_ANALYSIS_H
#define REGAL_IO_HLO_ANALYSIS_H

#include "io/hlo/hlo_text.h"

/* Sources, uses and in-place writes of all leaves of a computation. `is_entry`: the order of the
 * text is not taken for the order of execution. `visited` is scratch, [instruction_count]. */
regal_status regal_hlo_values_resolve(hlo_module *module, int64_t computation, bool is_entry,
                                      int64_t *visited);

/* Its last step, for the op at `position`. */
regal_status regal_hlo_write_results(hlo_module *module, const hlo_instruction *writer,
                                     int64_t position, bool is_entry);

/* Where the result leaf `index` of an analyzed computation comes from. */
typedef enum hlo_origin_kind {
    HLO_ORIGIN_NEW,      /* computed */
    HLO_ORIGIN_SAME,     /* a parameter's leaf handed through */
    HLO_ORIGIN_IN_PLACE, /* written into the storage of a parameter's leaf */
} hlo_origin_kind;
typedef struct hlo_origin {
    hlo_origin_kind kind;
    int64_t number, leaf; /* parameter, leaf within its shape */
} hlo_origin;
hlo_origin regal_hlo_result_origin(const hlo_module *module, const hlo_computation *computation,
                                   int64_t index);

/* The arithmetic, memory traffic and collective bytes of an instruction that is a single launch.
 * Callees are analyzed. */
regal_status regal_hlo_instruction_load(const hlo_module *module,
                                        const hlo_instruction *instruction, regal_load *load);
/* FLOPs that a custom call is known to make, of its first operand's type; 0 where unknown. */
int64_t regal_hlo_custom_call_flops(const hlo_module *module, const hlo_instruction *instruction);
/* Multiply-adds for each element of a product's or convolution's result. */
int64_t regal_hlo_contraction_size(const hlo_module *module, const hlo_instruction *instruction,
                                   hlo_slice dimensions);
int64_t regal_hlo_kernel_taps(const hlo_module *module, const hlo_instruction *instruction,
                              const hlo_node *kernel);

/* What an instruction takes on its device. */
typedef struct hlo_cost {
    regal_load load;   /* its arithmetic, inner runs included */
    int64_t *ticks;    /* [class_count] */
    int64_t workspace; /* bytes beside operands and results */
} hlo_cost;
regal_status regal_hlo_instruction_cost(const hlo_module *module, hlo_instruction *instruction,
                                        hlo_cost *cost);

/* How often a while loop runs; false where that is not to be found out. */
bool regal_hlo_trip_count(const hlo_module *module, const hlo_instruction *loop, int64_t *trips);

#endif
