/* The backends of this build. */
#include <string.h>

#include "backend/cpu_backend.h"
#include "base/error.h"
#include "regal/backend/backend.h"

/* In the order in which "auto" tries them. */
static const regal_backend *const backends[] = {&regal_cpu_backend};
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

regal_status regal_backend_find(const char *name, const regal_backend **backend) {
    regal_backend_info info;
    for (int i = 0; i < BACKEND_COUNT; ++i) {
        const bool automatic = strcmp(name, "auto") == 0;
        if (!automatic && strcmp(name, backends[i]->name) != 0)
            continue;
        /* What is wrong with the processor its instance says, with the right status. */
        if (backends[i] == &regal_cpu_backend || (backends[i]->probe(0, &info) && info.available)) {
            *backend = backends[i];
            return REGAL_OK;
        }
        REGAL_FAIL_IF(!automatic, REGAL_UNAVAILABLE, "backend '%s': %s", name, info.reason);
    }
    REGAL_FAIL(REGAL_UNAVAILABLE, "backend '%s' is not part of this build", name);
}

bool regal_backend_describe(int64_t index, regal_backend_info *info) {
    for (int i = 0; i < BACKEND_COUNT; ++i) {
        int64_t devices = 0;
        while (backends[i]->probe(devices, info)) {
            if (index-- == 0)
                return true;
            ++devices;
        }
    }
    return false;
}
