/* Inside regal_math on a GPU. */
#ifndef REGAL_KERNELS_MATH_CUH
#define REGAL_KERNELS_MATH_CUH

#include "blas.cuh"
#include "launch.cuh"
#include "regal/backend/math.h"

/* Columns whose partial sums the scratch memory holds. */
enum { REGAL_SUM_COLUMNS = 1024 };

struct regal_math_context {
    int32_t gpu;
    cudaStream_t stream;
    regal_blas *blas; /* NULL until first needed */
    float *scratch;   /* [REGAL_ROW_LANES][REGAL_SUM_COLUMNS] */
    void **memory;    /* [memory_count] allocations of the caller */
    int64_t memory_count, memory_most;
};

extern const regal_math regal_cuda_math;

regal_status regal_cuda_fill(regal_math_context *self, regal_matrix to, float value);
regal_status regal_cuda_gather(regal_math_context *self, regal_matrix to, regal_rows from,
                               const int32_t *index, bool add);
regal_status regal_cuda_gather_pair(regal_math_context *self, regal_activation activation,
                                    regal_matrix to, regal_rows a, const int32_t *of_a,
                                    regal_rows b, const int32_t *of_b);
regal_status regal_cuda_segmented_sum(regal_math_context *self, regal_matrix to, regal_rows from,
                                      const int32_t *begin, const int32_t *item, bool add);
regal_status regal_cuda_activate(regal_math_context *self, regal_activation activation,
                                 regal_matrix to, regal_rows from, const float *bias);
regal_status regal_cuda_activate_gradient(regal_math_context *self, regal_activation activation,
                                          regal_matrix to, regal_rows result, regal_rows gradient);
regal_status regal_cuda_column_sums(regal_math_context *self, float *to, regal_rows from,
                                    int64_t rows, int64_t columns, bool add);
regal_status regal_cuda_normalize(regal_math_context *self, regal_matrix to, float *scale,
                                  regal_rows from);
regal_status regal_cuda_normalize_gradient(regal_math_context *self, regal_matrix to,
                                           const float *scale, regal_rows result,
                                           regal_rows gradient, bool add);
regal_status regal_cuda_scale_rows(regal_math_context *self, regal_matrix to, const float *factor,
                                   regal_rows from, bool add);
regal_status regal_cuda_multiply(regal_math_context *self, regal_matrix to, regal_rows a,
                                 regal_rows b, bool add);
regal_status regal_cuda_combine(regal_math_context *self, regal_matrix to, float alpha,
                                regal_rows from, float beta);
regal_status regal_cuda_dot(regal_math_context *self, float *to, int64_t count, const float *a,
                            const float *b);
regal_status regal_cuda_adam(regal_math_context *self, const regal_adam_step *step);

#endif
