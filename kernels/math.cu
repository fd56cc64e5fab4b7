/* Dense arithmetic on a GPU: contexts, their memory, and the table of operations. */
#include "math.cuh"

#include <stdlib.h>
#include <string.h>

/* The calling thread may have worked on another GPU. */
static regal_status enter(const regal_math_context *self) {
    REGAL_CUDA(cudaSetDevice(self->gpu));
    return REGAL_OK;
}

static void destroy(regal_math_context *self) {
    if (self == NULL)
        return;
    cudaSetDevice(self->gpu);
    if (self->stream != NULL)
        cudaStreamSynchronize(self->stream);
    regal_blas_destroy(self->blas);
    for (int64_t i = 0; i < self->memory_count; ++i)
        cudaFree(self->memory[i]);
    cudaFree(self->scratch);
    if (self->stream != NULL)
        cudaStreamDestroy(self->stream);
    free(self->memory);
    free(self);
}

static regal_status fill_context(regal_math_context *self) {
    REGAL_CUDA_FORWARD(enter(self));
    REGAL_CUDA(cudaStreamCreate(&self->stream));
    REGAL_CUDA(cudaMalloc(&self->scratch,
                          sizeof(float) * (size_t)REGAL_ROW_LANES * (size_t)REGAL_SUM_COLUMNS));
    return REGAL_OK;
}

static regal_status create(int64_t threads, int64_t gpu, regal_math_context **context) {
    (void)threads;
    *context = NULL;
    regal_math_context *self = (regal_math_context *)calloc(1, sizeof *self);
    if (self == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    self->gpu = (int32_t)gpu;
    const regal_status status = fill_context(self);
    if (status == REGAL_OK)
        *context = self;
    else
        destroy(self);
    return status;
}

static bool room_for_memory(regal_math_context *self) {
    if (self->memory_count < self->memory_most)
        return true;
    const int64_t most = 2 * self->memory_most + 64;
    void **memory = (void **)realloc(self->memory, (size_t)most * sizeof *memory);
    if (memory == NULL)
        return false;
    self->memory = memory;
    self->memory_most = most;
    return true;
}

static regal_status allocate(regal_math_context *self, int64_t count, void **memory) {
    int64_t bytes;
    *memory = NULL;
    REGAL_CUDA_FORWARD(enter(self));
    if (!room_for_memory(self))
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    const bool overflow = __builtin_mul_overflow(count, (int64_t)sizeof(float), &bytes);
    const cudaError_t error =
        overflow ? cudaErrorMemoryAllocation : cudaMalloc(memory, (size_t)(bytes > 0 ? bytes : 1));
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* the failed allocation is told here */
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY,
                        "the GPU's memory ran out: the policy's network would take another "
                        "%.1f MB; use --backend cpu",
                        (double)count * sizeof(float) / 1e6);
    }
    REGAL_CUDA(error);
    self->memory[self->memory_count++] = *memory;
    return REGAL_OK;
}

static void release(regal_math_context *self, void *memory) {
    for (int64_t i = self->memory_count - 1; memory != NULL && i >= 0; --i)
        if (self->memory[i] == memory) {
            self->memory[i] = self->memory[--self->memory_count];
            cudaSetDevice(self->gpu);
            cudaStreamSynchronize(self->stream);
            cudaFree(memory);
            return;
        }
}

static regal_status wait(regal_math_context *self) {
    REGAL_CUDA(cudaStreamSynchronize(self->stream));
    return REGAL_OK;
}

static regal_status copy(regal_math_context *self, void *to, const void *from, int64_t count,
                         cudaMemcpyKind kind) {
    if (count > 0)
        REGAL_CUDA(cudaMemcpyAsync(to, from, (size_t)count * sizeof(float), kind, self->stream));
    return REGAL_OK;
}

static regal_status upload(regal_math_context *self, void *to, const void *from, int64_t count) {
    REGAL_CUDA_FORWARD(enter(self));
    return copy(self, to, from, count, cudaMemcpyHostToDevice);
}

static regal_status download(regal_math_context *self, void *to, const void *from, int64_t count) {
    REGAL_CUDA_FORWARD(enter(self));
    REGAL_CUDA_FORWARD(copy(self, to, from, count, cudaMemcpyDeviceToHost));
    return wait(self);
}

static bool has_wide_number(const regal_gemm *g) {
    const int64_t number[] = {g->rows,     g->columns,  g->inner,        g->batch,
                              g->a.stride, g->b.stride, g->result_stride};
    for (const int64_t one : number)
        if (one < 0 || one > INT32_MAX)
            return true;
    return false;
}

static regal_status gemm(regal_math_context *self, const regal_gemm *g) {
    REGAL_CUDA_FORWARD(enter(self));
    if (has_wide_number(g))
        REGAL_CUDA_FAIL(REGAL_INVALID_ARGUMENT,
                        "a product of matrices goes up to 2^31 - 1 in each dimension");
    if (self->blas == NULL)
        REGAL_CUDA_FORWARD(regal_blas_create(self->stream, &self->blas));
    if (g->rows == 0 || g->columns == 0 || g->batch == 0)
        return REGAL_OK;
    return regal_blas_gemm(self->blas, g);
}

const regal_math regal_cuda_math = {create,
                                    destroy,
                                    allocate,
                                    release,
                                    upload,
                                    download,
                                    wait,
                                    gemm,
                                    regal_cuda_fill,
                                    regal_cuda_gather,
                                    regal_cuda_gather_pair,
                                    regal_cuda_segmented_sum,
                                    regal_cuda_activate,
                                    regal_cuda_activate_gradient,
                                    regal_cuda_column_sums,
                                    regal_cuda_normalize,
                                    regal_cuda_normalize_gradient,
                                    regal_cuda_scale_rows,
                                    regal_cuda_multiply,
                                    regal_cuda_combine,
                                    regal_cuda_dot,
                                    regal_cuda_adam};
