/* Integer and floating-point functions of device code. */
#ifndef SIMT_BUILTINS_H
#define SIMT_BUILTINS_H

#include <cstdlib>
#include <type_traits>

static inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
static inline int __ffs(int x) {
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
static inline int __clz(int x) {
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
static inline int __clzll(long long x) {
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
static inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
static inline int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}

#define SIMT_REINTERPRET(name, to, from)                            \
    static inline to name(from value) {                             \
        static_assert(sizeof(to) == sizeof(from), "the same bits"); \
        to result;                                                  \
        memcpy(&result, &value, sizeof(to));                        \
        return result;                                              \
    }
SIMT_REINTERPRET(__float_as_int, int, float)
SIMT_REINTERPRET(__float_as_uint, unsigned, float)
SIMT_REINTERPRET(__int_as_float, float, int)
SIMT_REINTERPRET(__uint_as_float, float, unsigned)
SIMT_REINTERPRET(__double_as_longlong, long long, double)
SIMT_REINTERPRET(__longlong_as_double, double, long long)
#undef SIMT_REINTERPRET

/* -ffp-contract=off keeps the compiler from fusing these. */
static inline float __fadd_rn(float a, float b) {
    return a + b;
}
static inline float __fsub_rn(float a, float b) {
    return a - b;
}
static inline float __fmul_rn(float a, float b) {
    return a * b;
}
static inline float __fdiv_rn(float a, float b) {
    return a / b;
}
static inline float __fsqrt_rn(float a) {
    return std::sqrt(a);
}
static inline float __fmaf_rn(float a, float b, float c) {
    return std::fma(a, b, c);
}
static inline double __dadd_rn(double a, double b) {
    return a + b;
}
static inline double __dsub_rn(double a, double b) {
    return a - b;
}
static inline double __dmul_rn(double a, double b) {
    return a * b;
}
static inline double __ddiv_rn(double a, double b) {
    return a / b;
}
static inline double __fma_rn(double a, double b, double c) {
    return std::fma(a, b, c);
}
static inline double __ll2double_rn(long long x) {
    return static_cast<double>(x);
}
static inline double __ull2double_rn(unsigned long long x) {
    return static_cast<double>(x);
}
static inline float rsqrtf(float a) {
    return 1.0f / std::sqrt(a);
}

namespace simt {
template <class T> struct is_loadable : std::is_arithmetic<T> {};
template <> struct is_loadable<bool> : std::false_type {};
#define SIMT_LOADABLE(type) \
    template <> struct is_loadable<type> : std::true_type {};
SIMT_LOADABLE(uchar2)
SIMT_LOADABLE(uchar4)
SIMT_LOADABLE(short2)
SIMT_LOADABLE(short4)
SIMT_LOADABLE(ushort2)
SIMT_LOADABLE(ushort4)
SIMT_LOADABLE(int2)
SIMT_LOADABLE(int4)
SIMT_LOADABLE(uint2)
SIMT_LOADABLE(uint4)
SIMT_LOADABLE(longlong2)
SIMT_LOADABLE(ulonglong2)
SIMT_LOADABLE(float2)
SIMT_LOADABLE(float4)
SIMT_LOADABLE(double2)
#undef SIMT_LOADABLE
} // namespace simt

#define SIMT_LOAD(name)                                                                \
    template <class T> static inline T name(const T *address) {                        \
        static_assert(simt::is_loadable<T>::value, "not a type that " #name " loads"); \
        return *address;                                                               \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
#undef SIMT_LOAD
#define SIMT_STORE(name)                                                                \
    template <class T> static inline void name(T *address, T value) {                   \
        static_assert(simt::is_loadable<T>::value, "not a type that " #name " stores"); \
        *address = value;                                                               \
    }
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
#undef SIMT_STORE

/* As CUDA: of two integers of one size, one unsigned, the result is unsigned. */
#define SIMT_MIN_MAX(a_type, b_type, type)                             \
    static inline type min(a_type a, b_type b) {                       \
        const type x = static_cast<type>(a), y = static_cast<type>(b); \
        return y < x ? y : x;                                          \
    }                                                                  \
    static inline type max(a_type a, b_type b) {                       \
        const type x = static_cast<type>(a), y = static_cast<type>(b); \
        return x < y ? y : x;                                          \
    }
#define SIMT_MIN_MAX_INTEGER(type, unsigned_type)             \
    SIMT_MIN_MAX(type, type, type)                            \
    SIMT_MIN_MAX(unsigned_type, unsigned_type, unsigned_type) \
    SIMT_MIN_MAX(type, unsigned_type, unsigned_type)          \
    SIMT_MIN_MAX(unsigned_type, type, unsigned_type)
SIMT_MIN_MAX_INTEGER(int, unsigned)
SIMT_MIN_MAX_INTEGER(long, unsigned long)
SIMT_MIN_MAX_INTEGER(long long, unsigned long long)
#undef SIMT_MIN_MAX_INTEGER
#undef SIMT_MIN_MAX
static inline float min(float a, float b) {
    return std::fmin(a, b);
}
static inline float max(float a, float b) {
    return std::fmax(a, b);
}
static inline double min(double a, double b) {
    return std::fmin(a, b);
}
static inline double max(double a, double b) {
    return std::fmax(a, b);
}

static inline void __threadfence() {
    simt::explore();
}
static inline void __threadfence_block() {
    simt::explore();
}
static inline void __threadfence_system() {
    simt::explore();
}

#define __trap() simt::fail("__trap at %s:%d", __FILE__, __LINE__)

#endif
