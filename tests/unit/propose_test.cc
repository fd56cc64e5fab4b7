// Roll-outs as rows of Beta proposals.
#include "policy/propose.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "base/embedded.h"
#include "policy/propose_devices.h"
#include "regal/core/placement.h"
#include "regal/core/proposal.h"
#include "regal/core/random.h"
#include "search/encode.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

// Made by hand; the first one is the best, and so on.
struct RollOuts {
    RollOuts(int64_t op_count, std::vector<std::vector<regal_id>> sequences,
             std::vector<std::vector<uint8_t>> devices, std::vector<float> scores = {}) {
        for (const std::vector<regal_id> &one : sequences)
            sequence.insert(sequence.end(), one.begin(), one.end());
        for (const std::vector<uint8_t> &one : devices)
            device.insert(device.end(), one.begin(), one.end());
        score = scores.empty() ? std::vector<float>((size_t)op_count, 1) : scores;
        best.resize(devices.size());
        std::iota(best.begin(), best.end(), 0);
        fitness.resize(devices.size());
        op_count_ = op_count;
    }
    regal_rollouts get() {
        return {(int64_t)best.size(), op_count_,   sequence.data(), device.data(),
                fitness.data(),       best.data(), score.data()};
    }
    std::vector<regal_id> sequence;
    std::vector<uint8_t> device;
    std::vector<regal_fitness> fitness;
    std::vector<int64_t> best;
    std::vector<float> score;
    int64_t op_count_;
};

using Genes = std::vector<uint16_t>;

struct Proposed {
    Proposed(const WholeProblem &problem, const regal_policy_settings &settings, RollOuts rollouts,
             regal_encoding encoding) {
        const regal_rollouts given = rollouts.get();
        uint16_t *made = nullptr;
        EXPECT_EQ(regal_propose(problem.get(), &settings, &given, encoding, &made, &rows),
                  REGAL_OK);
        genes = regal_gene_count(encoding, problem.view().op_count, problem.view().device_count);
        all.assign(made, made + rows * genes);
        free(made);
    }
    Genes row(int64_t index) const {
        return Genes(all.begin() + index * genes, all.begin() + (index + 1) * genes);
    }
    Genes all;
    int64_t rows = 0, genes = 0;
};

regal_policy_settings settings_for(int64_t rows) {
    regal_policy_settings settings{};
    settings.rows = rows;
    settings.order_from = 1;
    settings.order_concentration = 6;
    settings.chosen_affinity = 0.86; // bins 35 and 5
    settings.placement_concentration = 3;
    return settings;
}

uint16_t proposal(int mean_bin, int concentration_bin) {
    return (uint16_t)(1 + mean_bin * REGAL_CONCENTRATION_BINS + concentration_bin);
}

// 0 -> 1 -> 3 and 0 -> 2 -> 3.
plain::Graph diamond() {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 10, {1});
    add_tensor(graph, 0, 20, {2});
    add_tensor(graph, 1, 5, {3});
    add_tensor(graph, 2, 6, {3});
    add_tensor(graph, 3, 1, {}, true);
    return graph;
}

RollOuts one_of_diamond(std::vector<float> score = {}) {
    return RollOuts(4, {{0, 2, 1, 3}}, {{1, 0, 1, 0}}, score);
}

TEST(Propose, TakesPrioritiesFromTheOrderOrTheScore) {
    const WholeProblem problem(diamond(), small_cluster({0, 0}));
    regal_policy_settings settings = settings_for(1);
    const RollOuts rollouts = one_of_diamond({5, 2, 4, 1});
    // Means 7/8, 3/8, 5/8, 1/8: the nearest of 0.02 + 0.024 i.
    Genes row = Proposed(problem, settings, rollouts, REGAL_INHERIT).row(0);
    EXPECT_EQ(Genes(row.begin(), row.begin() + 4),
              (Genes{proposal(36, 6), proposal(15, 6), proposal(25, 6), proposal(4, 6)}));
    settings.order_from = 0; // 1, 1/4, 3/4, 0
    settings.order_concentration = 2;
    row = Proposed(problem, settings, rollouts, REGAL_INHERIT).row(0);
    EXPECT_EQ(Genes(row.begin(), row.begin() + 4),
              (Genes{proposal(40, 2), proposal(10, 2), proposal(30, 2), proposal(0, 2)}));
    row = Proposed(problem, settings, one_of_diamond(), REGAL_INHERIT).row(0);
    EXPECT_EQ(Genes(row.begin(), row.begin() + 4), Genes(4, proposal(20, 2))); // all equal
}

TEST(Propose, PrefersTheDrawnDeviceAndSendsForTheMostUrgent) {
    const WholeProblem problem(diamond(), small_cluster({0, 0}));
    const Genes row = Proposed(problem, settings_for(1), one_of_diamond(), REGAL_AFFINITY).row(0);
    const uint16_t yes = proposal(35, 3), no = proposal(5, 3);
    EXPECT_EQ(Genes(row.begin() + 4, row.begin() + 12),
              (Genes{no, yes, yes, no, no, yes, yes, no}));
    // Of the consumers 1 and 2 of op 0, op 2 comes first; op 3 has none.
    EXPECT_EQ(Genes(row.begin() + 12, row.end()), (Genes{row[2], row[3], row[3], 0}));
}

TEST(Propose, FollowsTheLeadLooselyAndLeavesItSharply) {
    const WholeProblem problem(diamond(), small_cluster({0, 0}));
    const Genes row = Proposed(problem, settings_for(1), one_of_diamond(), REGAL_INHERIT).row(0);
    // Op 0 has no lead: the middle of the upper half. Op 1 leaves op 0 for device 0: 0.925. Op 2
    // follows op 0. Op 3 leaves op 2, its heavier input.
    EXPECT_EQ(Genes(row.begin() + 4, row.end()),
              (Genes{proposal(30, 9), proposal(38, 9), proposal(18, 3), proposal(38, 9)}));
}

TEST(Propose, RepeatsRowsAndPutsUniformOnesAmongThoseOfInheritKeys) {
    const WholeProblem problem(diamond(), small_cluster({0, 0}));
    regal_policy_settings settings = settings_for(5);
    settings.uniform_rows = 2;
    const RollOuts rollouts(4, {{0, 1, 2, 3}, {0, 2, 1, 3}}, {{0, 0, 1, 1}, {0, 1, 0, 1}});
    const Proposed affinity(problem, settings, rollouts, REGAL_AFFINITY);
    ASSERT_EQ(affinity.rows, 5);
    EXPECT_NE(affinity.row(0), affinity.row(1));
    for (int64_t i = 2; i < 5; ++i)
        EXPECT_EQ(affinity.row(i), affinity.row(i - 2));
    const Proposed inherit(problem, settings, rollouts, REGAL_INHERIT);
    ASSERT_EQ(inherit.rows, 7);
    const Genes first = inherit.row(0), second = inherit.row(1);
    EXPECT_NE(first, second);
    const Genes uniform((size_t)inherit.genes, 0);
    const Genes expected[] = {first, second, first, uniform, second, first, uniform};
    for (int64_t i = 0; i < 7; ++i)
        EXPECT_EQ(inherit.row(i), expected[i]) << i;
}

TEST(Propose, TakesTheBestRollOutsFirst) {
    const WholeProblem problem(diamond(), small_cluster({0, 7})); // not alike
    RollOuts rollouts(4, {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 2, 3}},
                      {{0, 0, 0, 0}, {1, 1, 1, 1}, {0, 1, 0, 1}});
    const Proposed in_order(problem, settings_for(3), rollouts, REGAL_AFFINITY);
    rollouts.best = {2, 0, 1};
    const Proposed sorted(problem, settings_for(2), rollouts, REGAL_AFFINITY);
    EXPECT_EQ(sorted.row(0), in_order.row(2));
    EXPECT_EQ(sorted.row(1), in_order.row(0));
}

TEST(Propose, ServesAGraphWithoutOps) {
    plain::Graph graph;
    graph.name = "empty";
    graph.classes = {"class0"};
    const WholeProblem problem(graph, small_cluster({0, 0}));
    const Proposed made(problem, settings_for(3), RollOuts(0, {}, {}), REGAL_INHERIT);
    EXPECT_EQ(made.rows, 3);
    EXPECT_EQ(made.genes, 0);
}

Genes keys_for(const Genes &row, uint64_t seed) {
    size_t count;
    const uint16_t *table = regal_embedded_beta(&count);
    Dice dice(seed);
    Genes genes;
    for (const uint16_t one : row)
        genes.push_back(regal_proposal_key(table, one, seed == 0 ? 0x8000 : (uint16_t)dice.next()));
    return genes;
}

std::vector<uint8_t> placement_of(const regal_problem_view &view, regal_encoding encoding,
                                  const Genes &genes) {
    std::vector<uint8_t> device((size_t)view.op_count);
    const uint16_t *keys = genes.data() + view.op_count;
    if (encoding == REGAL_INHERIT)
        regal_place_inherit(&view, keys, device.data());
    else
        regal_place_affinity(&view, keys, device.data());
    return device;
}

// A random valid placement, as a roll-out gives one.
std::vector<uint8_t> random_placement(const regal_problem_view &view, Dice &dice) {
    std::vector<uint8_t> device((size_t)view.op_count);
    for (regal_id i = 0; i < view.op_count; ++i) {
        const regal_id op = view.canonical[i], leader = view.leader[op];
        int32_t d = leader == op ? (int32_t)dice.below(view.device_count) : device[leader];
        while ((view.allowed[leader] >> d & 1) == 0)
            d = (d + 1) % view.device_count;
        device[op] = (uint8_t)d;
    }
    return device;
}

TEST(Propose, DrawsGenesThatMeanTheRollOutsPlacement) {
    Dice dice(1);
    int cases = 0;
    for (uint64_t seed = 0; seed < 150; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem problem(one.graph, one.cluster);
        if (problem.status != REGAL_OK || problem.view().device_count > 4)
            continue;
        ++cases;
        const regal_problem_view &view = problem.view();
        const std::vector<regal_id> order(view.canonical, view.canonical + view.op_count);
        const std::vector<uint8_t> device = random_placement(view, dice);
        regal_policy_settings settings = settings_for(1);
        settings.placement_concentration = 9;
        const RollOuts rollouts(view.op_count, {order}, {device});
        const Genes affinity = Proposed(problem, settings, rollouts, REGAL_AFFINITY).row(0);
        for (uint64_t draw = 0; draw < 5; ++draw)
            EXPECT_EQ(placement_of(view, REGAL_AFFINITY, keys_for(affinity, draw)), device);
        // Ranges of other devices lie too close for every draw: the median must do.
        const Genes inherit = Proposed(problem, settings, rollouts, REGAL_INHERIT).row(0);
        EXPECT_EQ(placement_of(view, REGAL_INHERIT, keys_for(inherit, 0)), device) << seed;
    }
    EXPECT_GT(cases, 50);
}

std::vector<uint64_t> alike_of(const WholeProblem &problem) {
    std::vector<uint64_t> alike((size_t)problem.view().device_count);
    regal_alike_devices(&problem.view(), alike.data());
    return alike;
}

TEST(AlikeDevices, AreOfOneKindWithEqualLinks) {
    plain::Graph graph = small_graph({{1, 2}, {1, 2}});
    plain::Cluster cluster = small_cluster({0, 0, 0, 9, 0});
    cluster.devices[4].device_class = 1;
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{7, 7, 7, 8, 16}));
    cluster.pairs[{0, 3}] = {5, 1000}; // device 0 alone is far from device 3
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{1, 6, 6, 8, 16}));
    cluster.pairs.clear();
    cluster.pairs[{0, 1}] = cluster.pairs[{1, 0}] = {5, 1000}; // two and two
    cluster.devices[3].memory = 0;
    cluster.pairs[{2, 3}] = cluster.pairs[{3, 2}] = {5, 1000};
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{3, 3, 12, 12, 16}));
    cluster.pairs.erase({1, 0}); // one way only
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{1, 2, 12, 12, 16}));
}

TEST(AlikeDevices, AreAllowedTogether) {
    plain::Graph graph = small_graph({{1}, {1}});
    const plain::Cluster cluster = small_cluster({0, 0, 0, 0});
    const auto devices = [](std::vector<int64_t> list) {
        std::vector<plain::Allowed> allowed(list.size());
        for (size_t i = 0; i < list.size(); ++i)
            allowed[i].device = list[i];
        return allowed;
    };
    graph.ops[0].allowed = devices({0, 1});
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{3, 3, 12, 12}));
    graph.ops[1].allowed = devices({0, 1, 2});
    EXPECT_EQ(alike_of({graph, cluster}), (std::vector<uint64_t>{3, 3, 4, 8}));
}

TEST(AlikeDevices, AreRenamedToAgreeWithTheBest) {
    const WholeProblem problem(small_graph(std::vector<std::vector<int64_t>>(6, {1})),
                               small_cluster({0, 0, 0}));
    const std::vector<uint8_t> best{0, 0, 0, 1, 1, 2};
    std::vector<uint8_t> device{2, 2, 1, 1, 0, 0};
    const std::vector<uint64_t> alike = alike_of(problem);
    regal_rename_devices(&problem.view(), alike.data(), best.data(), device.data());
    // Device 2 has most in common with 0; then 0 with 1, before 1 with 1; 2 is left for 1.
    EXPECT_EQ(device, (std::vector<uint8_t>{0, 0, 2, 2, 1, 1}));
    std::vector<uint8_t> same = best;
    regal_rename_devices(&problem.view(), alike.data(), best.data(), same.data());
    EXPECT_EQ(same, best);
}

TEST(Propose, MakesRowsAgreeWhereTheyDifferInNamesAlone) {
    const plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(64, {1}));
    std::vector<regal_id> order(64);
    std::iota(order.begin(), order.end(), 0);
    std::vector<uint8_t> plain(64), turned(64);
    for (size_t op = 0; op < 64; ++op) {
        plain[op] = (uint8_t)op;
        turned[op] = (uint8_t)((op + 1) % 64);
    }
    const RollOuts rollouts(64, {order, order}, {plain, turned});
    const Proposed alike(WholeProblem(graph, small_cluster(std::vector<int64_t>(64, 0))),
                         settings_for(2), rollouts, REGAL_AFFINITY);
    EXPECT_EQ(alike.row(0), alike.row(1));
    std::vector<int64_t> capacities(64);
    std::iota(capacities.begin(), capacities.end(), 100);
    const Proposed different(WholeProblem(graph, small_cluster(capacities)), settings_for(2),
                             rollouts, REGAL_AFFINITY);
    EXPECT_NE(different.row(0), different.row(1));
}

} // namespace
