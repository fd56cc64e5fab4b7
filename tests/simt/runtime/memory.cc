// Device and pinned memory.
#include <cstdlib>
#include <cstring>
#include <map>

#include "host_state.h"
#include "sanitizers.h"

namespace simt {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kBeyond = 4096; // never to be touched, on both sides of an allocation

// Under its complement, so that LeakSanitizer doesn't find what the program lost. Greater keys are
// lower addresses.
struct Allocation {
    size_t bytes;
};
using Allocations = std::map<uintptr_t, Allocation>;

Allocations &allocations() {
    static Allocations all;
    return all;
}

size_t bytes_in_use;
int open_depth;

size_t room(size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

char *begin_of(const Allocations::value_type &entry) {
    return reinterpret_cast<char *>(~entry.first);
}

// The allocation with the greatest begin that is not above the address, or end().
Allocations::iterator at_or_below(const void *address) {
    return allocations().lower_bound(~reinterpret_cast<uintptr_t>(address));
}

bool overlaps_allocation(const char *address, size_t bytes) {
    if (bytes == 0) {
        return false;
    }
    const auto entry = at_or_below(address + bytes - 1);
    return entry != allocations().end() && begin_of(*entry) + entry->second.bytes > address;
}

} // namespace

bool is_device_memory(const void *address, size_t bytes) {
    const auto entry = at_or_below(address);
    if (entry == allocations().end()) {
        return false;
    }
    const size_t offset =
        static_cast<size_t>(static_cast<const char *>(address) - begin_of(*entry));
    return offset <= entry->second.bytes && bytes <= entry->second.bytes - offset;
}

bool is_host_memory(const void *address, size_t bytes) {
    return !overlaps_allocation(static_cast<const char *>(address), bytes);
}

DeviceMemoryOpen::DeviceMemoryOpen() {
    if (open_depth++ == 0 && under_asan()) {
        for (const auto &entry : allocations()) {
            unpoison(begin_of(entry), entry.second.bytes);
        }
    }
}

DeviceMemoryOpen::~DeviceMemoryOpen() {
    if (--open_depth == 0 && under_asan()) {
        for (const auto &entry : allocations()) {
            poison(begin_of(entry), entry.second.bytes);
        }
    }
}

cudaError_t allocate_device(void **address, size_t bytes) {
    const HostLock lock(host_mutex());
    if (!address) {
        return note(cudaErrorInvalidValue);
    }
    if (bytes == 0) {
        *address = nullptr;
        return cudaSuccess;
    }
    if (bytes > device().memory || room(bytes) > device().memory - bytes_in_use ||
        bytes_in_use > device().memory) {
        return note(cudaErrorMemoryAllocation);
    }
    void *memory = nullptr;
    if (posix_memalign(&memory, kAlignment, room(bytes) + 2 * kBeyond) != 0) {
        return note(cudaErrorMemoryAllocation);
    }
    memset(memory, 0xE7, room(bytes) + 2 * kBeyond);
    poison(memory, room(bytes) + 2 * kBeyond);
    char *begin = static_cast<char *>(memory) + kBeyond;
    allocations()[~reinterpret_cast<uintptr_t>(begin)] = {bytes};
    bytes_in_use += room(bytes);
    *address = begin;
    return cudaSuccess;
}

cudaError_t allocate_host(void **address, size_t bytes) {
    const HostLock lock(host_mutex());
    void *memory = nullptr;
    if (!address || posix_memalign(&memory, kAlignment, bytes ? bytes : 1) != 0) {
        return note(address ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    }
    memset(memory, 0xE7, bytes);
    *address = memory;
    return cudaSuccess;
}

void count_memory(Usage *usage) {
    usage->allocations = allocations().size();
    usage->bytes = bytes_in_use;
}

} // namespace simt

extern "C" cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    const simt::HostLock lock(simt::host_mutex());
    *total = simt::device().memory;
    *available = *total > simt::bytes_in_use ? *total - simt::bytes_in_use : 0;
    return cudaSuccess;
}

extern "C" cudaError_t cudaFree(void *address) {
    if (!address) {
        return cudaSuccess;
    }
    const simt::HostLock lock(simt::host_mutex());
    const cudaError_t error = cudaDeviceSynchronize();
    const auto entry = simt::allocations().find(~reinterpret_cast<uintptr_t>(address));
    if (entry == simt::allocations().end()) {
        return simt::note(cudaErrorInvalidValue);
    }
    const size_t room = simt::room(entry->second.bytes);
    char *memory = static_cast<char *>(address) - simt::kBeyond;
    simt::unpoison(memory, room + 2 * simt::kBeyond);
    simt::bytes_in_use -= room;
    simt::allocations().erase(entry);
    free(memory);
    return error;
}

extern "C" cudaError_t cudaFreeHost(void *address) {
    const simt::HostLock lock(simt::host_mutex());
    if (address) {
        const cudaError_t error = cudaDeviceSynchronize();
        free(address);
        return error;
    }
    return cudaSuccess;
}
