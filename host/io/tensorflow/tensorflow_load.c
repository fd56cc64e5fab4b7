/* Finds and loads libregal_tensorflow.so. */
#include "io/tensorflow/tensorflow_module.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "base/error.h"
#include "base/module.h"

void regal_tensorflow_notice(void *context, bool error, int64_t line, int64_t column,
                             const char *message) {
    const char *name = context;
    char place[48] = "";
    if (line > 0)
        snprintf(place, sizeof place, "%" PRId64 ":%" PRId64 ":", line, column);
    if (error)
        regal_error_set(REGAL_INVALID_INPUT, __FILE__, __LINE__, "%s:%s %s", name, place, message);
    else
        regal_warn("%s:%s %s", name, place, message);
}

#if REGAL_HAS_TENSORFLOW

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static const regal_tensorflow_module *loaded;

static regal_status open_module(void) {
    regal_module module;
    REGAL_FORWARD(
        regal_module_open(REGAL_TENSORFLOW_FILE, "libprotobuf", REGAL_TENSORFLOW_ENTRY, &module));
    regal_tensorflow_entry *entry;
    *(void **)&entry = module.entry;
    const regal_tensorflow_module *table = entry();
    if (table == NULL || table->version != REGAL_TENSORFLOW_MODULE_VERSION)
        return regal_module_refuse(&module);
    loaded = table;
    return REGAL_OK;
}

regal_status regal_tensorflow_load(const regal_tensorflow_module **module) {
    pthread_mutex_lock(&load_lock);
    const regal_status status = loaded != NULL ? REGAL_OK : open_module();
    *module = loaded;
    pthread_mutex_unlock(&load_lock);
    if (status != REGAL_OK)
        return regal_error_prefix(status, "TensorFlow graphs cannot be read");
    return REGAL_OK;
}

#else

regal_status regal_tensorflow_load(const regal_tensorflow_module **module) {
    *module = NULL;
    REGAL_FAIL(REGAL_UNAVAILABLE, "this build of REGAL reads no TensorFlow graphs: build it with "
                                  "-DREGAL_TENSORFLOW=ON (needs libprotobuf)");
}

#endif
