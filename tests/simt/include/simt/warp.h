/* Barriers and warp collectives. Each notes the line that calls it. */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#define SIMT_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

static inline void __syncthreads(SIMT_SITE) {
    simt::barrier(simt::Op::barrier, false, file, line);
}
static inline int __syncthreads_count(int predicate, SIMT_SITE) {
    return simt::barrier(simt::Op::barrier_count, predicate != 0, file, line);
}
static inline int __syncthreads_and(int predicate, SIMT_SITE) {
    return simt::barrier(simt::Op::barrier_and, predicate != 0, file, line);
}
static inline int __syncthreads_or(int predicate, SIMT_SITE) {
    return simt::barrier(simt::Op::barrier_or, predicate != 0, file, line);
}
static inline void __syncwarp(unsigned mask = ~0u, SIMT_SITE) {
    simt::collective(simt::Op::syncwarp, mask, 0, 0, 32, file, line);
}

namespace simt {

template <class T> inline uint64_t bits_of(T value) {
    static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffle moves 32 or 64 bits");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T> inline T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}

} // namespace simt

#define SIMT_FOR_EACH_TYPE(X) \
    X(int)                    \
    X(unsigned)               \
    X(long)                   \
    X(unsigned long)          \
    X(long long)              \
    X(unsigned long long)     \
    X(float)                  \
    X(double)

#define SIMT_SHUFFLE(name, op, type, operand_type)                                                \
    static inline type name(unsigned mask, type value, operand_type operand, int width = 32,      \
                            SIMT_SITE) {                                                          \
        return simt::from_bits<type>(simt::collective(simt::Op::op, mask, simt::bits_of(value),   \
                                                      static_cast<unsigned>(operand),             \
                                                      static_cast<unsigned>(width), file, line)); \
    }
#define SIMT_SHUFFLES(type)                                      \
    SIMT_SHUFFLE(__shfl_sync, shuffle, type, int)                \
    SIMT_SHUFFLE(__shfl_up_sync, shuffle_up, type, unsigned)     \
    SIMT_SHUFFLE(__shfl_down_sync, shuffle_down, type, unsigned) \
    SIMT_SHUFFLE(__shfl_xor_sync, shuffle_xor, type, int)
SIMT_FOR_EACH_TYPE(SIMT_SHUFFLES)
#undef SIMT_SHUFFLES
#undef SIMT_SHUFFLE

#define SIMT_MATCH(type)                                                                           \
    static inline unsigned __match_any_sync(unsigned mask, type value, SIMT_SITE) {                \
        return static_cast<unsigned>(                                                              \
            simt::collective(simt::Op::match_any, mask, simt::bits_of(value), 0, 32, file, line)); \
    }
SIMT_FOR_EACH_TYPE(SIMT_MATCH)
#undef SIMT_MATCH
#undef SIMT_FOR_EACH_TYPE

#define SIMT_VOTE(name, op, type)                                                     \
    static inline type name(unsigned mask, int predicate, SIMT_SITE) {                \
        return static_cast<type>(                                                     \
            simt::collective(simt::Op::op, mask, predicate != 0, 0, 32, file, line)); \
    }
SIMT_VOTE(__ballot_sync, ballot, unsigned)
SIMT_VOTE(__all_sync, all, int)
SIMT_VOTE(__any_sync, any, int)
#undef SIMT_VOTE

#define SIMT_REDUCE(name, op, type)                                                \
    static inline type name(unsigned mask, type value, SIMT_SITE) {                \
        return static_cast<type>(simt::collective(                                 \
            simt::Op::op, mask, static_cast<unsigned>(value), 0, 32, file, line)); \
    }
SIMT_REDUCE(__reduce_add_sync, reduce_add, unsigned)
SIMT_REDUCE(__reduce_add_sync, reduce_add, int)
SIMT_REDUCE(__reduce_min_sync, reduce_min, unsigned)
SIMT_REDUCE(__reduce_min_sync, reduce_min_signed, int)
SIMT_REDUCE(__reduce_max_sync, reduce_max, unsigned)
SIMT_REDUCE(__reduce_max_sync, reduce_max_signed, int)
SIMT_REDUCE(__reduce_and_sync, reduce_and, unsigned)
SIMT_REDUCE(__reduce_or_sync, reduce_or, unsigned)
SIMT_REDUCE(__reduce_xor_sync, reduce_xor, unsigned)
#undef SIMT_REDUCE

#undef SIMT_SITE

#endif
