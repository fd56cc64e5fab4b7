/* Atomics: relaxed, as on the device. Before each another thread may go first. */
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

namespace simt {

/* Replaces *address by next(old) and returns the old value. */
template <class T, class Next> inline T replace(T *address, Next next) {
    explore();
    T old, wanted;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do {
        wanted = next(old);
    } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
    return old;
}

/* Wraps around where a signed sum would overflow. */
inline int wrapping_sum(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
inline unsigned wrapping_sum(unsigned a, unsigned b) {
    return a + b;
}
inline unsigned long long wrapping_sum(unsigned long long a, unsigned long long b) {
    return a + b;
}
inline float wrapping_sum(float a, float b) {
    return a + b;
}
inline double wrapping_sum(double a, double b) {
    return a + b;
}

} // namespace simt

/* Only the types that CUDA has: no uint64_t where that is unsigned long. */
#define SIMT_ATOMIC(name, type, result)                                                         \
    static inline type name(type *address, type value) {                                        \
        return simt::replace(                                                                   \
            address, [value]([[maybe_unused]] type old) { return static_cast<type>(result); }); \
    }
#define SIMT_ATOMIC_INTEGERS(name, result) \
    SIMT_ATOMIC(name, int, result)         \
    SIMT_ATOMIC(name, unsigned, result)    \
    SIMT_ATOMIC(name, unsigned long long, result)

SIMT_ATOMIC_INTEGERS(atomicAdd, simt::wrapping_sum(old, value))
SIMT_ATOMIC(atomicAdd, float, simt::wrapping_sum(old, value))
SIMT_ATOMIC(atomicAdd, double, simt::wrapping_sum(old, value))
SIMT_ATOMIC(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(value))
SIMT_ATOMIC(atomicSub, unsigned, old - value)
SIMT_ATOMIC_INTEGERS(atomicMin, value < old ? value : old)
SIMT_ATOMIC(atomicMin, long long, value < old ? value : old)
SIMT_ATOMIC_INTEGERS(atomicMax, old < value ? value : old)
SIMT_ATOMIC(atomicMax, long long, old < value ? value : old)
SIMT_ATOMIC_INTEGERS(atomicOr, old | value)
SIMT_ATOMIC_INTEGERS(atomicAnd, old &value)
SIMT_ATOMIC_INTEGERS(atomicXor, old ^ value)
SIMT_ATOMIC_INTEGERS(atomicExch, value)
SIMT_ATOMIC(atomicExch, float, value)
#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC

#define SIMT_COMPARE_AND_SWAP(type)                                                    \
    static inline type atomicCAS(type *address, type expected, type value) {           \
        simt::explore();                                                               \
        __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, \
                                  __ATOMIC_RELAXED);                                   \
        return expected;                                                               \
    }
SIMT_COMPARE_AND_SWAP(int)
SIMT_COMPARE_AND_SWAP(unsigned)
SIMT_COMPARE_AND_SWAP(unsigned short)
SIMT_COMPARE_AND_SWAP(unsigned long long)
#undef SIMT_COMPARE_AND_SWAP

#endif
