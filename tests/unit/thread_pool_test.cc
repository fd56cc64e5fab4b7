#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "base/thread_pool.h"

namespace {

struct Loop {
    std::vector<int64_t> visits;
    std::vector<std::atomic<int>> in_use;
    std::atomic<bool> clash{false};
    explicit Loop(int64_t count) : visits(count, 0), in_use(64) {}
};

void visit(void *context, int64_t index, int64_t worker) {
    auto *loop = static_cast<Loop *>(context);
    if (loop->in_use[worker]++ != 0)
        loop->clash = true;
    loop->visits[index]++;
    loop->in_use[worker]--;
}

TEST(ThreadPool, VisitsEveryIndexOnceWithOneThreadAWorker) {
    for (int64_t threads : {1, 2, 3, 8}) {
        regal_thread_pool *pool;
        ASSERT_EQ(regal_thread_pool_create(threads, &pool), REGAL_OK);
        EXPECT_EQ(regal_thread_pool_size(pool), threads);
        for (int64_t count : {0, 1, 2, 5, 1000})
            for (int repeat = 0; repeat < 50; ++repeat) {
                Loop loop(count);
                regal_thread_pool_run(pool, count, visit, &loop);
                EXPECT_EQ(loop.visits, std::vector<int64_t>(count, 1));
                EXPECT_FALSE(loop.clash);
            }
        regal_thread_pool_destroy(pool);
    }
}

TEST(ThreadPool, TakesAllProcessorsForZero) {
    regal_thread_pool *pool;
    ASSERT_EQ(regal_thread_pool_create(0, &pool), REGAL_OK);
    EXPECT_EQ(regal_thread_pool_size(pool), regal_processor_count());
    regal_thread_pool_destroy(pool);
    regal_thread_pool_destroy(nullptr);
}

} // namespace
