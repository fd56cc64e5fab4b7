/* Dense arithmetic in a backend's memory: what the policy's network is made of, forward and
 * backward. Gather and segmented sum are each other's gradients.
 *
 * A context has memory of its own and one stream: calls are carried out in the order in which they
 * were made, but may return before they are; `download` and `wait` wait. A context serves one
 * thread at a time. Only the calls below may touch its memory; addresses within an allocation may
 * be reckoned with anywhere.
 *
 * All numbers are finite: with infinities or NaNs, results may differ between backends. The order
 * of every sum is fixed by the shapes alone. So every call but gemm gives the same bits on every
 * backend and for any number of threads; gemm the same bits on one machine and backend, for any
 * number of threads.
 *
 * Shapes and indices are the caller's duty; counts may be 0. A result may take the place of an
 * operand of the same shape and stride, element for element, where that is said, and must not
 * overlap operands otherwise. Calls fail for want of memory, or where the GPU fails, which may be
 * told by a later call. */
#ifndef REGAL_BACKEND_MATH_H
#define REGAL_BACKEND_MATH_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/core/activation.h"
#include "regal/core/adam.h"
#include "regal/status.h"

typedef struct regal_math_context regal_math_context;

/* Row i begins at at[i * stride]. Columns of a wider matrix are a matrix, too. */
typedef struct regal_matrix {
    float *at;
    int64_t rows, columns, stride;
} regal_matrix;

/* An operand whose shape is told by the result's, or by the call. */
typedef struct regal_rows {
    const float *at;
    int64_t stride;
} regal_rows;

/* result = alpha a b + beta result, for each product p of a batch, whose matrices begin p steps
 * behind the first ones. With beta 0, what is in the result does not count. Results of a batch must
 * not overlap; a step of 0 uses an operand for all. No number above 2^31 - 1 but steps. */
typedef struct regal_gemm {
    int64_t rows, columns;         /* of result */
    int64_t inner;                 /* columns of a, rows of b */
    int64_t batch;                 /* products */
    bool transpose_a, transpose_b; /* stored as [inner][rows], [columns][inner] */
    float alpha, beta;
    regal_rows a, b;
    float *result;
    int64_t result_stride;
    int64_t a_step, b_step, result_step;
} regal_gemm;

typedef struct regal_math {
    /* threads: of the CPU, 0: all processors; gpu: of a backend on GPUs, which one. */
    regal_status (*create)(int64_t threads, int64_t gpu, regal_math_context **context);
    void (*destroy)(regal_math_context *context); /* with all its memory */

    /* Memory for `count` floats or int32_t, uninitialized. Release waits for the work before it. */
    regal_status (*allocate)(regal_math_context *context, int64_t count, void **memory);
    void (*release)(regal_math_context *context, void *memory);

    /* From and to the host's memory, `count` floats or int32_t. What is uploaded must stay as it is
     * until the next wait or download, which tells of failures before it. */
    regal_status (*upload)(regal_math_context *context, void *to, const void *from, int64_t count);
    regal_status (*download)(regal_math_context *context, void *to, const void *from,
                             int64_t count);
    regal_status (*wait)(regal_math_context *context);

    /* REGAL_UNAVAILABLE, with what to install, where the library for it is missing: OpenBLAS on the
     * CPU, cuBLAS on a GPU, either loaded with the first product. */
    regal_status (*gemm)(regal_math_context *context, const regal_gemm *gemm);

    regal_status (*fill)(regal_math_context *context, regal_matrix to, float value);

    /* to[i] = from[index[i]], or 0 where index[i] is -1; with `add`, added to what is there. */
    regal_status (*gather)(regal_math_context *context, regal_matrix to, regal_rows from,
                           const int32_t *index, bool add);

    /* to[i] = activation(a[of_a[i]] + b[of_b[i]]), -1 as above: a message from both its ends. */
    regal_status (*gather_pair)(regal_math_context *context, regal_activation activation,
                                regal_matrix to, regal_rows a, const int32_t *of_a, regal_rows b,
                                const int32_t *of_b);

    /* to[s] = sum of from[item[i]] over i in [begin[s], begin[s + 1]), ascending; item NULL: of
     * from[i]; with `add`, that sum is added to what is there. begin [to.rows + 1]. */
    regal_status (*segmented_sum)(regal_math_context *context, regal_matrix to, regal_rows from,
                                  const int32_t *begin, const int32_t *item, bool add);

    /* to = activation(from + bias), bias [to.columns] or NULL. In place, too. */
    regal_status (*activate)(regal_math_context *context, regal_activation activation,
                             regal_matrix to, regal_rows from, const float *bias);

    /* to = gradient * derivative, where `result` is what activate gave. In place of either, too. */
    regal_status (*activate_gradient)(regal_math_context *context, regal_activation activation,
                                      regal_matrix to, regal_rows result, regal_rows gradient);

    /* to[c] = sum of from[r][c] over r, with `add` added to what is there: the gradient of a bias.
     * Rows r, r + 256, r + 512, ... are summed first, ascending; then those sums, ascending. */
    regal_status (*column_sums)(regal_math_context *context, float *to, regal_rows from,
                                int64_t rows, int64_t columns, bool add);

    /* to = (from - mean) * scale, with the mean of each row and scale[r] = 1 / sqrt(its variance +
     * REGAL_NORMALIZE_EPSILON). Columns c, c + 32, ... are summed first, ascending, then those sums
     * by halves: the last sixteen are added to the first, then of those the last eight... In place,
     * too. At least one column. */
    regal_status (*normalize)(regal_math_context *context, regal_matrix to, float *scale,
                              regal_rows from);

    /* to = the gradient by `from`, given that by the result; sums as above. In place of the
     * gradient, too, unless `add`, which adds to what is there. */
    regal_status (*normalize_gradient)(regal_math_context *context, regal_matrix to,
                                       const float *scale, regal_rows result, regal_rows gradient,
                                       bool add);

    /* to[r] = factor[r] from[r]; with `add`, added to what is there. In place, too. */
    regal_status (*scale_rows)(regal_math_context *context, regal_matrix to, const float *factor,
                               regal_rows from, bool add);

    /* to = a * b, element by element; with `add`, added to what is there. In place, too. */
    regal_status (*multiply)(regal_math_context *context, regal_matrix to, regal_rows a,
                             regal_rows b, bool add);

    /* to = alpha from + beta to; with beta 0, what is there does not count. In place, too. */
    regal_status (*combine)(regal_math_context *context, regal_matrix to, float alpha,
                            regal_rows from, float beta);

    /* *to = sum of a[i] b[i], i < count. Products i, i + 8192, ... are summed first, ascending;
     * then sums l, l + 32, ..., ascending; then those 32 by halves. */
    regal_status (*dot)(regal_math_context *context, float *to, int64_t count, const float *a,
                        const float *b);

    regal_status (*adam)(regal_math_context *context, const regal_adam_step *step);
} regal_math;

#endif
