// The sanitizers' hooks for fibers and memory: null in builds without the sanitizer.
#ifndef SIMT_SANITIZERS_H
#define SIMT_SANITIZERS_H

#include <cstddef>

#define SIMT_WEAK extern "C" __attribute__((weak))

SIMT_WEAK void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
SIMT_WEAK void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
SIMT_WEAK void __asan_poison_memory_region(const volatile void *address, size_t size);
SIMT_WEAK void __asan_unpoison_memory_region(const volatile void *address, size_t size);
SIMT_WEAK void *__tsan_get_current_fiber();
SIMT_WEAK void *__tsan_create_fiber(unsigned flags);
SIMT_WEAK void __tsan_destroy_fiber(void *fiber);
SIMT_WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
SIMT_WEAK void __tsan_acquire(void *address);
SIMT_WEAK void __tsan_release(void *address);

namespace simt {

inline bool under_asan() {
    return __asan_poison_memory_region != nullptr;
}
inline bool under_tsan() {
    return __tsan_create_fiber != nullptr;
}

inline void poison(const void *address, size_t size) {
    if (under_asan()) {
        __asan_poison_memory_region(address, size);
    }
}
inline void unpoison(const void *address, size_t size) {
    if (under_asan()) {
        __asan_unpoison_memory_region(address, size);
    }
}

// What happened before a release of a thing happened before what follows an acquire of it.
inline void acquire(void *thing) {
    if (under_tsan()) {
        __tsan_acquire(thing);
    }
}
inline void release(void *thing) {
    if (under_tsan()) {
        __tsan_release(thing);
    }
}

} // namespace simt

#endif
