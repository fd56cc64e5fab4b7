/* The static cost model: how long a piece of work takes on a device of a given profile. It is keyed
 * by the kind of work, not by a file format: readers and the model zoo describe an op as a
 * regal_work and get its ticks. One tick is one nanosecond. Everything is integer arithmetic, so
 * that costs are equal on every machine; counts saturate at INT64_MAX instead of overflowing. */
#ifndef REGAL_COST_COST_MODEL_H
#define REGAL_COST_COST_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, word, bits, family): every element type of XLA HLO. A family decides the arithmetic
 * units; token and opaque hold no data. */
#define REGAL_TYPE_LIST(X)                                 \
    X(REGAL_TYPE_PRED, "pred", 8, INTEGER)                 \
    X(REGAL_TYPE_S1, "s1", 1, INTEGER)                     \
    X(REGAL_TYPE_S2, "s2", 2, INTEGER)                     \
    X(REGAL_TYPE_S4, "s4", 4, INTEGER)                     \
    X(REGAL_TYPE_S8, "s8", 8, INTEGER)                     \
    X(REGAL_TYPE_S16, "s16", 16, INTEGER)                  \
    X(REGAL_TYPE_S32, "s32", 32, INTEGER)                  \
    X(REGAL_TYPE_S64, "s64", 64, INTEGER)                  \
    X(REGAL_TYPE_U1, "u1", 1, INTEGER)                     \
    X(REGAL_TYPE_U2, "u2", 2, INTEGER)                     \
    X(REGAL_TYPE_U4, "u4", 4, INTEGER)                     \
    X(REGAL_TYPE_U8, "u8", 8, INTEGER)                     \
    X(REGAL_TYPE_U16, "u16", 16, INTEGER)                  \
    X(REGAL_TYPE_U32, "u32", 32, INTEGER)                  \
    X(REGAL_TYPE_U64, "u64", 64, INTEGER)                  \
    X(REGAL_TYPE_F4E2M1FN, "f4e2m1fn", 4, FLOAT)           \
    X(REGAL_TYPE_F8E5M2, "f8e5m2", 8, FLOAT)               \
    X(REGAL_TYPE_F8E4M3, "f8e4m3", 8, FLOAT)               \
    X(REGAL_TYPE_F8E4M3FN, "f8e4m3fn", 8, FLOAT)           \
    X(REGAL_TYPE_F8E4M3B11FNUZ, "f8e4m3b11fnuz", 8, FLOAT) \
    X(REGAL_TYPE_F8E5M2FNUZ, "f8e5m2fnuz", 8, FLOAT)       \
    X(REGAL_TYPE_F8E4M3FNUZ, "f8e4m3fnuz", 8, FLOAT)       \
    X(REGAL_TYPE_F8E3M4, "f8e3m4", 8, FLOAT)               \
    X(REGAL_TYPE_F8E8M0FNU, "f8e8m0fnu", 8, FLOAT)         \
    X(REGAL_TYPE_BF16, "bf16", 16, FLOAT)                  \
    X(REGAL_TYPE_F16, "f16", 16, FLOAT)                    \
    X(REGAL_TYPE_F32, "f32", 32, FLOAT)                    \
    X(REGAL_TYPE_F64, "f64", 64, FLOAT)                    \
    X(REGAL_TYPE_C64, "c64", 64, COMPLEX)                  \
    X(REGAL_TYPE_C128, "c128", 128, COMPLEX)               \
    X(REGAL_TYPE_TOKEN, "token", 0, NOTHING)               \
    X(REGAL_TYPE_OPAQUE, "opaque", 0, NOTHING)

typedef enum regal_type {
#define REGAL_TYPE_ENUM(name, word, bits, family) name,
    REGAL_TYPE_LIST(REGAL_TYPE_ENUM)
#undef REGAL_TYPE_ENUM
        REGAL_TYPE_COUNT
} regal_type;

const char *regal_type_name(regal_type type);
/* The type of this word ("bf16"; not terminated, length bytes), or REGAL_TYPE_COUNT. */
regal_type regal_type_find(const char *word, size_t length);
int64_t regal_type_bits(regal_type type);
bool regal_type_is_complex(regal_type type);
/* Bytes of a dense array: 4-bit elements are packed, the last byte may be half full. */
int64_t regal_type_bytes(regal_type type, int64_t elements);

/* What does the arithmetic: X(name, key in profiles.json). A device profile has a rate for each. */
#define REGAL_UNIT_LIST(X)                                                                     \
    X(REGAL_UNIT_MATRIX_F64, "matrix_f64")                                                     \
    X(REGAL_UNIT_MATRIX_F32, "matrix_f32")   /* full f32 precision */                          \
    X(REGAL_UNIT_MATRIX_TF32, "matrix_tf32") /* f32 as the libraries multiply it by default */ \
    X(REGAL_UNIT_MATRIX_F16, "matrix_f16")   /* bf16 too */                                    \
    X(REGAL_UNIT_MATRIX_F8, "matrix_f8")     /* every narrower float too */                    \
    X(REGAL_UNIT_MATRIX_S8, "matrix_s8")     /* every integer of at most eight bits */         \
    X(REGAL_UNIT_VECTOR_F64, "vector_f64")                                                     \
    X(REGAL_UNIT_VECTOR_F32, "vector_f32")                                                     \
    X(REGAL_UNIT_VECTOR_F16, "vector_f16")                                                     \
    X(REGAL_UNIT_VECTOR_INTEGER, "vector_integer")                                             \
    X(REGAL_UNIT_SPECIAL, "special") /* exponentials, logarithms, roots, ...: one each */

typedef enum regal_unit {
#define REGAL_UNIT_ENUM(name, key) name,
    REGAL_UNIT_LIST(REGAL_UNIT_ENUM)
#undef REGAL_UNIT_ENUM
        REGAL_UNIT_COUNT
} regal_unit;

/* X(name, word): the kinds of work. */
#define REGAL_WORK_LIST(X)                                                                   \
    X(REGAL_WORK_FREE, "free") /* takes no time: bitcast, tuple, parameter */                \
    X(REGAL_WORK_MATRIX_PRODUCT, "matrix product")                                           \
    X(REGAL_WORK_CONVOLUTION, "convolution")                                                 \
    X(REGAL_WORK_ELEMENTWISE, "element-wise")                                                \
    X(REGAL_WORK_TRANSCENDENTAL, "transcendental")                                           \
    X(REGAL_WORK_REDUCTION, "reduction")                                                     \
    X(REGAL_WORK_MOVEMENT, "data movement") /* transpose, copy, slice, concatenate, pad */   \
    X(REGAL_WORK_GATHER, "gather/scatter")                                                   \
    X(REGAL_WORK_SORT, "sort")                                                               \
    X(REGAL_WORK_RANDOM, "random")                                                           \
    X(REGAL_WORK_COLLECTIVE, "collective") /* bytes go over the profile's collective rate */ \
    X(REGAL_WORK_CUSTOM, "custom")

typedef enum regal_work_kind {
#define REGAL_WORK_ENUM(name, word) name,
    REGAL_WORK_LIST(REGAL_WORK_ENUM)
#undef REGAL_WORK_ENUM
        REGAL_WORK_KIND_COUNT
} regal_work_kind;

const char *regal_work_kind_name(regal_work_kind kind);

/* One op's work. flops counts a multiply-add as two; a transcendental counts one per element (the
 * model knows that f64 ones take more). */
typedef struct regal_work {
    regal_work_kind kind;
    regal_type type;     /* of the elements computed with */
    bool full_precision; /* f32 matrix products in f32, not in TF32 */
    int64_t flops;
    int64_t bytes; /* read and written */
} regal_work;

/* Work from shapes. Counts are elements; a negative one counts as 0.
 * [batch] times (m,k) x (k,n). */
regal_work regal_work_matrix_product(regal_type type, int64_t batch, int64_t m, int64_t n,
                                     int64_t k);
/* taps: multiply-adds per output element, that is kernel window * input channels / groups. */
regal_work regal_work_convolution(regal_type type, int64_t input, int64_t kernel, int64_t output,
                                  int64_t taps);
/* `inputs` arrays of `elements` are read and one is written. */
regal_work regal_work_elementwise(regal_type type, int64_t elements, int64_t inputs,
                                  int64_t flops_per_element);
regal_work regal_work_transcendental(regal_type type, int64_t elements, int64_t inputs);
regal_work regal_work_reduction(regal_type type, int64_t input, int64_t output);
regal_work regal_work_movement(int64_t bytes_read, int64_t bytes_written);
/* `elements` of type are picked from, or put into, an array. */
regal_work regal_work_gather(regal_type type, int64_t elements, int64_t index_bytes);
/* `rows` independent sorts of `length` keys each. */
regal_work regal_work_sort(regal_type type, int64_t rows, int64_t length);
regal_work regal_work_random(regal_type type, int64_t elements);
regal_work regal_work_collective(int64_t bytes);

struct regal_device_profile; /* cost/device_profile.h */

/* The floating-point operations of work, as people count them: those of complex numbers four times,
 * matrix products and convolutions of integers too, other integers and random bits not. */
int64_t regal_work_flops(const regal_work *work);

/* launch + max(flops / rate, bytes / bandwidth), rounded up, at least 1; 0 for free work. */
int64_t regal_work_ticks(const struct regal_device_profile *profile, const regal_work *work);

/* Several works in one launch: the arithmetic adds up, and only `bytes` reach memory. */
typedef struct regal_load {
    int64_t flops[REGAL_UNIT_COUNT];
    int64_t bytes;
    int64_t collective_bytes;
    int64_t counted; /* regal_work_flops of all: for people, no time follows from it */
} regal_load;

/* Adds the arithmetic of work (and its bytes where it is collective); memory bytes are set by the
 * caller. */
void regal_load_add(regal_load *load, const regal_work *work);
/* Adds `times` runs of other, its bytes too. */
void regal_load_merge_times(regal_load *load, const regal_load *other, int64_t times);
int64_t regal_load_ticks(const struct regal_device_profile *profile, const regal_load *load);

/* Sums and products of counts (not negative), INT64_MAX where they would overflow. */
int64_t regal_count_add(int64_t a, int64_t b);
int64_t regal_count_multiply(int64_t a, int64_t b);

#ifdef __cplusplus
}
#endif
#endif
