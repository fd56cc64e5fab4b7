/* cuBLAS. It is loaded with the first product of the process, from the machine's CUDA: linked, it
 * would cost each start of the backend 70 ms; inside the plugin, hundreds of megabytes. */
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <mutex>

#include "blas.cuh"
#include "launch.cuh"

#define CUBLAS_FUNCTIONS(X)  \
    X(cublasCreate_v2)       \
    X(cublasDestroy_v2)      \
    X(cublasSetStream_v2)    \
    X(cublasSetMathMode)     \
    X(cublasGetStatusString) \
    X(cublasSgemmStridedBatched)

typedef struct cublas_table {
#define CUBLAS_POINTER(name) decltype(&::name) name;
    CUBLAS_FUNCTIONS(CUBLAS_POINTER)
#undef CUBLAS_POINTER
} cublas_table;

struct regal_blas {
    const cublas_table *cublas;
    cublasHandle_t handle;
};

/* What is used has been the same since version 12. */
static void *open_library(void) {
    static const int versions[] = {CUDART_VERSION / 1000, 13, 12};
    const char *const folders[] = {"", getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    char path[4096];
    for (const int version : versions)
        for (const char *folder : folders) {
            if (folder == NULL)
                continue;
            snprintf(path, sizeof path, "%s%slibcublas.so.%d", folder,
                     folder[0] != '\0' ? "/lib64/" : "", version);
            void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library != NULL)
                return library;
        }
    return NULL;
}

static regal_status load(cublas_table *table) {
    void *library = open_library();
    if (library == NULL)
        REGAL_CUDA_FAIL(REGAL_UNAVAILABLE,
                        "the policy needs cuBLAS on a GPU: install libcublas of CUDA %d, set "
                        "CUDA_PATH to the folder of CUDA, or use --backend cpu",
                        CUDART_VERSION / 1000);
    bool complete = true;
#define CUBLAS_FIND(name)                                                         \
    table->name = reinterpret_cast<decltype(table->name)>(dlsym(library, #name)); \
    complete = complete && table->name != NULL;
    CUBLAS_FUNCTIONS(CUBLAS_FIND)
#undef CUBLAS_FIND
    if (complete)
        return REGAL_OK;
    dlclose(library);
    REGAL_CUDA_FAIL(REGAL_UNAVAILABLE, "cuBLAS lacks a function that REGAL uses; install CUDA %d",
                    CUDART_VERSION / 1000);
}

static regal_status find_cublas(const cublas_table **cublas) {
    static std::mutex lock;
    static cublas_table table;
    static bool loaded;
    const std::lock_guard<std::mutex> guard(lock);
    if (!loaded)
        REGAL_CUDA_FORWARD(load(&table));
    loaded = true;
    *cublas = &table;
    return REGAL_OK;
}

#define CUBLAS(cublas, call)                                                                  \
    do {                                                                                      \
        const cublasStatus_t cublas_status = (cublas)->call;                                  \
        if (cublas_status != CUBLAS_STATUS_SUCCESS)                                           \
            REGAL_CUDA_FAIL(cublas_status == CUBLAS_STATUS_ALLOC_FAILED ? REGAL_OUT_OF_MEMORY \
                                                                        : REGAL_UNAVAILABLE,  \
                            "cuBLAS failed: %s (%s)",                                         \
                            (cublas)->cublasGetStatusString(cublas_status), #call);           \
    } while (0)

/* Pedantic, whatever the environment says: TF32 keeps 10 bits of a factor, and emulated single
 * precision rounds in other ways; either would move proposals to other bins than the CPU's. */
static regal_status open_handle(regal_blas *blas, cudaStream_t stream) {
    REGAL_CUDA_FORWARD(find_cublas(&blas->cublas));
    CUBLAS(blas->cublas, cublasCreate_v2(&blas->handle));
    CUBLAS(blas->cublas, cublasSetStream_v2(blas->handle, stream));
    CUBLAS(blas->cublas, cublasSetMathMode(blas->handle, CUBLAS_PEDANTIC_MATH));
    return REGAL_OK;
}

regal_status regal_blas_create(cudaStream_t stream, regal_blas **made) {
    *made = NULL;
    regal_blas *blas = (regal_blas *)calloc(1, sizeof *blas);
    if (blas == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    const regal_status status = open_handle(blas, stream);
    if (status == REGAL_OK)
        *made = blas;
    else
        regal_blas_destroy(blas);
    return status;
}

void regal_blas_destroy(regal_blas *blas) {
    if (blas != NULL && blas->handle != NULL)
        blas->cublas->cublasDestroy_v2(blas->handle);
    free(blas);
}

/* cuBLAS stores columns: what it takes for the transposed operands and result are ours. */
regal_status regal_blas_gemm(regal_blas *blas, const regal_gemm *g) {
    CUBLAS(blas->cublas, cublasSgemmStridedBatched(
                             blas->handle, g->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                             g->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N, (int)g->columns,
                             (int)g->rows, (int)g->inner, &g->alpha, g->b.at, (int)g->b.stride,
                             g->b_step, g->a.at, (int)g->a.stride, g->a_step, &g->beta, g->result,
                             (int)g->result_stride, g->result_step, (int)g->batch));
    return REGAL_OK;
}
