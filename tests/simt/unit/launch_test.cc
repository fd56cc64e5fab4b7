// Launches, devices and their limits.
#include <algorithm>

#include "device_array.h"
#include "orders.h"

namespace {

__global__ void nothing() {}
__global__ void note_index(int *order, int *next) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    order[atomicAdd(next, 1)] = static_cast<int>(block * threads + thread);
}

std::vector<int> order_of_threads() {
    DeviceArray<int> order(4 * 3 * 2 * 5 * 3 * 2), next(std::vector<int>{0});
    run_kernel(configuration(dim3(4, 3, 2), dim3(5, 3, 2)), note_index, order.data(), next.data());
    return order.fetch();
}

TEST(SimtLaunch, RunsEachThreadOfAGridOnce) {
    in_every_order([] {
        std::vector<int> order = order_of_threads();
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < order.size(); ++i) {
            ASSERT_EQ(order[i], static_cast<int>(i));
        }
    });
}

TEST(SimtLaunch, OrdersAreWhatTheySay) {
    simt::set_order(simt::Order::forward);
    const std::vector<int> forward = order_of_threads();
    EXPECT_TRUE(std::is_sorted(forward.begin(), forward.end()));
    simt::set_order(simt::Order::reverse);
    const std::vector<int> reverse = order_of_threads();
    EXPECT_TRUE(std::is_sorted(reverse.rbegin(), reverse.rend()));
    simt::set_order(simt::Order::random, 1);
    const std::vector<int> first = order_of_threads();
    simt::set_order(simt::Order::random, 2);
    EXPECT_NE(order_of_threads(), first);
    simt::set_order(simt::Order::random, 1);
    EXPECT_EQ(order_of_threads(), first);
    simt::set_order(simt::Order::forward);
}

cudaError_t launch_nothing(dim3 grid, dim3 block, size_t shared = 0) {
    const cudaLaunchConfig_t config = configuration(grid, block, shared);
    const cudaError_t error = cudaLaunchKernelEx(&config, nothing);
    EXPECT_EQ(cudaPeekAtLastError(), error);
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return error;
}

TEST(SimtLaunch, RefusesConfigurationsAsCudaDoes) {
    EXPECT_EQ(launch_nothing(1, 1024), cudaSuccess);
    EXPECT_EQ(launch_nothing(1, 1025), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(1, dim3(32, 33)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(0, 32), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(dim3(1, 65536), 32), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(1, 0), cudaErrorInvalidConfiguration);
}

TEST(SimtLaunch, SharedMemoryBeyond48KiBMustBeAskedFor) {
    EXPECT_EQ(launch_nothing(1, 32, 48 << 10), cudaSuccess);
    EXPECT_EQ(launch_nothing(1, 32, (48 << 10) + 1), cudaErrorInvalidValue);
    int most = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
              cudaSuccess);
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT_EQ(cudaFuncSetAttribute(nothing, attribute, most + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(nothing, attribute, most), cudaSuccess);
    EXPECT_EQ(launch_nothing(1, 32, static_cast<size_t>(most)), cudaSuccess);
    cudaFuncAttributes attributes;
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, nothing), cudaSuccess);
    EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, most);
    EXPECT_EQ(cudaFuncSetAttribute(nothing, attribute, 48 << 10), cudaSuccess);
}

TEST(SimtLaunch, OccupancyFollowsThreadsAndSharedMemory) {
    int blocks = 0;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0), cudaSuccess);
    EXPECT_EQ(blocks, 8);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 0), cudaSuccess);
    EXPECT_EQ(blocks, 32);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 100 << 10),
              cudaSuccess);
    EXPECT_EQ(blocks, 2);
}

TEST(SimtDevice, IsThereOrNot) {
    int count = 0, device = -1;
    cudaDeviceProp properties;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_EQ(properties.warpSize, 32);
    EXPECT_EQ(properties.multiProcessorCount, 2);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
    simt::device().count = 0;
    count = 77;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    EXPECT_EQ(count, 77);
    simt::device().count = 1;
    cudaGetLastError();
}

TEST(SimtErrors, HaveCudasNamesAndTexts) {
    EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

} // namespace
