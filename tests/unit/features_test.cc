// What the policy's network is told of a problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "policy/feature_parts.h"
#include "regal/features.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

struct Features {
    int64_t ops;
    std::vector<float> values; // [op][feature]

    float at(int64_t op, int64_t feature) const {
        return values.at(static_cast<size_t>(op * REGAL_FEATURE_COUNT + feature));
    }
};

Features features_of(const WholeProblem &whole, regal_objective objective = REGAL_TIME) {
    Features made{whole.view().op_count, {}};
    made.values.assign(static_cast<size_t>(made.ops) * REGAL_FEATURE_COUNT, NAN);
    if (regal_problem_features(whole.get(), objective, made.values.data()) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    return made;
}

Features features_of(const plain::Graph &graph, const plain::Cluster &cluster) {
    return features_of(WholeProblem(graph, cluster));
}

bool are_in_range(const Features &features) {
    return std::all_of(features.values.begin(), features.values.end(),
                       [](float x) { return x >= -3 && x <= 3; }); // false for NaN
}

// Ticks and bytes of a random case made multiples of whatever a mean divides by, so that no
// rounding hides behind a tie.
plain::Case divisible_case(uint64_t seed) {
    plain::Case one = random_case(seed);
    const int64_t unit = 27720;
    for (plain::Op &op : one.graph.ops) {
        for (int64_t &cost : op.cost)
            cost = unit * (1 + cost % 1000);
        op.workspace = unit * (op.workspace % 1000);
    }
    for (plain::Tensor &tensor : one.graph.tensors)
        tensor.bytes = unit * (tensor.bytes % 1000);
    for (plain::Parameter &parameter : one.graph.parameters)
        parameter.bytes = unit * (parameter.bytes % 1000);
    for (plain::Device &device : one.cluster.devices)
        device.memory = unit * (device.memory % 1000);
    one.cluster.default_link = {unit * (1 + one.cluster.default_link.latency % 7), 8000};
    for (auto &[pair, link] : one.cluster.pairs)
        link = {unit * (1 + link.latency % 7), 16000};
    return one;
}

void multiply_links(plain::Case &one, int64_t latency, int64_t rate, int64_t rate_divisor) {
    const auto change = [&](plain::Link &link) {
        link = {link.latency * latency, link.rate * rate / rate_divisor};
    };
    change(one.cluster.default_link);
    for (auto &[pair, link] : one.cluster.pairs)
        change(link);
}

plain::Case with_ticks_times_eight(plain::Case one) {
    for (plain::Op &op : one.graph.ops)
        for (int64_t &cost : op.cost)
            cost *= 8;
    multiply_links(one, 8, 1, 8);
    return one;
}

plain::Case with_bytes_times_thousand(plain::Case one) {
    for (plain::Op &op : one.graph.ops)
        op.workspace *= 1000;
    for (plain::Tensor &tensor : one.graph.tensors)
        tensor.bytes *= 1000;
    for (plain::Parameter &parameter : one.graph.parameters)
        parameter.bytes *= 1000;
    for (plain::Device &device : one.cluster.devices)
        device.memory *= 1000;
    multiply_links(one, 1, 1000, 1);
    return one;
}

void expect_unchanged(plain::Case (*change)(plain::Case)) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
        const plain::Case one = divisible_case(seed), other = change(one);
        const WholeProblem before(one.graph, one.cluster), after(other.graph, other.cluster);
        if (before.status == REGAL_INFEASIBLE)
            continue;
        const Features a = features_of(before), b = features_of(after);
        for (int64_t op = 0; op < a.ops; ++op)
            for (int64_t i = 0; i < REGAL_FEATURE_COUNT; ++i)
                ASSERT_NEAR(a.at(op, i), b.at(op, i), 2e-4)
                    << one.graph.name << " op " << op << " " << regal_feature_name(i);
    }
}

TEST(Features, StayWhenAllTicksAreMultiplied) {
    expect_unchanged(with_ticks_times_eight);
}

TEST(Features, StayWhenAllBytesAreMultiplied) {
    expect_unchanged(with_bytes_times_thousand);
}

TEST(Features, AreWithinTheirRangeOnRandomProblems) {
    int64_t count = 0;
    for (uint64_t seed = 0; seed < 500; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (whole.status == REGAL_INFEASIBLE)
            continue;
        ASSERT_TRUE(are_in_range(features_of(whole))) << one.graph.name;
        ++count;
    }
    EXPECT_GT(count, 400);
}

TEST(Features, TellTheObjectiveAndNothingElseOfIt) {
    const plain::Case one = divisible_case(3);
    const WholeProblem whole(one.graph, one.cluster);
    const Features time = features_of(whole, REGAL_TIME), memory = features_of(whole, REGAL_MEMORY);
    ASSERT_GT(time.ops, 0);
    for (int64_t op = 0; op < time.ops; ++op)
        for (int64_t i = 0; i < REGAL_FEATURE_COUNT; ++i)
            ASSERT_EQ(memory.at(op, i) - time.at(op, i), i == REGAL_FEATURE_FOR_MEMORY ? 1 : 0);
}

TEST(Features, SurviveDegenerateProblems) {
    plain::Graph none;
    none.classes = {"c"};
    const plain::Graph one = small_graph({{0}}), apart = small_graph({{0}, {3}, {7}});
    plain::Graph empty_tensors = small_graph({{1}, {1}, {1}}), huge = small_graph({{1}, {1}, {1}});
    add_tensor(empty_tensors, 0, 0, {1, 2}, true);
    add_tensor(huge, 0, int64_t{1} << 53, {1, 2});
    huge.ops[0].cost = {int64_t{1} << 53};
    plain::Graph star = small_graph(std::vector<std::vector<int64_t>>(500, {1}));
    for (int64_t i = 1; i < 500; ++i)
        add_tensor(star, 0, 1, {i});
    plain::Graph complete = small_graph(std::vector<std::vector<int64_t>>(60, {5}));
    for (int64_t i = 0; i < 60; ++i)
        for (int64_t j = i + 1; j < 60; ++j)
            complete.control.push_back({i, j});
    plain::Cluster free_links = small_cluster({0, 5, 0});
    free_links.default_link = {0, 0};
    for (const plain::Graph &graph : {none, one, apart, empty_tensors, huge, star, complete})
        for (const plain::Cluster &cluster :
             {small_cluster({0}), small_cluster({7, 0}), free_links}) {
            const Features features = features_of(graph, cluster);
            EXPECT_EQ(features.ops, static_cast<int64_t>(graph.ops.size()));
            EXPECT_TRUE(are_in_range(features)) << graph.ops.size() << " ops";
        }
}

// A random DAG with one sink and no two numbers alike, in which every method has one answer.
plain::Graph graph_without_ties(Dice &dice, int64_t count) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(count, {1}));
    for (int64_t op = 0; op < count; ++op) {
        graph.ops[op].cost = {dice.between(1000, 1000000)};
        graph.ops[op].workspace = dice.between(1000, 1000000);
        std::vector<int64_t> consumers;
        for (int64_t k = dice.between(1, 3); op + 1 < count && k > 0; --k)
            consumers.push_back(std::min(op + dice.between(1, 6), count - 1));
        add_tensor(graph, op, dice.between(1000, 1000000), consumers);
    }
    return graph;
}

plain::Graph renumbered(const plain::Graph &graph, const std::vector<int64_t> &number) {
    plain::Graph other = graph;
    for (size_t op = 0; op < graph.ops.size(); ++op)
        other.ops[number[op]] = graph.ops[op];
    for (plain::Tensor &tensor : other.tensors) {
        tensor.producer = number[tensor.producer];
        for (int64_t &consumer : tensor.consumers)
            consumer = number[consumer];
    }
    return other;
}

// Estimates depend on the numbering; coordinates round in another order.
double tolerance_of(int64_t feature) {
    if (feature == REGAL_FEATURE_ANCESTORS || feature == REGAL_FEATURE_DESCENDANTS ||
        feature == REGAL_FEATURE_ORDER)
        return 1.5;
    return feature >= REGAL_FEATURE_SPECTRAL_1 && feature <= REGAL_FEATURE_SPECTRAL_RANK_3 ? 0.1
                                                                                           : 1e-5;
}

TEST(Features, FollowTheirOpsWhenTheseAreRenumbered) {
    Dice dice(1);
    for (int round = 0; round < 20; ++round) {
        const plain::Graph graph = graph_without_ties(dice, 60);
        std::vector<int64_t> number(graph.ops.size());
        std::iota(number.begin(), number.end(), 0);
        for (int64_t i = 59; i > 0; --i)
            std::swap(number[i], number[dice.between(0, i)]);
        const Features a = features_of(graph, small_cluster({0, 0}));
        const Features b = features_of(renumbered(graph, number), small_cluster({0, 0}));
        for (int64_t op = 0; op < a.ops; ++op)
            for (int64_t i = 0; i < REGAL_FEATURE_COUNT; ++i)
                ASSERT_NEAR(a.at(op, i), b.at(number[op], i), tolerance_of(i))
                    << "round " << round << " " << regal_feature_name(i);
    }
}

TEST(Features, AgreeWithASmallCaseByHand) {
    // 0 makes 40 bytes that 1 changes in place and 2 only reads; 2 makes 20 bytes that are kept.
    plain::Graph graph = small_graph({{100}, {100}, {400}});
    add_tensor(graph, 0, 40, {1, 2});
    add_tensor(graph, 1, 40, {});
    add_tensor(graph, 2, 20, {}, true);
    graph.tensors[1].alias_of = 0;
    graph.control = {{1, 2}};
    graph.ops[1].workspace = 20;
    graph.ops[1].group = graph.ops[0].group = "g"; // as aliases have them anyway
    graph.parameters = {{"w", 60, {2}}, {"shared", 20, {1, 2}}};
    const Features f = features_of(graph, small_cluster({0, 50}));
    const auto expect = [&](regal_feature feature, double a, double b, double c) {
        SCOPED_TRACE(regal_feature_name(feature));
        EXPECT_NEAR(f.at(0, feature), a, 1e-5);
        EXPECT_NEAR(f.at(1, feature), b, 1e-5);
        EXPECT_NEAR(f.at(2, feature), c, 1e-5);
    };
    const double half = 0.5 * std::log(0.5), twice = 0.5 * std::log(2);
    expect(REGAL_FEATURE_COST, half, half, twice);
    expect(REGAL_FEATURE_COST_RANK, -1.0 / 3, -1.0 / 3, 2.0 / 3);
    expect(REGAL_FEATURE_BYTES, twice, -3, 0); // a mean op makes 20 bytes
    expect(REGAL_FEATURE_INPUT_BYTES, -3, twice, twice);
    expect(REGAL_FEATURE_WORKING_SET, twice, 0.5 * std::log(3), 0.5 * std::log(3));
    expect(REGAL_FEATURE_FREED, -std::log(3), std::log(2), 0);
    expect(REGAL_FEATURE_KEPT, 0, 0, 1);
    expect(REGAL_FEATURE_WORKSPACE, 0, twice, 0);
    expect(REGAL_FEATURE_HAS_WORKSPACE, 0, 1, 0);
    expect(REGAL_FEATURE_PARAMETER_BYTES, 0, twice, 0.5 * std::log(5));
    expect(REGAL_FEATURE_HAS_PARAMETERS, 0, 1, 1);
    expect(REGAL_FEATURE_PARAMETERS_SHARED, 0, 1, 0.25);
    expect(REGAL_FEATURE_IN_PLACE, 0, 1, 0);
    expect(REGAL_FEATURE_GROUP_SIZE, twice, twice, 0);
    expect(REGAL_FEATURE_SOURCE, 1, 0, 0);
    expect(REGAL_FEATURE_SINK, 0, 0, 1);
    expect(REGAL_FEATURE_CONTROL_SHARE, 0, 0.5, 0.5);
    expect(REGAL_FEATURE_READS, -1, -0.5, -0.5);
    expect(REGAL_FEATURE_UPWARD, 1, 2.0 * 500 / 600 - 1, 2.0 * 400 / 600 - 1);
    expect(REGAL_FEATURE_DOWNWARD, -1, 2.0 * 100 / 600 - 1, 2.0 * 200 / 600 - 1);
    expect(REGAL_FEATURE_SLACK, 0, 0, 0);
    expect(REGAL_FEATURE_SENDS, 0.5 * std::log(0.4), -3, -3); // 40 ticks; nobody reads the others
    expect(REGAL_FEATURE_DEPTH, -1, 0, 1);
    expect(REGAL_FEATURE_DEPTH_FIRST, -2.0 / 3, 0, 2.0 / 3);
    expect(REGAL_FEATURE_DEPTH_FIRST_LEVEL, 1.0 / 3, 1, 1); // 40, 60, 60 bytes
    expect(REGAL_FEATURE_CAPPED, 0.5, 0.5, 0.5);
    const double all = 0.5 * std::log(140.0 / 100);
    expect(REGAL_FEATURE_PRESSURE, all, all, all);
}

TEST(Features, PutTheMemoryPeakOfEachOrderAtOne) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
        const plain::Case one = divisible_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (whole.status == REGAL_INFEASIBLE || one.graph.tensors.empty())
            continue;
        const Features f = features_of(whole);
        for (const regal_feature level :
             {REGAL_FEATURE_DEPTH_FIRST_LEVEL, REGAL_FEATURE_GREEDY_LEVEL}) {
            float most = -1;
            bool any_bytes = false;
            for (int64_t op = 0; op < f.ops; ++op) {
                most = std::max(most, f.at(op, level));
                any_bytes = any_bytes || whole.view().ops[op].start_bytes > 0;
            }
            ASSERT_EQ(most, any_bytes ? 1 : -1) << one.graph.name;
        }
    }
}

TEST(Features, EstimateAncestorsAndDescendants) {
    Dice dice(5);
    const plain::Graph graph = graph_without_ties(dice, 400);
    const WholeProblem whole(graph, small_cluster({0}));
    std::vector<std::set<int64_t>> before(400);
    for (int64_t op = 0; op < 400; ++op) // ids are topological here
        for (const int64_t next : graph.tensors[op].consumers) {
            before[next].insert(before[op].begin(), before[op].end());
            before[next].insert(op);
        }
    std::vector<double> after(400);
    for (const std::set<int64_t> &ops : before)
        for (const int64_t op : ops)
            ++after[op];
    regal_op_pairs pairs;
    ASSERT_EQ(regal_op_pairs_create(&whole.view(), &pairs), REGAL_OK);
    std::vector<float> ancestors(400), descendants(400);
    ASSERT_EQ(regal_estimate_reach(&whole.view(), &pairs, ancestors.data(), descendants.data()),
              REGAL_OK);
    regal_op_pairs_destroy(&pairs);
    double error = 0;
    for (int64_t op = 0; op < 400; ++op) {
        const double exact = static_cast<double>(before[op].size());
        ASSERT_NEAR(ancestors[op], exact, 1 + 0.8 * exact) << op;
        ASSERT_NEAR(descendants[op], after[op], 1 + 0.8 * after[op]) << op;
        error += std::abs(ancestors[op] - exact) / (exact + 1) / 400;
    }
    EXPECT_LT(error, 0.3);
}

TEST(Features, TellTwoHalvesApart) {
    // Two random halves of 100 ops each, joined by one edge; ids alternate between them.
    Dice dice(9);
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(200, {1}));
    for (int64_t i = 0; i < 100; ++i)
        for (int64_t k = 0; k < 4; ++k)
            for (int64_t half = 0; half < 2; ++half)
                if (const int64_t next = i + dice.between(1, 40); next < 100)
                    add_tensor(graph, 2 * i + half, 1, {2 * next + half});
    graph.control = {{0, 199}};
    const Features f = features_of(graph, small_cluster({0, 0}));
    double apart[REGAL_SPECTRAL_COUNT] = {};
    const regal_feature coordinates[] = {REGAL_FEATURE_SPECTRAL_1, REGAL_FEATURE_SPECTRAL_2,
                                         REGAL_FEATURE_SPECTRAL_3};
    for (int64_t op = 0; op < 200; ++op)
        for (int i = 0; i < REGAL_SPECTRAL_COUNT; ++i)
            apart[i] += (op % 2 == 0 ? 1 : -1) * f.at(op, coordinates[i]) / 200;
    EXPECT_GT(std::abs(apart[0]), 0.95); // the first one alone does
    EXPECT_LT(std::abs(apart[1]), 0.2);
}

TEST(Features, HaveNamesAndMeanings) {
    std::set<std::string> names;
    const char *name, *text;
    for (int64_t i = 0; i < regal_feature_count(); ++i) {
        ASSERT_TRUE(regal_feature_describe(i, &name, &text));
        EXPECT_NE(std::string(text), "");
        EXPECT_TRUE(names.insert(name).second) << name;
    }
    EXPECT_FALSE(regal_feature_describe(regal_feature_count(), &name, &text));
    EXPECT_FALSE(regal_feature_describe(-1, &name, &text));
    EXPECT_EQ(name, nullptr);
}

} // namespace
