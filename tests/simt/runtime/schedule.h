// The block that runs now: its warps, its lanes, and who goes on next.
#ifndef SIMT_SCHEDULE_H
#define SIMT_SCHEDULE_H

#include <cstdint>

#include <cuda_runtime.h>

#include "fiber.h"
#include "random_order.h"

// Reached without a detour: nobody outside the runtime asks for these.
#pragma GCC visibility push(hidden)
namespace simt {

constexpr unsigned kLanes = 32, kMaxWarps = 32, kMaxThreads = kLanes * kMaxWarps;

struct Site {
    Op op;
    int line;
    const char *file;
};
const char *name_of(Op op);
bool same_site(const Site &a, const Site &b);

// A warp collective that some lanes wait at. Open ones have disjoint masks.
struct Group {
    Site site;
    unsigned mask, expected, arrived; // expected: the mask's lanes that the block has
};

struct Warp {
    unsigned ready, at_barrier, exited; // lanes; exited: or never there
    unsigned awaited;                   // the open groups' lanes together
    unsigned groups;
    uint64_t value[kLanes], result[kLanes];
    unsigned operand[kLanes];
    unsigned char width[kLanes];
    Group group[kLanes];
    char arrival[kLanes], departure[kLanes]; // what ThreadSanitizer synchronizes on
};

struct Barrier {
    Site site;
    unsigned waiting, agreeing; // threads; agreeing: with a true predicate
    unsigned turn;
    int result[2];  // of an even and an odd turn
    char passed[2]; // what ThreadSanitizer synchronizes on
};

struct Block {
    unsigned threads, alive, warps;
    unsigned ready; // warps with ready lanes
    Warp warp[kMaxWarps];
    Barrier barrier;
};

extern Block block;
extern Warp *warp;    // of the running thread
extern unsigned lane; // of the running thread in its warp
extern bool running;  // a kernel runs

extern uint64_t collectives_done, blocks_done, kernels_done;

// The threads' fibers, made when first needed and used for every block since, and their indices.
extern Fiber fibers[kMaxThreads];
extern uint3 indices[kMaxThreads];

// The thread goes on; returns when the calling one is to.
inline void resume(unsigned w, unsigned l) {
    const unsigned from = static_cast<unsigned>(warp - block.warp) * kLanes + lane;
    const unsigned to = w * kLanes + l;
    if (from != to) {
        warp = &block.warp[w];
        lane = l;
        threadIdx = indices[to];
        switch_fiber(&fibers[from], &fibers[to]);
    }
}

// Another ready thread goes on, maybe the calling one; returns when that is picked. Lanes of the
// same warp come first, so that a collective costs no more than a switch for each lane.
void pass_on_at_random();
void pass_on_to_other_warp();
inline void pass_on() {
    const unsigned ready = warp->ready, own = static_cast<unsigned>(warp - block.warp);
    if (__builtin_expect(order() == Order::random, false)) {
        pass_on_at_random();
    } else if (__builtin_expect(ready == 0, false)) {
        pass_on_to_other_warp();
    } else if (order() == Order::forward) {
        resume(own, static_cast<unsigned>(__builtin_ctz(ready)));
    } else {
        resume(own, 31u - static_cast<unsigned>(__builtin_clz(ready)));
    }
}

// After one more thread waits at the barrier or one has exited: opens it if all are there.
void settle_barrier();

// Ends the program if an open collective of its warp awaits the running lane.
void check_not_awaited(const char *what);

void run_grid(dim3 grid, dim3 threads, size_t dynamic_shared, const Kernel &kernel);

} // namespace simt
#pragma GCC visibility pop

#endif
