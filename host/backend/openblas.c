#include "backend/openblas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "base/error.h"

/* Its name, and the package of Debian that has it. */
#define FILE_NAME "libopenblas.so.0"
#define PACKAGE   "libopenblas0-pthread"

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static regal_openblas_sgemm *loaded;

static regal_status load(void) {
    void *library = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    REGAL_FAIL_IF(library == NULL, REGAL_UNAVAILABLE,
                  "the policy needs OpenBLAS: install the package " PACKAGE
                  ", or use --policy none (%s)",
                  dlerror());
    void (*set_threads)(int);
    *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
    void *sgemm = dlsym(library, "cblas_sgemm");
    if (set_threads == NULL || sgemm == NULL) {
        dlclose(library);
        REGAL_FAIL(REGAL_UNAVAILABLE, FILE_NAME " is not OpenBLAS: install the package " PACKAGE);
    }
    set_threads(1); /* products are shared out by their callers, in a fixed way */
    *(void **)&loaded = sgemm;
    return REGAL_OK;
}

regal_status regal_openblas_find(regal_openblas_sgemm **sgemm) {
    pthread_mutex_lock(&load_lock);
    const regal_status status = loaded != NULL ? REGAL_OK : load();
    *sgemm = loaded;
    pthread_mutex_unlock(&load_lock);
    return status;
}
