// What the host's side of the runtime shares: one lock, the last error, device memory.
#ifndef SIMT_HOST_STATE_H
#define SIMT_HOST_STATE_H

#include <cuda_runtime.h>

#include <mutex>

namespace simt {

// Held by every call; kernels run inside one, so one thread's work at a time.
std::recursive_mutex &host_mutex();
using HostLock = std::lock_guard<std::recursive_mutex>;

// Keeps a failure as the last error, and returns it.
cudaError_t note(cudaError_t error);

// Does all of [address, address + bytes) lie in one device allocation? In none, not even partly?
bool is_device_memory(const void *address, size_t bytes);
bool is_host_memory(const void *address, size_t bytes);

// While it lives, device memory may be touched (elsewhere AddressSanitizer refuses it).
class DeviceMemoryOpen {
  public:
    DeviceMemoryOpen();
    ~DeviceMemoryOpen();
    DeviceMemoryOpen(const DeviceMemoryOpen &) = delete;
    DeviceMemoryOpen &operator=(const DeviceMemoryOpen &) = delete;
};

} // namespace simt

#endif
