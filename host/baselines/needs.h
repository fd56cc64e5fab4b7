/* What must be there before each op, in the order in which a depth-first walk computes it. */
#ifndef REGAL_BASELINES_NEEDS_H
#define REGAL_BASELINES_NEEDS_H

#include "graph/problem_data.h"

typedef struct regal_need {
    int64_t weight, size; /* greater: earlier, by weight, then by size, then the smaller op first */
    regal_id before;      /* the op that makes it */
    int64_t bytes;        /* what it leaves behind; 0 for control predecessors */
} regal_need;

typedef struct regal_needs {
    const regal_problem_view *view;
    regal_id *begin;   /* [op + 1] */
    regal_need *items; /* [edge + control] of each op: inputs, then control predecessors */
    regal_id *cursor;  /* [op] next need to look at; -1 before the first visit */
    regal_id *stack;   /* [op] */
} regal_needs;

/* With weights and sizes 0. The needs must be destroyed whatever comes back. */
regal_status regal_needs_create(const regal_problem_view *view, regal_needs *needs);
void regal_needs_destroy(regal_needs *needs);

/* Those of one op, once their weights and sizes are there. */
void regal_needs_sort(regal_needs *needs, regal_id op);

/* Post-order from the sinks, which come in canonical order, to sequence [op]. */
void regal_needs_walk(regal_needs *needs, regal_id *sequence);

#endif
