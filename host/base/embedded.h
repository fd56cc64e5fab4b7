/* Data files inside the program: of models/, and the page of the report. */
#ifndef REGAL_BASE_EMBEDDED_H
#define REGAL_BASE_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The device profiles, JSON. */
const char *regal_embedded_profiles(size_t *size);

/* The Beta quantiles (include/regal/core/proposal.h); count in numbers. */
const uint16_t *regal_embedded_beta(size_t *count);

/* The policy of an objective, safetensors; size 0 where none was there at build time. */
const char *regal_embedded_policy(regal_objective objective, size_t *size);

/* A part of the report (host/report): "page", "style" or "script"; NULL for any other name. */
const char *regal_embedded_report_part(const char *name, size_t length, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
