/* Memory as Baechi counts it: nothing that an op defines is ever freed. Parameters count once on a
 * device. */
#ifndef REGAL_BASELINES_MEMORY_LEDGER_H
#define REGAL_BASELINES_MEMORY_LEDGER_H

#include "baselines/resident.h"

typedef struct regal_memory_ledger {
    const regal_problem_view *view;
    regal_resident parameters;
    regal_id *next;   /* [op] the next op of its group in canonical order, or -1 */
    int64_t *defined; /* [op] of a leader: what its group defines: outputs, workspace */
    int64_t used[REGAL_MAX_DEVICES];
} regal_memory_ledger;

/* The ledger must be destroyed whatever comes back. */
regal_status regal_memory_ledger_create(const regal_problem_view *view,
                                        regal_memory_ledger *ledger);
void regal_memory_ledger_destroy(regal_memory_ledger *ledger);

/* What a group would add to a device. */
int64_t regal_memory_ledger_need(regal_memory_ledger *ledger, regal_id leader, int32_t device);
/* The group goes there. */
void regal_memory_ledger_add(regal_memory_ledger *ledger, regal_id leader, int32_t device);

/* Of the devices the one with most left of its limit [device] (0: unlimited); of unlimited ones
 * that with least in use; then the smallest id. */
int32_t regal_memory_ledger_roomiest(const regal_memory_ledger *ledger, const int64_t *limit,
                                     uint64_t devices);

#endif
