/* A backend in a library of its own, loaded when it is first asked for. The library exports
 * REGAL_PLUGIN_ENTRY of type regal_plugin_entry. */
#ifndef REGAL_BACKEND_PLUGIN_H
#define REGAL_BACKEND_PLUGIN_H

#include "regal/backend/backend.h"
#include "regal/status.h"

/* Raised with every change of the seam: a plugin of another version is refused, as is one whose ids
 * have another width. */
enum { REGAL_PLUGIN_VERSION = 3 << 8 | (int)sizeof(regal_id) };

/* What a plugin may use of the host. */
typedef struct regal_plugin_services {
    int32_t version;
    /* Sets the message of regal_error_message; returns status. */
    regal_status (*fail)(regal_status status, const char *file, int line, const char *format, ...);
    const uint16_t *beta_table; /* [REGAL_PROPOSAL_COUNT - 1][REGAL_QUANTILES] */
} regal_plugin_services;

/* The plugin's backend; NULL if it cannot work with services of that version. */
typedef const regal_backend *regal_plugin_entry(const regal_plugin_services *services);

#define REGAL_PLUGIN_ENTRY "regal_plugin_backend"

#define REGAL_CUDA_PLUGIN_FILE "libregal_cuda.so"

#endif
