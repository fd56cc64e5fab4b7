// An array on the device, for tests.
#ifndef SIMT_UNIT_DEVICE_ARRAY_H
#define SIMT_UNIT_DEVICE_ARRAY_H

#include <cuda_runtime.h>

#include <gtest/gtest.h>

#include <vector>

template <class T> class DeviceArray {
  public:
    explicit DeviceArray(size_t size) : size_(size) {
        EXPECT_EQ(cudaMalloc(&data_, size * sizeof(T)), cudaSuccess);
    }
    explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
        EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
                  cudaSuccess);
    }
    ~DeviceArray() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;

    T *data() { return data_; }
    std::vector<T> fetch() {
        std::vector<T> values(size_);
        EXPECT_EQ(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
                  cudaSuccess);
        return values;
    }

  private:
    size_t size_;
    T *data_ = nullptr;
};

inline cudaLaunchConfig_t configuration(dim3 grid, dim3 block, size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
    cudaLaunchConfig_t made = {};
    made.gridDim = grid;
    made.blockDim = block;
    made.dynamicSmemBytes = shared;
    made.stream = stream;
    return made;
}

// Launches and waits.
template <class... Parameters, class... Arguments>
void run_kernel(const cudaLaunchConfig_t &config, void (*kernel)(Parameters...),
                Arguments... arguments) {
    ASSERT_EQ(cudaLaunchKernelEx(&config, kernel, arguments...), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

#endif
