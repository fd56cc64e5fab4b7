/* The simulation (DESIGN 3), by a warp: lanes go over the consumers and inputs of an op; what all
 * must know they work out alike. Held to core/simulate.h. */
#ifndef REGAL_KERNELS_SIMULATION_RUN_CUH
#define REGAL_KERNELS_SIMULATION_RUN_CUH

#include "simulation/prepare.cuh"

template <class Id>
static __device__ __forceinline__ void take_memory(simulation<Id> *s, int32_t device,
                                                   int64_t bytes) {
    const int64_t memory = s->memory[device] + bytes, peak = s->peak[device];
    __syncwarp();
    if (lane_number() == 0) {
        s->memory[device] = memory;
        s->peak[device] = memory > peak ? memory : peak;
    }
    s->over |= memory > s->peak_limit;
    if (memory > s->most) {
        s->most = memory;
        s->peak_place.rank = (regal_id)s->lowest;
        s->peak_place.device = device;
    }
    __syncwarp();
}

/* Something is in work until `tick`: an op, where link is from a device to itself, or an edge. */
template <class Id>
static __device__ __forceinline__ void push_event(simulation<Id> *s, int64_t tick, uint32_t item,
                                                  uint32_t link) {
    if (lane_number() == 0) {
        s->event_tick[s->event_count] = tick;
        s->event_item[s->event_count] = item;
        s->event_link[s->event_count] = link;
    }
    ++s->event_count;
}

template <class Id>
static __device__ __forceinline__ uint32_t *ready_of(const simulation<Id> *s, int32_t device) {
    return s->ready + (int64_t)device * s->problem->tree.words;
}

/* A lane's own: one input or control predecessor of an op on `device` is there. True if it was the
 * last. */
template <class Id>
static __device__ __forceinline__ bool release_op(const simulation<Id> *s, uint32_t op,
                                                  int32_t device) {
    if (s->missing.take(op) != 1)
        return false;
    if (s->window != 1) /* then only the lowest rank matters */
        bit_tree_add(&s->problem->tree, ready_of(s, device), s->rank[op]);
    return true;
}

/* The order among the transfers of a link: by the transfer key, or by the best rank among the
 * consumers that read the copy `first`. */
template <class Id>
static __device__ __forceinline__ uint32_t transfer_order(const simulation<Id> *s,
                                                          const regal_tensor_facts *tensor,
                                                          uint32_t first) {
    if (s->transfer_key != NULL)
        return 65535u - s->transfer_key[tensor->producer];
    uint32_t best = 0xffffffffu;
    for (int64_t e = (int64_t)first + lane_number(); e < tensor[1].consumer_begin; e += REGAL_WARP)
        if (s->buffer[e] == (Id)first) {
            const uint32_t rank = s->rank[s->problem->view.consumer[e]];
            best = rank < best ? rank : best;
        }
    return warp_min(best);
}

template <class Id>
static __device__ __forceinline__ void
queue_transfer(simulation<Id> *s, const regal_tensor_facts *tensor, uint32_t first, int32_t from) {
    const regal_problem_view *view = &s->problem->view;
    const int32_t to = s->device[view->consumer[first]], link = from * view->device_count + to;
    const uint32_t size = s->heap_size[link], order = transfer_order(s, tensor, first);
    const uint64_t waiting = s->link_waiting[from] | (uint64_t)1 << to;
    transfer_heap_push(s->heap + s->heap_begin[link], size, transfer_key<Id>::make(order, first));
    if (lane_number() == 0) {
        s->heap_size[link] = size + 1;
        s->link_waiting[from] = waiting;
    }
    s->link_touched |= (uint64_t)1 << from;
    __syncwarp();
}

/* The producer of a tensor has finished on `from`: local consumers have it, each remote device gets
 * a transfer. */
template <class Id>
static __device__ __forceinline__ void finish_tensor(simulation<Id> *s, int64_t number,
                                                     int32_t from) {
    const regal_problem_view *view = &s->problem->view;
    const regal_tensor_facts *tensor = &view->tensors[number];
    bool ready = false;
    for (int64_t base = tensor[0].consumer_begin; base < tensor[1].consumer_begin;
         base += REGAL_WARP) {
        const int64_t edge = base + lane_number();
        const bool any = edge < tensor[1].consumer_begin;
        const Id buffer = any ? s->buffer[edge] : (Id)0;
        if (any && buffer == own_storage<Id>())
            ready |= release_op(s, (uint32_t)view->consumer[edge], from);
        uint32_t firsts = __ballot_sync(ALL_LANES, any && buffer == (Id)edge);
        for (; firsts != 0; firsts &= firsts - 1)
            queue_transfer(s, tensor, (uint32_t)(base + __ffs((int)firsts) - 1), from);
    }
    if (__any_sync(ALL_LANES, ready))
        s->device_ready |= (uint64_t)1 << from;
}

/* A lane's own: one use of what input i of an op reads has ended; returns the bytes that it frees.
 */
template <class Id>
static __device__ __forceinline__ int64_t release_input(const simulation<Id> *s, int64_t i) {
    const regal_problem_view *view = &s->problem->view;
    const regal_input input = view->inputs[i];
    const Id buffer = s->buffer[input.edge];
    const bool own = buffer == own_storage<Id>();
    const int64_t tensor = own ? view->tensors[input.tensor].root : input.tensor;
    const uint32_t uses = own ? s->holds.take((uint32_t)tensor) : s->copies.take((uint32_t)buffer);
    return uses == 1 ? view->tensors[tensor].bytes : 0;
}

/* Bytes of the op's outputs that nothing uses; lanes have a part of the sum each. */
template <class Id>
static __device__ __forceinline__ int64_t unused_outputs(const simulation<Id> *s, int64_t op) {
    const regal_problem_view *view = &s->problem->view;
    int64_t bytes = 0;
    for (int64_t o = view->ops[op].output_begin + lane_number(); o < view->ops[op + 1].output_begin;
         o += REGAL_WARP) {
        const int64_t tensor = view->output_tensor[o];
        if (view->tensors[tensor].root == tensor && s->holds.get((uint32_t)tensor) == 0)
            bytes += view->tensors[tensor].bytes;
    }
    return bytes;
}

template <class Id>
static __device__ __forceinline__ void release_successors(simulation<Id> *s, int64_t op) {
    const regal_problem_view *view = &s->problem->view;
    uint64_t ready = 0;
    const int64_t begin = view->ops[op].control_begin, end = view->ops[op + 1].control_begin;
    if (begin == end)
        return;
    for (int64_t c = begin + lane_number(); c < end; c += REGAL_WARP) {
        const uint32_t successor = (uint32_t)view->control_successor[c];
        const int32_t device = s->device[successor];
        if (release_op(s, successor, device))
            ready |= (uint64_t)1 << device;
    }
    s->device_ready |= warp_or(ready);
}

template <class Id>
static __device__ __forceinline__ void finish_op(simulation<Id> *s, int64_t op, int32_t device) {
    const regal_problem_view *view = &s->problem->view;
    s->device_idle |= (uint64_t)1 << device;
    for (int64_t o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o)
        finish_tensor(s, view->output_tensor[o], device);
    int64_t freed = lane_number() == 0 ? view->ops[op].workspace : 0;
    freed += unused_outputs(s, op);
    __syncwarp();
    for (int64_t i = view->ops[op].input_begin + lane_number(); i < view->ops[op + 1].input_begin;
         i += REGAL_WARP)
        freed += release_input(s, i);
    release_successors(s, op);
    if (__any_sync(ALL_LANES, freed != 0)) {
        freed = warp_sum(freed);
        if (lane_number() == 0)
            s->memory[device] -= freed;
    }
    __syncwarp();
}

template <class Id>
static __device__ __forceinline__ void finish_transfer(simulation<Id> *s, int64_t first,
                                                       int32_t from, int32_t to) {
    const regal_problem_view *view = &s->problem->view;
    const regal_tensor_facts *tensor = &view->tensors[view->edge_tensor[first]];
    bool ready = false;
    for (int64_t e = first + lane_number(); e < tensor[1].consumer_begin; e += REGAL_WARP)
        if (s->buffer[e] == (Id)first)
            ready |= release_op(s, (uint32_t)view->consumer[e], to);
    if (__any_sync(ALL_LANES, ready))
        s->device_ready |= (uint64_t)1 << to;
    if (lane_number() == 0) {
        const uint32_t root = (uint32_t)tensor->root;
        if (s->holds.take(root) == 1)
            s->memory[from] -= view->tensors[root].bytes;
        s->link_idle[from] |= (uint64_t)1 << to;
    }
    s->link_touched |= (uint64_t)1 << from;
    __syncwarp();
}

template <class Id>
static __device__ __forceinline__ int64_t least_event_tick(const simulation<Id> *s) {
    uint64_t least = ~(uint64_t)0;
    for (int32_t i = lane_number(); i < s->event_count; i += REGAL_WARP) {
        const uint64_t tick = (uint64_t)s->event_tick[i];
        least = tick < least ? tick : least;
    }
    return (int64_t)warp_min(least);
}

/* Moves time to the next tick at which something finishes, and finishes all that does then. Events
 * are in no order; those that stay close ranks. */
template <class Id> static __device__ __forceinline__ void finish_events(simulation<Id> *s) {
    const int32_t lane = lane_number(), count = s->event_count;
    const int32_t devices = s->problem->view.device_count;
    int32_t kept = 0;
    s->tick = least_event_tick(s);
    for (int32_t base = 0; base < count; base += REGAL_WARP) {
        const int32_t i = base + lane;
        const bool any = i < count;
        const int64_t tick = any ? s->event_tick[i] : 0;
        const uint32_t item = any ? s->event_item[i] : 0, link = any ? s->event_link[i] : 0;
        const bool stays = any && tick != s->tick;
        const uint32_t staying = __ballot_sync(ALL_LANES, stays);
        uint32_t done = __ballot_sync(ALL_LANES, any && !stays);
        __syncwarp();
        if (stays) {
            const int32_t to = kept + lanes_before(staying, lane);
            s->event_tick[to] = tick;
            s->event_item[to] = item;
            s->event_link[to] = link;
        }
        kept += __popc(staying);
        for (; done != 0; done &= done - 1) {
            const int32_t which = __ffs((int)done) - 1;
            const int64_t what = __shfl_sync(ALL_LANES, item, which);
            const int32_t where = (int32_t)__shfl_sync(ALL_LANES, link, which);
            const int32_t from = where / devices, to = where % devices;
            if (from == to)
                finish_op(s, what, from);
            else
                finish_transfer(s, what, from, to);
        }
    }
    s->event_count = kept;
    __syncwarp();
}

template <class Id>
static __device__ __forceinline__ int64_t transfer_ticks(const simulation<Id> *s, int64_t tensor,
                                                         int32_t from, int32_t to) {
    const device_problem *problem = s->problem;
    const regal_problem_view *view = &problem->view;
    if (problem->kind_ticks == NULL)
        return regal_transfer_ticks(view, (regal_id)tensor, from, to);
    const int64_t kind = problem->link_kind[from * view->device_count + to];
    return problem->kind_ticks[kind * view->tensor_count + tensor];
}

/* The best waiting transfer of an idle link; true if none is left. */
template <class Id>
static __device__ __forceinline__ bool start_transfer(simulation<Id> *s, int32_t from, int32_t to) {
    const regal_problem_view *view = &s->problem->view;
    const int32_t link = from * view->device_count + to;
    const uint32_t size = s->heap_size[link];
    const uint32_t edge =
        transfer_key<Id>::edge(transfer_heap_pop(s->heap + s->heap_begin[link], size));
    const int64_t tensor = view->edge_tensor[edge];
    if (lane_number() == 0)
        s->heap_size[link] = size - 1;
    take_memory(s, to, view->tensors[tensor].bytes);
    push_event(s, s->tick + transfer_ticks(s, tensor, from, to), edge, (uint32_t)link);
    return size == 1;
}

template <class Id> static __device__ __forceinline__ void start_transfers(simulation<Id> *s) {
    for (; s->link_touched != 0; s->link_touched &= s->link_touched - 1) {
        const int32_t from = regal_set_first(s->link_touched);
        uint64_t idle = s->link_idle[from], waiting = s->link_waiting[from];
        for (uint64_t set = idle & waiting; set != 0; set &= set - 1) {
            const int32_t to = regal_set_first(set);
            idle &= ~((uint64_t)1 << to);
            if (start_transfer(s, from, to))
                waiting &= ~((uint64_t)1 << to);
        }
        __syncwarp();
        if (lane_number() == 0) {
            s->link_idle[from] = idle;
            s->link_waiting[from] = waiting;
        }
        __syncwarp();
    }
}

template <class Id>
static __device__ __forceinline__ void start_op(simulation<Id> *s, uint32_t op, int32_t device) {
    const regal_problem_view *view = &s->problem->view;
    const int64_t ticks = regal_op_ticks(view, (regal_id)op, device);
    s->device_idle &= ~((uint64_t)1 << device);
    take_memory(s, device, view->ops[op].start_bytes);
    if (s->tick_limit < INT64_MAX) {
        const int64_t load = s->load[device];
        s->over |= s->tick + load > s->tick_limit || s->tick + view->tail[op] > s->tick_limit;
        __syncwarp();
        if (lane_number() == 0)
            s->load[device] = load - ticks;
    }
    push_event(s, s->tick + ticks, op, (uint32_t)(device * (view->device_count + 1)));
}

/* Window 1: ops start in the order of ranks. */
template <class Id> static __device__ __forceinline__ void start_in_order(simulation<Id> *s) {
    while (s->lowest < (uint32_t)s->problem->view.op_count) {
        const uint32_t op = s->op_at[s->lowest];
        const int32_t device = s->device[op];
        if (s->missing.get(op) != 0 || (s->device_idle >> device & 1) == 0)
            break;
        ++s->lowest;
        start_op(s, op, device);
    }
}

/* One pass over the devices; true if something started. */
template <class Id> static __device__ __forceinline__ bool start_pass(simulation<Id> *s) {
    const bit_tree_shape *tree = &s->problem->tree;
    bool any = false;
    for (uint64_t set = s->device_idle & s->device_ready; set != 0; set &= set - 1) {
        const int32_t device = regal_set_first(set);
        const uint32_t rank = bit_tree_first(tree, ready_of(s, device));
        if (s->window > 0) {
            if ((int64_t)rank - (int64_t)s->lowest >= s->window)
                continue;
            s->lowest = bit_tree_remove(tree, s->unstarted, rank)
                            ? (uint32_t)s->problem->view.op_count
                            : bit_tree_first(tree, s->unstarted);
        }
        if (bit_tree_remove(tree, ready_of(s, device), rank))
            s->device_ready &= ~((uint64_t)1 << device);
        start_op(s, s->op_at[rank], device);
        any = true;
    }
    return any;
}

/* Runs the placement s->device and the order s->rank. Returns the makespan, with the peaks in
 * s->peak; or -1 if and only if one of them exceeds its limit. */
template <class Id> static __device__ __forceinline__ int64_t run_simulation(simulation<Id> *s) {
    prepare(s);
    while (!s->over) {
        start_transfers(s);
        if (s->window == 1)
            start_in_order(s);
        else
            while (start_pass(s) && s->window > 1)
                ;
        __syncwarp();
        if (s->event_count == 0)
            break;
        finish_events(s);
    }
    __syncwarp();
    return s->over || s->tick > s->tick_limit ? -1 : s->tick;
}

#endif
