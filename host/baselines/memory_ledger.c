#include "baselines/memory_ledger.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/placement.h"

regal_status regal_memory_ledger_create(const regal_problem_view *view,
                                        regal_memory_ledger *ledger) {
    *ledger = (regal_memory_ledger){
        .view = view,
        .next = regal_allocate(view->op_count, sizeof *ledger->next),
        .defined = regal_allocate_zeroed(view->op_count, sizeof *ledger->defined)};
    REGAL_FAIL_IF(ledger->next == NULL || ledger->defined == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    regal_link_groups(view, ledger->next);
    for (regal_id op = 0; op < view->op_count; ++op)
        ledger->defined[view->leader[op]] += view->ops[op].start_bytes;
    return regal_resident_create(view, &ledger->parameters);
}

void regal_memory_ledger_destroy(regal_memory_ledger *ledger) {
    regal_resident_destroy(&ledger->parameters);
    free(ledger->next);
    free(ledger->defined);
    *ledger = (regal_memory_ledger){0};
}

int64_t regal_memory_ledger_need(regal_memory_ledger *ledger, regal_id leader, int32_t device) {
    regal_resident *r = &ledger->parameters;
    int64_t need = ledger->defined[leader];
    r->round++;
    for (regal_id op = leader; op >= 0; op = ledger->next[op])
        for (regal_id i = r->begin[op]; i < r->begin[op + 1]; ++i) {
            const regal_id p = r->parameter[i];
            if (r->seen[p] != r->round && (r->hosts[p] >> device & 1) == 0)
                need += ledger->view->parameter_bytes[p];
            r->seen[p] = r->round;
        }
    return need;
}

void regal_memory_ledger_add(regal_memory_ledger *ledger, regal_id leader, int32_t device) {
    ledger->used[device] += regal_memory_ledger_need(ledger, leader, device);
    regal_resident_add(&ledger->parameters, leader, ledger->next, device);
}

int32_t regal_memory_ledger_roomiest(const regal_memory_ledger *ledger, const int64_t *limit,
                                     uint64_t devices) {
    int32_t best = -1;
    int64_t most = 0;
    for (; devices != 0; devices &= devices - 1) {
        const int32_t d = regal_set_first(devices);
        const int64_t left = (limit[d] > 0 ? limit[d] : INT64_MAX) - ledger->used[d];
        if (best < 0 || left > most) {
            best = d;
            most = left;
        }
    }
    return best;
}
