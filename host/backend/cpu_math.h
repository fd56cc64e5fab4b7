/* Inside regal_math on the CPU. */
#ifndef REGAL_BACKEND_CPU_MATH_H
#define REGAL_BACKEND_CPU_MATH_H

#include "backend/openblas.h"
#include "base/thread_pool.h"
#include "regal/backend/math.h"
#include "simd/row_operators.h"

struct regal_math_context {
    regal_thread_pool *pool;
    const regal_row_operators *operators;
    regal_openblas_sgemm *sgemm; /* NULL until first needed */
    float *partial;              /* [partial_capacity] of products that are split */
    int64_t partial_capacity;
    void **memory; /* [memory_count] allocations of the caller */
    int64_t memory_count, memory_capacity;
};

extern const regal_math regal_cpu_math;

regal_status regal_cpu_math_gemm(regal_math_context *self, const regal_gemm *gemm);

#endif
