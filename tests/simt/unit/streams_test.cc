// Streams and events: what runs when.
#include "device_array.h"
#include "orders.h"

namespace {

__global__ void add_one(int *value) {
    *value += 1;
}

class SimtStreams : public ::testing::Test {
  protected:
    SimtStreams() {
        EXPECT_EQ(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    }
    ~SimtStreams() override {
        EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(one), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(two), cudaSuccess);
        simt::set_lazy_streams(true);
    }
    void add(cudaStream_t stream) {
        const cudaLaunchConfig_t config = configuration(1, 1, 0, stream);
        EXPECT_EQ(cudaLaunchKernelEx(&config, add_one, value.data()), cudaSuccess);
    }
    void fetch(cudaStream_t stream) {
        EXPECT_EQ(cudaMemcpyAsync(&host, value.data(), sizeof host, cudaMemcpyDeviceToHost, stream),
                  cudaSuccess);
    }
    DeviceArray<int> value{std::vector<int>{0}};
    int host = -1;
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t event = nullptr;
};

TEST_F(SimtStreams, RunNothingBeforeTheHostWaits) {
    add(one);
    fetch(one);
    EXPECT_EQ(host, -1);
    EXPECT_EQ(cudaStreamQuery(one), cudaErrorNotReady);
    EXPECT_EQ(cudaStreamSynchronize(one), cudaSuccess);
    EXPECT_EQ(host, 1);
    EXPECT_EQ(cudaStreamQuery(one), cudaSuccess);
}

TEST_F(SimtStreams, RunAtOnceWhenEager) {
    simt::set_lazy_streams(false);
    add(one);
    fetch(two);
    EXPECT_EQ(host, 1);
}

TEST_F(SimtStreams, RunNoMoreThanTheHostWaitsFor) {
    add(one);
    fetch(two); // nothing makes it wait
    EXPECT_EQ(cudaStreamSynchronize(two), cudaSuccess);
    EXPECT_EQ(host, 0);
}

TEST_F(SimtStreams, WaitForEventsAsTheyWereRecorded) {
    add(one);
    EXPECT_EQ(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(two, event), cudaSuccess);
    add(one);
    EXPECT_EQ(cudaEventRecord(event, one), cudaSuccess); // too late for the wait
    fetch(two);
    EXPECT_EQ(cudaStreamSynchronize(two), cudaSuccess);
    EXPECT_EQ(host, 1);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_EQ(value.fetch()[0], 2);
}

TEST_F(SimtStreams, OnlyThoseThatBlockTakeTurnsWithTheDefaultStream) {
    cudaStream_t blocking = nullptr;
    ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
    add(one);
    add(blocking);
    fetch(nullptr);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(host, 1); // that of `one` has not run
    EXPECT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(blocking), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(SimtStreams, TimeWhatRunsBetweenEvents) {
    cudaEvent_t begin = nullptr;
    float milliseconds = -1;
    ASSERT_EQ(cudaEventCreate(&begin), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, event), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(begin, one), cudaSuccess);
    add(one);
    EXPECT_EQ(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, event), cudaErrorNotReady);
    EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, begin, event), cudaSuccess);
    EXPECT_GE(milliseconds, 0.0f);
    EXPECT_EQ(cudaEventDestroy(begin), cudaSuccess);
    cudaGetLastError();
}

} // namespace
