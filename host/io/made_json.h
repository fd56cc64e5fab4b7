/* How a plan came about: the "made" of a regal-plan. */
#ifndef REGAL_IO_MADE_JSON_H
#define REGAL_IO_MADE_JSON_H

#include "io/json_fields.h"
#include "io/json_out.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* object: may be missing. */
regal_status regal_made_from_json(const regal_json *object, regal_plan *plan);
/* REGAL_INVALID_ARGUMENT where made->options is no JSON object. */
regal_status regal_made_to_json(regal_out *out, const regal_made *made);

#ifdef __cplusplus
}
#endif
#endif
