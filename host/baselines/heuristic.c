#include "baselines/heuristic.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/check.h"
#include "regal/core/rank.h"
#include "search/decoder.h"

regal_status regal_heuristic_create(const regal_problem_view *view, const char *name,
                                    regal_heuristic *heuristic) {
    *heuristic = (regal_heuristic){.name = name, .window = 1};
    heuristic->device = regal_allocate(view->op_count, sizeof *heuristic->device);
    heuristic->sequence = regal_allocate(view->op_count, sizeof *heuristic->sequence);
    if (heuristic->device == NULL || heuristic->sequence == NULL) {
        regal_heuristic_destroy(heuristic);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    return REGAL_OK;
}

void regal_heuristic_destroy(regal_heuristic *heuristic) {
    free(heuristic->device);
    free(heuristic->sequence);
    regal_plan_destroy(heuristic->plan);
    *heuristic = (regal_heuristic){0};
}

regal_status regal_heuristic_decode(const regal_problem *problem, regal_heuristic *heuristic) {
    const int64_t n = regal_problem_get_view(problem)->op_count;
    regal_id *rank = regal_allocate(n, sizeof *rank);
    REGAL_FAIL_IF_NULL(rank);
    regal_invert_order(heuristic->sequence, n, rank);
    const regal_status status = regal_plan_from_ranks(problem, heuristic->device, rank,
                                                      heuristic->window, &heuristic->plan);
    free(rank);
    return status;
}

regal_status regal_plan_complete(const regal_problem *problem, regal_plan *plan) {
    regal_measure measure;
    const regal_status status =
        regal_plan_measure(problem->graph, problem->cluster, plan, &measure);
    if (status == REGAL_INVALID_INPUT)
        return regal_error_prefix(REGAL_INTERNAL, "a heuristic made an invalid plan");
    REGAL_FORWARD(status);
    plan->makespan = measure.makespan;
    memcpy(plan->peak, measure.peak, (size_t)plan->device_count * sizeof *plan->peak);
    plan->time = measure.time;
    plan->memory = measure.memory;
    plan->bound_time = problem->bounds.time;
    plan->bound_memory = problem->bounds.memory;
    return regal_plan_attach(plan, problem->graph, problem->cluster);
}
