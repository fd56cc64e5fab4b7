/* m-TOPO of Baechi (Jeon et al. 2020): devices are filled in turn, ops in topological order, each
 * device up to an equal share of all memory and the greatest op's beside it, and never above its
 * own capacity. Groups count as one op. */
#include "base/error.h"
#include "baselines/memory_ledger.h"
#include "baselines/methods.h"
#include "regal/core/placement.h"

static void find_limits(regal_memory_ledger *ledger, int64_t *limit) {
    const regal_problem_view *view = ledger->view;
    int64_t sum = 0, most = 0;
    for (regal_id op = 0; op < view->op_count; ++op) {
        if (view->leader[op] != op)
            continue;
        const int64_t need = regal_memory_ledger_need(ledger, op, 0);
        most = need > most ? need : most;
        sum += ledger->defined[op];
    }
    for (regal_id p = 0; p < view->parameter_count; ++p)
        sum += view->parameter_bytes[p];
    for (int32_t d = 0; d < view->device_count; ++d) {
        limit[d] = sum / view->device_count + most;
        if (view->capacity[d] > 0 && view->capacity[d] < limit[d])
            limit[d] = view->capacity[d];
    }
}

/* The first device from `current` on, and then round, that may take the group and has room. */
static int32_t next_with_room(regal_memory_ledger *ledger, const int64_t *limit, regal_id leader,
                              int32_t current) {
    const int32_t devices = ledger->view->device_count;
    const uint64_t allowed = ledger->view->allowed[leader];
    for (int32_t i = 0; i < devices; ++i) {
        const int32_t d = (current + i) % devices;
        if ((allowed >> d & 1) != 0 &&
            regal_memory_ledger_need(ledger, leader, d) <= limit[d] - ledger->used[d])
            return d;
    }
    return -1;
}

static void place(regal_memory_ledger *ledger, regal_heuristic *heuristic) {
    const regal_problem_view *view = ledger->view;
    int64_t limit[REGAL_MAX_DEVICES];
    int32_t current = 0;
    find_limits(ledger, limit);
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i], leader = view->leader[op];
        heuristic->sequence[i] = op;
        if (op == leader) {
            int32_t device = next_with_room(ledger, limit, op, current);
            if (device < 0)
                device = regal_memory_ledger_roomiest(ledger, view->capacity, view->allowed[op]);
            else if (view->allowed[op] >> current & 1)
                current = device; /* those that may not run there do not end its turn */
            regal_memory_ledger_add(ledger, op, device);
            heuristic->device[op] = (uint8_t)device;
        }
        heuristic->device[op] = heuristic->device[leader];
    }
}

REGAL_MAKE(baechi_topo) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    REGAL_FORWARD(regal_heuristic_create(view, "m-TOPO", heuristic));
    heuristic->window = objective == REGAL_TIME ? 0 : 1;
    regal_memory_ledger ledger;
    const regal_status status = regal_memory_ledger_create(view, &ledger);
    if (status == REGAL_OK)
        place(&ledger, heuristic);
    regal_memory_ledger_destroy(&ledger);
    return status;
}
