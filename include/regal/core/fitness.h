/* What is compared (DESIGN 2, Fitness). */
#ifndef REGAL_CORE_FITNESS_H
#define REGAL_CORE_FITNESS_H

#include "regal/core/host_device.h"
#include "regal/plan.h"

/* The fitness of a makespan and peaks [device_count] under capacities (0: unlimited). */
REGAL_HD regal_fitness regal_fitness_of(regal_objective objective, int64_t makespan,
                                        const int64_t *peak, const int64_t *capacity,
                                        int32_t device_count) {
    int64_t excess = 0, greatest = 0;
    for (int32_t d = 0; d < device_count; ++d) {
        greatest = peak[d] > greatest ? peak[d] : greatest;
        if (capacity[d] > 0 && peak[d] > capacity[d])
            excess += peak[d] - capacity[d];
    }
    regal_fitness fitness;
    fitness.value[0] = excess;
    fitness.value[1] = objective == REGAL_TIME ? makespan : greatest;
    fitness.value[2] = objective == REGAL_TIME ? greatest : makespan;
    return fitness;
}

REGAL_HD bool regal_fitness_less(regal_fitness a, regal_fitness b) {
    if (a.value[0] != b.value[0])
        return a.value[0] < b.value[0];
    if (a.value[1] != b.value[1])
        return a.value[1] < b.value[1];
    return a.value[2] < b.value[2];
}

#endif
