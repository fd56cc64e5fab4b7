// Device memory and shared memory.
#include "device_array.h"
#include "orders.h"

namespace {

constexpr unsigned char kPoison = 0xE7;

TEST(SimtMemory, RunsOut) {
    const size_t before = simt::device().memory;
    simt::device().memory = simt::usage().bytes + (1 << 20);
    char *first = nullptr, *second = nullptr;
    size_t available = 0, total = 0;
    EXPECT_EQ(cudaMalloc(&first, 768 << 10), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&available, &total), cudaSuccess);
    EXPECT_EQ(available, size_t{256} << 10);
    EXPECT_EQ(cudaMalloc(&second, 512 << 10), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaFree(first), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&second, 512 << 10), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&first, SIZE_MAX), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaFree(second), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    simt::device().memory = before;
}

TEST(SimtMemory, FreesOnlyWhatItGave) {
    const simt::Usage before = simt::usage();
    int *array = nullptr;
    ASSERT_EQ(cudaMalloc(&array, 64), cudaSuccess);
    EXPECT_EQ(simt::usage().allocations, before.allocations + 1);
    EXPECT_EQ(cudaFree(array + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(array), cudaSuccess);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(simt::usage().allocations, before.allocations);
    EXPECT_EQ(simt::usage().bytes, before.bytes);
}

TEST(SimtMemory, IsFilledAndCopied) {
    DeviceArray<unsigned char> bytes(100), other(100);
    EXPECT_EQ(bytes.fetch()[99], kPoison);
    EXPECT_EQ(cudaMemset(bytes.data() + 10, 5, 90), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(other.data(), bytes.data(), 100, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(other.fetch()[9], kPoison);
    EXPECT_EQ(other.fetch()[10], 5);
}

TEST(SimtMemory, PinnedMemoryIsTheHosts) {
    int *pinned = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 4 * sizeof(int)), cudaSuccess);
    pinned[3] = 9;
    DeviceArray<int> array(4);
    EXPECT_EQ(cudaMemcpy(array.data(), pinned, 16, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(array.fetch()[3], 9);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

static __constant__ int table[4];

__global__ void look_up(int *out) {
    out[threadIdx.x] = table[threadIdx.x & 3];
}

TEST(SimtMemory, ConstantsAreSetByCopies) {
    const int values[4] = {4, 3, 2, 1};
    EXPECT_EQ(cudaMemcpyToSymbolAsync(table, values, sizeof values, 0, cudaMemcpyHostToDevice),
              cudaSuccess);
    EXPECT_EQ(cudaMemcpyToSymbolAsync(table, values, sizeof values, 4, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    DeviceArray<int> out(32);
    run_kernel(configuration(1, 32), look_up, out.data());
    EXPECT_EQ(out.fetch()[6], 2);
}

// What a block finds in its shared memory, and then spoils.
__global__ void find_shared(unsigned *found, size_t words, uintptr_t *address) {
    __shared__ unsigned fixed[3];
    unsigned *dynamic = static_cast<unsigned *>(simt_dynamic_shared());
    *address = reinterpret_cast<uintptr_t>(dynamic);
    found[blockIdx.x * 2] = fixed[2];
    found[blockIdx.x * 2 + 1] = dynamic[words - 1];
    fixed[2] = dynamic[words - 1] = 1;
}

TEST(SimtSharedMemory, IsPoisonedBeforeEachBlock) {
    DeviceArray<unsigned> found(6);
    DeviceArray<uintptr_t> address(1);
    run_kernel(configuration(3, 1, 1000 * sizeof(unsigned)), find_shared, found.data(),
               size_t{1000}, address.data());
    for (const unsigned word : found.fetch()) {
        EXPECT_EQ(word, 0xE7E7E7E7u);
    }
    EXPECT_EQ(address.fetch()[0] % 1024, 0u);
}

} // namespace
