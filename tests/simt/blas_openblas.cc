// The stand-in's kernels/blas.cuh: each product is a kernel of one thread, which OpenBLAS does.
#include "blas.cuh"

#include "backend/openblas.h"
#include "launch.cuh"

struct regal_blas {
    cudaStream_t stream;
    regal_openblas_sgemm *sgemm;
};

static void multiply_kernel(regal_gemm g, regal_openblas_sgemm *sgemm) {
    for (int64_t p = 0; p < g.batch; ++p)
        sgemm(REGAL_CBLAS_ROW_MAJOR, g.transpose_a ? REGAL_CBLAS_TRANSPOSED : REGAL_CBLAS_AS_IS,
              g.transpose_b ? REGAL_CBLAS_TRANSPOSED : REGAL_CBLAS_AS_IS, static_cast<int>(g.rows),
              static_cast<int>(g.columns), static_cast<int>(g.inner), g.alpha,
              g.a.at + p * g.a_step, static_cast<int>(g.a.stride), g.b.at + p * g.b_step,
              static_cast<int>(g.b.stride), g.beta, g.result + p * g.result_step,
              static_cast<int>(g.result_stride));
}

regal_status regal_blas_create(cudaStream_t stream, regal_blas **blas) {
    *blas = nullptr;
    regal_openblas_sgemm *sgemm;
    REGAL_CUDA_FORWARD(regal_openblas_find(&sgemm));
    *blas = new regal_blas{stream, sgemm};
    return REGAL_OK;
}

void regal_blas_destroy(regal_blas *blas) {
    delete blas;
}

regal_status regal_blas_gemm(regal_blas *blas, const regal_gemm *gemm) {
    const regal_launch launch = {1, 1, 0, blas->stream};
    REGAL_CUDA(regal_cuda_launch(&launch, multiply_kernel, *gemm, blas->sgemm));
    return REGAL_OK;
}
