#include "dataset/topology.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/op_order.h"

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

enum { SOURCE_WORD = 1, SINK_WORD = 2 };

/* Every op's word is made of those of its predecessors, then another of those of its successors and
 * of its own first one: sums, so that the numbering does not matter. */
static uint64_t digest_along(const regal_op_edges *edges, const int64_t *order, uint64_t *up,
                             uint64_t *down) {
    const int64_t n = edges->op_count;
    for (int64_t v = 0; v < n; ++v)
        up[v] = SOURCE_WORD;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t v = order[i];
        up[v] = mix(up[v]);
        for (int64_t k = edges->begin[v]; k < edges->begin[v + 1]; ++k)
            up[edges->successor[k]] += up[v];
    }
    uint64_t sum = mix((uint64_t)n);
    for (int64_t i = n - 1; i >= 0; --i) {
        const int64_t v = order[i];
        down[v] = SINK_WORD + 3 * up[v];
        for (int64_t k = edges->begin[v]; k < edges->begin[v + 1]; ++k)
            down[v] += down[edges->successor[k]];
        down[v] = mix(down[v]);
        sum += down[v];
    }
    return mix(sum);
}

regal_status regal_topology_digest(const regal_graph *graph, uint64_t *digest) {
    const int64_t n = regal_graph_op_count(graph);
    regal_op_edges edges;
    REGAL_FORWARD(regal_op_edges_create(graph, &edges));
    int64_t *order = regal_allocate(n, sizeof *order), ordered = 0;
    uint64_t *words = regal_allocate(n, 2 * sizeof *words);
    regal_status status = REGAL_OK;
    if (order == NULL || words == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    else
        status = regal_canonical_order(&edges, order, &ordered);
    if (status == REGAL_OK)
        *digest = digest_along(&edges, order, words, words + n);
    free(order);
    free(words);
    regal_op_edges_destroy(&edges);
    return status;
}

/* The digest's slot, or the free one where it would be. */
static uint64_t *find_slot(const topology_set *set, uint64_t digest) {
    const uint64_t mask = (uint64_t)set->capacity - 1;
    uint64_t slot = digest & mask;
    while (set->slots[slot] != 0 && set->slots[slot] != digest)
        slot = (slot + 1) & mask;
    return &set->slots[slot];
}

static regal_status grow(topology_set *set) {
    topology_set larger = {.count = set->count,
                           .capacity = set->capacity > 0 ? 2 * set->capacity : 1024};
    larger.slots = regal_allocate_zeroed(larger.capacity, sizeof *larger.slots);
    REGAL_FAIL_IF_NULL(larger.slots);
    for (int64_t i = 0; i < set->capacity; ++i)
        if (set->slots[i] != 0)
            *find_slot(&larger, set->slots[i]) = set->slots[i];
    free(set->slots);
    *set = larger;
    return REGAL_OK;
}

regal_status topology_set_add(topology_set *set, uint64_t digest, bool *added) {
    digest = digest != 0 ? digest : 1;
    if (2 * (set->count + 1) > set->capacity)
        REGAL_FORWARD(grow(set));
    uint64_t *slot = find_slot(set, digest);
    *added = *slot == 0;
    set->count += *added;
    *slot = digest;
    return REGAL_OK;
}

void topology_set_free(topology_set *set) {
    free(set->slots);
    *set = (topology_set){0};
}
