#include "schedule.h"

#include <cstdlib>
#include <cstring>

#include "sanitizers.h"
#include "shared_memory.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace simt {

Block block;
Warp *warp;
unsigned lane;
bool running;
uint64_t collectives_done, blocks_done, kernels_done;
Fiber fibers[kMaxThreads];
uint3 indices[kMaxThreads];

namespace {

dim3 shape_of_indices{0, 0, 0}; // the block's shape that `indices` is for

struct FiberCount {
    unsigned made = 0;
    ~FiberCount() {
        for (unsigned i = 0; i < made; ++i) {
            destroy_fiber(&fibers[i]);
        }
    }
} count;

Fiber host;              // the thread that launched the kernel
const Kernel *kernel;    // what runs
char launched, finished; // what ThreadSanitizer synchronizes on: a block's begin and end

inline unsigned pick(unsigned candidates) {
    switch (order()) {
    case Order::forward:
        return static_cast<unsigned>(__builtin_ctz(candidates));
    case Order::reverse:
        return 31u - static_cast<unsigned>(__builtin_clz(candidates));
    default:
        return random_bit(candidates);
    }
}

[[noreturn]] void fail_deadlocked() {
    fail("deadlock: all threads left (%u of %u) wait, for others that exited or wait elsewhere",
         block.alive, block.threads);
}

void thread_exits() {
    check_not_awaited("exits");
    warp->ready &= ~(1u << lane);
    warp->exited |= 1u << lane;
    --block.alive;
    settle_barrier();
    release(&finished);
    if (block.alive == 0) {
        const unsigned own = static_cast<unsigned>(warp - block.warp) * kLanes + lane;
        switch_fiber(&fibers[own], &host);
    } else {
        pass_on();
    }
}

void thread_main() {
    fiber_begins();
    for (;;) {
        acquire(&launched);
        kernel->call();
        thread_exits();
    }
}

void reset_warp(unsigned w) {
    const unsigned there = block.threads - w * kLanes;
    Warp *fresh = &block.warp[w];
    fresh->ready = there >= kLanes ? ~0u : (1u << there) - 1;
    fresh->exited = ~fresh->ready;
    fresh->at_barrier = fresh->awaited = fresh->groups = 0;
}

void run_block() {
    block.alive = block.threads;
    block.warps = (block.threads + kLanes - 1) / kLanes;
    block.ready = block.warps == kMaxWarps ? ~0u : (1u << block.warps) - 1;
    block.barrier.waiting = block.barrier.agreeing = 0;
    for (unsigned w = 0; w < block.warps; ++w) {
        reset_warp(w);
    }
    poison_shared_memory();
    release(&launched);
    const unsigned w = pick(block.ready), l = pick(block.warp[w].ready);
    warp = &block.warp[w];
    lane = l;
    threadIdx = indices[w * kLanes + l];
    switch_fiber(&host, &fibers[w * kLanes + l]);
    acquire(&finished);
    ++blocks_done;
}

// Fibers for the block's threads, and their indices.
void prepare_threads(dim3 shape) {
    while (count.made < block.threads) {
        create_fiber(&fibers[count.made], count.made, thread_main);
        ++count.made;
    }
    if (memcmp(&shape, &shape_of_indices, sizeof shape) == 0) {
        return;
    }
    shape_of_indices = shape;
    for (unsigned i = 0; i < block.threads; ++i) {
        indices[i] = {i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y};
    }
}

} // namespace

void pass_on_to_other_warp() {
    if (warp->ready == 0) {
        block.ready &= ~(1u << (warp - block.warp));
    }
    if (block.ready == 0) {
        fail_deadlocked();
    }
    const unsigned w = pick(block.ready);
    resume(w, pick(block.warp[w].ready));
}

void pass_on_at_random() {
    if (warp->ready == 0 || random_chance(8)) {
        pass_on_to_other_warp();
    } else {
        resume(static_cast<unsigned>(warp - block.warp), random_bit(warp->ready));
    }
}

void check_not_awaited(const char *what) {
    if (!(warp->awaited >> lane & 1)) {
        return;
    }
    const Group *group = warp->group;
    while (!(group->mask >> lane & 1)) {
        ++group;
    }
    fail("lane %u %s while %s at %s:%d (mask %08x) waits for it", lane, what,
         name_of(group->site.op), group->site.file, group->site.line, group->mask);
}

void explore() {
    if (__builtin_expect(order() == Order::random, false) && running && random_chance(4)) {
        pass_on();
    }
}

void run_grid(dim3 grid, dim3 threads, size_t dynamic_shared, const Kernel &body) {
    adopt_thread(&host);
    gridDim = grid;
    blockDim = threads;
    block.threads = threads.x * threads.y * threads.z;
    prepare_threads(threads);
    set_dynamic_shared(dynamic_shared);
    kernel = &body;
    running = true;
    const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
    BlockOrder blocks_in_order(blocks);
    for (uint64_t i = 0; i < blocks; ++i) {
        const uint64_t b = blocks_in_order.at(i);
        blockIdx = {static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                    static_cast<unsigned>(b / grid.x / grid.y)};
        run_block();
    }
    running = false;
    kernel = nullptr;
    ++kernels_done;
}

} // namespace simt
