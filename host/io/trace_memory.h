/* The live bytes of each device over time, from a plan (DESIGN 2, Memory). */
#ifndef REGAL_IO_TRACE_MEMORY_H
#define REGAL_IO_TRACE_MEMORY_H

#include "regal/graph.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At this tick the live bytes of this device grow by `change` (shrink where negative). */
typedef struct regal_memory_change {
    int64_t device, tick, change;
} regal_memory_change;

typedef struct regal_memory_history {
    int64_t *resident;            /* [device_count] bytes, always there */
    regal_memory_change *changes; /* by device, then tick */
    int64_t count;
} regal_memory_history;

/* The plan is valid and attached to this graph; transfer_finish: [transfer_count]. */
regal_status regal_memory_history_create(const regal_graph *graph, const regal_plan *plan,
                                         const int64_t *transfer_finish,
                                         regal_memory_history *history);
void regal_memory_history_destroy(regal_memory_history *history);

#ifdef __cplusplus
}
#endif
#endif
