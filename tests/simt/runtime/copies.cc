// Copies between host and device, checked when they are asked for.
#include <cstring>

#include "streams.h"

namespace simt {
namespace {

[[noreturn]] void fail_copy(const char *what, const void *to, const void *from, size_t bytes) {
    fail("%s (to %p, from %p, %zu bytes)", what, to, from, bytes);
}

// Only places that a direction can have; what is wrong here corrupts memory on a device.
void check_copy(const void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) {
        const bool to_known = is_device_memory(to, bytes) || is_host_memory(to, bytes);
        const bool from_known = is_device_memory(from, bytes) || is_host_memory(from, bytes);
        if (!to_known || !from_known) {
            fail_copy("a copy runs over the end of device memory", to, from, bytes);
        }
        return;
    }
    if (!(to_device ? is_device_memory(to, bytes) : is_host_memory(to, bytes))) {
        fail_copy(to_device ? "a copy's direction or size is wrong: it writes to the device, but "
                              "not into one allocation there"
                            : "a copy's direction is wrong: it writes to the host, but into "
                              "device memory",
                  to, from, bytes);
    }
    if (!(from_device ? is_device_memory(from, bytes) : is_host_memory(from, bytes))) {
        fail_copy(from_device ? "a copy's direction or size is wrong: it reads from the device, "
                                "but not from one allocation there"
                              : "a copy's direction is wrong: it reads from the host, but from "
                                "device memory",
                  to, from, bytes);
    }
}

} // namespace

cudaError_t copy_to_symbol(void *symbol, size_t size, const void *from, size_t bytes, size_t offset,
                           cudaStream_t stream) {
    const HostLock lock(host_mutex());
    if (offset > size || bytes > size - offset) {
        return note(cudaErrorInvalidValue);
    }
    return enqueue_call(stream, [=] { memcpy(static_cast<char *>(symbol) + offset, from, bytes); });
}

Usage usage() {
    const HostLock lock(host_mutex());
    Usage result = {};
    count_memory(&result);
    count_streams(&result);
    count_work(&result);
    return result;
}

} // namespace simt

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (bytes == 0) {
        return cudaSuccess;
    }
    simt::check_copy(to, from, bytes, kind);
    return simt::enqueue_call(stream, [=] { memcpy(to, from, bytes); });
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
    const simt::HostLock lock(simt::host_mutex());
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (!simt::is_device_memory(to, bytes)) {
        simt::fail("a memset of %zu bytes at %p: not in one allocation on the device", bytes, to);
    }
    return simt::enqueue_call(stream, [=] { memset(to, byte, bytes); });
}

extern "C" cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    const simt::HostLock lock(simt::host_mutex());
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

extern "C" cudaError_t cudaMemset(void *to, int byte, size_t bytes) {
    return cudaMemsetAsync(to, byte, bytes, nullptr);
}
