// Orders that need little memory, worked by hand.
#include <gtest/gtest.h>

#include "baselines/methods.h"
#include "support/random_problem.h"
#include "support/topological.h"

namespace {

TEST(DepthFirst, ComputesFirstWhatTakesMostBeyondWhatItLeaves) {
    // 4 reads 2 (itself made from 0 and 1) and 3. 2's side takes 10 + 10 + 1 bytes and leaves 1;
    // 3 takes 17 and leaves 5, then 40 and leaves 39, then 101 and leaves 1. Op 5 is a sink that
    // comes last in canonical order.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 10, {2});
    add_tensor(graph, 1, 10, {2});
    add_tensor(graph, 2, 1, {4});
    add_tensor(graph, 3, 5, {4});
    graph.ops[3].workspace = 12;
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_depth_first_order, whole), (Ids{0, 1, 2, 3, 4, 5}));
    graph.tensors[3].bytes = 39;
    graph.ops[3].workspace = 1;
    const WholeProblem lasting(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_depth_first_order, lasting), (Ids{0, 1, 2, 3, 4, 5}));
    graph.tensors[3].bytes = 1;
    graph.ops[3].workspace = 100;
    const WholeProblem heavy(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_depth_first_order, heavy), (Ids{3, 0, 1, 2, 4, 5}));
}

TEST(DepthFirst, FollowsControlEdgesAndTakesSinksInCanonicalOrder) {
    // Sinks 1 and 2; 1 waits for 3, which waits for 4.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 1, {1, 2});
    graph.control = {{3, 1}, {4, 3}};
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_depth_first_order, whole), (Ids{0, 2, 4, 3, 1}));
}

TEST(DepthFirst, SurvivesALongChain) {
    const int64_t count = 200000;
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(count, {1}));
    for (int64_t op = 1; op < count; ++op)
        add_tensor(graph, op - 1, 1, {op});
    const WholeProblem whole(graph, small_cluster({0}));
    const Ids order = order_of(regal_depth_first_order, whole);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(GreedyMemory, TakesTheOpThatFreesMostLessWhatItDefines) {
    // Ready: 0 (defines 4), 1 (defines 2), 2 (defines 3). Then 3 reads 1's tensor (frees 2, defines
    // 1), and 4 those of 0 and 2.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 4, {4});
    add_tensor(graph, 1, 2, {3});
    add_tensor(graph, 2, 3, {4});
    add_tensor(graph, 3, 1, {}, true);
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{1, 3, 2, 0, 4}));
}

TEST(GreedyMemory, CountsAStorageAsFreedByTheLastReaderOfItsAliases) {
    // 1 reads tensor 0 (8 bytes) and makes an alias of it, which 2 reads: only 2 frees the 8 bytes.
    // 3 reads a tensor of 5 bytes. Once both are ready, 3 frees 5 bytes and 1 none.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 8, {1});
    add_tensor(graph, 1, 8, {2});
    graph.tensors[1].alias_of = 0;
    add_tensor(graph, 4, 5, {3});
    graph.control = {{0, 3}};
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{4, 0, 3, 1, 2}));
}

TEST(GreedyMemory, CountsAnOpThatReadsATensorAndItsAliasOnce) {
    // 2 reads tensor 0 (8 bytes) and its alias, made by 1. Once 1 has run 2 frees 8 bytes, 3
    // frees 5.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 8, {1, 2});
    add_tensor(graph, 1, 8, {2});
    graph.tensors[1].alias_of = 0;
    add_tensor(graph, 4, 5, {3});
    graph.control = {{1, 3}};
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{4, 0, 1, 2, 3}));
}

TEST(GreedyMemory, ReconsidersAReadyOpThatBecomesTheLastReader) {
    // 1 and 2 read tensor 0 (8 bytes); 2 leaves 4 bytes behind, 3 frees 2 and leaves 4. Once 1 has
    // run, 2 frees more than it leaves.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 8, {1, 2});
    add_tensor(graph, 2, 4, {}, true);
    add_tensor(graph, 4, 2, {3});
    add_tensor(graph, 3, 4, {}, true);
    graph.control = {{0, 3}};
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{4, 0, 1, 2, 3}));
}

TEST(GreedyMemory, CountsOutputsAsNeverFreed) {
    // 2 reads an output of 9 bytes, 3 an ordinary tensor of 1 byte.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 9, {2}, true);
    add_tensor(graph, 1, 1, {3});
    graph.control = {{0, 1}, {1, 2}};
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{0, 1, 3, 2}));
}

TEST(GreedyMemory, BreaksTiesByTheOpThatBecameReadyLast) {
    const WholeProblem whole(small_graph({{1}, {1}, {1}}), small_cluster({0}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{2, 1, 0}));
}

// ---- as XLA orders ----

TEST(XlaList, BreaksTiesByUsersThenByTheOpThatBecameReadyLast) {
    // 0 and 1 leave a byte each; two ops read that of 0. Then 2 and 3 free nothing as yet.
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 1, {2, 3});
    add_tensor(graph, 1, 1, {4});
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_xla_list_order, whole), (Ids{0, 3, 2, 1, 4}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{1, 4, 0, 3, 2}));
}

TEST(XlaList, CountsTensorsThatNobodyReads) {
    plain::Graph graph = small_graph({{1}, {1}});
    add_tensor(graph, 1, 5, {});
    const WholeProblem whole(graph, small_cluster({0}));
    EXPECT_EQ(order_of(regal_xla_list_order, whole), (Ids{0, 1}));
    EXPECT_EQ(order_of(regal_greedy_memory_order, whole), (Ids{1, 0}));
}

TEST(XlaDfs, VisitsOperandsByUsersThenBytesOfAllThatLeadsToThem) {
    // 3 reads 0 (100 bytes, one user), 1 and 2 (two users each; 1 byte and 9).
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 100, {3});
    add_tensor(graph, 1, 1, {3, 4});
    add_tensor(graph, 2, 9, {3, 4});
    EXPECT_EQ(order_of(regal_xla_dfs_order, WholeProblem(graph, small_cluster({0}))),
              (Ids{2, 1, 0, 3, 4}));
    // Both totals count what leads to an operand: 1 takes 10 bytes of 5 with it.
    graph.ops.push_back(graph.ops[0]);
    graph.ops.back().name = "op5";
    add_tensor(graph, 5, 10, {1});
    EXPECT_EQ(order_of(regal_xla_dfs_order, WholeProblem(graph, small_cluster({0}))),
              (Ids{5, 1, 2, 0, 3, 4}));
}

TEST(XlaPostOrder, TakesControlPredecessorsThenInputsAsTheyStand) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 1, 1, {3});
    add_tensor(graph, 0, 9, {3});
    graph.control = {{2, 3}};
    EXPECT_EQ(order_of(regal_post_order, WholeProblem(graph, small_cluster({0}))),
              (Ids{2, 1, 0, 3}));
}

TEST(XlaDefault, NeedsTheLeastOfTheThree) {
    int64_t wins[3] = {0, 0, 0};
    for (int64_t seed = 0; seed < 600; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        const auto peak = [&](regal_baseline method) {
            regal_plan *plan = nullptr;
            if (regal_baseline_plan(whole.get(), method, REGAL_MEMORY, 0, &plan) != REGAL_OK)
                return int64_t{-1};
            const PlanPtr owned(plan);
            return plan->memory.value[1];
        };
        const int64_t three[] = {peak(REGAL_XLA_LIST), peak(REGAL_XLA_DFS),
                                 peak(REGAL_XLA_POST_ORDER)};
        const int64_t least = *std::min_element(three, three + 3);
        ASSERT_EQ(peak(REGAL_XLA_DEFAULT), least) << "seed " << seed;
        for (int i = 0; i < 3; ++i)
            wins[i] +=
                three[i] == least && three[(i + 1) % 3] > least && three[(i + 2) % 3] > least;
    }
    for (const int64_t count : wins)
        EXPECT_GT(count, 0);
}

TEST(BreadthFirst, TakesOpsAsTheyBecomeReady) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 1, {3});
    add_tensor(graph, 1, 1, {2});
    graph.control = {{3, 4}};
    EXPECT_EQ(order_of(regal_breadth_first_order, WholeProblem(graph, small_cluster({0}))),
              (Ids{0, 1, 3, 2, 4}));
}

TEST(MemoryOrders, AreTopological) {
    for (int64_t seed = 0; seed < 500; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        for (regal_order *order : {regal_xla_list_order, regal_xla_dfs_order, regal_post_order,
                                   regal_breadth_first_order})
            ASSERT_TRUE(is_topological(whole.view(), order_of(order, whole).data())) << seed;
    }
}

} // namespace
