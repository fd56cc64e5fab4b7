/* The backends: the CPU's, which is always there, and CUDA's, which may be. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backend/cpu_backend.h"
#include "backend/cuda_load.h"
#include "base/error.h"
#include "regal/backend/backend.h"
#include "simd/simd_level.h"

static int64_t count_devices(const regal_backend *backend) {
    regal_backend_info info;
    int64_t count = 0;
    while (backend->probe(count, &info))
        ++count;
    return count;
}

static regal_status find_cuda(int64_t gpu, const regal_backend **backend) {
    regal_backend_info info, first = {.reason = "there is no CUDA GPU"};
    const regal_backend *cuda;
    REGAL_FORWARD(regal_cuda_backend_load(&cuda));
    const bool exists = cuda->probe(gpu, &info);
    if (!exists && cuda->probe(0, &first) && first.available)
        REGAL_FAIL(REGAL_UNAVAILABLE, "the last GPU here is number %" PRId64,
                   count_devices(cuda) - 1);
    REGAL_FAIL_IF(!exists || !info.available, REGAL_UNAVAILABLE, "%s",
                  exists ? info.reason : first.reason);
    *backend = cuda;
    return REGAL_OK;
}

/* Who has no driver expects no GPU; who has one is told, once. */
static regal_status find_automatic(int64_t gpu, const regal_backend **backend) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    *backend = &regal_cpu_backend;
    if (gpu == 0 && regal_cuda_driver_find() != REGAL_OK)
        return REGAL_OK;
    const regal_status status = find_cuda(gpu, backend);
    if (status == REGAL_OK || gpu != 0)
        return status;
    if (!atomic_flag_test_and_set(&told))
        regal_warn("searching on the CPU: %s", regal_error_message());
    return REGAL_OK;
}

regal_status regal_backend_find(const char *name, int64_t gpu, const regal_backend **backend) {
    *backend = &regal_cpu_backend;
    if (strcmp(name, "cpu") == 0)
        return REGAL_OK;
    const bool automatic = strcmp(name, "auto") == 0;
    REGAL_FAIL_IF(!automatic && strcmp(name, "cuda") != 0, REGAL_UNAVAILABLE,
                  "backend '%s' is not part of this build", name);
    const regal_status status = automatic ? find_automatic(gpu, backend) : find_cuda(gpu, backend);
    if (status != REGAL_OK && gpu != 0)
        return regal_error_prefix(status, "--gpu %" PRId64, gpu);
    return status != REGAL_OK ? regal_error_prefix(status, "--backend cuda") : REGAL_OK;
}

/* CUDA has one line even where it cannot be had: why not. */
static bool describe_cuda(int64_t number, regal_backend_info *info) {
    static _Thread_local char reason[512];
    const regal_backend *cuda;
    if (regal_cuda_backend_load(&cuda) == REGAL_OK)
        return cuda->probe(number, info);
    snprintf(reason, sizeof reason, "%s", regal_error_message());
    *info = (regal_backend_info){.name = "cuda", .device = "", .reason = reason, .simd = ""};
    return number == 0;
}

bool regal_backend_describe(int64_t index, regal_backend_info *info) {
    const bool found =
        index == 0 ? regal_cpu_probe(0, info) : index > 0 && describe_cuda(index - 1, info);
    if (found)
        info->number = index > 0 ? index - 1 : 0;
    return found;
}

regal_status regal_environment_check(const regal_options *options) {
    const regal_backend *backend;
    regal_simd_level level;
    REGAL_FORWARD(regal_simd_level_find(&level));
    if (strcmp(options->backend, "cuda") != 0 && options->gpu == 0)
        return REGAL_OK;
    return regal_backend_find(options->backend, options->gpu, &backend);
}
