/* Finds and loads libregal_onnx.so. */
#include <pthread.h>

#include "base/error.h"
#include "base/module.h"
#include "io/onnx/onnx_module.h"

#if REGAL_HAS_ONNX

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static const regal_onnx_module *loaded;

static regal_status open_module(void) {
    regal_module module;
    REGAL_FORWARD(regal_module_open(REGAL_ONNX_FILE, "libonnx", REGAL_ONNX_ENTRY, &module));
    regal_onnx_entry_point *entry;
    *(void **)&entry = module.entry;
    const regal_onnx_module *table = entry();
    if (table == NULL || table->version != REGAL_ONNX_MODULE_VERSION)
        return regal_module_refuse(&module);
    loaded = table;
    return REGAL_OK;
}

regal_status regal_onnx_load(const regal_onnx_module **module) {
    pthread_mutex_lock(&load_lock);
    const regal_status status = loaded != NULL ? REGAL_OK : open_module();
    *module = loaded;
    pthread_mutex_unlock(&load_lock);
    if (status != REGAL_OK)
        return regal_error_prefix(status, "ONNX models cannot be read or written");
    return REGAL_OK;
}

#else

regal_status regal_onnx_load(const regal_onnx_module **module) {
    *module = NULL;
    REGAL_FAIL(REGAL_UNAVAILABLE, "this build of REGAL has no ONNX: build it with -DREGAL_ONNX=ON "
                                  "(needs libonnx)");
}

#endif
