/* What connects ops, without names, costs and bytes. */
#ifndef REGAL_DATASET_TOPOLOGY_H
#define REGAL_DATASET_TOPOLOGY_H

#include "regal/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A digest of the graph's data and control edges that does not depend on how ops are numbered:
 * equal for equal topologies, and rarely for others. The graph must be valid. */
regal_status regal_topology_digest(const regal_graph *graph, uint64_t *digest);

/* A set of digests. Starts as {0}. */
typedef struct topology_set {
    uint64_t *slots; /* 0: free */
    int64_t count, capacity;
} topology_set;

/* *added: false where it was there already. */
regal_status topology_set_add(topology_set *set, uint64_t digest, bool *added);
void topology_set_free(topology_set *set);

#ifdef __cplusplus
}
#endif
#endif
