// Placements and orders as keys, and back through the decoder.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "regal/core/placement.h"
#include "regal/core/rank.h"
#include "search/encode.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

using Ids = std::vector<regal_id>;
using Devices = std::vector<uint8_t>;

// A random placement that respects groups and allowed sets.
Devices random_placement(Dice &dice, const regal_problem_view &view) {
    Devices device(view.op_count);
    for (regal_id i = 0; i < view.op_count; ++i) {
        const regal_id op = view.canonical[i], leader = view.leader[op];
        const uint64_t allowed = view.allowed[leader];
        device[op] = op != leader
                         ? device[leader]
                         : static_cast<uint8_t>(regal_set_member(
                               allowed, static_cast<int32_t>(dice.below(regal_set_size(allowed)))));
    }
    return device;
}

Ids random_permutation(Dice &dice, int64_t count) {
    Ids ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    for (int64_t i = count - 1; i > 0; --i)
        std::swap(ids[i], ids[dice.below(i + 1)]);
    return ids;
}

// The order of window 1 by these ranks.
Ids kahn_order(const regal_problem_view &view, const Ids &sequence) {
    const int64_t n = view.op_count;
    Ids rank(n), missing(n), order(n);
    std::vector<regal_heap_links> links(n);
    regal_invert_order(sequence.data(), n, rank.data());
    regal_kahn_order(&view, rank.data(), missing.data(), links.data(), order.data());
    return order;
}

Ids order_by_key(const uint16_t *key, int64_t count) {
    Ids order(count), scratch(count);
    regal_order_by_key(key, count, order.data(), scratch.data());
    return order;
}

ChromosomePtr encode(const regal_problem_view &view, regal_encoding encoding, const Devices &device,
                     const Ids &sequence) {
    regal_chromosome *made = nullptr;
    EXPECT_EQ(regal_chromosome_create(encoding, 1, view.op_count, view.device_count, &made),
              REGAL_OK);
    regal_encode_genes(&view, encoding, device.data(), sequence.data(), made->genes);
    return ChromosomePtr(made);
}

Devices decoded_placement(const regal_problem_view &view, const regal_chromosome &chromosome) {
    Devices device(view.op_count);
    const uint16_t *keys = chromosome.genes + view.op_count;
    if (chromosome.encoding == REGAL_INHERIT)
        regal_place_inherit(&view, keys, device.data());
    else
        regal_place_affinity(&view, keys, device.data());
    return device;
}

// Calls check(view, dice) for many feasible random problems, each with a few random placements.
template <typename Check> void on_random_problems(int64_t seeds, Check check) {
    int64_t most_devices = 0;
    for (int64_t seed = 0; seed < seeds; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        SCOPED_TRACE("seed " + std::to_string(seed));
        Dice dice(seed);
        for (int i = 0; i < 3; ++i)
            check(whole.view(), dice);
        most_devices = std::max<int64_t>(most_devices, whole.view().device_count);
        if (testing::Test::HasFatalFailure())
            return;
    }
    EXPECT_EQ(most_devices, REGAL_MAX_DEVICES);
}

TEST(Encode, GivesBackThePlacement) {
    on_random_problems(2000, [](const regal_problem_view &view, Dice &dice) {
        const Devices device = random_placement(dice, view);
        const Ids sequence = random_permutation(dice, view.op_count);
        for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
            const ChromosomePtr keys = encode(view, encoding, device, sequence);
            ASSERT_EQ(decoded_placement(view, *keys), device) << regal_encoding_name(encoding);
        }
    });
}

TEST(Encode, GivesBackTheOrder) {
    on_random_problems(1000, [](const regal_problem_view &view, Dice &dice) {
        const Ids any = random_permutation(dice, view.op_count);
        const Ids topological = kahn_order(view, any);
        const Devices device = random_placement(dice, view);
        const ChromosomePtr any_keys = encode(view, REGAL_INHERIT, device, any);
        ASSERT_EQ(order_by_key(any_keys->genes, view.op_count), any);
        const ChromosomePtr keys = encode(view, REGAL_AFFINITY, device, topological);
        ASSERT_EQ(kahn_order(view, order_by_key(keys->genes, view.op_count)), topological);
    });
}

TEST(Encode, PlacementKeysLieInTheMiddleOfTheirRange) {
    on_random_problems(1000, [](const regal_problem_view &view, Dice &dice) {
        const Devices device = random_placement(dice, view);
        const Ids sequence = random_permutation(dice, view.op_count);
        for (const int shift : {-50, 50}) {
            const ChromosomePtr keys = encode(view, REGAL_INHERIT, device, sequence);
            for (regal_id op = 0; op < view.op_count; ++op)
                keys->genes[view.op_count + op] += shift;
            ASSERT_EQ(decoded_placement(view, *keys), device) << shift;
        }
    });
}

TEST(Encode, OpsOnTheirLeadsDeviceFollowIt) {
    on_random_problems(500, [](const regal_problem_view &view, Dice &dice) {
        const Devices device = random_placement(dice, view);
        const ChromosomePtr keys =
            encode(view, REGAL_INHERIT, device, random_permutation(dice, view.op_count));
        for (regal_id op = 0; op < view.op_count; ++op)
            if (view.leader[op] == op && view.lead[op] >= 0) {
                ASSERT_EQ(keys->genes[view.op_count + op] < REGAL_INHERIT_BELOW,
                          device[op] == device[view.lead[op]]);
            }
    });
}

TEST(Encode, TransfersAreAsUrgentAsTheirMostUrgentConsumer) {
    plain::Graph graph = small_graph({{1}, {1}, {1}, {1}});
    add_tensor(graph, 0, 1, {2, 3});
    add_tensor(graph, 1, 1, {3});
    const WholeProblem whole(graph, small_cluster({0, 0}));
    const ChromosomePtr keys = encode(whole.view(), REGAL_AFFINITY, {0, 0, 1, 1}, {0, 1, 2, 3});
    const uint16_t *priority = keys->genes, *transfer = keys->genes + 4 + 4 * 2;
    EXPECT_EQ(transfer[0], priority[2]);
    EXPECT_EQ(transfer[1], priority[3]);
    EXPECT_EQ(transfer[2], 0);
}

TEST(Encode, SharesKeysBetweenNeighboursBeyond65536Ops) {
    for (const int64_t count : {65536, 70000}) {
        const plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(count, {1}));
        const WholeProblem whole(graph, small_cluster({0, 0, 0}));
        Dice dice(1);
        const Ids sequence = random_permutation(dice, count);
        const Devices device = random_placement(dice, whole.view());
        const ChromosomePtr keys = encode(whole.view(), REGAL_INHERIT, device, sequence);
        EXPECT_EQ(decoded_placement(whole.view(), *keys), device);
        int64_t shared = 0;
        for (int64_t i = 1; i < count; ++i) {
            const uint16_t before = keys->genes[sequence[i - 1]], after = keys->genes[sequence[i]];
            ASSERT_GE(before, after) << i;
            shared += before == after;
        }
        EXPECT_EQ(shared, std::max<int64_t>(0, count - 65536));
    }
}

// ---- whole plans ----

PlanPtr decode(const regal_problem *problem, const regal_chromosome *keys) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_chromosome_decode(problem, keys, &plan), REGAL_OK) << regal_error_message();
    return PlanPtr(plan);
}

TEST(Encode, PlansKeepTheirPlacementAndTheOrderOfTheirStarts) {
    for (int64_t seed = 0; seed < 1000; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (!whole.problem)
            continue;
        const int64_t devices = whole.view().device_count;
        const PlanPtr plan = decode(whole.get(), make_chromosome(one.chromosome, devices).get());
        for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
            regal_chromosome *keys = nullptr;
            ASSERT_EQ(regal_chromosome_encode(whole.get(), plan.get(), encoding, 1, &keys),
                      REGAL_OK);
            const ChromosomePtr owned(keys);
            ASSERT_EQ(keys->encoding, encoding);
            ASSERT_EQ(keys->window, 1);
            const PlanPtr again = decode(whole.get(), keys);
            Ids by_start(plan->op_count);
            std::iota(by_start.begin(), by_start.end(), 0);
            std::stable_sort(by_start.begin(), by_start.end(), [&](regal_id a, regal_id b) {
                return plan->start[a] < plan->start[b];
            });
            for (int64_t i = 0; i < plan->op_count; ++i) {
                ASSERT_EQ(again->placement[i], plan->placement[i]) << "seed " << seed;
                ASSERT_TRUE(i == 0 || again->start[by_start[i - 1]] <= again->start[by_start[i]])
                    << "seed " << seed;
            }
        }
    }
}

TEST(Encode, RefusesPlansThatNoKeysStandFor) {
    plain::Graph graph = small_graph({{1}, {1}, {1}});
    graph.ops[0].group = graph.ops[1].group = "together";
    graph.ops[2].allowed = std::vector<plain::Allowed>{{1, std::nullopt}};
    const WholeProblem whole(graph, small_cluster({0, 0}));
    const auto refusal = [&](const std::vector<int64_t> &placement, int64_t window = 0) {
        regal_plan *plan = nullptr;
        EXPECT_EQ(regal_plan_create(static_cast<int64_t>(placement.size()), 2, 0, &plan), REGAL_OK);
        const PlanPtr owned(plan);
        std::copy(placement.begin(), placement.end(), plan->placement);
        regal_chromosome *keys = nullptr;
        const regal_status status =
            regal_chromosome_encode(whole.get(), plan, REGAL_INHERIT, window, &keys);
        EXPECT_EQ(keys != nullptr, status == REGAL_OK);
        const ChromosomePtr keys_owned(keys);
        return status == REGAL_OK ? "" : std::string(regal_error_message());
    };
    EXPECT_EQ(refusal({1, 1, 1}), "");
    EXPECT_EQ(refusal({0, 1, 1}), "the plan puts op 'op1' on device 1 and op 'op0' of its group on "
                                  "device 0");
    EXPECT_EQ(refusal({0, 0, 0}),
              "the plan puts op 'op2' on device 0, where it or its group may not run");
    EXPECT_EQ(refusal({2, 2, 1}),
              "the plan puts op 'op0' on device 2, where it or its group may not run");
    EXPECT_EQ(refusal({-1, -1, 1}),
              "the plan puts op 'op0' on device -1, where it or its group may not run");
    EXPECT_EQ(refusal({0, 0}), "the plan places 2 ops, but the graph has 3");
    EXPECT_EQ(refusal({1, 1, 1}, -1), "window: -1 is negative");
}

} // namespace
