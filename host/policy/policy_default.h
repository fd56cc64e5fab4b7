/* The policies that ship: models/policies/time.safetensors and memory.safetensors, inside the
 * library. */
#ifndef REGAL_POLICY_POLICY_DEFAULT_H
#define REGAL_POLICY_POLICY_DEFAULT_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The one for an objective, from policies/ in the folder REGAL_DATA where it is there; *policy is
 * NULL where none ships. */
regal_status regal_policy_default(regal_objective objective, regal_policy **policy);

#ifdef __cplusplus
}
#endif
#endif
