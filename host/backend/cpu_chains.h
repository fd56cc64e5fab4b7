/* The annealing chains of the CPU backend: the operations of the seam. */
#ifndef REGAL_BACKEND_CPU_CHAINS_H
#define REGAL_BACKEND_CPU_CHAINS_H

#include "backend/cpu_instance.h"

regal_status cpu_chains_start(regal_backend_instance *self, regal_island_range range,
                              int64_t chains, int64_t starts);
regal_status cpu_chains_move(regal_backend_instance *self, regal_island_range range,
                             const regal_chain_rounds *rounds);
regal_status cpu_chains_select(regal_backend_instance *self, regal_island_range range,
                               int64_t replaced);
regal_status cpu_chains_fetch_best(regal_backend_instance *self, regal_island_range range,
                                   regal_chain_best *best);
regal_status cpu_chains_fetch(regal_backend_instance *self, int64_t island, int64_t chain,
                              uint8_t *device, uint16_t *key, int64_t *window);

/* What start needs; false: memory ran out. */
bool cpu_chains_prepare(regal_backend_instance *self, regal_island_range range, int64_t count);

/* Frees it. */
void cpu_chains_destroy(regal_backend_instance *self);

#endif
