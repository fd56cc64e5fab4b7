#include "baselines/resident.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "regal/core/placement.h"

static void list_parameters(regal_resident *r) {
    const regal_problem_view *view = r->view;
    const regal_id uses = view->parameter_begin[view->parameter_count];
    for (regal_id i = 0; i < uses; ++i)
        r->begin[view->parameter_op[i] + 1]++;
    for (regal_id op = 0; op < view->op_count; ++op)
        r->begin[op + 1] += r->begin[op];
    /* Each begin serves as the cursor of its op, from the back. */
    for (regal_id p = view->parameter_count - 1; p >= 0; --p)
        for (regal_id i = view->parameter_begin[p]; i < view->parameter_begin[p + 1]; ++i)
            r->parameter[--r->begin[view->parameter_op[i] + 1]] = p;
    for (regal_id op = 0; op < view->op_count; ++op)
        r->begin[op] = r->begin[op + 1];
    r->begin[view->op_count] = uses;
}

regal_status regal_resident_create(const regal_problem_view *view, regal_resident *resident) {
    const regal_id uses = view->parameter_begin[view->parameter_count];
    *resident = (regal_resident){
        .view = view,
        .begin = regal_allocate_zeroed(view->op_count + 1, sizeof *resident->begin),
        .parameter = regal_allocate(uses, sizeof *resident->parameter),
        .hosts = regal_allocate_zeroed(view->parameter_count, sizeof *resident->hosts),
        .seen = regal_allocate_zeroed(view->parameter_count, sizeof *resident->seen)};
    if (resident->begin == NULL || resident->parameter == NULL || resident->hosts == NULL ||
        resident->seen == NULL) {
        regal_resident_destroy(resident);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    list_parameters(resident);
    return REGAL_OK;
}

void regal_resident_destroy(regal_resident *resident) {
    free(resident->begin);
    free(resident->parameter);
    free(resident->hosts);
    free(resident->seen);
    *resident = (regal_resident){0};
}

bool regal_is_capped(const regal_problem_view *view) {
    for (int32_t d = 0; d < view->device_count; ++d)
        if (view->capacity[d] > 0)
            return true;
    return false;
}

static int64_t kept_bytes(const regal_problem_view *view, regal_id op) {
    int64_t sum = 0;
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        if (view->tensors[tensor].root == tensor && view->tensors[tensor].kept)
            sum += view->tensors[tensor].bytes;
    }
    return sum;
}

void regal_link_groups(const regal_problem_view *view, regal_id *next) {
    for (regal_id op = 0; op < view->op_count; ++op)
        next[op] = -1;
    for (int64_t i = view->op_count - 1; i >= 0; --i) {
        const regal_id op = view->canonical[i], leader = view->leader[op];
        if (op != leader) {
            next[op] = next[leader];
            next[leader] = op;
        }
    }
}

void regal_resident_need(regal_resident *r, regal_id first, const regal_id *next, uint64_t devices,
                         int64_t *need) {
    int64_t kept = 0;
    for (uint64_t set = devices; set != 0; set &= set - 1)
        need[regal_set_first(set)] = r->bytes[regal_set_first(set)];
    r->round++;
    for (regal_id op = first; op >= 0; op = next[op]) {
        kept += kept_bytes(r->view, op);
        for (regal_id i = r->begin[op]; i < r->begin[op + 1]; ++i) {
            const regal_id p = r->parameter[i];
            uint64_t without = r->seen[p] == r->round ? 0 : devices & ~r->hosts[p];
            r->seen[p] = r->round;
            for (; without != 0; without &= without - 1)
                need[regal_set_first(without)] += r->view->parameter_bytes[p];
        }
    }
    for (uint64_t set = devices; set != 0; set &= set - 1)
        need[regal_set_first(set)] += kept;
}

void regal_resident_add(regal_resident *r, regal_id first, const regal_id *next, int32_t device) {
    for (regal_id op = first; op >= 0; op = next[op]) {
        r->bytes[device] += kept_bytes(r->view, op);
        for (regal_id i = r->begin[op]; i < r->begin[op + 1]; ++i) {
            const regal_id p = r->parameter[i];
            if ((r->hosts[p] >> device & 1) == 0)
                r->bytes[device] += r->view->parameter_bytes[p];
            r->hosts[p] |= (uint64_t)1 << device;
        }
    }
}
