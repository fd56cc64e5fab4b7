/* Devices that are alike: their names are no part of what a plan is worth. Roll-outs that differ in
 * names alone are made to agree, so that mutants of several rows can be crossed. */
#ifndef REGAL_POLICY_PROPOSE_DEVICES_H
#define REGAL_POLICY_PROPOSE_DEVICES_H

#include "regal/backend/problem_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* alike [device]: the set of devices, itself among them, that may change places with it: of one
 * class and capacity, with the same links to and from all others, and no op may run on one but not
 * on the other. */
void regal_alike_devices(const regal_problem_view *view, uint64_t *alike);

/* Renames devices that are alike in a placement, device [op], so that it agrees with reference [op]
 * in many ops: of pairs of a device and a new name for it, the one with the most ops in common
 * comes first, then the lower device, then the lower name. */
void regal_rename_devices(const regal_problem_view *view, const uint64_t *alike,
                          const uint8_t *reference, uint8_t *device);

#ifdef __cplusplus
}
#endif
#endif
