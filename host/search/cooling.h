/* How a stage of chains goes: how many chains, how long, how hot. All from the budget and the
 * number of ops, in integers: the same on every machine. */
#ifndef REGAL_SEARCH_COOLING_H
#define REGAL_SEARCH_COOLING_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_cooling {
    bool greedy;      /* local search: nothing dearer is accepted, no chain takes another's place */
    int64_t chains;   /* of each island */
    int64_t rounds;   /* that the budget allows */
    int64_t interval; /* rounds between selections */
    int64_t replaced; /* chains at each selection */
    int64_t hot, cold; /* log2, in 2^-32, of the heat (in 2^-32) at the start and at the end */
} regal_cooling;

typedef struct regal_cooling_question {
    regal_objective objective;
    int64_t op_count, islands;
    int64_t evaluations; /* of the whole search */
    int64_t left;        /* of this stage */
    bool greedy;         /* local search */
    bool seeded;         /* heuristics are among the starts */
    bool proposed;       /* proposals have guided what came before */
    bool evolved;        /* the starts have been through the first stage */
} regal_cooling_question;

regal_cooling regal_cooling_plan(const regal_cooling_question *question);

/* Temperature / cost in 2^-32 when `progress` 65536ths of the stage are over. */
uint64_t regal_cooling_heat(const regal_cooling *cooling, int64_t progress);

#ifdef __cplusplus
}
#endif
#endif
