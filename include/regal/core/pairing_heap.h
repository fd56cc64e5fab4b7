/* Pairing heaps over numbered nodes that share their arrays: any number of heaps, each node in at
 * most one, no capacity to choose. Order: (order[node], node), smallest first. An empty heap is -1.
 * Fredman, Sedgewick, Sleator, Tarjan 1986. */
#ifndef REGAL_CORE_PAIRING_HEAP_H
#define REGAL_CORE_PAIRING_HEAP_H

#include "regal/backend/problem_view.h"
#include "regal/core/host_device.h"

typedef struct regal_heap_links {
    regal_id child, sibling; /* -1: none */
} regal_heap_links;

REGAL_HD bool regal_heap_before(const regal_id *order, regal_id a, regal_id b) {
    return order[a] < order[b] || (order[a] == order[b] && a < b);
}

REGAL_HD regal_id regal_heap_meld(regal_heap_links *links, const regal_id *order, regal_id a,
                                  regal_id b) {
    const bool a_first = regal_heap_before(order, a, b);
    const regal_id parent = a_first ? a : b, child = a_first ? b : a;
    links[child].sibling = links[parent].child;
    links[parent].child = child;
    return parent;
}

/* Returns the new root. */
REGAL_HD regal_id regal_heap_push(regal_heap_links *links, const regal_id *order, regal_id root,
                                  regal_id node) {
    links[node].child = -1;
    return root < 0 ? node : regal_heap_meld(links, order, root, node);
}

/* Removes the root; returns the new one. */
REGAL_HD regal_id regal_heap_pop(regal_heap_links *links, const regal_id *order, regal_id root) {
    /* Meld the children in pairs, left to right; the pairs form a list in `paired`. */
    regal_id next = links[root].child, paired = -1;
    while (next >= 0) {
        const regal_id a = next, b = links[a].sibling;
        if (b < 0) {
            links[a].sibling = paired;
            paired = a;
            break;
        }
        next = links[b].sibling;
        const regal_id pair = regal_heap_meld(links, order, a, b);
        links[pair].sibling = paired;
        paired = pair;
    }
    if (paired < 0)
        return -1;
    /* Meld the pairs right to left. */
    next = links[paired].sibling;
    while (next >= 0) {
        const regal_id after = links[next].sibling;
        paired = regal_heap_meld(links, order, paired, next);
        next = after;
    }
    return paired;
}

#endif
