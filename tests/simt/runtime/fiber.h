// Fibers: a stack of its own for each thread of a block. Sanitizers are told of every switch.
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

#pragma GCC visibility push(hidden)
namespace simt {

struct Fiber {
#ifdef __x86_64__
    void *stack_pointer;
#else
    ucontext_t context;
#endif
    void *tsan;
    char *stack;
    size_t stack_size;
    void *fake_stack; // of AddressSanitizer, while the fiber doesn't run
};

// A fiber that runs `entry`, which never returns. `number` colours its stack: equal places of
// different stacks fall into different cache sets.
void create_fiber(Fiber *fiber, unsigned number, void (*entry)());
void destroy_fiber(Fiber *fiber);

// Makes `fiber` stand for the calling host thread.
void adopt_thread(Fiber *fiber);

void switch_fiber(Fiber *from, Fiber *to);

// First thing on a new fiber.
void fiber_begins();

} // namespace simt
#pragma GCC visibility pop

#endif
