/* The CUDA backend, in a library of its own (include/regal/backend/plugin.h). */
#ifndef REGAL_BACKEND_CUDA_LOAD_H
#define REGAL_BACKEND_CUDA_LOAD_H

#include "regal/backend/backend.h"

/* Whether there is a CUDA driver; REGAL_UNAVAILABLE, in words, where there is none. Loads it. */
regal_status regal_cuda_driver_find(void);

/* Loads the driver and the backend, once each. REGAL_UNAVAILABLE, with the reason, where one of
 * them cannot be had; whether there is a GPU, the backend's probe tells. */
regal_status regal_cuda_backend_load(const regal_backend **backend);

#endif
