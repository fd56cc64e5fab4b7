/* The strings of a plan, for those who fill one: copied, replacing what was there. */
#ifndef REGAL_GRAPH_PLAN_PARTS_H
#define REGAL_GRAPH_PLAN_PARTS_H

#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* names: [plan->op_count]. */
regal_status regal_plan_set_op_names(regal_plan *plan, const char *const *names);
regal_status regal_plan_set_options(regal_plan *plan, int64_t count, const char *const *keys,
                                    const char *const *values);

#ifdef __cplusplus
}
#endif
#endif
