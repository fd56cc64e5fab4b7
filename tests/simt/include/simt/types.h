/* CUDA's qualifiers and vector types. */
#ifndef SIMT_TYPES_H
#define SIMT_TYPES_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __constant__ __attribute__((unused))
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
#define __forceinline__  inline __attribute__((always_inline))

/* One copy of a static shared variable serves all blocks, since they run one after another; the
 * section lets the runtime poison it before each. Templates ignore the section: the lint refuses
 * static shared variables in them. */
#define __shared__ static __attribute__((section("simt_shared")))

#define SIMT_VECTOR2(name, type, alignment)          \
    struct alignas(alignment) name {                 \
        type x, y;                                   \
    };                                               \
    static inline name make_##name(type x, type y) { \
        return {x, y};                               \
    }
#define SIMT_VECTOR3(name, type)                             \
    struct name {                                            \
        type x, y, z;                                        \
    };                                                       \
    static inline name make_##name(type x, type y, type z) { \
        return {x, y, z};                                    \
    }
#define SIMT_VECTOR4(name, type, alignment)                          \
    struct alignas(alignment) name {                                 \
        type x, y, z, w;                                             \
    };                                                               \
    static inline name make_##name(type x, type y, type z, type w) { \
        return {x, y, z, w};                                         \
    }

SIMT_VECTOR2(uchar2, unsigned char, 2)
SIMT_VECTOR4(uchar4, unsigned char, 4)
SIMT_VECTOR2(short2, short, 4)
SIMT_VECTOR4(short4, short, 8)
SIMT_VECTOR2(ushort2, unsigned short, 4)
SIMT_VECTOR4(ushort4, unsigned short, 8)
SIMT_VECTOR2(int2, int, 8)
SIMT_VECTOR3(int3, int)
SIMT_VECTOR4(int4, int, 16)
SIMT_VECTOR2(uint2, unsigned, 8)
SIMT_VECTOR3(uint3, unsigned)
SIMT_VECTOR4(uint4, unsigned, 16)
SIMT_VECTOR2(longlong2, long long, 16)
SIMT_VECTOR2(ulonglong2, unsigned long long, 16)
SIMT_VECTOR2(float2, float, 8)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR4(float4, float, 16)
SIMT_VECTOR2(double2, double, 16)

#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

/* Objects, not macros: the names are also used for members. The runtime sets them. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
constexpr int warpSize = 32;

#endif
