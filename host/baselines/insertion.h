/* Schedules that are built op by op, with insertion: an op takes the first gap of its device that
 * holds it, and the transfers that it needs take the first gaps of their links, in the order in
 * which their tensors become available (then by tensor id), and on one link each after the one
 * before. So what is found while a device is only considered holds when it is chosen. */
#ifndef REGAL_BASELINES_INSERTION_H
#define REGAL_BASELINES_INSERTION_H

#include "baselines/heuristic.h"
#include "baselines/resident.h"
#include "baselines/timeline.h"

typedef struct regal_span {
    int64_t start, finish;
} regal_span;

typedef struct regal_arrival {
    int64_t available; /* finish of the producer */
    regal_id tensor;
    int32_t from;
} regal_arrival;

typedef struct regal_insertion {
    const regal_problem_view *view;
    bool contended;        /* false: links carry any number of transfers at a time */
    bool append;           /* ops run behind those placed on their device before them: no gaps */
    uint8_t *device;       /* [op] of the heuristic */
    regal_span *spans;     /* [op] of those placed */
    int64_t *released;     /* [op] finish of the control predecessors placed so far */
    bool *decided;         /* [op] of a leader: its group has a device */
    regal_id *next;        /* [op] the next op of its group in canonical order, or -1 */
    uint64_t *sent;        /* [tensor] set of devices with a copy */
    regal_span *copies;    /* [edge] transfers of a tensor, by device, from its first edge on */
    regal_arrival *inputs; /* [edge] of the op at hand */
    int64_t input_count;
    regal_timelines idle; /* of devices, then of links */
    regal_resident resident;
} regal_insertion;

/* The device of the op at hand, which is the first of its group: one of regal_insertion_devices. */
typedef int32_t regal_choose(regal_insertion *insertion, regal_id op, void *context);

/* Where the op at hand may go: its allowed devices that can still take for good what its group
 * leaves there, or all of them if none can. */
uint64_t regal_insertion_devices(regal_insertion *insertion, regal_id op);

/* When it would run there. */
regal_span regal_insertion_slot(const regal_insertion *insertion, regal_id op, int32_t device);

/* Where the op at hand, followed by the others of its group (and by more [device] ticks, unless
 * NULL), would be done first. Ties: the smallest id. */
int32_t regal_insertion_first_done(regal_insertion *insertion, regal_id op, const int64_t *more);

/* Places all ops, in a topological order. */
regal_status regal_insertion_place_all(regal_insertion *insertion, const regal_id *sequence,
                                       regal_choose *choose, void *context);

/* Finds an order, to sequence [op], and places all ops. */
typedef regal_status regal_insertion_method(regal_insertion *insertion, regal_id *sequence);

/* A method's heuristic, on contended links, with its own plan, which may wait where the decoder
 * would not. */
regal_status regal_insertion_make(const regal_problem *problem, const char *name,
                                  regal_insertion_method *method, regal_heuristic *heuristic);

/* Links carry any number of transfers at a time, as in the papers. No plan, since none need be
 * valid. */
regal_status regal_insertion_contention_free(const regal_problem *problem, const char *name,
                                             regal_insertion_method *method,
                                             regal_heuristic *heuristic, int64_t *makespan);

#endif
