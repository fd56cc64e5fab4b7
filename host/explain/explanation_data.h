/* Inside a regal_explanation. Events are the ops and then the transfers of the plan. */
#ifndef REGAL_EXPLAIN_EXPLANATION_DATA_H
#define REGAL_EXPLAIN_EXPLANATION_DATA_H

#include "regal/explain.h"

typedef struct memory_curve {
    int64_t *tick, *bytes; /* [count] */
    int64_t count;
    int64_t peak_tick;
    regal_held *held; /* [held_count], the largest first */
    int64_t held_count;
} memory_curve;

struct regal_explanation {
    const regal_graph *graph;
    const regal_cluster *cluster;
    const regal_plan *plan;
    int64_t op_count, event_count, device_count;
    regal_event_reason *events; /* [event_count] */
    int64_t *lane;           /* [event_count] device, or device_count + from * device_count + to */
    int64_t *order;          /* [event_count] by lane, then start */
    int64_t *next;           /* [event_count] the event behind it on its lane, or -1 */
    int64_t *first_transfer; /* [tensors + 1] in plan->transfers */
    regal_critical_step *critical; /* [critical_count] */
    int64_t critical_count;
    regal_device_use *devices; /* [device_count] */
    regal_link_use *links;     /* [link_count], the busiest first */
    int64_t link_count;
    memory_curve *curves; /* [device_count] */
};

/* explain_waits.c: starts, finishes, what each event waited for. */
regal_status regal_explain_waits(regal_explanation *explanation);
/* explain_slack.c: slack, then the critical path. Needs the waits. */
regal_status regal_explain_slack(regal_explanation *explanation);
/* explain_use.c: devices and links. Needs the waits. */
regal_status regal_explain_use(regal_explanation *explanation);
/* explain_memory.c: curves and peaks. Needs the finishes. */
regal_status regal_explain_memory(regal_explanation *explanation);

#endif
