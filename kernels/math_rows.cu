/* Operations on rows. All but normalize: groups of threads take rows, grid-stride, and the threads
 * of a group columns, so that neighbours read neighbours. Compiled without fused multiply-add: the
 * CPU has none. */
#include "math.cuh"

enum { ROW_THREADS = 256 };

/* Which cells a thread does. */
typedef struct cell_walk {
    int64_t row, row_step, column, column_step;
} cell_walk;

/* group: 2^group_log2 threads. */
static __device__ __forceinline__ cell_walk walk_cells(int32_t group_log2) {
    const int32_t groups = ROW_THREADS >> group_log2;
    cell_walk walk;
    walk.row = (int64_t)blockIdx.x * groups + (int32_t)(threadIdx.x >> group_log2);
    walk.row_step = (int64_t)gridDim.x * groups;
    walk.column = threadIdx.x & ((1u << group_log2) - 1);
    walk.column_step = (int64_t)1 << group_log2;
    return walk;
}

#define FOR_EACH_CELL(group_log2, to, r, c)                       \
    const cell_walk walk = walk_cells(group_log2);                \
    for (int64_t r = walk.row; r < (to).rows; r += walk.row_step) \
        for (int64_t c = walk.column; c < (to).columns; c += walk.column_step)

/* The least power of two that has a thread for each column, or all of a block. */
static int32_t group_for(int64_t columns) {
    int32_t log2 = 0;
    while ((1 << log2) < ROW_THREADS && (1 << log2) < columns)
        ++log2;
    return log2;
}

static regal_launch launch_for(const regal_math_context *self, regal_matrix to) {
    const int64_t rows = ROW_THREADS >> group_for(to.columns);
    const regal_launch launch = {to.columns > 0 ? (to.rows + rows - 1) / rows : 0, ROW_THREADS, 0,
                                 self->stream};
    return launch;
}

#define LAUNCH_FOR(self, to, kernel, ...)                                                    \
    do {                                                                                     \
        const regal_launch launch = launch_for((self), (to));                                \
        REGAL_CUDA(cudaSetDevice((self)->gpu));                                              \
        REGAL_CUDA(                                                                          \
            regal_cuda_launch(&launch, kernel, group_for((to).columns), (to), __VA_ARGS__)); \
        return REGAL_OK;                                                                     \
    } while (0)

static __device__ __forceinline__ float *cell(const regal_matrix &m, int64_t r, int64_t c) {
    return &m.at[r * m.stride + c];
}

static __device__ __forceinline__ float at(const regal_rows &m, int64_t r, int64_t c) {
    return m.at[r * m.stride + c];
}

static __device__ __forceinline__ float at_index(const regal_rows &m, int32_t index, int64_t c) {
    return index >= 0 ? at(m, index, c) : 0.0f;
}

static __device__ __forceinline__ void put(const regal_matrix &to, int64_t r, int64_t c,
                                           float value, bool add) {
    float *place = cell(to, r, c);
    *place = add ? *place + value : value;
}

static __global__ void __launch_bounds__(ROW_THREADS)
    fill_kernel(int32_t group_log2, regal_matrix to, float value) {
    FOR_EACH_CELL(group_log2, to, r, c)
    *cell(to, r, c) = value;
}

regal_status regal_cuda_fill(regal_math_context *self, regal_matrix to, float value) {
    LAUNCH_FOR(self, to, fill_kernel, value);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    gather_kernel(int32_t group_log2, regal_matrix to, regal_rows from, const int32_t *index,
                  bool add) {
    FOR_EACH_CELL(group_log2, to, r, c) {
        const int32_t i = index[r];
        if (i >= 0 || !add)
            put(to, r, c, at_index(from, i, c), add);
    }
}

regal_status regal_cuda_gather(regal_math_context *self, regal_matrix to, regal_rows from,
                               const int32_t *index, bool add) {
    LAUNCH_FOR(self, to, gather_kernel, from, index, add);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    gather_pair_kernel(int32_t group_log2, regal_matrix to, regal_activation activation,
                       regal_rows a, const int32_t *of_a, regal_rows b, const int32_t *of_b) {
    FOR_EACH_CELL(group_log2, to, r, c)
    *cell(to, r, c) =
        regal_activation_of(activation, at_index(a, of_a[r], c) + at_index(b, of_b[r], c));
}

regal_status regal_cuda_gather_pair(regal_math_context *self, regal_activation activation,
                                    regal_matrix to, regal_rows a, const int32_t *of_a,
                                    regal_rows b, const int32_t *of_b) {
    LAUNCH_FOR(self, to, gather_pair_kernel, activation, a, of_a, b, of_b);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    segmented_sum_kernel(int32_t group_log2, regal_matrix to, regal_rows from, const int32_t *begin,
                         const int32_t *item, bool add) {
    FOR_EACH_CELL(group_log2, to, s, c) {
        const int32_t end = begin[s + 1];
        float sum = 0.0f;
        for (int32_t i = begin[s]; i < end; ++i)
            sum += at(from, item != NULL ? item[i] : i, c);
        put(to, s, c, sum, add);
    }
}

regal_status regal_cuda_segmented_sum(regal_math_context *self, regal_matrix to, regal_rows from,
                                      const int32_t *begin, const int32_t *item, bool add) {
    LAUNCH_FOR(self, to, segmented_sum_kernel, from, begin, item, add);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    activate_kernel(int32_t group_log2, regal_matrix to, regal_activation activation,
                    regal_rows from, const float *bias) {
    FOR_EACH_CELL(group_log2, to, r, c) {
        const float x = at(from, r, c);
        *cell(to, r, c) = regal_activation_of(activation, bias != NULL ? x + bias[c] : x);
    }
}

regal_status regal_cuda_activate(regal_math_context *self, regal_activation activation,
                                 regal_matrix to, regal_rows from, const float *bias) {
    LAUNCH_FOR(self, to, activate_kernel, activation, from, bias);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    activate_gradient_kernel(int32_t group_log2, regal_matrix to, regal_activation activation,
                             regal_rows result, regal_rows gradient) {
    FOR_EACH_CELL(group_log2, to, r, c)
    *cell(to, r, c) = at(gradient, r, c) * regal_activation_slope(activation, at(result, r, c));
}

regal_status regal_cuda_activate_gradient(regal_math_context *self, regal_activation activation,
                                          regal_matrix to, regal_rows result, regal_rows gradient) {
    LAUNCH_FOR(self, to, activate_gradient_kernel, activation, result, gradient);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    scale_rows_kernel(int32_t group_log2, regal_matrix to, const float *factor, regal_rows from,
                      bool add) {
    FOR_EACH_CELL(group_log2, to, r, c)
    put(to, r, c, factor[r] * at(from, r, c), add);
}

regal_status regal_cuda_scale_rows(regal_math_context *self, regal_matrix to, const float *factor,
                                   regal_rows from, bool add) {
    LAUNCH_FOR(self, to, scale_rows_kernel, factor, from, add);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    multiply_kernel(int32_t group_log2, regal_matrix to, regal_rows a, regal_rows b, bool add) {
    FOR_EACH_CELL(group_log2, to, r, c)
    put(to, r, c, at(a, r, c) * at(b, r, c), add);
}

regal_status regal_cuda_multiply(regal_math_context *self, regal_matrix to, regal_rows a,
                                 regal_rows b, bool add) {
    LAUNCH_FOR(self, to, multiply_kernel, a, b, add);
}

static __global__ void __launch_bounds__(ROW_THREADS)
    combine_kernel(int32_t group_log2, regal_matrix to, float alpha, regal_rows from, float beta) {
    FOR_EACH_CELL(group_log2, to, r, c) {
        const float value = alpha * at(from, r, c);
        *cell(to, r, c) = beta == 0.0f ? value : value + beta * *cell(to, r, c);
    }
}

regal_status regal_cuda_combine(regal_math_context *self, regal_matrix to, float alpha,
                                regal_rows from, float beta) {
    LAUNCH_FOR(self, to, combine_kernel, alpha, from, beta);
}

/* A thread a number. */
static __global__ void __launch_bounds__(ROW_THREADS) adam_kernel(regal_adam_step step) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < step.count; i += stride)
        regal_adam_update(&step, step.gradient[i], &step.parameter[i], &step.mean[i],
                          &step.square[i]);
}

regal_status regal_cuda_adam(regal_math_context *self, const regal_adam_step *step) {
    const regal_launch launch = {(step->count + ROW_THREADS - 1) / ROW_THREADS, ROW_THREADS, 0,
                                 self->stream};
    REGAL_CUDA(cudaSetDevice(self->gpu));
    REGAL_CUDA(regal_cuda_launch(&launch, adam_kernel, *step));
    return REGAL_OK;
}
