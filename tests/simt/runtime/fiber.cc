#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "sanitizers.h"
#include "simt/runtime.h"

#ifdef __x86_64__
extern "C" void simt_switch(void **save, void *stack_pointer);
#endif

namespace simt {
namespace {

constexpr size_t kStackSize = size_t{256} << 10;
constexpr size_t kColours = 64, kColourStep = 320;

// Do sanitizers want to know of switches?
const bool announced = under_tsan() || __sanitizer_start_switch_fiber;

// Who switched last: a fiber that begins learns the host thread's stack bounds from there.
Fiber *switched_from;

void arrive(void *fake_stack) {
    if (!__sanitizer_finish_switch_fiber) {
        return;
    }
    const void *bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
    if (switched_from->stack_size == 0) {
        switched_from->stack = static_cast<char *>(const_cast<void *>(bottom));
        switched_from->stack_size = size;
    }
}

void announce(Fiber *from, Fiber *to) {
    switched_from = from;
    if (under_tsan()) {
        constexpr unsigned kNoSynchronization = 1;
        __tsan_switch_to_fiber(to->tsan, kNoSynchronization);
    }
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_size);
    }
}

} // namespace

void create_fiber(Fiber *fiber, unsigned number, void (*entry)()) {
    const size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, guard + kStackSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
        fail("no memory for a thread's stack");
    }
    fiber->stack = static_cast<char *>(memory) + guard;
    fiber->stack_size = kStackSize;
    fiber->fake_stack = nullptr;
    fiber->tsan = under_tsan() ? __tsan_create_fiber(0) : nullptr;
    char *top = fiber->stack + kStackSize - number % kColours * kColourStep;
#ifdef __x86_64__
    constexpr int kSavedRegisters = 6;
    uintptr_t *frame = reinterpret_cast<uintptr_t *>(top) - 2;
    frame[0] = reinterpret_cast<uintptr_t>(entry);
    frame[1] = 0; // where entry would return to
    for (int i = 0; i < kSavedRegisters; ++i) {
        *--frame = 0;
    }
    fiber->stack_pointer = frame;
#else
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = static_cast<size_t>(top - fiber->stack);
    fiber->context.uc_link = nullptr;
    makecontext(&fiber->context, entry, 0);
#endif
}

void destroy_fiber(Fiber *fiber) {
    const size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (fiber->tsan) {
        __tsan_destroy_fiber(fiber->tsan);
    }
    unpoison(fiber->stack, fiber->stack_size);
    munmap(fiber->stack - guard, guard + fiber->stack_size);
}

void adopt_thread(Fiber *fiber) {
    fiber->tsan = under_tsan() ? __tsan_get_current_fiber() : nullptr;
    fiber->stack = nullptr;
    fiber->stack_size = 0;
    fiber->fake_stack = nullptr;
}

void fiber_begins() {
    arrive(nullptr);
}

void switch_fiber(Fiber *from, Fiber *to) {
    if (__builtin_expect(announced, false)) {
        announce(from, to);
    }
#ifdef __x86_64__
    simt_switch(&from->stack_pointer, to->stack_pointer);
#else
    swapcontext(&from->context, &to->context);
#endif
    if (__builtin_expect(announced, false)) {
        arrive(from->fake_stack);
    }
}

} // namespace simt
