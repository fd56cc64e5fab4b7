// Orders over several devices: split in balance, or filled in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "baselines/methods.h"
#include "support/whole_problem.h"

namespace {

std::vector<uint8_t> spread(const WholeProblem &whole, regal_balance balance) {
    std::vector<uint8_t> device(whole.view().op_count);
    EXPECT_EQ(regal_spread_order(&whole.view(), whole.view().canonical, balance, device.data()),
              REGAL_OK);
    return device;
}

TEST(Spread, BalancesWorkOverContiguousPieces) {
    const WholeProblem whole(small_graph(std::vector<std::vector<int64_t>>(12, {10})),
                             small_cluster({0, 0, 0}));
    EXPECT_EQ(spread(whole, REGAL_BALANCE_WORK),
              (std::vector<uint8_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Spread, GivesFasterDevicesMoreWork) {
    const plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(40, {30, 10}));
    plain::Cluster cluster = small_cluster({0, 0});
    cluster.devices[1].device_class = 1;
    const std::vector<uint8_t> device = spread(WholeProblem(graph, cluster), REGAL_BALANCE_WORK);
    EXPECT_TRUE(std::is_sorted(device.begin(), device.end()));
    EXPECT_EQ(std::count(device.begin(), device.end(), 0), 10);
}

TEST(Spread, KeepsWithinUnequalCapacitiesWherePiecesCan) {
    // 20 outputs of 10 bytes; equal halves would exceed the smaller device.
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(20, {1}));
    for (int64_t op = 0; op < 20; ++op)
        add_tensor(graph, op, 10, {}, true);
    const std::vector<uint8_t> device =
        spread(WholeProblem(graph, small_cluster({50, 150})), REGAL_BALANCE_MEMORY);
    EXPECT_EQ(std::count(device.begin(), device.end(), 0), 5);
}

TEST(Spread, SendsOpsToTheNearestDeviceThatTheyMayRunOn) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(6, {1}));
    const plain::Allowed d0{0, std::nullopt}, d2{2, std::nullopt};
    graph.ops[2].allowed = std::vector<plain::Allowed>{d0, d2}; // falls into d1's piece
    graph.ops[0].group = graph.ops[5].group = "together";
    const std::vector<uint8_t> device =
        spread(WholeProblem(graph, small_cluster({0, 0, 0})), REGAL_BALANCE_MEMORY);
    EXPECT_EQ(device[2], 0);
    EXPECT_EQ(device[5], device[0]);
}

// ---- fills ----

std::vector<uint8_t> fill(const plain::Graph &graph, const std::vector<int64_t> &capacities) {
    const WholeProblem whole(graph, small_cluster(capacities));
    std::vector<uint8_t> device(whole.view().op_count);
    EXPECT_EQ(regal_fill_order(&whole.view(), whole.view().canonical, device.data()), REGAL_OK);
    return device;
}

using Placement = std::vector<uint8_t>;

TEST(Fill, TakesDevicesInTurnAsFarAsTheirMemoryLasts) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(6, {1}));
    for (int64_t op = 0; op < 6; ++op)
        add_tensor(graph, op, 10, {}, true);
    EXPECT_EQ(fill(graph, {25, 5, 30, 0}), (Placement{0, 0, 2, 2, 2, 3}));
    EXPECT_EQ(fill(graph, {15, 5, 25}), (Placement{0, 2, 2, 0, 1, 2})); // then the emptiest
}

TEST(Fill, GivesBackWhatIsNoLongerRead) {
    // A chain: two tensors of 10 bytes at a time.
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(6, {1}));
    for (int64_t op = 1; op < 6; ++op)
        add_tensor(graph, op - 1, 10, {op});
    EXPECT_EQ(fill(graph, {20, 0}), (Placement{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(fill(graph, {19, 0}), (Placement{0, 1, 1, 1, 1, 1}));
    graph.ops[3].workspace = 5;
    EXPECT_EQ(fill(graph, {20, 0}), (Placement{0, 0, 0, 1, 1, 1}));
}

TEST(Fill, GivesBackWorkspacesAndWhatNobodyReads) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    for (int64_t op = 0; op < 3; ++op) {
        graph.ops[op].workspace = 10;
        add_tensor(graph, op, 10, {});
    }
    EXPECT_EQ(fill(graph, {20, 0}), (Placement{0, 0, 0}));
}

TEST(Fill, GivesBackCopiesAfterTheLastUse) {
    // 0 stays on d0; 1 takes a copy of 10 bytes and makes 10; 2 makes another 10 from them.
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    add_tensor(graph, 0, 10, {1});
    add_tensor(graph, 1, 10, {2});
    add_tensor(graph, 2, 10, {});
    EXPECT_EQ(fill(graph, {10, 20, 0}), (Placement{0, 1, 1}));
}

TEST(Fill, TakesACopyOnce) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 10, {1, 2, 3});
    graph.parameters = {{"p", 20, {1, 2, 3}}};
    EXPECT_EQ(fill(graph, {10, 30, 0}), (Placement{0, 1, 1, 1}));
}

TEST(Fill, ComesBackToADeviceThatWasOnlyForbidden) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    for (int64_t op = 0; op < 3; ++op)
        add_tensor(graph, op, 10, {}, true);
    graph.ops[1].allowed = std::vector<plain::Allowed>{{2, std::nullopt}};
    EXPECT_EQ(fill(graph, {20, 20, 0}), (Placement{0, 2, 0}));
}

TEST(Fill, CountsCopiesAndSharedParameters) {
    // Ops 2 and 3 read the same 10 bytes of op 0; ops 1 to 3 share a parameter of 20 bytes.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 10, {2, 3});
    graph.parameters = {{"p", 20, {1, 2, 3}}};
    EXPECT_EQ(fill(graph, {10, 30, 0}), (Placement{0, 1, 1, 1}));
    EXPECT_EQ(fill(graph, {10, 29, 0}), (Placement{0, 1, 2, 2}));
}

TEST(Fill, KeepsAnAliasedStorageUpToItsLastReader) {
    // 1 makes an alias of 0's 10 bytes, read by 3 only: 2 has no room on d0 meanwhile.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 10, {1});
    add_tensor(graph, 1, 10, {3});
    graph.tensors[1].alias_of = 0;
    add_tensor(graph, 2, 10, {}, true);
    EXPECT_EQ(fill(graph, {15, 0}), (Placement{0, 0, 1, 1}));
    EXPECT_EQ(fill(graph, {20, 0}), (Placement{0, 0, 0, 0}));
}

} // namespace
