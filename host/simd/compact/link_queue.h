/* Transfers that wait for a link: a binary heap of words for each link, in one pool. A heap that is
 * full moves to twice the room further on; rooms that are left behind are never more than those in
 * use, so four words for each edge are enough. */
#ifndef REGAL_SIMD_COMPACT_LINK_QUEUE_H
#define REGAL_SIMD_COMPACT_LINK_QUEUE_H

#include <string.h>

#include "simd/compact/types.h"

/* A transfer: 24 bits of its order, 24 of its tensor's number, which decides between equal orders,
 * and 16 of the place of its first consumer among the tensor's. */
#define NO_PLACE 65535u

COMPACT_INLINE uint64_t transfer_word(uint32_t order, uint32_t tensor_number, uint32_t place) {
    return (uint64_t)order << 40 | (uint64_t)tensor_number << 16 | place;
}

COMPACT_INLINE uint32_t transfer_tensor(uint64_t word) {
    return (uint32_t)(word >> 16) & 0xffffff;
}

COMPACT_INLINE uint32_t transfer_place(uint64_t word) {
    return (uint32_t)word & 65535;
}

enum { LINK_QUEUE_ROOM = 4 }; /* to begin with */

typedef struct link_queue {
    uint64_t *item;
    uint32_t count, room;
} link_queue;

typedef struct link_queues {
    link_queue *queue; /* [slot] */
    uint64_t *pool;
    size_t used;
} link_queues;

static inline int64_t link_queue_pool(int64_t slots, int64_t edges) {
    return LINK_QUEUE_ROOM * slots + 4 * edges;
}

static inline void link_queues_clear(link_queues *queues, uint32_t slots) {
    for (uint32_t i = 0; i < slots; ++i)
        queues->queue[i] =
            (link_queue){queues->pool + (size_t)i * LINK_QUEUE_ROOM, 0, LINK_QUEUE_ROOM};
    queues->used = (size_t)slots * LINK_QUEUE_ROOM;
}

static __attribute__((noinline)) void link_queue_grow(link_queues *queues, link_queue *queue) {
    uint64_t *item = queues->pool + queues->used;
    memcpy(item, queue->item, queue->count * sizeof *item);
    queue->item = item;
    queue->room *= 2;
    queues->used += queue->room;
}

COMPACT_INLINE void link_queue_push(link_queues *queues, uint32_t slot, uint64_t word) {
    link_queue *queue = &queues->queue[slot];
    if (__builtin_expect(queue->count == queue->room, 0))
        link_queue_grow(queues, queue);
    uint64_t *item = queue->item;
    uint32_t i = queue->count++;
    for (; i > 0 && word < item[(i - 1) / 2]; i = (i - 1) / 2)
        item[i] = item[(i - 1) / 2];
    item[i] = word;
}

/* Takes the least; the queue is not empty. */
COMPACT_INLINE uint64_t link_queue_pop(link_queue *queue) {
    uint64_t *item = queue->item;
    const uint64_t least = item[0], last = item[--queue->count];
    const uint32_t count = queue->count;
    uint32_t i = 0;
    for (uint32_t child = 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && item[child + 1] < item[child];
        if (item[child] >= last)
            break;
        item[i] = item[child];
        i = child;
    }
    item[i] = last;
    return least;
}

#endif
