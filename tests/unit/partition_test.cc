// Graph partitioning as a baseline, and the bisection it stands on.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "baselines/methods.h"
#include "support/whole_problem.h"

namespace {

// Two chains of `length` ops with one thin tensor between them.
plain::Graph two_chains(int64_t length) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(2 * length, {10}));
    for (int64_t op = 1; op < 2 * length; ++op)
        if (op != length)
            add_tensor(graph, op - 1, 1000, {op});
    add_tensor(graph, length - 1, 1, {2 * length - 1});
    return graph;
}

PlanPtr partition(const plain::Graph &graph, const plain::Cluster &cluster,
                  regal_objective objective) {
    const WholeProblem whole(graph, cluster);
    regal_plan *plan = nullptr;
    const regal_status status =
        regal_baseline_plan(whole.get(), REGAL_PARTITION, objective, 0, &plan);
    EXPECT_TRUE(status == REGAL_OK || status == REGAL_UNAVAILABLE) << regal_error_message();
    return PlanPtr(plan);
}

#define SKIP_WITHOUT(plan) \
    if (!(plan))           \
    GTEST_SKIP() << regal_error_message()

TEST(Partition, CutsWhereFewestBytesCross) {
    for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        const PlanPtr plan = partition(two_chains(50), small_cluster({0, 0}), objective);
        SKIP_WITHOUT(plan);
        EXPECT_EQ(plan->transfer_count, 1);
        const auto place = read_plan(plan.get()).placement;
        EXPECT_EQ(std::count(place.begin(), place.end(), 0), 50);
    }
}

TEST(Partition, MakesAsManyPartsAsThereAreDevices) {
    for (const int64_t devices : {1, 3, 7, 64}) {
        const PlanPtr plan = partition(two_chains(1000),
                                       small_cluster(std::vector<int64_t>(devices, 0)), REGAL_TIME);
        SKIP_WITHOUT(plan);
        std::vector<int64_t> ops(devices, 0);
        for (const int64_t device : read_plan(plan.get()).placement)
            ops[device]++;
        EXPECT_GT(*std::min_element(ops.begin(), ops.end()), 2000 / devices * 8 / 10);
        EXPECT_LT(*std::max_element(ops.begin(), ops.end()), 2000 / devices * 12 / 10 + 2);
    }
}

TEST(Partition, BalancesBytesForMemory) {
    // Half of the ops make all bytes: by ticks they would lie together.
    plain::Graph graph = two_chains(50);
    for (int64_t op = 0; op < 50; ++op)
        add_tensor(graph, op, 100000, {}, true);
    const PlanPtr plan = partition(graph, small_cluster({0, 0}), REGAL_MEMORY);
    SKIP_WITHOUT(plan);
    const auto place = read_plan(plan.get()).placement;
    const int64_t heavy = std::count(place.begin(), place.begin() + 50, 0);
    EXPECT_GE(heavy, 20);
    EXPECT_LE(heavy, 30);
}

TEST(Partition, CutsWhatHasNoEdgesAndWhatHasFewOps) {
    for (const int64_t ops : {0, 1, 2, 3, 5, 100}) {
        plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(ops + 1, {1}));
        graph.ops.pop_back();
        testing::internal::CaptureStdout();
        const PlanPtr plan = partition(graph, small_cluster({0, 5, 0, 0}), REGAL_TIME);
        EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
        SKIP_WITHOUT(plan);
    }
}

TEST(Partition, MovesGroupsThatMayNotRunWhereTheirPartIs) {
    plain::Graph graph = two_chains(20);
    for (int64_t op = 0; op < 40; ++op)
        graph.ops[op].allowed = std::vector<plain::Allowed>{{2, std::nullopt}};
    const PlanPtr plan = partition(graph, small_cluster({0, 0, 0}), REGAL_TIME);
    SKIP_WITHOUT(plan);
    EXPECT_EQ(read_plan(plan.get()).placement, std::vector<int64_t>(40, 2));
}

} // namespace
