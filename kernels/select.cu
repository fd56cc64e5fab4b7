/* Selection among chains: the best take the places of the worst. */
#include "instance.cuh"

enum { SELECT_THREADS = 256 };

/* A block an island. Sorts its chains by (cost, number); sets its reference. */
static __global__ void __launch_bounds__(SELECT_THREADS)
    sort_chains_kernel(device_search search, regal_island_range range) {
    __shared__ long long least[SELECT_THREADS];
    for (int64_t i = blockIdx.x; i < range.count; i += gridDim.x) {
        device_island *island = &search.islands[range.first + i];
        const device_chains *chains = &island->chains;
        long long mine = INT64_MAX;
        for (int64_t c = threadIdx.x; c < island->chain_count; c += SELECT_THREADS) {
            const int64_t cost = chains->cost[c];
            int64_t before = 0;
            for (int64_t other = 0; other < island->chain_count; ++other)
                before += chains->cost[other] < cost || (chains->cost[other] == cost && other < c);
            chains->by_cost[before] = c;
            mine = chains->least[c] < mine ? chains->least[c] : mine;
        }
        least[threadIdx.x] = mine;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int32_t t = 1; t < SELECT_THREADS; ++t)
                mine = least[t] < mine ? least[t] : mine;
            island->reference = mine;
        }
        __syncthreads();
    }
}

/* A block for each of the `replaced` worst chains of each island. */
static __global__ void __launch_bounds__(SELECT_THREADS)
    replace_chains_kernel(device_search search, regal_island_range range, int64_t replaced) {
    for (int64_t i = blockIdx.x; i < range.count * replaced; i += gridDim.x) {
        const device_island *island = &search.islands[range.first + i / replaced];
        const device_chains *chains = &island->chains;
        const int64_t n = search.problems[island->problem].view.op_count, k = i % replaced;
        const int64_t from = chains->by_cost[k];
        const int64_t to = chains->by_cost[island->chain_count - 1 - k];
        const int64_t cost = chains->cost[from];
        if (cost >= chains->cost[to])
            continue;
        __syncthreads(); /* all have read the cost that is overwritten */
        for (int64_t op = threadIdx.x; op < n; op += SELECT_THREADS) {
            chains->device[to * n + op] = chains->device[from * n + op];
            chains->key[to * n + op] = chains->key[from * n + op];
        }
        if (threadIdx.x == 0) {
            chains->cost[to] = cost;
            chains->aim[to] = chains->aim[from];
            chains->window[to] = chains->window[from];
        }
    }
}

regal_status regal_cuda_select_chains(regal_backend_instance *self, regal_island_range range,
                                      int64_t replaced) {
    const regal_launch sort = {range.count, SELECT_THREADS, 0, self->stream};
    REGAL_CUDA(regal_cuda_launch(&sort, sort_chains_kernel, self->search, range));
    const regal_launch replace = {range.count * replaced, SELECT_THREADS, 0, self->stream};
    REGAL_CUDA(regal_cuda_launch(&replace, replace_chains_kernel, self->search, range, replaced));
    return REGAL_OK;
}
