/* The opcodes of XLA HLO, in the order of strcmp: X(name, word, form). */
#ifndef REGAL_IO_HLO_OPCODE_H
#define REGAL_IO_HLO_OPCODE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HLO_OPCODE_LIST(X)                                                  \
    X(HLO_ABS, "abs", ELEMENTWISE)                                          \
    X(HLO_ACOS, "acos", TRANSCENDENTAL)                                     \
    X(HLO_ACOSH, "acosh", TRANSCENDENTAL)                                   \
    X(HLO_ADD, "add", ELEMENTWISE)                                          \
    X(HLO_ADD_DEPENDENCY, "add-dependency", VIEW)                           \
    X(HLO_AFTER_ALL, "after-all", OTHER)                                    \
    X(HLO_ALL_GATHER, "all-gather", COLLECTIVE)                             \
    X(HLO_ALL_GATHER_DONE, "all-gather-done", DONE)                         \
    X(HLO_ALL_GATHER_START, "all-gather-start", COLLECTIVE)                 \
    X(HLO_ALL_REDUCE, "all-reduce", COLLECTIVE)                             \
    X(HLO_ALL_REDUCE_DONE, "all-reduce-done", DONE)                         \
    X(HLO_ALL_REDUCE_START, "all-reduce-start", COLLECTIVE)                 \
    X(HLO_ALL_TO_ALL, "all-to-all", COLLECTIVE)                             \
    X(HLO_AND, "and", ELEMENTWISE)                                          \
    X(HLO_ASIN, "asin", TRANSCENDENTAL)                                     \
    X(HLO_ASINH, "asinh", TRANSCENDENTAL)                                   \
    X(HLO_ASYNC_DONE, "async-done", DONE)                                   \
    X(HLO_ASYNC_START, "async-start", CONTROL)                              \
    X(HLO_ASYNC_UPDATE, "async-update", DONE)                               \
    X(HLO_ATAN2, "atan2", TRANSCENDENTAL)                                   \
    X(HLO_ATANH, "atanh", TRANSCENDENTAL)                                   \
    X(HLO_BATCH_NORM_GRAD, "batch-norm-grad", NORMALIZATION)                \
    X(HLO_BATCH_NORM_INFERENCE, "batch-norm-inference", NORMALIZATION)      \
    X(HLO_BATCH_NORM_TRAINING, "batch-norm-training", NORMALIZATION)        \
    X(HLO_BITCAST, "bitcast", VIEW)                                         \
    X(HLO_BITCAST_CONVERT, "bitcast-convert", MOVEMENT)                     \
    X(HLO_BROADCAST, "broadcast", MOVEMENT)                                 \
    X(HLO_CALL, "call", CONTROL)                                            \
    X(HLO_CBRT, "cbrt", TRANSCENDENTAL)                                     \
    X(HLO_CEIL, "ceil", ELEMENTWISE)                                        \
    X(HLO_CHOLESKY, "cholesky", OTHER)                                      \
    X(HLO_CLAMP, "clamp", ELEMENTWISE)                                      \
    X(HLO_COLLECTIVE_BROADCAST, "collective-broadcast", COLLECTIVE)         \
    X(HLO_COLLECTIVE_PERMUTE, "collective-permute", COLLECTIVE)             \
    X(HLO_COLLECTIVE_PERMUTE_DONE, "collective-permute-done", DONE)         \
    X(HLO_COLLECTIVE_PERMUTE_START, "collective-permute-start", COLLECTIVE) \
    X(HLO_COMPARE, "compare", ELEMENTWISE)                                  \
    X(HLO_COMPLEX, "complex", ELEMENTWISE)                                  \
    X(HLO_CONCATENATE, "concatenate", MOVEMENT)                             \
    X(HLO_CONDITIONAL, "conditional", CONTROL)                              \
    X(HLO_CONSTANT, "constant", VALUE)                                      \
    X(HLO_CONVERT, "convert", ELEMENTWISE)                                  \
    X(HLO_CONVOLUTION, "convolution", OTHER)                                \
    X(HLO_COPY, "copy", MOVEMENT)                                           \
    X(HLO_COPY_DONE, "copy-done", DONE)                                     \
    X(HLO_COPY_START, "copy-start", OTHER)                                  \
    X(HLO_COSH, "cosh", TRANSCENDENTAL)                                     \
    X(HLO_COSINE, "cosine", TRANSCENDENTAL)                                 \
    X(HLO_COUNT_LEADING_ZEROS, "count-leading-zeros", ELEMENTWISE)          \
    X(HLO_CUSTOM_CALL, "custom-call", OTHER)                                \
    X(HLO_DIVIDE, "divide", ELEMENTWISE)                                    \
    X(HLO_DOMAIN, "domain", VIEW)                                           \
    X(HLO_DOT, "dot", OTHER)                                                \
    X(HLO_DYNAMIC_RESHAPE, "dynamic-reshape", MOVEMENT)                     \
    X(HLO_DYNAMIC_SLICE, "dynamic-slice", SLICE)                            \
    X(HLO_DYNAMIC_UPDATE_SLICE, "dynamic-update-slice", OTHER)              \
    X(HLO_ERF, "erf", TRANSCENDENTAL)                                       \
    X(HLO_EXPONENTIAL, "exponential", TRANSCENDENTAL)                       \
    X(HLO_EXPONENTIAL_MINUS_ONE, "exponential-minus-one", TRANSCENDENTAL)   \
    X(HLO_FFT, "fft", OTHER)                                                \
    X(HLO_FLOOR, "floor", ELEMENTWISE)                                      \
    X(HLO_FUSION, "fusion", OTHER)                                          \
    X(HLO_GATHER, "gather", OTHER)                                          \
    X(HLO_GET_DIMENSION_SIZE, "get-dimension-size", SCALAR)                 \
    X(HLO_GET_TUPLE_ELEMENT, "get-tuple-element", VIEW)                     \
    X(HLO_IMAG, "imag", ELEMENTWISE)                                        \
    X(HLO_INFEED, "infeed", MOVEMENT)                                       \
    X(HLO_IOTA, "iota", MOVEMENT)                                           \
    X(HLO_IS_FINITE, "is-finite", ELEMENTWISE)                              \
    X(HLO_LOG, "log", TRANSCENDENTAL)                                       \
    X(HLO_LOG_PLUS_ONE, "log-plus-one", TRANSCENDENTAL)                     \
    X(HLO_LOGISTIC, "logistic", TRANSCENDENTAL)                             \
    X(HLO_MAP, "map", OTHER)                                                \
    X(HLO_MAXIMUM, "maximum", ELEMENTWISE)                                  \
    X(HLO_MINIMUM, "minimum", ELEMENTWISE)                                  \
    X(HLO_MULTIPLY, "multiply", ELEMENTWISE)                                \
    X(HLO_NEGATE, "negate", ELEMENTWISE)                                    \
    X(HLO_NOT, "not", ELEMENTWISE)                                          \
    X(HLO_OPT_BARRIER, "opt-barrier", VIEW)                                 \
    X(HLO_OR, "or", ELEMENTWISE)                                            \
    X(HLO_OUTFEED, "outfeed", MOVEMENT)                                     \
    X(HLO_PAD, "pad", MOVEMENT)                                             \
    X(HLO_PARAMETER, "parameter", VALUE)                                    \
    X(HLO_PARTITION_ID, "partition-id", SCALAR)                             \
    X(HLO_POPCNT, "popcnt", ELEMENTWISE)                                    \
    X(HLO_POWER, "power", TRANSCENDENTAL)                                   \
    X(HLO_RAGGED_ALL_TO_ALL, "ragged-all-to-all", COLLECTIVE)               \
    X(HLO_RAGGED_DOT, "ragged-dot", OTHER)                                  \
    X(HLO_REAL, "real", ELEMENTWISE)                                        \
    X(HLO_RECV, "recv", COLLECTIVE)                                         \
    X(HLO_RECV_DONE, "recv-done", DONE)                                     \
    X(HLO_REDUCE, "reduce", OTHER)                                          \
    X(HLO_REDUCE_PRECISION, "reduce-precision", ELEMENTWISE)                \
    X(HLO_REDUCE_SCATTER, "reduce-scatter", COLLECTIVE)                     \
    X(HLO_REDUCE_WINDOW, "reduce-window", OTHER)                            \
    X(HLO_REMAINDER, "remainder", ELEMENTWISE)                              \
    X(HLO_REPLICA_ID, "replica-id", SCALAR)                                 \
    X(HLO_RESHAPE, "reshape", MOVEMENT)                                     \
    X(HLO_REVERSE, "reverse", MOVEMENT)                                     \
    X(HLO_RNG, "rng", RANDOM)                                               \
    X(HLO_RNG_BIT_GENERATOR, "rng-bit-generator", RANDOM)                   \
    X(HLO_RNG_GET_AND_UPDATE_STATE, "rng-get-and-update-state", SCALAR)     \
    X(HLO_ROUND_NEAREST_AFZ, "round-nearest-afz", ELEMENTWISE)              \
    X(HLO_ROUND_NEAREST_EVEN, "round-nearest-even", ELEMENTWISE)            \
    X(HLO_RSQRT, "rsqrt", TRANSCENDENTAL)                                   \
    X(HLO_SCALED_DOT, "scaled-dot", OTHER)                                  \
    X(HLO_SCATTER, "scatter", OTHER)                                        \
    X(HLO_SELECT, "select", ELEMENTWISE)                                    \
    X(HLO_SELECT_AND_SCATTER, "select-and-scatter", OTHER)                  \
    X(HLO_SEND, "send", COLLECTIVE)                                         \
    X(HLO_SEND_DONE, "send-done", DONE)                                     \
    X(HLO_SET_DIMENSION_SIZE, "set-dimension-size", MOVEMENT)               \
    X(HLO_SHIFT_LEFT, "shift-left", ELEMENTWISE)                            \
    X(HLO_SHIFT_RIGHT_ARITHMETIC, "shift-right-arithmetic", ELEMENTWISE)    \
    X(HLO_SHIFT_RIGHT_LOGICAL, "shift-right-logical", ELEMENTWISE)          \
    X(HLO_SIGN, "sign", ELEMENTWISE)                                        \
    X(HLO_SINE, "sine", TRANSCENDENTAL)                                     \
    X(HLO_SINH, "sinh", TRANSCENDENTAL)                                     \
    X(HLO_SLICE, "slice", SLICE)                                            \
    X(HLO_SORT, "sort", OTHER)                                              \
    X(HLO_SQRT, "sqrt", TRANSCENDENTAL)                                     \
    X(HLO_STOCHASTIC_CONVERT, "stochastic-convert", ELEMENTWISE)            \
    X(HLO_SUBTRACT, "subtract", ELEMENTWISE)                                \
    X(HLO_TAN, "tan", TRANSCENDENTAL)                                       \
    X(HLO_TANH, "tanh", TRANSCENDENTAL)                                     \
    X(HLO_TOPK, "topk", OTHER)                                              \
    X(HLO_TRANSPOSE, "transpose", MOVEMENT)                                 \
    X(HLO_TRIANGULAR_SOLVE, "triangular-solve", OTHER)                      \
    X(HLO_TUPLE, "tuple", VIEW)                                             \
    X(HLO_WHILE, "while", CONTROL)                                          \
    X(HLO_XOR, "xor", ELEMENTWISE)

typedef enum hlo_opcode {
#define HLO_OPCODE_ENUM(name, word, form) name,
    HLO_OPCODE_LIST(HLO_OPCODE_ENUM)
#undef HLO_OPCODE_ENUM
        HLO_OPCODE_COUNT,
    HLO_UNKNOWN = HLO_OPCODE_COUNT
} hlo_opcode;

/* What opcodes of a kind have in common. */
typedef enum hlo_form {
    HLO_FORM_VALUE,          /* parameter, constant: there from the start */
    HLO_FORM_VIEW,           /* another value under a new name or shape: looked through */
    HLO_FORM_DONE,           /* the end of an asynchronous start: looked through */
    HLO_FORM_CONTROL,        /* runs a computation op by op: its time and memory are inner ones */
    HLO_FORM_ELEMENTWISE,    /* one operation for each element */
    HLO_FORM_TRANSCENDENTAL, /* one special function for each element */
    HLO_FORM_MOVEMENT,       /* reads its operands, writes its result */
    HLO_FORM_SLICE,          /* reads no more than it writes */
    HLO_FORM_NORMALIZATION,
    HLO_FORM_COLLECTIVE,
    HLO_FORM_RANDOM,
    HLO_FORM_SCALAR, /* something that the device knows already */
    HLO_FORM_OTHER
} hlo_form;

/* HLO_UNKNOWN where there is no such opcode. */
hlo_opcode regal_hlo_opcode_find(const char *word, size_t size);
hlo_form regal_hlo_opcode_form(hlo_opcode opcode);

#ifdef __cplusplus
}
#endif
#endif
