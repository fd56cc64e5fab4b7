/* What stays on a device for good once ops are placed there: parameters, and outputs of the graph.
 */
#ifndef REGAL_BASELINES_RESIDENT_H
#define REGAL_BASELINES_RESIDENT_H

#include <stdbool.h>

#include "graph/problem_data.h"

typedef struct regal_resident {
    const regal_problem_view *view;
    regal_id *begin;     /* [op + 1] */
    regal_id *parameter; /* of each op */
    uint64_t *hosts;     /* [parameter] set of devices */
    regal_id *seen;      /* [parameter] the round that met it last */
    regal_id round;
    int64_t bytes[REGAL_MAX_DEVICES];
} regal_resident;

regal_status regal_resident_create(const regal_problem_view *view, regal_resident *resident);
void regal_resident_destroy(regal_resident *resident);

/* Whether any device has a capacity. */
bool regal_is_capped(const regal_problem_view *view);

/* next [op]: the next op of its group in canonical order, or -1; a leader is the first. */
void regal_link_groups(const regal_problem_view *view, regal_id *next);

/* A list of ops: first, next[first], ... up to -1. */

/* need [device]: what each of the devices would hold for good if the ops ran there. */
void regal_resident_need(regal_resident *resident, regal_id first, const regal_id *next,
                         uint64_t devices, int64_t *need);
/* The ops run on the device. */
void regal_resident_add(regal_resident *resident, regal_id first, const regal_id *next,
                        int32_t device);

#endif
