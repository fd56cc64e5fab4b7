// The block that runs now: its warps, its lanes, and who goes on next.
#ifndef SIMT_SCHEDULE_H
#define SIMT_SCHEDULE_H

#include <cstdint>

#include <cuda_runtime.h>

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

extern uint64_t collectives_done, switches_done, blocks_done, kernels_done;

// Another ready thread goes on, maybe the calling one; returns when that is picked.
void pass_on();

// After one more thread waits at the barrier or one has exited: opens it if all are there.
void settle_barrier();

// Ends the program if an open collective of its warp awaits the running lane.
void check_not_awaited(const char *what);

void run_grid(dim3 grid, dim3 threads, size_t dynamic_shared, const Kernel &kernel);

} // namespace simt

#endif
