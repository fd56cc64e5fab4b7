#include "host_state.h"

namespace simt {
namespace {
thread_local cudaError_t last_error = cudaSuccess;
}

std::recursive_mutex &host_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

cudaError_t note(cudaError_t error) {
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
}

} // namespace simt

extern "C" const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define SIMT_TEXT(name, value, text) \
    case name:                       \
        return text;
        SIMT_ERRORS(SIMT_TEXT)
#undef SIMT_TEXT
    }
    return "unrecognized error code";
}

extern "C" const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define SIMT_NAME(name, value, text) \
    case name:                       \
        return #name;
        SIMT_ERRORS(SIMT_NAME)
#undef SIMT_NAME
    }
    return "unrecognized error code";
}

extern "C" cudaError_t cudaPeekAtLastError() {
    return simt::last_error;
}

extern "C" cudaError_t cudaGetLastError() {
    const cudaError_t error = simt::last_error;
    simt::last_error = cudaSuccess;
    return error;
}
