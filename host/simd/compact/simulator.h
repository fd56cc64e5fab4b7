/* The memory of one simulation at a time. */
#ifndef REGAL_SIMD_COMPACT_SIMULATOR_H
#define REGAL_SIMD_COMPACT_SIMULATOR_H

#include "regal/core/simulate.h"
#include "simd/compact/event_clock.h"
#include "simd/compact/link_queue.h"
#include "simd/compact/ready_set.h"
#include "simd/compact/types.h"

typedef struct compact_simulator {
    const compact_problem *problem;
    uint8_t *device;         /* [op + 1] the placement */
    compact_state *state;    /* [op] */
    compact_id *order;       /* [rank] ops */
    compact_id *sorted;      /* [op] scratch */
    compact_id *holds;       /* [tensor][pitch] uses to come of a tensor on a device */
    uint16_t *next;          /* [edge] place of the tensor's next consumer on the same device */
    uint64_t *waiting_ranks; /* [op / 64 + 1] ranks not yet started, under a window */
    ready_sets ready;
    link_queues queues;
    int64_t tick_limit, peak_limit;
    int64_t peak[REGAL_MAX_DEVICES];
    regal_peak_place peak_place;
} compact_simulator;

#endif
