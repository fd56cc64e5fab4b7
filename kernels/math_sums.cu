/* Operations that sum along rows and columns, in the order that regal_math states. No atomics.
 * Compiled without fused multiply-add: the CPU has none. */
#include "math.cuh"

enum { SUM_THREADS = 256, SUM_WARPS = SUM_THREADS / REGAL_WARP };

static __device__ __forceinline__ float sum_by_halves(float value) {
    for (int32_t half = REGAL_WARP / 2; half > 0; half /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, half);
    return value;
}

static_assert((int)REGAL_COLUMN_LANES == (int)REGAL_WARP, "a lane of a sum is a lane of a warp");

/* A warp a row, its lanes columns. Writes to and scale. */
static __global__ void __launch_bounds__(SUM_THREADS)
    normalize_kernel(regal_matrix to, float *scale, regal_rows from) {
    const int32_t lane = (int32_t)(threadIdx.x % REGAL_WARP);
    const float count = (float)to.columns;
    for (int64_t r = (int64_t)blockIdx.x * SUM_WARPS + threadIdx.x / REGAL_WARP; r < to.rows;
         r += (int64_t)gridDim.x * SUM_WARPS) {
        const float *row = from.at + r * from.stride;
        float sum = 0.0f, squares = 0.0f;
        for (int64_t c = lane; c < to.columns; c += REGAL_WARP)
            sum += row[c];
        const float mean = sum_by_halves(sum) / count;
        for (int64_t c = lane; c < to.columns; c += REGAL_WARP)
            squares += (row[c] - mean) * (row[c] - mean);
        const float inverse =
            1.0f / sqrtf(sum_by_halves(squares) / count + REGAL_NORMALIZE_EPSILON);
        for (int64_t c = lane; c < to.columns; c += REGAL_WARP)
            to.at[r * to.stride + c] = (row[c] - mean) * inverse;
        if (lane == 0)
            scale[r] = inverse;
    }
}

/* A warp a row, its lanes columns. */
static __global__ void __launch_bounds__(SUM_THREADS)
    normalize_gradient_kernel(regal_matrix to, const float *scale, regal_rows result,
                              regal_rows gradient, bool add) {
    const int32_t lane = (int32_t)(threadIdx.x % REGAL_WARP);
    const float count = (float)to.columns;
    for (int64_t r = (int64_t)blockIdx.x * SUM_WARPS + threadIdx.x / REGAL_WARP; r < to.rows;
         r += (int64_t)gridDim.x * SUM_WARPS) {
        const float *y = result.at + r * result.stride, *g = gradient.at + r * gradient.stride;
        float sum = 0.0f, along = 0.0f;
        for (int64_t c = lane; c < to.columns; c += REGAL_WARP) {
            sum += g[c];
            along += g[c] * y[c];
        }
        sum = sum_by_halves(sum) / count;
        along = sum_by_halves(along) / count;
        for (int64_t c = lane; c < to.columns; c += REGAL_WARP) {
            float *place = &to.at[r * to.stride + c];
            const float value = ((g[c] - sum) - y[c] * along) * scale[r];
            *place = add ? *place + value : value;
        }
    }
}

static regal_launch launch_for_rows(const regal_math_context *self, int64_t rows) {
    const regal_launch launch = {(rows + SUM_WARPS - 1) / SUM_WARPS, SUM_THREADS, 0, self->stream};
    return launch;
}

regal_status regal_cuda_normalize(regal_math_context *self, regal_matrix to, float *scale,
                                  regal_rows from) {
    const regal_launch launch = launch_for_rows(self, to.rows);
    REGAL_CUDA(cudaSetDevice(self->gpu));
    REGAL_CUDA(regal_cuda_launch(&launch, normalize_kernel, to, scale, from));
    return REGAL_OK;
}

regal_status regal_cuda_normalize_gradient(regal_math_context *self, regal_matrix to,
                                           const float *scale, regal_rows result,
                                           regal_rows gradient, bool add) {
    const regal_launch launch = launch_for_rows(self, to.rows);
    REGAL_CUDA(cudaSetDevice(self->gpu));
    REGAL_CUDA(
        regal_cuda_launch(&launch, normalize_gradient_kernel, to, scale, result, gradient, add));
    return REGAL_OK;
}

/* A warp sums 32 columns over the rows of a lane of rows: of the warps of the grid, the lanes of
 * the same columns are neighbours. Writes partial [REGAL_ROW_LANES][columns]. */
static __global__ void __launch_bounds__(SUM_THREADS)
    lane_sums_kernel(float *partial, regal_rows from, int64_t rows, int64_t columns) {
    const int64_t warp = (int64_t)blockIdx.x * SUM_WARPS + threadIdx.x / REGAL_WARP;
    const int64_t lane = warp % REGAL_ROW_LANES;
    const int64_t c = warp / REGAL_ROW_LANES * REGAL_WARP + threadIdx.x % REGAL_WARP;
    if (c >= columns)
        return;
    float sum = 0.0f;
    for (int64_t r = lane; r < rows; r += REGAL_ROW_LANES)
        sum += from.at[r * from.stride + c];
    partial[lane * columns + c] = sum;
}

/* A thread a column. */
static __global__ void __launch_bounds__(REGAL_WARP)
    sum_lanes_kernel(float *to, const float *partial, int64_t lanes, int64_t columns, bool add) {
    const int64_t c = (int64_t)blockIdx.x * REGAL_WARP + threadIdx.x;
    if (c >= columns)
        return;
    float sum = 0.0f;
    for (int64_t lane = 0; lane < lanes; ++lane)
        sum += partial[lane * columns + c];
    to[c] = add ? to[c] + sum : sum;
}

static regal_status sum_columns(regal_math_context *self, float *to, regal_rows from, int64_t rows,
                                int64_t columns, bool add) {
    const int64_t blocks = (columns + REGAL_WARP - 1) / REGAL_WARP;
    const int64_t lanes = rows < REGAL_ROW_LANES ? rows : (int64_t)REGAL_ROW_LANES;
    const regal_launch of_lanes = {blocks * REGAL_ROW_LANES / SUM_WARPS, SUM_THREADS, 0,
                                   self->stream};
    const regal_launch of_columns = {blocks, REGAL_WARP, 0, self->stream};
    REGAL_CUDA(regal_cuda_launch(&of_lanes, lane_sums_kernel, self->scratch, from, rows, columns));
    REGAL_CUDA(regal_cuda_launch(&of_columns, sum_lanes_kernel, to, (const float *)self->scratch,
                                 lanes, columns, add));
    return REGAL_OK;
}

regal_status regal_cuda_column_sums(regal_math_context *self, float *to, regal_rows from,
                                    int64_t rows, int64_t columns, bool add) {
    REGAL_CUDA(cudaSetDevice(self->gpu));
    for (int64_t c = 0; c < columns; c += REGAL_SUM_COLUMNS) {
        const int64_t count =
            columns - c < REGAL_SUM_COLUMNS ? columns - c : (int64_t)REGAL_SUM_COLUMNS;
        const regal_rows part = {from.at + c, from.stride};
        REGAL_CUDA_FORWARD(sum_columns(self, to + c, part, rows, count, add));
    }
    return REGAL_OK;
}

enum { DOT_LANES = REGAL_ROW_LANES * REGAL_COLUMN_LANES };

/* A thread a lane. Writes partial [DOT_LANES]. */
static __global__ void __launch_bounds__(SUM_THREADS)
    lane_products_kernel(float *partial, int64_t count, const float *a, const float *b) {
    const int64_t lane = (int64_t)blockIdx.x * SUM_THREADS + threadIdx.x;
    float sum = 0.0f;
    for (int64_t i = lane; i < count; i += DOT_LANES)
        sum += a[i] * b[i];
    partial[lane] = sum;
}

/* One warp. */
static __global__ void __launch_bounds__(REGAL_WARP)
    sum_products_kernel(float *to, const float *partial) {
    float sum = 0.0f;
    for (int32_t i = (int32_t)threadIdx.x; i < DOT_LANES; i += REGAL_WARP)
        sum += partial[i];
    sum = sum_by_halves(sum);
    if (threadIdx.x == 0)
        *to = sum;
}

regal_status regal_cuda_dot(regal_math_context *self, float *to, int64_t count, const float *a,
                            const float *b) {
    const regal_launch of_lanes = {DOT_LANES / SUM_THREADS, SUM_THREADS, 0, self->stream};
    const regal_launch of_sum = {1, REGAL_WARP, 0, self->stream};
    REGAL_CUDA(cudaSetDevice(self->gpu));
    REGAL_CUDA(regal_cuda_launch(&of_lanes, lane_products_kernel, self->scratch, count, a, b));
    REGAL_CUDA(regal_cuda_launch(&of_sum, sum_products_kernel, to, (const float *)self->scratch));
    return REGAL_OK;
}
