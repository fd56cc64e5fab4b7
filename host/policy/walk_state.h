/* Inside a walk: what it knows so far, in the units of walk_graph.h. Rows [device] have no gaps. */
#ifndef REGAL_POLICY_WALK_STATE_H
#define REGAL_POLICY_WALK_STATE_H

#include "policy/walk.h"

enum { REGAL_WALK_DEVICES = 64 };

struct regal_walker {
    const regal_walk_graph *graph;
    /* Of the whole walk. */
    float *avail;         /* [tensor][device] when it is there; -1: not */
    float *ahead;         /* [op][device] latest arrival there of inputs that are placed */
    float *near;          /* [op][device] bytes there of inputs that are placed */
    float *control_ready; /* [op] latest finish of control predecessors that are placed */
    int32_t *readers;     /* [tensor] consumers that are not placed yet */
    uint8_t *chosen;      /* [op] of a leader: its group's device, or NONE */
    uint64_t *hosts;      /* [parameter] set of devices */
    float *link_free;     /* [from][to] */
    float in_free[REGAL_WALK_DEVICES], out_free[REGAL_WALK_DEVICES]; /* greatest of link_free */
    float free[REGAL_WALK_DEVICES], load[REGAL_WALK_DEVICES];
    float memory[REGAL_WALK_DEVICES], peak[REGAL_WALK_DEVICES], recent[REGAL_WALK_DEVICES];
    float greatest_peak, bound;
    double log_probability;
    int previous; /* device, -1 before the first */

    /* Of the op that is placed next. */
    float *sent;      /* [from][to] link_free, as its inputs would leave it */
    float *reach;     /* [from][to] when what the op makes could be read */
    uint64_t touched; /* rows of `sent` that are in use */
    float arrival[REGAL_WALK_DEVICES], start[REGAL_WALK_DEVICES], finish[REGAL_WALK_DEVICES];
    float present[REGAL_WALK_DEVICES], missing[REGAL_WALK_DEVICES], fresh[REGAL_WALK_DEVICES];
    float freed[REGAL_WALK_DEVICES], weights[REGAL_WALK_DEVICES], rise[REGAL_WALK_DEVICES];
    float co_bytes[REGAL_WALK_DEVICES], co_late[REGAL_WALK_DEVICES], co_first[REGAL_WALK_DEVICES];
    float through[REGAL_WALK_DEVICES];
    float input_bytes, freed_all, made;
    int64_t consumers;
    int heavy, late; /* devices, -1: none */

    float *input, *unit; /* [inputs][device], [device][hidden] */
    float score[REGAL_WALK_DEVICES], share[REGAL_WALK_DEVICES];
    void *memory_block;
};

enum { REGAL_WALK_NONE = 255 };

#endif
