/* What a classical method answers: a baseline, and a seed of the search. */
#ifndef REGAL_BASELINES_HEURISTIC_H
#define REGAL_BASELINES_HEURISTIC_H

#include <stdbool.h>

#include "graph/problem_data.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_heuristic {
    const char *name;   /* a literal: "HEFT", "depth first", ... */
    uint8_t *device;    /* [op] valid for groups and allowed sets */
    regal_id *sequence; /* [op] most urgent first; topological */
    int64_t window;     /* how the decoder is to run them (DESIGN 3) */
    regal_plan *plan;   /* a valid plan of its own, attached, with bounds; or NULL */
} regal_heuristic;

/* Allocates device and sequence, uninitialized; window 1; no plan. */
regal_status regal_heuristic_create(const regal_problem_view *view, const char *name,
                                    regal_heuristic *heuristic);
/* Frees what the struct holds and clears it. */
void regal_heuristic_destroy(regal_heuristic *heuristic);

/* Gives a heuristic without a plan the one that the decoder makes of its placement and sequence. */
regal_status regal_heuristic_decode(const regal_problem *problem, regal_heuristic *heuristic);

/* Completes a plan whose placement, starts and transfers are in place: has it judged, and fills in
 * its figures, bounds and attachments. */
regal_status regal_plan_complete(const regal_problem *problem, regal_plan *plan);

/* The seeds of the search, always in the same order, each with a plan; those that cannot serve the
 * problem are left out, and, once there is one, those that are still to be made when stop (or NULL)
 * says true. */
typedef bool regal_heuristic_stop(void *context);
regal_status regal_heuristics_create(const regal_problem *problem, regal_objective objective,
                                     regal_heuristic_stop *stop, void *context,
                                     regal_heuristic **list, int64_t *count);
void regal_heuristics_destroy(regal_heuristic *list, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
