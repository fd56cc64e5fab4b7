/* Placement keys -> a device for each op (DESIGN 3, Leaders and Encodings), by a warp. */
#ifndef REGAL_KERNELS_SIMULATION_PLACE_CUH
#define REGAL_KERNELS_SIMULATION_PLACE_CUH

#include "regal/core/placement.h"
#include "simulation/state.cuh"

/* 32 ops of the canonical order at a time. What an op follows comes before it: from an earlier 32
 * it is known, from among the same it is asked of its lane until that one knows. keys [op]. */
template <class Id>
static __device__ __forceinline__ void place_inherit(const simulation<Id> *s,
                                                     const uint16_t *keys) {
    enum { UNKNOWN = -2 };
    const regal_problem_view *view = &s->problem->view;
    for (int64_t base = 0; base < view->op_count; base += REGAL_WARP) {
        const int64_t place = base + lane_number();
        const bool any = place < view->op_count;
        const int64_t op = any ? view->canonical[place] : 0,
                      source = any ? s->problem->source[place] : -1;
        int32_t followed = -1, mine = any ? UNKNOWN : 0;
        if (source >= base)
            followed = UNKNOWN;
        else if (source >= 0)
            followed = s->device[view->canonical[source]];
        while (true) {
            if (mine == UNKNOWN && followed != UNKNOWN)
                mine = view->leader[op] != op
                           ? followed
                           : regal_inherit_device(view->allowed[op], followed, keys[op]);
            if (!__any_sync(ALL_LANES, mine == UNKNOWN))
                break;
            const int32_t theirs =
                __shfl_sync(ALL_LANES, mine, source >= base ? (int32_t)(source - base) : 0);
            if (source >= base)
                followed = theirs;
        }
        if (any)
            s->device[op] = (uint8_t)mine;
        __syncwarp();
    }
}

/* affinity: [op][device]. */
template <class Id>
static __device__ __forceinline__ void place_affinity(const simulation<Id> *s,
                                                      const uint16_t *affinity) {
    const regal_problem_view *view = &s->problem->view;
    for (int64_t op = lane_number(); op < view->op_count; op += REGAL_WARP) {
        const int64_t leader = view->leader[op];
        s->device[op] = (uint8_t)regal_affinity_device(view->allowed[leader],
                                                       affinity + leader * view->device_count);
    }
    __syncwarp();
}

/* device [op] of leaders. */
template <class Id>
static __device__ __forceinline__ void place_by_leader(const simulation<Id> *s,
                                                       const uint8_t *device) {
    const regal_problem_view *view = &s->problem->view;
    for (int64_t op = lane_number(); op < view->op_count; op += REGAL_WARP)
        s->device[op] = device[view->leader[op]];
    __syncwarp();
}

#endif
