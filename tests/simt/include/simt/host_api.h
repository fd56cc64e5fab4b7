/* The host's side of CUDA, as far as REGAL uses it. Values are CUDA's own. */
#ifndef SIMT_HOST_API_H
#define SIMT_HOST_API_H

#define CUDART_VERSION 13000

#define SIMT_ERRORS(X)                                                               \
    X(cudaSuccess, 0, "no error")                                                    \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                  \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                 \
    X(cudaErrorInitializationError, 3, "initialization error")                       \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")            \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                   \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")      \
    X(cudaErrorInsufficientDriver, 35,                                               \
      "CUDA driver version is insufficient for CUDA runtime "                        \
      "version")                                                                     \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                 \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                  \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                         \
    X(cudaErrorNoKernelImageForDevice, 209,                                          \
      "no kernel image is available for execution on the "                           \
      "device")                                                                      \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                \
    X(cudaErrorNotReady, 600, "device not ready")                                    \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")      \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                     \
    X(cudaErrorNotSupported, 801, "operation not supported")                         \
    X(cudaErrorUnknown, 999, "unknown error")

typedef enum cudaError {
#define SIMT_ERROR(name, value, text) name = value,
    SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    size_t sharedMemPerBlockOptin;
    size_t sharedMemPerMultiprocessor;
    size_t reservedSharedMemPerBlock;
    int regsPerBlock;
    int regsPerMultiprocessor;
    int warpSize;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int major, minor;
    int multiProcessorCount;
    int maxThreadsPerMultiProcessor;
    int maxBlocksPerMultiProcessor;
    int l2CacheSize;
    int memoryBusWidth;
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
    int maxDynamicSharedSizeBytes;
};

typedef struct simt_stream *cudaStream_t;
typedef struct simt_event *cudaEvent_t;

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1 };

extern "C" {
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);

cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaFree(void *address);
cudaError_t cudaFreeHost(void *address);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
}

/* The stand-in's own allocations; the typed forms below are what callers use. */
namespace simt {
cudaError_t allocate_device(void **address, size_t bytes);
cudaError_t allocate_host(void **address, size_t bytes);
cudaError_t copy_to_symbol(void *symbol, size_t size, const void *from, size_t bytes, size_t offset,
                           cudaStream_t stream);
} // namespace simt

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);

template <class T> static inline cudaError_t cudaMalloc(T **address, size_t bytes) {
    return simt::allocate_device(reinterpret_cast<void **>(address), bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **address, size_t bytes, unsigned flags = 0) {
    (void)flags;
    return simt::allocate_host(reinterpret_cast<void **>(address), bytes);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind,
                                                  cudaStream_t stream = nullptr) {
    return simt::copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, stream);
}

#endif
