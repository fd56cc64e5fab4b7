#ifndef REGAL_EXPLAIN_H
#define REGAL_EXPLAIN_H

#include <stdint.h>

#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why everything in a plan is when it is: what each op and transfer waited for, how long it could
 * have come later, and which chain of them makes the makespan. */
typedef struct regal_explanation regal_explanation;

/* What an op or a transfer began right behind. */
typedef enum regal_wait {
    REGAL_WAIT_NOTHING,  /* it began at tick 0 */
    REGAL_WAIT_INPUT,    /* an input's producer on the same device finished (op, tensor); of a
                            transfer: its producer */
    REGAL_WAIT_TRANSFER, /* an input's transfer from another device finished (transfer, tensor) */
    REGAL_WAIT_CONTROL,  /* a control predecessor finished (op) */
    REGAL_WAIT_DEVICE,   /* the op before it on the device finished (op) */
    REGAL_WAIT_LINK,     /* of a transfer: the one before it on the link finished (transfer) */
    REGAL_WAIT_CHOICE    /* all was there before: the plan idles on purpose, to save memory or to
                            keep an order (op: the one started last before it, on any device; -1) */
} regal_wait;

/* "input", "transfer", ...: one word. */
const char *regal_wait_name(regal_wait wait);

/* An op or a transfer of the plan, in time. */
typedef struct regal_event_reason {
    int64_t start, finish;
    int64_t ready;  /* when all that it needs was there */
    int64_t free;   /* when its device or link was idle: the finish of the one before it, or 0 */
    int64_t slack;  /* how much later it could finish, in the orders of the plan, without a later
                       makespan; 0: it is critical */
    int64_t before; /* the op (of a transfer: transfer) before it on the device (link), or -1 */
    regal_wait wait;
    int64_t op, transfer, tensor; /* what it waited for, as wait says; else -1 */
} regal_event_reason;

/* A link of the critical path: an op, or a transfer (op -1). */
typedef struct regal_critical_step {
    int64_t op, transfer;
} regal_critical_step;

/* How a device or link spent the makespan. Sums are ticks. */
typedef struct regal_device_use {
    int64_t ops, busy, idle;
    int64_t idle_for[REGAL_WAIT_CHOICE + 1]; /* idle before ops, by what they waited for */
    int64_t idle_end;                        /* after the last op */
    int64_t worst_tensor, worst_from; /* the arriving tensor that most idle time went into, and from
                                         which device; -1: none */
    int64_t worst_idle;               /* that time */
} regal_device_use;

typedef struct regal_link_use {
    int64_t from, to, transfers, bytes, busy;
    int64_t waited; /* ticks that transfers waited for the link, in all */
} regal_link_use;

/* What a device holds when its memory is at its peak, the first time. */
typedef enum regal_held_kind {
    REGAL_HELD_TENSOR,
    REGAL_HELD_COPY,
    REGAL_HELD_WORKSPACE,
    REGAL_HELD_PARAMETER
} regal_held_kind;
typedef struct regal_held {
    regal_held_kind kind;
    int64_t id; /* tensor (the root of the storage), op or parameter */
    int64_t bytes;
    int64_t from, to; /* ticks, half-open */
} regal_held;

/* The plan must be valid for the graph and cluster (regal_plan_check); all three must outlive it.
 */
regal_status regal_explanation_create(const regal_graph *graph, const regal_cluster *cluster,
                                      const regal_plan *plan, regal_explanation **explanation);
void regal_explanation_destroy(regal_explanation *explanation);

regal_event_reason regal_explanation_op(const regal_explanation *explanation, int64_t op);
/* index into plan->transfers */
regal_event_reason regal_explanation_transfer(const regal_explanation *explanation,
                                              int64_t transfer);
/* From a start at tick 0 (or behind a choice to idle) to the last finish. */
int64_t regal_explanation_critical_count(const regal_explanation *explanation);
regal_critical_step regal_explanation_critical(const regal_explanation *explanation, int64_t index);

regal_device_use regal_explanation_device(const regal_explanation *explanation, int64_t device);
/* Links in use, the busiest first. */
int64_t regal_explanation_link_count(const regal_explanation *explanation);
regal_link_use regal_explanation_link(const regal_explanation *explanation, int64_t index);

/* The memory of a device over time: bytes[i] from tick[i] to tick[i + 1], the first at 0; no two
 * neighbours equal. Views. */
void regal_explanation_memory(const regal_explanation *explanation, int64_t device, int64_t *count,
                              const int64_t **tick, const int64_t **bytes);
/* The live set at the peak, the largest first; *tick: when. Views. The bytes sum to the peak. */
void regal_explanation_peak(const regal_explanation *explanation, int64_t device, int64_t *tick,
                            int64_t *count, const regal_held **held);

#ifdef __cplusplus
}
#endif
#endif
