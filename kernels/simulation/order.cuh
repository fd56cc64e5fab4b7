/* Priority keys -> ranks (DESIGN 3, Rank), by a warp. */
#ifndef REGAL_KERNELS_SIMULATION_ORDER_CUH
#define REGAL_KERNELS_SIMULATION_ORDER_CUH

#include "simulation/state.cuh"

/* Sums of what comes before, in place: counts [256]. Barriers inside. */
static __device__ __forceinline__ void prefix_counts(uint32_t *counts) {
    const int32_t lane = lane_number();
    uint32_t sum = 0, mine[8];
    for (int32_t i = 0; i < 8; ++i) {
        mine[i] = sum;
        sum += counts[lane * 8 + i];
    }
    uint32_t before = sum;
    for (int32_t distance = 1; distance < REGAL_WARP; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, before, distance);
        before += lane >= distance ? other : 0;
    }
    before -= sum;
    for (int32_t i = 0; i < 8; ++i)
        counts[lane * 8 + i] = before + mine[i];
    __syncwarp();
}

/* One stable pass over a byte of the inverted keys. from [n]: NULL for 0..n-1. counts [256]. */
template <class Id>
static __device__ __forceinline__ void sort_by_byte(const uint16_t *key, int32_t shift,
                                                    const Id *from, Id *to, int64_t n,
                                                    uint32_t *counts) {
    const int32_t lane = lane_number();
    clear_words(counts, 256);
    __syncwarp();
    for (int64_t i = lane; i < n; i += REGAL_WARP) {
        const uint16_t inverse = (uint16_t)~key[from != NULL ? from[i] : i];
        atomicAdd(&counts[inverse >> shift & 255], 1u);
    }
    __syncwarp();
    prefix_counts(counts);
    for (int64_t base = 0; base < n; base += REGAL_WARP) {
        const int64_t i = base + lane;
        const uint32_t op = i >= n ? 0 : from != NULL ? (uint32_t)from[i] : (uint32_t)i;
        const uint32_t byte = i < n ? (uint32_t)(uint16_t)~key[op] >> shift & 255 : 256;
        const uint32_t peers = __match_any_sync(ALL_LANES, byte);
        const uint32_t place = byte < 256 ? counts[byte] + (uint32_t)lanes_before(peers, lane) : 0;
        __syncwarp();
        if (byte < 256) {
            to[place] = (Id)op;
            if (lanes_before(peers, lane) == 0)
                counts[byte] += (uint32_t)__popc(peers);
        }
        __syncwarp();
    }
}

/* rank[op_at[i]] = i. */
template <class Id>
static __device__ __forceinline__ void invert_order(const Id *op_at, Id *rank, int64_t n) {
    for (int64_t i = lane_number(); i < n; i += REGAL_WARP)
        rank[op_at[i]] = (Id)i;
    __syncwarp();
}

/* A lane's own: one predecessor of `op` is done. */
template <class Id>
static __device__ __forceinline__ void kahn_release(const simulation<Id> *s, uint32_t op) {
    if (s->missing.take(op) == 1)
        bit_tree_add(&s->problem->tree, s->ready, s->rank[op]);
}

/* Kahn's order by s->rank, written to s->sequence. Uses s->missing and the first tree of s->ready.
 */
template <class Id> static __device__ __forceinline__ void kahn_order(const simulation<Id> *s) {
    const regal_problem_view *view = &s->problem->view;
    const bit_tree_shape *tree = &s->problem->tree;
    const int64_t n = view->op_count, lane = lane_number();
    clear_words(s->missing.word, counters<Id>::words(n));
    clear_words(s->ready, tree->words);
    __syncwarp();
    for (int64_t op = lane; op < n; op += REGAL_WARP) {
        const uint32_t count = (uint32_t)view->ops[op].predecessor_count;
        if (count == 0)
            bit_tree_add(tree, s->ready, s->rank[op]);
        s->missing.add((uint32_t)op, count);
    }
    __syncwarp();
    for (int64_t place = 0; place < n; ++place) {
        const uint32_t first = bit_tree_first(tree, s->ready);
        const uint32_t op = s->op_at[first];
        bit_tree_remove(tree, s->ready, first);
        if (lane == 0)
            s->sequence[place] = (Id)op;
        for (int64_t o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[o]];
            for (int64_t e = tensor[0].consumer_begin + lane; e < tensor[1].consumer_begin;
                 e += REGAL_WARP)
                kahn_release(s, (uint32_t)view->consumer[e]);
        }
        for (int64_t c = view->ops[op].control_begin + lane; c < view->ops[op + 1].control_begin;
             c += REGAL_WARP)
            kahn_release(s, (uint32_t)view->control_successor[c]);
        __syncwarp();
    }
}

/* priority [op] -> s->rank, s->op_at. */
template <class Id>
static __device__ __forceinline__ void order_ops(const simulation<Id> *s,
                                                 const uint16_t *priority) {
    const int64_t n = s->problem->view.op_count;
    sort_by_byte(priority, 0, (const Id *)NULL, s->sequence, n, s->counts);
    sort_by_byte(priority, 8, s->sequence, s->op_at, n, s->counts);
    invert_order(s->op_at, s->rank, n);
    if (s->window == 0)
        return;
    kahn_order(s);
    for (int64_t i = lane_number(); i < n; i += REGAL_WARP)
        s->op_at[i] = s->sequence[i];
    __syncwarp();
    invert_order(s->op_at, s->rank, n);
}

#endif
