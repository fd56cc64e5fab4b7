/* Products of matrices on a stream: by cuBLAS (blas_cublas.cu, the only file that calls it), or in
 * tests by OpenBLAS (tests/simt/blas_openblas.cc). */
#ifndef REGAL_KERNELS_BLAS_CUH
#define REGAL_KERNELS_BLAS_CUH

#include <cuda_runtime.h>

#include "regal/backend/math.h"

typedef struct regal_blas regal_blas;

/* Loads the library when first called; REGAL_UNAVAILABLE where it is missing. */
regal_status regal_blas_create(cudaStream_t stream, regal_blas **blas);
void regal_blas_destroy(regal_blas *blas);

/* Of a product that is not empty. */
regal_status regal_blas_gemm(regal_blas *blas, const regal_gemm *gemm);

#endif
