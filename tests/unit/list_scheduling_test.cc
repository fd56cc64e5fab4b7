// List scheduling and Baechi's methods, worked by hand.
#include <gtest/gtest.h>

#include <vector>

#include "baselines/methods.h"
#include "support/whole_problem.h"

namespace {

using Ticks = std::vector<int64_t>;

plain::Plan plan_of(const plain::Graph &graph, const plain::Cluster &cluster,
                    regal_baseline method) {
    const WholeProblem whole(graph, cluster);
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_baseline_plan(whole.get(), method, REGAL_TIME, 0, &plan), REGAL_OK)
        << regal_error_message();
    const PlanPtr owned(plan);
    return read_plan(plan);
}

TEST(ListScheduling, GoesByTicksOrByOpsThatRemain) {
    // Op 0 takes long and is the last of its way; ops 1, 2, 3 are a chain of short ones.
    plain::Graph graph = small_graph({{9}, {1}, {1}, {1}});
    graph.control = {{1, 2}, {2, 3}};
    const plain::Cluster one = small_cluster({0});
    EXPECT_EQ(plan_of(graph, one, REGAL_CRITICAL_PATH).start, (Ticks{0, 9, 10, 11}));
    EXPECT_EQ(plan_of(graph, one, REGAL_MOST_OPERATIONS).start, (Ticks{2, 0, 1, 11}));
}

TEST(ListScheduling, LeavesGapsThatHeftFills) {
    // Op 1 waits on d1 for op 0's tensor until tick 11; op 2 comes behind it.
    plain::Graph graph = small_graph({{1}, {9}, {4}});
    add_tensor(graph, 0, 10, {1});
    graph.ops[0].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    for (const int op : {1, 2})
        graph.ops[op].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    EXPECT_EQ(plan_of(graph, small_cluster({0, 0}), REGAL_CRITICAL_PATH).start, (Ticks{0, 11, 20}));
    EXPECT_EQ(plan_of(graph, small_cluster({0, 0}), REGAL_HEFT).start, (Ticks{0, 11, 0}));
}

TEST(Topo, FillsDevicesToTheirShareAndTheGreatestOp) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    for (int64_t op = 0; op < 4; ++op)
        add_tensor(graph, op, 10, op < 3 ? std::vector<int64_t>{op + 1} : std::vector<int64_t>{});
    const auto placement = [&](const std::vector<int64_t> &capacities) {
        return plan_of(graph, small_cluster(capacities), REGAL_BAECHI_TOPO).placement;
    };
    EXPECT_EQ(placement({0, 0}), (Ticks{0, 0, 0, 1})); // 40 / 2 + 10
    EXPECT_EQ(placement({20, 0}), (Ticks{0, 0, 1, 1}));
    EXPECT_EQ(placement({5, 15}), (Ticks{1, 0, 1, 0})); // no room: where most is left
    graph.ops[0].group = graph.ops[3].group = "together";
    EXPECT_EQ(placement({30, 0}), (Ticks{0, 0, 1, 0}));
    graph.ops[1].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    EXPECT_EQ(placement({30, 0}), (Ticks{0, 1, 0, 0}));
}

TEST(Topo, CountsASharedParameterOnceOnADevice) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    graph.parameters = {{"p", 60, {0, 1, 2}}};
    EXPECT_EQ(plan_of(graph, small_cluster({60, 60}), REGAL_BAECHI_TOPO).placement,
              (Ticks{0, 0, 0}));
}

TEST(Etf, TakesThePairThatStartsFirstThenTheLongestWay) {
    // Ops 0, 1, 2 are ready; 2 has the longest way, then 1. Op 3 starts on d0 at 5, where its input
    // is, rather than on d1 at 5 + 3.
    plain::Graph graph = small_graph({{1}, {3}, {5}, {2}});
    add_tensor(graph, 2, 3, {3});
    const plain::Plan plan = plan_of(graph, small_cluster({0, 0}), REGAL_BAECHI_ETF);
    EXPECT_EQ(plan.placement, (Ticks{1, 1, 0, 0}));
    EXPECT_EQ(plan.start, (Ticks{3, 0, 0, 5}));
}

TEST(Etf, KeepsWithinTheMemoryOfDevicesAsLongAsThereIsAny) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    for (int64_t op = 0; op < 4; ++op)
        add_tensor(graph, op, 10, {}, true);
    const auto placement = [&](const std::vector<int64_t> &capacities) {
        return plan_of(graph, small_cluster(capacities), REGAL_BAECHI_ETF).placement;
    };
    EXPECT_EQ(placement({0, 0}), (Ticks{0, 1, 0, 1}));
    EXPECT_EQ(placement({10, 0}), (Ticks{0, 1, 1, 1}));
    EXPECT_EQ(placement({10, 10}), (Ticks{0, 1, 0, 1})); // full: where most is left
    graph.ops[0].group = graph.ops[1].group = "together";
    EXPECT_EQ(placement({10, 0}), (Ticks{1, 1, 0, 1}));
    EXPECT_EQ(placement({10, 10}), (Ticks{0, 0, 1, 1}));
}

} // namespace
