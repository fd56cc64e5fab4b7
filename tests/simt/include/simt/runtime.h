/* What the headers ask of the runtime while a kernel runs, and how tests steer it. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include <cstddef>
#include <cstdint>

namespace simt {

/* Collectives and barriers with the names that messages give them. */
#define SIMT_OPS(X)                           \
    X(syncwarp, "__syncwarp")                 \
    X(shuffle, "__shfl_sync")                 \
    X(shuffle_up, "__shfl_up_sync")           \
    X(shuffle_down, "__shfl_down_sync")       \
    X(shuffle_xor, "__shfl_xor_sync")         \
    X(ballot, "__ballot_sync")                \
    X(all, "__all_sync")                      \
    X(any, "__any_sync")                      \
    X(match_any, "__match_any_sync")          \
    X(reduce_add, "__reduce_add_sync")        \
    X(reduce_min, "__reduce_min_sync")        \
    X(reduce_max, "__reduce_max_sync")        \
    X(reduce_min_signed, "__reduce_min_sync") \
    X(reduce_max_signed, "__reduce_max_sync") \
    X(reduce_and, "__reduce_and_sync")        \
    X(reduce_or, "__reduce_or_sync")          \
    X(reduce_xor, "__reduce_xor_sync")        \
    X(barrier, "__syncthreads")               \
    X(barrier_count, "__syncthreads_count")   \
    X(barrier_and, "__syncthreads_and")       \
    X(barrier_or, "__syncthreads_or")

enum class Op : unsigned char {
#define SIMT_OP(name, text) name,
    SIMT_OPS(SIMT_OP)
#undef SIMT_OP
};

/* The calling lane gives its value (and, to a shuffle, its operand and segment width) and gets the
 * collective's result for it, when all lanes of the mask have come to the same place. */
uint64_t collective(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width,
                    const char *file, int line);

/* The same for a barrier of all threads of the block that have not exited. */
int barrier(Op op, bool predicate, const char *file, int line);

/* A place where another thread may go on first (in random order). */
void explore();

/* Ends the program: what is wrong, in which thread, and where all others wait. */
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* In which order blocks, warps and lanes run. */
enum class Order { forward, reverse, random };
void set_order(Order order, uint64_t seed = 0);

/* Lazy: work of a stream runs when the host waits for it, not before. Else: at once. */
void set_lazy_streams(bool lazy);

/* The device as it is made up; changes hold from the next call on. */
struct Device {
    int count;           /* devices in all (SIMT_DEVICES); they share what follows */
    size_t memory;       /* bytes of global memory (SIMT_MEMORY) */
    size_t shared_bytes; /* most dynamic shared memory of a block (SIMT_SHARED_BYTES) */
    int multiprocessors; /* SIMT_MULTIPROCESSORS */
};
Device &device();

/* What is alive, and what was done since the program began. */
struct Usage {
    size_t allocations, bytes, streams, events;
    uint64_t kernels, blocks, collectives;
};
Usage usage();

} // namespace simt

/* This block's dynamic shared memory, aligned to 1024 bytes. */
void *simt_dynamic_shared();

#endif
