// Changed graphs: valid, different, the same for the same number, and changed as promised.
#include "policy/augment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "policy/graph_change.h"
#include "support/random_problem.h"
#include "support/regal_objects.h"

namespace {

std::string Digest(const regal_graph *graph) {
    char text[17];
    regal_graph_digest(graph, text);
    return text;
}

GraphPtr Generated(const std::string &name, uint64_t seed) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate(name.c_str(), nullptr, 0, seed, nullptr, &graph), REGAL_OK)
        << regal_error_message();
    return GraphPtr(graph);
}

GraphPtr Augmented(const GraphPtr &graph, uint64_t seed, uint64_t number) {
    regal_graph *changed = nullptr;
    EXPECT_EQ(regal_graph_augment(graph.get(), seed, number, &changed), REGAL_OK)
        << regal_error_message();
    return GraphPtr(changed);
}

GraphPtr Changed(const GraphPtr &graph, const regal_graph_change &change) {
    regal_graph *changed = nullptr;
    EXPECT_EQ(regal_graph_apply_change(graph.get(), &change, &changed), REGAL_OK)
        << regal_error_message();
    EXPECT_EQ(regal_graph_validate(changed), REGAL_OK) << regal_error_message();
    return GraphPtr(changed);
}

int64_t EdgeCount(const GraphPtr &graph) {
    int64_t count = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t)
        count += regal_graph_tensor(graph.get(), t).consumer_count;
    return count;
}

// Three ops in a row; b's output lies in a's storage.
GraphPtr Chain() {
    regal_graph *made = nullptr;
    const char *classes[] = {"fast", "slow"};
    EXPECT_EQ(regal_graph_create("chain", 2, classes, &made), REGAL_OK);
    const char *names[] = {"a", "b", "c"};
    for (int64_t v = 0; v < 3; ++v) {
        const int64_t cost[] = {10 * v, 20 * v};
        const regal_allowed allowed = {0, "d*"};
        regal_op op{};
        op.name = names[v];
        op.kind = "Step";
        op.cost = cost;
        op.workspace = 3;
        op.group = v > 0 ? "g" : nullptr;
        op.allowed = &allowed;
        op.allowed_count = 1;
        EXPECT_EQ(regal_graph_add_op(made, &op, nullptr), REGAL_OK);
    }
    const int64_t b = 1, c = 2, both[] = {0, 2};
    const regal_tensor first{"ta", 0, 100, &b, 1, false, -1}, second{"tb", 1, 0, &c, 1, true, 0};
    EXPECT_EQ(regal_graph_add_tensor(made, &first, nullptr), REGAL_OK);
    EXPECT_EQ(regal_graph_add_tensor(made, &second, nullptr), REGAL_OK);
    EXPECT_EQ(regal_graph_add_control(made, 0, 2), REGAL_OK);
    const regal_parameter weights{"w", 1000, both, 2};
    EXPECT_EQ(regal_graph_add_parameter(made, &weights, nullptr), REGAL_OK);
    EXPECT_EQ(regal_graph_set_option(made, "profile", "h100"), REGAL_OK);
    EXPECT_EQ(regal_graph_validate(made), REGAL_OK) << regal_error_message();
    return GraphPtr(made);
}

TEST(GraphChange, WithoutChangesGivesTheSameGraph) {
    const GraphPtr chain = Chain();
    EXPECT_EQ(Digest(Changed(chain, {}).get()), Digest(chain.get()));
    for (const char *family : {"layered", "erdos-renyi", "transformer-step", "transformer"}) {
        const GraphPtr graph = Generated(family, 3);
        EXPECT_EQ(Digest(Changed(graph, {}).get()), Digest(graph.get()));
    }
}

TEST(GraphChange, RenumbersEverythingThatRefersToOps) {
    const int64_t number[] = {2, 0, 1};
    regal_graph_change change{};
    change.number = number;
    const GraphPtr graph = Changed(Chain(), change);
    EXPECT_STREQ(regal_graph_op(graph.get(), 0).name, "b");
    EXPECT_EQ(regal_graph_op(graph.get(), 2).cost[1], 0);
    EXPECT_STREQ(regal_graph_op(graph.get(), 1).group, "g");
    EXPECT_STREQ(regal_graph_op(graph.get(), 1).allowed[0].pattern, "d*");
    const regal_tensor first = regal_graph_tensor(graph.get(), 0);
    EXPECT_STREQ(first.name, "tb");
    EXPECT_EQ(first.producer, 0);
    EXPECT_EQ(first.consumers[0], 1);
    EXPECT_EQ(first.alias_of, 1);
    EXPECT_TRUE(first.output);
    EXPECT_EQ(regal_graph_control(graph.get(), 0).before, 2);
    const regal_parameter weights = regal_graph_parameter(graph.get(), 0);
    EXPECT_EQ(weights.ops[0] + weights.ops[1], 3);
    EXPECT_STREQ(regal_graph_option(graph.get(), "profile"), "h100");
    EXPECT_STREQ(regal_graph_class_name(graph.get(), 1), "slow");
}

TEST(GraphChange, LeavesOutOpsWithWhatTheyProduce) {
    const int64_t number[] = {-1, 0, 1};
    regal_graph_change change{};
    change.number = number;
    const GraphPtr graph = Changed(Chain(), change);
    ASSERT_EQ(regal_graph_op_count(graph.get()), 2);
    ASSERT_EQ(regal_graph_tensor_count(graph.get()), 1);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 0).alias_of, -1);
    EXPECT_EQ(regal_graph_control_count(graph.get()), 0);
    EXPECT_EQ(regal_graph_parameter(graph.get(), 0).op_count, 1);
}

TEST(GraphChange, EndsAnAliasWithTheEdgeBelowIt) {
    const bool keep[] = {false, true}, keep_control[] = {false};
    regal_graph_change change{};
    change.keep_edge = keep;
    change.keep_control = keep_control;
    const GraphPtr graph = Changed(Chain(), change);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 0).consumer_count, 0);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 1).consumer_count, 1);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 1).alias_of, -1);
    EXPECT_EQ(regal_graph_control_count(graph.get()), 0);
}

TEST(GraphChange, ScalesAmountsButNotToNothing) {
    const double costs[] = {5, 0.5, 1e-9}, bytes[] = {2, 1, 1};
    regal_graph_change change{};
    change.cost_factor = costs;
    change.bytes_factor = bytes;
    change.all_bytes = 10;
    const GraphPtr graph = Changed(Chain(), change);
    EXPECT_EQ(regal_graph_op(graph.get(), 0).cost[0], 0);
    EXPECT_EQ(regal_graph_op(graph.get(), 1).cost[0], 5);
    EXPECT_EQ(regal_graph_op(graph.get(), 1).cost[1], 10);
    EXPECT_EQ(regal_graph_op(graph.get(), 2).cost[0], 1);
    EXPECT_EQ(regal_graph_op(graph.get(), 0).workspace, 60);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 0).bytes, 2000);
    EXPECT_EQ(regal_graph_tensor(graph.get(), 1).bytes, 0);
    EXPECT_EQ(regal_graph_parameter(graph.get(), 0).bytes, 10000);
}

TEST(Augment, GivesValidGraphsThatDiffer) {
    std::set<std::string> digests;
    int64_t draws = 0;
    for (const char *family :
         {"erdos-renyi", "watts-strogatz", "barabasi-albert", "stochastic-block", "layered",
          "banded", "transformer-step", "transformer", "resnet"}) {
        const GraphPtr graph = Generated(family, 3);
        digests.insert(Digest(graph.get()));
        const uint64_t count = regal_graph_op_count(graph.get()) > 300 ? 5 : 30;
        for (uint64_t number = 0; number < count; ++number) {
            const GraphPtr changed = Augmented(graph, 1, number);
            EXPECT_EQ(regal_graph_validate(changed.get()), REGAL_OK) << regal_error_message();
            EXPECT_LE(EdgeCount(changed), EdgeCount(graph));
            digests.insert(Digest(changed.get()));
            ++draws;
        }
    }
    EXPECT_GE(draws, 195);
    EXPECT_EQ(digests.size(), (size_t)draws + 9);
}

TEST(Augment, KeepsTheRulesOfEveryFeature) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const GraphPtr graph = make_graph(random_case(seed).graph);
        if (regal_graph_op_count(graph.get()) == 0)
            continue;
        const GraphPtr changed = Augmented(graph, seed, 7);
        EXPECT_EQ(regal_graph_validate(changed.get()), REGAL_OK)
            << seed << ": " << regal_error_message();
        EXPECT_GE(regal_graph_op_count(changed.get()), 1);
    }
}

TEST(Augment, IsAFunctionOfSeedAndNumber) {
    const GraphPtr graph = Generated("layered", 3);
    EXPECT_EQ(Digest(Augmented(graph, 1, 2).get()), Digest(Augmented(graph, 1, 2).get()));
    EXPECT_NE(Digest(Augmented(graph, 1, 2).get()), Digest(Augmented(graph, 2, 2).get()));
    const uint64_t high = (uint64_t)1 << 40;
    EXPECT_NE(Digest(Augmented(graph, 1, 2).get()), Digest(Augmented(graph, 1, 2 + high).get()));
}

TEST(Augment, ThinsEdgesAndDropsOpsSometimes) {
    const GraphPtr graph = Generated("erdos-renyi", 4);
    int whole = 0, thin = 0, fewer = 0;
    for (uint64_t number = 0; number < 200; ++number) {
        const GraphPtr changed = Augmented(graph, 9, number);
        const bool all_ops =
            regal_graph_op_count(changed.get()) == regal_graph_op_count(graph.get());
        const double share = (double)EdgeCount(changed) / (double)EdgeCount(graph);
        EXPECT_GT(share, 0.15);
        whole += all_ops && share == 1;
        thin += share < 0.7;
        fewer += !all_ops;
    }
    EXPECT_NEAR(whole, 200 * 0.3 * 0.7, 25);
    EXPECT_NEAR(thin, 200 * 0.45, 45);
    EXPECT_NEAR(fewer, 200 * 0.3, 25);
}

TEST(Augment, OnlyShrinksAmountsThatCouldOverflow) {
    regal_graph *made = nullptr;
    const char *classes[] = {"default"};
    ASSERT_EQ(regal_graph_create("huge", 1, classes, &made), REGAL_OK);
    const GraphPtr graph(made);
    const int64_t cost = (int64_t)1 << 53;
    for (int64_t v = 0; v < 500; ++v) {
        regal_op op{};
        op.cost = &cost;
        ASSERT_EQ(regal_graph_add_op(made, &op, nullptr), REGAL_OK);
        const regal_tensor tensor{nullptr, v, cost, nullptr, 0, false, -1};
        ASSERT_EQ(regal_graph_add_tensor(made, &tensor, nullptr), REGAL_OK);
    }
    ASSERT_EQ(regal_graph_validate(made), REGAL_OK);
    for (uint64_t number = 0; number < 20; ++number)
        EXPECT_EQ(regal_graph_validate(Augmented(graph, 1, number).get()), REGAL_OK)
            << regal_error_message();
}

} // namespace
