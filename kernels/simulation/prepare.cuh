/* Before the simulation starts: who reads which buffer, how often, and how many transfers each link
 * will have. All of it follows from the placement. */
#ifndef REGAL_KERNELS_SIMULATION_PREPARE_CUH
#define REGAL_KERNELS_SIMULATION_PREPARE_CUH

#include "regal/core/duration.h"
#include "simulation/state.cuh"

/* A copy of a tensor is named by the first edge whose consumer is on its device. Edges come tensor
 * by tensor, 32 at a time; of a tensor that goes on in the next 32, the copies met so far are
 * remembered by device, for the time being where heap_begin will be. */
typedef struct copies_met {
    uint32_t *edge; /* [device] */
    uint64_t devices;
    int64_t tensor;
} copies_met;

/* The first edge of the group that the lane's edge is in: same tensor, same device. */
static __device__ __forceinline__ uint32_t first_of_group(copies_met *met, uint32_t group,
                                                          int64_t base, int64_t tensor, int32_t to,
                                                          bool *is_new) {
    const bool known = tensor == met->tensor && (met->devices >> to & 1) != 0;
    *is_new = !known && lanes_before(group, lane_number()) == 0;
    return known ? met->edge[to] : (uint32_t)(base + __ffs((int)group) - 1);
}

/* Remembers the copies of the last tensor of these 32 edges. */
static __device__ __forceinline__ void remember(copies_met *met, bool is_new, int64_t tensor,
                                                int32_t to, uint32_t first) {
    const int64_t last = (int64_t)__shfl_sync(ALL_LANES, (long long)tensor, REGAL_WARP - 1);
    const uint64_t devices = warp_or(is_new && tensor == last ? (uint64_t)1 << to : (uint64_t)0);
    if (is_new && tensor == last)
        met->edge[to] = first;
    met->devices = last == met->tensor ? met->devices | devices : devices;
    met->tensor = last;
    __syncwarp();
}

/* Fills buffer, holds, copies and heap_size (transfers of each link). */
template <class Id> static __device__ __forceinline__ void find_buffers(const simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    const int32_t lane = lane_number(), devices = view->device_count;
    copies_met met = {s->heap_begin, 0, -1};
    for (int64_t base = 0; base < view->edge_count; base += REGAL_WARP) {
        const int64_t edge = base + lane;
        const bool any = edge < view->edge_count;
        const int64_t tensor = any ? view->edge_tensor[edge] : -2;
        const int32_t from = any ? s->device[view->tensors[tensor].producer] : 0;
        const int32_t to = any ? s->device[view->consumer[edge]] : 0;
        const uint32_t group =
            __match_any_sync(ALL_LANES, (unsigned long long)tensor << 6 | (unsigned long long)to);
        const bool remote = from != to;
        bool is_new;
        const uint32_t first = first_of_group(&met, group, base, tensor, to, &is_new);
        is_new &= any;
        __syncwarp();
        remember(&met, is_new, tensor, to, first);
        if (!any)
            continue;
        s->buffer[edge] = remote ? (Id)first : own_storage<Id>();
        const uint32_t root = (uint32_t)view->tensors[tensor].root;
        if (lanes_before(group, lane) == 0) {
            const uint32_t readers = (uint32_t)__popc(group);
            if (remote)
                s->copies.add(first, readers);
            if (!remote || is_new)
                s->holds.add(root, remote ? 1 : readers);
        }
        if (remote && is_new)
            atomicAdd(&s->heap_size[from * devices + to], 1u);
    }
    __syncwarp();
}

/* Gives each link its part of the heap: heap_size -> heap_begin; heap_size becomes 0. */
template <class Id> static __device__ __forceinline__ void divide_heap(const simulation<Id> *s) {
    const int32_t lane = lane_number();
    const int32_t pairs = s->problem->view.device_count * s->problem->view.device_count;
    uint32_t sum = 0;
    for (int32_t base = 0; base < pairs; base += REGAL_WARP) {
        const int32_t pair = base + lane;
        const uint32_t size = pair < pairs ? s->heap_size[pair] : 0;
        uint32_t upto = size;
        for (int32_t distance = 1; distance < REGAL_WARP; distance *= 2) {
            const uint32_t other = __shfl_up_sync(ALL_LANES, upto, distance);
            upto += lane >= distance ? other : 0;
        }
        if (pair < pairs) {
            s->heap_begin[pair] = sum + upto - size;
            s->heap_size[pair] = 0;
        }
        sum += __shfl_sync(ALL_LANES, upto, REGAL_WARP - 1);
    }
    __syncwarp();
}

/* A lane's own: adds to a sum that other lanes add to as well. */
static __device__ __forceinline__ void add_shared(int64_t *sum, int64_t value) {
    atomicAdd((unsigned long long *)sum, (unsigned long long)value);
}

/* Resident parameters: once on every device that hosts one of their ops. */
template <class Id> static __device__ __forceinline__ void take_resident(simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    for (int64_t p = lane_number(); p < view->parameter_count; p += REGAL_WARP) {
        uint64_t hosts = 0;
        for (int64_t i = view->parameter_begin[p]; i < view->parameter_begin[p + 1]; ++i)
            hosts |= (uint64_t)1 << s->device[view->parameter_op[i]];
        for (; hosts != 0; hosts &= hosts - 1)
            add_shared(&s->memory[regal_set_first(hosts)], view->parameter_bytes[p]);
    }
    __syncwarp();
    bool over = false;
    for (int32_t d = lane_number(); d < view->device_count; d += REGAL_WARP) {
        s->peak[d] = s->memory[d];
        over |= s->peak[d] > s->peak_limit;
    }
    s->over = __any_sync(ALL_LANES, over) != 0;
    for (int32_t d = 0; d < view->device_count; ++d)
        s->most = s->memory[d] > s->most ? s->memory[d] : s->most;
    __syncwarp();
}

/* Loads of the devices, which alone may exceed the limit. */
template <class Id> static __device__ __forceinline__ void sum_loads(simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    for (int64_t op = lane_number(); op < view->op_count; op += REGAL_WARP)
        add_shared(&s->load[s->device[op]], regal_op_ticks(view, (regal_id)op, s->device[op]));
    __syncwarp();
    bool over = false;
    for (int32_t d = lane_number(); d < view->device_count; d += REGAL_WARP)
        over |= s->load[d] > s->tick_limit;
    s->over |= __any_sync(ALL_LANES, over) != 0;
}

template <class Id> static __device__ __forceinline__ void clear_state(simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    const int32_t lane = lane_number(), devices = view->device_count;
    const uint64_t all = devices == 64 ? ~(uint64_t)0 : ((uint64_t)1 << devices) - 1;
    clear_words(s->missing.word, counters<Id>::words(view->op_count));
    clear_words(s->holds.word, counters<Id>::words(view->tensor_count));
    clear_words(s->copies.word, counters<Id>::words(view->edge_count));
    clear_words(s->ready, (int64_t)devices * s->problem->tree.words);
    clear_words(s->heap_size, devices * devices);
    if (s->window > 1)
        bit_tree_fill(&s->problem->tree, s->unstarted, view->op_count);
    for (int32_t d = lane; d < devices; d += REGAL_WARP) {
        s->memory[d] = s->load[d] = 0;
        s->link_idle[d] = all;
        s->link_waiting[d] = 0;
    }
    s->tick = 0;
    s->event_count = 0;
    s->lowest = 0;
    s->most = 0;
    s->peak_place.rank = s->peak_place.device = 0;
    s->device_idle = all;
    s->device_ready = s->link_touched = 0;
    __syncwarp();
}

/* Counts what each op waits for; those that wait for nothing are ready. */
template <class Id> static __device__ __forceinline__ void count_missing(simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    uint64_t ready = 0;
    for (int64_t op = lane_number(); op < view->op_count; op += REGAL_WARP) {
        const uint32_t count = (uint32_t)view->ops[op].predecessor_count;
        if (count > 0) {
            s->missing.add((uint32_t)op, count);
            continue;
        }
        bit_tree_add(&s->problem->tree, s->ready + s->device[op] * s->problem->tree.words,
                     s->rank[op]);
        ready |= (uint64_t)1 << s->device[op];
    }
    s->device_ready = warp_or(ready);
    __syncwarp();
}

/* Placement and ranks are there: sets up all else. Kept uses of outputs never end. */
template <class Id> static __device__ __forceinline__ void prepare(simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    clear_state(s);
    find_buffers(s);
    divide_heap(s);
    for (int64_t t = lane_number(); t < view->tensor_count; t += REGAL_WARP)
        if (view->tensors[t].kept)
            s->holds.add((uint32_t)t, 1);
    take_resident(s);
    if (s->tick_limit < INT64_MAX)
        sum_loads(s);
    count_missing(s);
}

#endif
