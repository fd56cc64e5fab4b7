/* The rules of REGAL as small inline functions, valid in C11, C++17 and CUDA. */
#ifndef REGAL_CORE_HOST_DEVICE_H
#define REGAL_CORE_HOST_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define REGAL_HD static __host__ __device__ inline
#else
#define REGAL_HD static inline
#endif

#endif
