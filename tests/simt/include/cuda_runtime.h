/* A stand-in for CUDA's runtime header, for tests only: under it .cu files compile as C++17 and
 * their kernels run on the CPU. See tests/simt/README.md. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#define REGAL_SIMT 1

#include "simt/types.h"

#include "simt/runtime.h"

#include "simt/atomics.h"
#include "simt/builtins.h"
#include "simt/warp.h"

#include "simt/host_api.h"
#include "simt/launch.h"

#endif
