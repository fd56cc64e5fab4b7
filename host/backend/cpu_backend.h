#ifndef REGAL_BACKEND_CPU_BACKEND_H
#define REGAL_BACKEND_CPU_BACKEND_H

#include "regal/backend/backend.h"

extern const regal_backend regal_cpu_backend;

/* The processor as a device. */
bool regal_cpu_probe(int64_t index, regal_backend_info *info);

#endif
