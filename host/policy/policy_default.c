#include "policy/policy_default.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/error.h"

/* A file that replaces the one inside the library; *path (freed with free) is NULL without. */
static regal_status find_file(const char *name, char **path) {
    const char *folder = getenv("REGAL_DATA");
    *path = NULL;
    if (folder == NULL || folder[0] == '\0')
        return REGAL_OK;
    REGAL_FAIL_IF(asprintf(path, "%s/policies/%s.safetensors", folder, name) < 0,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    if (access(*path, F_OK) != 0) {
        free(*path);
        *path = NULL;
    }
    return REGAL_OK;
}

regal_status regal_policy_default(regal_objective objective, regal_policy **policy) {
    const char *name = regal_objective_name(objective);
    char *path;
    size_t size;
    *policy = NULL;
    REGAL_FORWARD(find_file(name, &path));
    if (path != NULL) {
        const regal_status status = regal_policy_read(path, policy);
        free(path);
        return status;
    }
    const char *data = regal_embedded_policy(objective, &size);
    return size > 0 ? regal_policy_parse(data, size, name, policy) : REGAL_OK;
}
