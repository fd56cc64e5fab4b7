/* OpenBLAS, loaded when first needed: linked in, it would cost every start of the program. */
#ifndef REGAL_BACKEND_OPENBLAS_H
#define REGAL_BACKEND_OPENBLAS_H

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cblas_sgemm, as its header has it. */
typedef void regal_openblas_sgemm(int order, int transpose_a, int transpose_b, int rows,
                                  int columns, int inner, float alpha, const float *a, int a_stride,
                                  const float *b, int b_stride, float beta, float *c, int c_stride);

enum { REGAL_CBLAS_ROW_MAJOR = 101, REGAL_CBLAS_AS_IS = 111, REGAL_CBLAS_TRANSPOSED = 112 };

/* A product on one thread, for any number of callers at a time. REGAL_UNAVAILABLE, with the package
 * to install, where the library cannot be loaded. */
regal_status regal_openblas_find(regal_openblas_sgemm **sgemm);

#ifdef __cplusplus
}
#endif
#endif
