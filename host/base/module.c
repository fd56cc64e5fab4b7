#include "base/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Whose address tells where libregal is. */
static const char anchor;

/* The folder of libregal itself; "" where that is unknown. */
static void own_folder(char *folder, size_t size) {
    folder[0] = '\0';
    Dl_info info;
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL)
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash != NULL && (size_t)(slash - info.dli_fname) < size) {
        memcpy(folder, info.dli_fname, (size_t)(slash - info.dli_fname));
        folder[slash - info.dli_fname] = '\0';
    }
}

/* Folders in the order of search: the caller's, the build's, the installed program's wherever it
 * was moved to, and where it was meant to be. */
static regal_status find(const char *file, const char *needs, char *path, size_t size) {
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
        if (places[i].folder == NULL || strlen(places[i].folder) >= PATH_MAX)
            continue;
        snprintf(path, size, "%s%s/%s", places[i].folder, places[i].below, file);
        if (access(path, R_OK) == 0)
            return REGAL_OK;
    }
    REGAL_FAIL(
        REGAL_UNAVAILABLE,
        "%s, which a build with %s makes, is neither in %s nor in %s; install it there or set "
        "REGAL_PLUGINS to its folder",
        file, needs, own_or_none != NULL ? own : "the library's folder", REGAL_PLUGIN_DIR);
}

regal_status regal_module_open(const char *file, const char *needs, const char *entry,
                               regal_module *module) {
    REGAL_FORWARD(find(file, needs, module->path, sizeof module->path));
    module->handle = dlopen(module->path, RTLD_NOW | RTLD_LOCAL);
    REGAL_FAIL_IF(module->handle == NULL, REGAL_UNAVAILABLE,
                  "%s cannot be loaded; install it anew (%s)", file, dlerror());
    module->entry = dlsym(module->handle, entry);
    return module->entry != NULL ? REGAL_OK : regal_module_refuse(module);
}

regal_status regal_module_refuse(regal_module *module) {
    dlclose(module->handle);
    REGAL_FAIL(REGAL_UNAVAILABLE, "%s is of another version of REGAL; install the two together",
               module->path);
}
