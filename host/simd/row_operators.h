/* The operations of regal_math on ranges of rows, for the threads of the CPU backend. Every level
 * gives the same bits: only columns are done side by side. */
#ifndef REGAL_SIMD_ROW_OPERATORS_H
#define REGAL_SIMD_ROW_OPERATORS_H

#include "regal/backend/math.h"
#include "simd/simd_level.h"

/* What an operation is given, as far as it needs it. */
typedef struct regal_row_work {
    regal_matrix to;
    regal_rows from[2];
    const int32_t *index[2]; /* of each operand of a gather; begin and item of a segmented sum */
    const float *vector;     /* bias [column], or factor or scale [row] */
    float *scale;            /* [row] that normalize writes */
    float alpha, beta;
    bool add;
    regal_activation activation;
    int64_t source_rows; /* of column_sums, whose rows are blocks of REGAL_COLUMN_LANES columns */
} regal_row_work;

typedef void regal_row_operator(const regal_row_work *work, int64_t begin, int64_t end);

typedef struct regal_row_operators {
    regal_row_operator *fill, *gather, *gather_pair, *segmented_sum, *activate, *activate_gradient,
        *column_sums, *normalize, *normalize_gradient, *scale_rows, *multiply, *combine;
    void (*adam)(const regal_adam_step *step, int64_t begin, int64_t end);
    float (*dot)(int64_t count, const float *a, const float *b);
} regal_row_operators;

/* Those of an available level. */
const regal_row_operators *regal_row_operators_for(regal_simd_level level);

extern const regal_row_operators regal_row_operators_plain, regal_row_operators_avx2,
    regal_row_operators_avx512;

#endif
