/* Stands for libregal_cuda.so: says that there are FAKE_GPUS GPUs, none of which works. With
 * FAKE_REFUSES 1 it works with no version of the host, with FAKE_LOUD it tells that it was loaded.
 */
#include <stdio.h>

#include "regal/backend/plugin.h"

static const regal_plugin_services *services;

static bool probe(int64_t index, regal_backend_info *info) {
    static const char *const names[] = {"Fake Zero", "Fake One"};
    const bool there = index < FAKE_GPUS;
    if (index > 0 && !there)
        return false;
    *info = (regal_backend_info){.name = "cuda",
                                 .device = there ? names[index % 2] : "",
                                 .available = there,
                                 .reason = there ? "" : "all of them are fake",
                                 .memory = there ? 80000000000 : 0,
                                 .multiprocessors = there ? 100 + index : 0,
                                 .simd = ""};
    return true;
}

static regal_status create(const regal_population_shape *shape,
                           const regal_backend_problem *problems, int64_t problem_count,
                           regal_backend_instance **instance) {
    (void)problems;
    (void)problem_count;
    *instance = NULL;
    return services->fail(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "fake GPU %d is full",
                          (int)shape->gpu);
}

static const regal_backend backend = {.name = "cuda", .probe = probe, .create = create};

extern regal_plugin_entry regal_plugin_backend;

const regal_backend *regal_plugin_backend(const regal_plugin_services *given) {
    services = given;
    return FAKE_REFUSES ? NULL : &backend;
}

#ifdef FAKE_LOUD
__attribute__((constructor)) static void tell(void) {
    fputs("fake plugin loaded\n", stderr);
}
#endif
