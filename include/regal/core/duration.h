/* How long ops and transfers last (DESIGN 2). */
#ifndef REGAL_CORE_DURATION_H
#define REGAL_CORE_DURATION_H

#include "regal/backend/problem_view.h"
#include "regal/core/host_device.h"

REGAL_HD int64_t regal_op_ticks(const regal_problem_view *problem, regal_id op, int32_t device) {
    return problem->op_ticks[(int64_t)op * problem->class_count + problem->device_class[device]];
}

/* bytes <= 2^53, so bytes * 1000 stays below 2^63. */
REGAL_HD int64_t regal_link_ticks(regal_link link, int64_t bytes) {
    int64_t ticks = link.latency;
    if (link.bytes_per_1000_ticks > 0) {
        const int64_t scaled = bytes * 1000;
        ticks += scaled / link.bytes_per_1000_ticks + (scaled % link.bytes_per_1000_ticks != 0);
    }
    return ticks > 1 ? ticks : 1;
}

REGAL_HD int64_t regal_transfer_ticks(const regal_problem_view *problem, regal_id tensor,
                                      int32_t from, int32_t to) {
    return regal_link_ticks(problem->link[from * problem->device_count + to],
                            problem->tensors[tensor].bytes);
}

#endif
