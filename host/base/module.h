/* Libraries of REGAL's own that are loaded when first needed: what they need or cost nobody else
 * should pay for. They are looked for in $REGAL_PLUGINS, beside libregal, in `regal` below that,
 * and where they were to be installed. */
#ifndef REGAL_BASE_MODULE_H
#define REGAL_BASE_MODULE_H

#include <limits.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_module {
    void *handle; /* of dlopen */
    void *entry;
    char path[2 * PATH_MAX];
} regal_module;

/* Loads the library of that file name, which builds with `needs` make and which must have the
 * symbol `entry`. REGAL_UNAVAILABLE, with what to do, where that fails. */
regal_status regal_module_open(const char *file, const char *needs, const char *entry,
                               regal_module *module);

/* Unloads a library that turned out to be of another version; returns REGAL_UNAVAILABLE. */
regal_status regal_module_refuse(regal_module *module);

#ifdef __cplusplus
}
#endif
#endif
