/* Priority keys -> the rank of each op (DESIGN 3, Rank). */
#ifndef REGAL_CORE_RANK_H
#define REGAL_CORE_RANK_H

#include "regal/core/pairing_heap.h"

/* Ops by (key descending, id ascending): writes the ops to order [op]. A stable counting sort by
 * the low byte, then by the high byte; scratch [op]. */
REGAL_HD void regal_order_by_key(const uint16_t *key, regal_id count, regal_id *order,
                                 regal_id *scratch) {
    regal_id low[256] = {0}, high[256] = {0}, low_sum = 0, high_sum = 0;
    for (regal_id v = 0; v < count; ++v) {
        const uint16_t inverse = (uint16_t)~key[v];
        low[inverse & 255]++;
        high[inverse >> 8]++;
    }
    for (int byte = 0; byte < 256; ++byte) {
        const regal_id low_count = low[byte], high_count = high[byte];
        low[byte] = low_sum;
        high[byte] = high_sum;
        low_sum += low_count;
        high_sum += high_count;
    }
    for (regal_id v = 0; v < count; ++v)
        scratch[low[~key[v] & 255]++] = v;
    for (regal_id i = 0; i < count; ++i)
        order[high[(uint16_t)~key[scratch[i]] >> 8]++] = scratch[i];
}

/* rank[order[i]] = i. */
REGAL_HD void regal_invert_order(const regal_id *order, regal_id count, regal_id *rank) {
    for (regal_id i = 0; i < count; ++i)
        rank[order[i]] = i;
}

REGAL_HD regal_id regal_kahn_release(regal_id *missing, regal_heap_links *links,
                                     const regal_id *rank, regal_id ready, regal_id op) {
    return --missing[op] == 0 ? regal_heap_push(links, rank, ready, op) : ready;
}

/* Kahn's order that always takes the ready op of the least rank. Reads rank [op], writes order
 * [op]; missing, links: scratch [op]. */
REGAL_HD void regal_kahn_order(const regal_problem_view *problem, const regal_id *rank,
                               regal_id *missing, regal_heap_links *links, regal_id *order) {
    regal_id ready = -1, count = 0;
    for (regal_id v = 0; v < problem->op_count; ++v) {
        missing[v] = problem->ops[v].predecessor_count;
        if (missing[v] == 0)
            ready = regal_heap_push(links, rank, ready, v);
    }
    while (ready >= 0) {
        const regal_id op = ready;
        ready = regal_heap_pop(links, rank, ready);
        order[count++] = op;
        for (regal_id o = problem->ops[op].output_begin; o < problem->ops[op + 1].output_begin;
             ++o) {
            const regal_id tensor = problem->output_tensor[o];
            for (regal_id e = problem->tensors[tensor].consumer_begin;
                 e < problem->tensors[tensor + 1].consumer_begin; ++e)
                ready = regal_kahn_release(missing, links, rank, ready, problem->consumer[e]);
        }
        for (regal_id c = problem->ops[op].control_begin; c < problem->ops[op + 1].control_begin;
             ++c)
            ready = regal_kahn_release(missing, links, rank, ready, problem->control_successor[c]);
    }
}

#endif
