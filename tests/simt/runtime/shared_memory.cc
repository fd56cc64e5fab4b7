#include "shared_memory.h"

#include <sys/mman.h>

#include <cstdint>

#include "sanitizers.h"
#include "simt/runtime.h"

// The section of the program's static shared variables, if it has any.
extern "C" __attribute__((weak)) char __start_simt_shared[], __stop_simt_shared[];

namespace simt {
namespace {

constexpr size_t kBeyond = size_t{64} << 10; // poisoned past what a block may ask for

struct DynamicShared {
    char *memory = nullptr;
    size_t capacity = 0, bytes = 0;
    void reserve(size_t wanted);
    void release();
    ~DynamicShared() { release(); }
} dynamic;

void DynamicShared::reserve(size_t wanted) {
    if (wanted <= capacity && memory) {
        return;
    }
    release();
    void *fresh =
        mmap(nullptr, wanted + kBeyond, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) {
        fail("no memory for %zu bytes of shared memory", wanted);
    }
    memory = static_cast<char *>(fresh);
    capacity = wanted;
}

void DynamicShared::release() {
    if (memory) {
        unpoison(memory, capacity + kBeyond);
        munmap(memory, capacity + kBeyond);
        memory = nullptr;
    }
}

// No memset: sanitizers would check it.
void fill(char *begin, size_t bytes) {
    constexpr uint64_t kPattern = 0xE7E7E7E7E7E7E7E7u;
    size_t i = 0;
    if (reinterpret_cast<uintptr_t>(begin) % sizeof(uint64_t) == 0) {
        for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
            *reinterpret_cast<volatile uint64_t *>(begin + i) = kPattern;
        }
    }
    for (; i < bytes; ++i) {
        *reinterpret_cast<volatile char *>(begin + i) = static_cast<char>(kPattern);
    }
}

} // namespace

void set_dynamic_shared(size_t bytes) {
    dynamic.reserve(bytes);
    dynamic.bytes = bytes;
    unpoison(dynamic.memory, bytes);
    poison(dynamic.memory + bytes, dynamic.capacity + kBeyond - bytes);
}

void poison_shared_memory() {
    fill(dynamic.memory, dynamic.bytes);
    if (__start_simt_shared) {
        fill(__start_simt_shared, static_cast<size_t>(__stop_simt_shared - __start_simt_shared));
    }
}

} // namespace simt

void *simt_dynamic_shared() {
    return simt::dynamic.memory;
}
