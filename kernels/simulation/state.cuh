/* The state of one simulation, the work of one warp: arrays in shared or global memory, and what
 * all lanes know alike, in registers. Ids are 16 or 32 bits wide. */
#ifndef REGAL_KERNELS_SIMULATION_STATE_CUH
#define REGAL_KERNELS_SIMULATION_STATE_CUH

#include "simulation/problem.cuh"
#include "simulation/transfer_heap.cuh"

template <class Id> struct simulation {
    typedef typename transfer_key<Id>::type key;

    const device_problem *problem;
    const uint16_t *transfer_key; /* [op] for affinity; NULL: transfers go by rank */
    int64_t window;
    int64_t tick_limit, peak_limit; /* INT64_MAX: none */

    counters<Id> missing, holds, copies;
    uint8_t *device;
    Id *rank, *op_at, *buffer, *sequence;
    key *heap;
    uint32_t *heap_begin, *heap_size, *ready, *unstarted, *counts;
    int64_t *event_tick;
    uint32_t *event_item, *event_link;
    uint64_t *link_idle, *link_waiting;
    int64_t *memory, *peak, *load;

    /* The same in all lanes. */
    int64_t tick;
    int32_t event_count;
    uint32_t lowest; /* rank not yet started */
    uint64_t device_idle, device_ready, link_touched;
    bool over;    /* a limit is sure to be exceeded */
    int64_t most; /* bytes on any device so far */
    regal_peak_place peak_place;
};

/* In buffer: the consumer reads the storage on the producer's device. */
template <class Id> static __device__ __forceinline__ Id own_storage(void) {
    return (Id) ~(Id)0;
}

template <class Id>
static __device__ __forceinline__ simulation<Id> simulation_at(const device_problem *problem,
                                                               unsigned char *state) {
    const state_layout *at = &problem->layout;
    simulation<Id> s;
    s.problem = problem;
    s.transfer_key = NULL;
    s.window = 0;
    s.tick_limit = s.peak_limit = INT64_MAX;
    s.missing.word = (uint32_t *)(state + at->missing);
    s.holds.word = (uint32_t *)(state + at->holds);
    s.copies.word = (uint32_t *)(state + at->copies);
    s.device = (uint8_t *)(state + at->device);
    s.rank = (Id *)(state + at->rank);
    s.op_at = (Id *)(state + at->op_at);
    s.buffer = (Id *)(state + at->buffer);
    s.sequence = (Id *)(state + at->sequence);
    s.heap = (typename simulation<Id>::key *)(state + at->heap);
    s.heap_begin = (uint32_t *)(state + at->heap_begin);
    s.heap_size = (uint32_t *)(state + at->heap_size);
    s.ready = (uint32_t *)(state + at->ready);
    s.unstarted = (uint32_t *)(state + at->unstarted);
    s.counts = (uint32_t *)(state + at->counts);
    s.event_tick = (int64_t *)(state + at->event_tick);
    s.event_item = (uint32_t *)(state + at->event_item);
    s.event_link = (uint32_t *)(state + at->event_link);
    s.link_idle = (uint64_t *)(state + at->link_idle);
    s.link_waiting = (uint64_t *)(state + at->link_waiting);
    s.memory = (int64_t *)(state + at->memory);
    s.peak = (int64_t *)(state + at->peak);
    s.load = (int64_t *)(state + at->load);
    s.tick = 0;
    s.event_count = 0;
    s.lowest = 0;
    s.device_idle = s.device_ready = s.link_touched = 0;
    s.over = false;
    s.most = 0;
    s.peak_place.rank = s.peak_place.device = 0;
    return s;
}

static inline int64_t layout_take(state_layout *layout, int64_t count, int64_t size) {
    const int64_t at = layout->bytes, bytes = count * size;
    layout->bytes = at + (bytes + 15) / 16 * 16;
    return at;
}

/* The layout for a view; windows: whether any individual has one above 1. Ids of sizeof(Id). */
template <class Id>
static inline state_layout state_layout_of(const regal_problem_view *view, bit_tree_shape tree,
                                           int32_t event_most) {
    typedef typename simulation<Id>::key key;
    const int64_t n = view->op_count, edges = view->edge_count, devices = view->device_count;
    const int64_t id = (int64_t)sizeof(Id), pairs = devices * devices;
    const int64_t heap = edges * (int64_t)sizeof(key), buffer = edges * id, counts = 256 * 4;
    state_layout at = {};
    at.event_tick = layout_take(&at, event_most, 8);
    at.event_item = layout_take(&at, event_most, 4);
    at.event_link = layout_take(&at, event_most, 4);
    at.link_idle = layout_take(&at, devices, 8);
    at.link_waiting = layout_take(&at, devices, 8);
    at.memory = layout_take(&at, devices, 8);
    at.peak = layout_take(&at, devices, 8);
    at.load = layout_take(&at, devices, 8);
    at.heap_begin = layout_take(&at, pairs, 4);
    at.heap_size = layout_take(&at, pairs, 4);
    at.ready = layout_take(&at, devices * tree.words, 4);
    at.unstarted = layout_take(&at, tree.words, 4);
    at.missing = layout_take(&at, counters<Id>::words(n), 4);
    at.holds = layout_take(&at, counters<Id>::words(view->tensor_count), 4);
    at.copies = layout_take(&at, counters<Id>::words(edges), 4);
    at.device = layout_take(&at, n, 1);
    at.rank = layout_take(&at, n, id);
    at.op_at = layout_take(&at, n, id);
    at.buffer = at.counts = layout_take(&at, buffer > counts ? buffer : counts, 1);
    at.heap = at.sequence = layout_take(&at, heap > n * id ? heap : n * id, 1);
    return at;
}

#endif
