/* Keys -> a device for each op (DESIGN 3, Leaders and Encodings). */
#ifndef REGAL_CORE_PLACEMENT_H
#define REGAL_CORE_PLACEMENT_H

#include "regal/backend/problem_view.h"
#include "regal/core/host_device.h"

enum { REGAL_INHERIT_BELOW = 58982 }; /* inherit keys below it follow the lead */

/* Number of devices in a set. */
REGAL_HD int32_t regal_set_size(uint64_t set) {
#ifdef __CUDA_ARCH__
    return __popcll(set);
#else
    return __builtin_popcountll(set);
#endif
}

/* Index of the lowest set bit. */
REGAL_HD int32_t regal_set_first(uint64_t set) {
#ifdef __CUDA_ARCH__
    return __ffsll((long long)set) - 1;
#else
    return __builtin_ctzll(set);
#endif
}

/* A[index] of the ascending list A of a set of devices. */
REGAL_HD int32_t regal_set_member(uint64_t set, int32_t index) {
    if ((set & (set + 1)) == 0) /* devices 0..k: the usual case */
        return index;
    for (; index > 0; --index)
        set &= set - 1;
    return regal_set_first(set);
}

/* The device of a leader; lead_device < 0: no lead. */
REGAL_HD int32_t regal_inherit_device(uint64_t allowed, int32_t lead_device, uint16_t key) {
    const bool follows = lead_device >= 0 && key < REGAL_INHERIT_BELOW;
    if (follows && (allowed >> lead_device & 1) != 0)
        return lead_device;
    const uint32_t size = (uint32_t)regal_set_size(allowed);
    const uint32_t index = lead_device < 0 || follows ? (uint32_t)key * size >> 16
                                                      : (uint32_t)(key - REGAL_INHERIT_BELOW) *
                                                            size / (65536u - REGAL_INHERIT_BELOW);
    return regal_set_member(allowed, (int32_t)index);
}

/* affinity: [device_count] of the leader. */
REGAL_HD int32_t regal_affinity_device(uint64_t allowed, const uint16_t *affinity) {
    int32_t best = regal_set_first(allowed);
    for (allowed &= allowed - 1; allowed != 0; allowed &= allowed - 1) {
        const int32_t device = regal_set_first(allowed);
        if (affinity[device] > affinity[best])
            best = device;
    }
    return best;
}

/* keys: placement [op]. Writes device [op]. */
REGAL_HD void regal_place_inherit(const regal_problem_view *problem, const uint16_t *keys,
                                  uint8_t *device) {
    for (regal_id i = 0; i < problem->op_count; ++i) {
        const regal_id op = problem->canonical[i], leader = problem->leader[op];
        if (leader != op) {
            device[op] = device[leader];
            continue;
        }
        const regal_id lead = problem->lead[op];
        device[op] = (uint8_t)regal_inherit_device(problem->allowed[op],
                                                   lead >= 0 ? device[lead] : -1, keys[op]);
    }
}

/* affinity: [op][device]. Writes device [op]. */
REGAL_HD void regal_place_affinity(const regal_problem_view *problem, const uint16_t *affinity,
                                   uint8_t *device) {
    for (regal_id op = 0; op < problem->op_count; ++op) {
        const regal_id leader = problem->leader[op];
        device[op] = (uint8_t)regal_affinity_device(
            problem->allowed[leader], affinity + (int64_t)leader * problem->device_count);
    }
}

#endif
