// HEFT (see also published_schedules_test.cc) and what it stands on: ranks by mean costs, timelines
// with insertion.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "baselines/methods.h"
#include "baselines/timeline.h"
#include "baselines/upward_rank.h"
#include "support/random_problem.h"
#include "support/topological.h"

namespace {

using Ticks = std::vector<int64_t>;

// ---- ranks ----

TEST(Ranks, AreTheLongestWaysByMeanCosts) {
    // Mean costs 3, 5, 2, 1, 1; tensors 0 -> 1, 2 of 4 bytes and 1 -> 3 of 6; control 2 -> 3, 4.
    plain::Graph graph = small_graph({{2, 4}, {5, 6}, {2, 2}, {0, 1}, {1, 1}});
    add_tensor(graph, 0, 4, {1, 2});
    add_tensor(graph, 1, 6, {3});
    graph.control = {{2, 3}, {2, 4}};
    plain::Cluster cluster = small_cluster({0, 0});
    cluster.devices[1].device_class = 1;
    cluster.pairs[{1, 0}] = {2, 500}; // 10 ticks for 4 bytes, 14 for 6: means 7 and 10
    const WholeProblem whole(graph, cluster);
    regal_mean_ticks mean;
    ASSERT_EQ(regal_mean_ticks_create(&whole.view(), &mean), REGAL_OK);
    Ticks up(5), down(5);
    regal_upward_rank(&whole.view(), &mean, up.data());
    regal_downward_rank(&whole.view(), &mean, down.data());
    regal_mean_ticks_destroy(&mean);
    EXPECT_EQ(up, (Ticks{3 + 7 + 16, 5 + 10 + 1, 2 + 1, 1, 1}));
    EXPECT_EQ(down, (Ticks{0, 3 + 7, 3 + 7, 10 + 5 + 10, 10 + 2}));
}

TEST(Ranks, OrderOpsTopologically) {
    for (int64_t seed = 0; seed < 500; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (whole.problem) {
            ASSERT_TRUE(
                is_topological(whole.view(), order_of(regal_upward_rank_order, whole).data()))
                << "seed " << seed;
        }
    }
}

// ---- HEFT ----

struct Heft {
    Heft(const WholeProblem &whole) {
        EXPECT_EQ(regal_make_heft(whole.get(), REGAL_TIME, 0, &heuristic), REGAL_OK)
            << regal_error_message();
        regal_heuristic free_links;
        EXPECT_EQ(regal_heft_contention_free(whole.get(), &free_links, &contention_free), REGAL_OK);
        regal_heuristic_destroy(&free_links);
        plan = read_plan(heuristic.plan);
    }
    ~Heft() { regal_heuristic_destroy(&heuristic); }
    Heft(const Heft &) = delete;
    Heft &operator=(const Heft &) = delete;

    regal_heuristic heuristic{};
    plain::Plan plan;
    int64_t contention_free = 0;
};

TEST(Heft, FollowsAHandWorkedSchedule) {
    // Upward ranks 13, 8, 7, 1. Op 0 on d0 [0, 2); op 1 behind it [2, 7); op 2 is done sooner on
    // d1: its input crosses in [2, 5), so [5, 9) rather than [7, 11); op 3 there as well: the
    // tensor of op 1 crosses in [7, 9).
    plain::Graph graph = small_graph({{2}, {5}, {4}, {1}});
    add_tensor(graph, 0, 3, {1, 2});
    add_tensor(graph, 1, 2, {3});
    add_tensor(graph, 2, 2, {3});
    const Heft heft{WholeProblem(graph, small_cluster({0, 0}))};
    EXPECT_EQ(heft.plan.placement, (Ticks{0, 0, 1, 1}));
    EXPECT_EQ(heft.plan.start, (Ticks{0, 2, 5, 9}));
    EXPECT_EQ(heft.plan.transfers, (std::vector<plain::Transfer>{{0, 1, 2}, {1, 1, 7}}));
    EXPECT_EQ(heft.plan.makespan, 10);
    EXPECT_EQ(heft.contention_free, 10);
}

TEST(Heft, QueuesTransfersOnALinkWhereThePublishedMethodDoesNot) {
    // Both inputs of op 2, which must run on d1, come from d0 over the same link.
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    add_tensor(graph, 0, 5, {2});
    add_tensor(graph, 1, 7, {2});
    for (const int op : {0, 1})
        graph.ops[op].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    graph.ops[2].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    const Heft heft{WholeProblem(graph, small_cluster({0, 0}))};
    // Op 1 has the greater rank: it runs first, and its tensor crosses in [1, 8), the other in
    // [8, 13).
    EXPECT_EQ(heft.plan.start, (Ticks{1, 0, 13}));
    EXPECT_EQ(heft.plan.transfers, (std::vector<plain::Transfer>{{0, 1, 8}, {1, 1, 1}}));
    EXPECT_EQ(heft.contention_free, 9);
}

TEST(Heft, ForeseesThatTransfersOfAnOpWaitForEachOther) {
    // As above, but op 2 may run on d2 as well: slower, yet there the tensors cross in a tick each.
    // [8, 13) and 1 tick on d1 end at 14; were the two transfers on their own, at 9; d2 ends at 11.
    plain::Graph graph = small_graph({{1, 1}, {1, 1}, {1, 8}});
    add_tensor(graph, 0, 5, {2});
    add_tensor(graph, 1, 7, {2});
    for (const int op : {0, 1})
        graph.ops[op].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    graph.ops[2].allowed = std::vector<plain::Allowed>{{1, std::nullopt}, {2, std::nullopt}};
    plain::Cluster cluster = small_cluster({0, 0, 0});
    cluster.devices[2].device_class = 1;
    cluster.pairs[{0, 2}] = {0, 0};
    const Heft heft{WholeProblem(graph, cluster)};
    EXPECT_EQ(heft.plan.placement, (Ticks{0, 0, 2}));
    EXPECT_EQ(heft.plan.makespan, 11);
    EXPECT_EQ(heft.contention_free, 9);
}

TEST(Heft, SendsATensorToADeviceOnce) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    add_tensor(graph, 0, 5, {1, 2});
    graph.ops[0].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    for (const int op : {1, 2})
        graph.ops[op].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    const Heft heft{WholeProblem(graph, small_cluster({0, 0}))};
    EXPECT_EQ(heft.plan.transfers, (std::vector<plain::Transfer>{{0, 1, 1}}));
    EXPECT_EQ(heft.plan.start, (Ticks{0, 6, 7}));
}

TEST(Heft, FillsGapsThatEarlierOpsLeft) {
    // Op 1 waits on d1 for op 0's tensor until tick 11; op 2, of lower rank, runs in that gap.
    plain::Graph graph = small_graph({{1}, {9}, {4}});
    add_tensor(graph, 0, 10, {1});
    graph.ops[0].allowed = std::vector<plain::Allowed>{{0, std::nullopt}};
    for (const int op : {1, 2})
        graph.ops[op].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    const Heft heft{WholeProblem(graph, small_cluster({0, 0}))};
    EXPECT_EQ(heft.plan.start, (Ticks{0, 11, 0}));
}

TEST(Heft, PlacesAGroupByTheCostsOfAllItsOps) {
    // Op 0 alone is faster on d0 (1 tick against 2), but the rest of its group is slower there.
    plain::Graph graph = small_graph({{1, 2}, {9, 3}});
    plain::Cluster cluster = small_cluster({0, 0});
    cluster.devices[1].device_class = 1;
    add_tensor(graph, 0, 1, {1});
    EXPECT_EQ(Heft{WholeProblem(graph, cluster)}.plan.placement[0], 0);
    graph.ops[0].group = graph.ops[1].group = "together";
    EXPECT_EQ(Heft{WholeProblem(graph, cluster)}.plan.placement, (Ticks{1, 1}));
}

TEST(Heft, PrefersDevicesWithRoomForParametersAndOutputs) {
    plain::Graph graph = small_graph({{1}, {1}});
    graph.parameters = {{"p", 60, {0}}, {"q", 60, {1}}};
    const auto placement = [&](const std::vector<int64_t> &capacities) {
        return Heft{WholeProblem(graph, small_cluster(capacities))}.plan.placement;
    };
    graph.control = {{0, 1}}; // so that both would go to d0
    EXPECT_EQ(placement({0, 0}), (Ticks{0, 0}));
    EXPECT_EQ(placement({100, 100}), (Ticks{0, 1}));
    EXPECT_EQ(placement({50, 100}), (Ticks{1, 0})); // no room for q anywhere: as if uncapped
    graph.parameters = {{"p", 60, {0, 1}}};         // shared: counts once
    EXPECT_EQ(placement({100, 100}), (Ticks{0, 0}));
    add_tensor(graph, 0, 30, {}, true);
    add_tensor(graph, 1, 30, {}, true);
    EXPECT_EQ(placement({100, 100}), (Ticks{0, 1}));
}

TEST(Heft, CountsASharedParameterOnceOnADevice) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    graph.parameters = {{"p", 60, {0, 1}}, {"q", 30, {2}}};
    graph.control = {{0, 1}, {1, 2}};
    const plain::Cluster cluster = small_cluster({100, 0});
    EXPECT_EQ(Heft{WholeProblem(graph, cluster)}.plan.placement, (Ticks{0, 0, 0}));
    graph.ops[0].group = graph.ops[1].group = "together";
    EXPECT_EQ(Heft{WholeProblem(graph, cluster)}.plan.placement, (Ticks{0, 0, 0}));
}

// ---- timelines ----

// The busy spans of one line, in no order.
struct PlainLine {
    std::vector<std::pair<int64_t, int64_t>> busy; // start, ticks

    bool is_idle(int64_t start, int64_t ticks) const {
        return std::all_of(busy.begin(), busy.end(), [&](const auto &span) {
            return start + ticks <= span.first || span.first + span.second <= start;
        });
    }
    // Ready or the end of a span: no other tick can be the first.
    int64_t find(int64_t ready, int64_t ticks) const {
        int64_t first = is_idle(ready, ticks) ? ready : INT64_MAX;
        for (const auto &[start, length] : busy)
            if (start + length >= ready && is_idle(start + length, ticks))
                first = std::min(first, start + length);
        return first;
    }
};

TEST(Timelines, FindTheFirstGapThatFits) {
    Dice dice(1);
    for (int round = 0; round < 60; ++round) {
        const int64_t lines = dice.between(1, 3), range = dice.between(20, 3000);
        regal_timelines timelines;
        ASSERT_EQ(regal_timelines_create(lines, &timelines), REGAL_OK);
        std::vector<PlainLine> plain_lines(lines);
        for (int i = 0; i < 300; ++i) {
            const int64_t line = dice.below(lines), ready = dice.below(range);
            const int64_t ticks = dice.chance(80) ? dice.between(1, 5) : dice.between(1, range / 9);
            const int64_t start = regal_timeline_find(&timelines, line, ready, ticks);
            ASSERT_EQ(start, plain_lines[line].find(ready, ticks)) << round << " " << i;
            if (dice.chance(40))
                continue;
            ASSERT_TRUE(regal_timelines_reserve(&timelines, 1));
            regal_timeline_take(&timelines, line, start, ticks);
            plain_lines[line].busy.emplace_back(start, ticks);
        }
        regal_timelines_destroy(&timelines);
    }
}

} // namespace
