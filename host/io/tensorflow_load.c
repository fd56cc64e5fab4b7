/* Finds and loads libregal_tensorflow.so. */
#include "io/tensorflow_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#if REGAL_HAS_TENSORFLOW

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static const regal_tensorflow_module *loaded;

static regal_status open_module(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    REGAL_FAIL_IF(handle == NULL, REGAL_UNAVAILABLE, "TensorFlow graphs cannot be read: %s",
                  dlerror());
    regal_tensorflow_entry *entry;
    *(void **)&entry = dlsym(handle, REGAL_TENSORFLOW_ENTRY);
    const regal_tensorflow_module *module = entry != NULL ? entry() : NULL;
    if (module == NULL || module->version != REGAL_TENSORFLOW_MODULE_VERSION) {
        dlclose(handle);
        REGAL_FAIL(REGAL_UNAVAILABLE,
                   "TensorFlow graphs cannot be read: %s is of another version of REGAL", path);
    }
    loaded = module;
    return REGAL_OK;
}

/* The folder of libregal itself; "" where that is unknown. */
static void own_folder(char *folder, size_t size) {
    folder[0] = '\0';
    Dl_info info;
    if (dladdr((const void *)&load_lock, &info) == 0 || info.dli_fname == NULL)
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash != NULL && (size_t)(slash - info.dli_fname) < size) {
        memcpy(folder, info.dli_fname, (size_t)(slash - info.dli_fname));
        folder[slash - info.dli_fname] = '\0';
    }
}

/* Folders in the order of search: the caller's, the build's, the installed program's wherever it
 * was moved to, and where it was meant to be. */
static regal_status find_module(void) {
    char own[PATH_MAX];
    own_folder(own, sizeof own);
    const char *const own_or_none = own[0] != '\0' ? own : NULL;
    const struct {
        const char *folder, *below;
    } places[] = {{getenv("REGAL_PLUGINS"), ""},
                  {own_or_none, ""},
                  {own_or_none, "/regal"},
                  {REGAL_PLUGIN_DIR, ""}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char path[2 * PATH_MAX];
        if (places[i].folder == NULL || strlen(places[i].folder) >= PATH_MAX)
            continue;
        snprintf(path, sizeof path, "%s%s/%s", places[i].folder, places[i].below,
                 REGAL_TENSORFLOW_FILE);
        if (access(path, R_OK) == 0)
            return open_module(path);
    }
    REGAL_FAIL(REGAL_UNAVAILABLE,
               "TensorFlow graphs need %s, which is neither in %s nor in %s; install it there or "
               "set REGAL_PLUGINS to its folder",
               REGAL_TENSORFLOW_FILE, own_or_none != NULL ? own : "the library's folder",
               REGAL_PLUGIN_DIR);
}

regal_status regal_tensorflow_load(const regal_tensorflow_module **module) {
    pthread_mutex_lock(&load_lock);
    const regal_status status = loaded != NULL ? REGAL_OK : find_module();
    *module = loaded;
    pthread_mutex_unlock(&load_lock);
    return status;
}

#else

regal_status regal_tensorflow_load(const regal_tensorflow_module **module) {
    *module = NULL;
    REGAL_FAIL(REGAL_UNAVAILABLE, "this build of REGAL reads no TensorFlow graphs: build it with "
                                  "-DREGAL_TENSORFLOW=ON (needs libprotobuf)");
}

#endif
