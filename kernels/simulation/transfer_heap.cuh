/* The waiting transfers of a link: a heap whose nodes have 32 children, which a warp compares at
 * once. A key is the transfer's order, then its edge: the least one goes first (DESIGN 3). */
#ifndef REGAL_KERNELS_SIMULATION_TRANSFER_HEAP_CUH
#define REGAL_KERNELS_SIMULATION_TRANSFER_HEAP_CUH

#include "simulation/warp.cuh"

/* Keys of the id types. */
template <class Id> struct transfer_key;

template <> struct transfer_key<uint16_t> {
    typedef uint32_t type;
    static __device__ __forceinline__ type make(uint32_t order, uint32_t edge) {
        return order << 16 | edge;
    }
    static __device__ __forceinline__ uint32_t edge(type key) { return key & 0xffffu; }
};

template <> struct transfer_key<uint32_t> {
    typedef uint64_t type;
    static __device__ __forceinline__ type make(uint32_t order, uint32_t edge) {
        return (uint64_t)order << 32 | edge;
    }
    static __device__ __forceinline__ uint32_t edge(type key) { return (uint32_t)key; }
};

/* heap [size + 1]. Barrier inside. */
template <class Key>
static __device__ __forceinline__ void transfer_heap_push(Key *heap, uint32_t size, Key key) {
    if (lane_number() == 0) {
        uint32_t place = size;
        for (; place > 0 && heap[(place - 1) / 32] > key; place = (place - 1) / 32)
            heap[place] = heap[(place - 1) / 32];
        heap[place] = key;
    }
    __syncwarp();
}

/* Removes the least key from heap [size], size > 0. Barriers inside. */
template <class Key>
static __device__ __forceinline__ Key transfer_heap_pop(Key *heap, uint32_t size) {
    const Key first = heap[0], moved = heap[size - 1], none = (Key) ~(Key)0;
    const uint32_t rest = size - 1;
    uint32_t place = 0;
    while (true) {
        const uint64_t child = (uint64_t)place * 32 + 1 + (uint32_t)lane_number();
        const Key mine = child < rest ? heap[child] : none;
        const Key least = warp_min(mine);
        if (least >= moved) /* also where there is no child */
            break;
        const uint32_t at = (uint32_t)__ffs((int)__ballot_sync(ALL_LANES, mine == least)) - 1;
        __syncwarp(); /* all have read what is overwritten next */
        if (lane_number() == 0)
            heap[place] = least;
        place = place * 32 + 1 + at;
    }
    __syncwarp();
    if (lane_number() == 0)
        heap[place] = moved;
    __syncwarp();
    return first;
}

#endif
