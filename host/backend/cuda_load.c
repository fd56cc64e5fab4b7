#include "backend/cuda_load.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/embedded.h"
#include "base/error.h"
#include "base/module.h"
#include "regal/backend/plugin.h"

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static void *driver;
static regal_plugin_services services;
static const regal_backend *loaded;

static regal_status open_driver(void) {
    if (driver == NULL)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    REGAL_FAIL_IF(driver == NULL, REGAL_UNAVAILABLE,
                  "no CUDA driver on this machine; install NVIDIA's, or use --backend cpu (%s)",
                  dlerror());
    return REGAL_OK;
}

static regal_status open_plugin(void) {
    regal_module module;
    size_t beta_count;
    REGAL_FORWARD(regal_module_open(REGAL_CUDA_PLUGIN_FILE, "nvcc", REGAL_PLUGIN_ENTRY, &module));
    services = (regal_plugin_services){REGAL_PLUGIN_VERSION, regal_error_set,
                                       regal_embedded_beta(&beta_count)};
    regal_plugin_entry *entry;
    *(void **)&entry = module.entry;
    loaded = entry(&services);
    return loaded != NULL ? REGAL_OK : regal_module_refuse(&module);
}

regal_status regal_cuda_driver_find(void) {
    pthread_mutex_lock(&load_lock);
    const regal_status status = open_driver();
    pthread_mutex_unlock(&load_lock);
    return status;
}

regal_status regal_cuda_backend_load(const regal_backend **backend) {
    pthread_mutex_lock(&load_lock);
    regal_status status = loaded != NULL ? REGAL_OK : open_driver();
    if (loaded == NULL && status == REGAL_OK)
        status = open_plugin();
    *backend = loaded;
    pthread_mutex_unlock(&load_lock);
    return status;
}
