// The rules of annealing chains: acceptance, cost, temperature, moves.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "regal/core/anneal.h"
#include "regal/core/chain_move.h"
#include "regal/core/fitness.h"
#include "search/cooling.h"
#include "search/decoder.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

TEST(AnnealingAcceptance, IsTheLogarithmOfTheDraw) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < REGAL_ACCEPTANCE_COUNT; ++i) {
        const double exact = -std::log((i + 0.5) / REGAL_ACCEPTANCE_COUNT) * 65536;
        ASSERT_NEAR(regal_acceptance(i), exact, 0.6) << i;
        sum = (sum ^ regal_acceptance(i)) * 0x100000001b3u;
    }
    EXPECT_EQ(regal_acceptance(0), 590539u);
    EXPECT_EQ(regal_acceptance(2048), 45410u);
    EXPECT_EQ(regal_acceptance(4095), 8u);
    EXPECT_EQ(sum, 10280199661524658552u); // of the whole table
}

TEST(AnnealingAcceptance, KnowsLogarithms) {
    for (uint64_t x = 1; x < (uint64_t)1 << 62; x += x / 3 + 1)
        ASSERT_NEAR(regal_log2(x) / 4294967296.0, std::log2((double)x), 1e-6) << x;
    EXPECT_EQ(regal_log2((uint64_t)1 << 40), (uint64_t)40 << 32);
}

TEST(AnnealingAcceptance, ThresholdIsTheCostAndTheTemperatureTimesTheDraw) {
    std::vector<uint32_t> table(REGAL_ACCEPTANCE_COUNT);
    for (uint32_t i = 0; i < table.size(); ++i)
        table[i] = regal_acceptance(i);
    Dice dice(1);
    for (int i = 0; i < 10000; ++i) {
        const int64_t cost = dice.below((int64_t)1 << dice.between(1, 50));
        const int64_t reference = dice.below((int64_t)1 << dice.between(1, 50));
        const uint64_t heat = (uint64_t)dice.below((int64_t)1 << 32);
        const uint32_t word = (uint32_t)dice.next();
        const double u = ((word >> 20) + 0.5) / 4096;
        const double more = (double)reference * (double)heat / 4294967296.0 * -std::log(u);
        const int64_t threshold = regal_threshold(table.data(), cost, reference, heat, word);
        ASSERT_GE(threshold, cost);
        ASSERT_NEAR((double)(threshold - cost), more, 1 + more / 100 + (double)reference / 1e9);
    }
    EXPECT_EQ(regal_threshold(table.data(), 17, 1000, 0, 0), 17);
    EXPECT_EQ(regal_threshold(table.data(), REGAL_COST_LIMIT, REGAL_COST_LIMIT, UINT64_MAX, 0),
              REGAL_COST_LIMIT);
}

TEST(AnnealingCost, WeighsWhatIsAboveTheCaps) {
    const int64_t capacity[3] = {100, 0, 200}, within[3] = {100, 999, 50},
                  above[3] = {150, 999, 300};
    const regal_fitness found = {{0, 1, 1}}, none = {{1, 1, 1}};
    EXPECT_EQ(regal_chain_cost(REGAL_TIME, 1000, within, capacity, 3, none), 1000);
    EXPECT_EQ(regal_chain_cost(REGAL_MEMORY, 1000, within, capacity, 3, none), 999);
    EXPECT_NEAR((double)regal_chain_cost(REGAL_TIME, 1000, above, capacity, 3, found),
                1000 * (1 + 0.05 + 3 * (0.5 + 0.5)), 1);
    EXPECT_NEAR((double)regal_chain_cost(REGAL_TIME, 1000, above, capacity, 3, none),
                1000 * (1 + 0.05 + 10 * (0.5 + 0.5)), 1);
    EXPECT_EQ(regal_chain_cost(REGAL_MEMORY, 1000, above, capacity, 3, found), 999 + 10 * 150);
}

TEST(AnnealingCost, StaysWithinItsLimit) {
    const int64_t most = (int64_t)1 << 61;
    const int64_t capacity[2] = {1, 1}, peak[2] = {most, most};
    const regal_fitness none = {{1, 1, 1}};
    EXPECT_EQ(regal_chain_cost(REGAL_TIME, most, peak, capacity, 2, none), REGAL_COST_LIMIT);
    EXPECT_EQ(regal_chain_cost(REGAL_MEMORY, most, peak, capacity, 2, none), REGAL_COST_LIMIT);
}

regal_cooling_question question(regal_objective objective, int64_t ops, int64_t evaluations) {
    regal_cooling_question q = {};
    q.objective = objective;
    q.op_count = ops;
    q.islands = 1;
    q.evaluations = q.left = evaluations;
    return q;
}

TEST(Cooling, FallsFromHotToCold) {
    for (const int64_t ops : {1, 7, 1000, 1000000}) {
        for (const int64_t evaluations : {1, 100, 50000, 100000000}) {
            const regal_cooling_question q = question(REGAL_TIME, ops, evaluations);
            const regal_cooling cooling = regal_cooling_plan(&q);
            uint64_t last = regal_cooling_heat(&cooling, 0);
            const double rounds = (double)cooling.rounds;
            const double start = 0.25 * std::log2(1 + rounds / (4.0 * (double)ops));
            const double end = 0.04 / (double)ops * 4294967296.0;
            EXPECT_NEAR((double)last, std::fmax(start / (double)ops * 4294967296.0, end),
                        (double)last / 100 + 1);
            for (int64_t progress = 0; progress <= 65536; progress += 1024) {
                const uint64_t heat = regal_cooling_heat(&cooling, progress);
                EXPECT_LE(heat, last);
                last = heat;
            }
            EXPECT_NEAR((double)last, end, end / 100 + 1);
        }
    }
}

TEST(Cooling, GivesEveryChainItsRounds) {
    for (const int64_t islands : {1, 3, 64}) {
        for (const int64_t ops : {1, 130, 100000}) {
            for (int64_t evaluations = 1; evaluations < (int64_t)1 << 50; evaluations *= 7) {
                regal_cooling_question q = question(REGAL_MEMORY, ops, evaluations);
                q.islands = islands;
                const regal_cooling cooling = regal_cooling_plan(&q);
                ASSERT_GE(cooling.chains, 1);
                ASSERT_LE(cooling.chains * islands, 1024 < islands ? islands : 1024);
                ASSERT_LE(cooling.rounds * cooling.chains * islands, evaluations);
                ASSERT_LE(cooling.replaced, cooling.chains / 2);
                ASSERT_GE(cooling.interval, 1);
            }
        }
    }
}

TEST(Cooling, IsTheSameEverywhere) {
    const regal_cooling_question q = question(REGAL_MEMORY, 137, 50000);
    const regal_cooling cooling = regal_cooling_plan(&q);
    EXPECT_EQ(regal_cooling_heat(&cooling, 0), 127894916u);
    EXPECT_EQ(regal_cooling_heat(&cooling, 30000), 15396083u);
    EXPECT_EQ(regal_cooling_heat(&cooling, 65536), 1254005u);
}

struct State {
    explicit State(const regal_problem_view &view)
        : device((size_t)view.op_count), key((size_t)view.op_count) {}
    regal_chain_state of() { return {device.data(), key.data()}; }
    bool operator==(const State &other) const { return device == other.device && key == other.key; }
    std::vector<uint8_t> device;
    std::vector<uint16_t> key;
};

TEST(ChainMove, KeepsToAllowedDevicesAndCanBeUndone) {
    int64_t moves = 0, moved_devices = 0, moved_keys = 0;
    for (uint64_t seed = 0; seed < 150; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (whole.status != REGAL_OK || whole.view().op_count == 0)
            continue;
        const regal_problem_view &view = whole.view();
        Dice dice(seed);
        State state(view);
        for (regal_id op = 0; op < view.op_count; ++op) {
            state.key[(size_t)op] = (uint16_t)dice.next();
            state.device[(size_t)op] = (uint8_t)regal_set_first(view.allowed[view.leader[op]]);
        }
        for (uint32_t round = 0; round < 400; ++round, ++moves) {
            const State before = state;
            const regal_stream stream = regal_stream_make(seed, REGAL_STAGE_MOVE, 0, round, 0);
            regal_move_log log;
            const regal_aim aim = {(int32_t)dice.between(-1, 65535),
                                   (int32_t)dice.below(view.device_count)};
            regal_make_move(&view, round % 2 ? REGAL_TIME : REGAL_MEMORY, &stream, aim, state.of(),
                            &log);
            ASSERT_LE(log.count, REGAL_MOVE_CHANGES);
            for (regal_id op = 0; op < view.op_count; ++op)
                ASSERT_TRUE(view.allowed[view.leader[op]] >> state.device[(size_t)view.leader[op]] &
                            1);
            moved_devices += state.device != before.device;
            moved_keys += state.key != before.key;
            if (round % 3 != 0)
                continue;
            regal_move_undo(state.of(), &log);
            ASSERT_TRUE(state == before);
        }
    }
    EXPECT_GT(moves, 50000);
    EXPECT_GT(moved_devices, moves / 5);
    EXPECT_GT(moved_keys, moves / 3);
}

TEST(ChainMove, ChangesNoMoreThanItCanUndo) {
    // A star: the hub's neighbours are far more than a move may change.
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(500, {1}));
    std::vector<int64_t> leaves;
    for (int64_t op = 1; op < 500; ++op)
        leaves.push_back(op);
    add_tensor(graph, 0, 8, leaves);
    const WholeProblem whole(graph, small_cluster({0, 0, 0}));
    State state(whole.view());
    int32_t most = 0;
    for (uint32_t round = 0; round < 60000; ++round) {
        const State before = state;
        const regal_stream stream = regal_stream_make(1, REGAL_STAGE_MOVE, 0, round, 0);
        regal_move_log log;
        regal_make_move(&whole.view(), REGAL_TIME, &stream, {-1, 0}, state.of(), &log);
        most = log.count > most ? log.count : most;
        regal_move_undo(state.of(), &log);
        ASSERT_TRUE(state == before);
    }
    EXPECT_EQ(most, REGAL_MOVE_CHANGES);
}

// Forty ops in their order, on device 0, and a tensor of op 9 that op 30 reads.
struct OneEdge {
    OneEdge() : whole(graph(), small_cluster({0, 0})), state(whole.view()) {
        for (regal_id op = 0; op < 40; ++op)
            state.key[(size_t)op] = regal_position_key(op, 40);
    }
    static plain::Graph graph() {
        plain::Graph made = small_graph(std::vector<std::vector<int64_t>>(40, {1}));
        add_tensor(made, 9, 8, {30});
        add_tensor(made, 8, 8, {9});
        return made;
    }
    // Moves of 2,000 that change an end of the edge.
    int64_t hits(regal_aim aim) {
        const State before = state;
        int64_t count = 0;
        for (uint32_t round = 0; round < 2000; ++round)
            count += moved(aim, round, [&](const State &s) {
                return s.key[9] != before.key[9] || s.key[30] != before.key[30] ||
                       s.device[9] != 0 || s.device[30] != 0;
            });
        return count;
    }
    template <typename Test> bool moved(regal_aim aim, uint32_t round, Test test) {
        const regal_stream stream = regal_stream_make(5, REGAL_STAGE_MOVE, 0, round, 0);
        regal_move_log log;
        regal_make_move(&whole.view(), REGAL_MEMORY, &stream, aim, state.of(), &log);
        const bool yes = test(state);
        regal_move_undo(state.of(), &log);
        return yes;
    }
    WholeProblem whole;
    State state;
};

TEST(ChainMove, AimsAtTensorsThatAreThereAtThePeak) {
    OneEdge one;
    const int32_t between = one.state.key[20], before = one.state.key[3];
    EXPECT_GT(one.hits({between, 0}), 1000);
    for (const regal_aim none : {regal_aim{between, 1}, regal_aim{before, 0}, regal_aim{-1, 0}})
        EXPECT_LT(one.hits(none), 500);
}

TEST(ChainMove, CarriesOpsAcrossThePeakWithWhatFeedsThem) {
    OneEdge one;
    const uint16_t peak = one.state.key[20];
    int64_t later = 0, fed = 0, earlier = 0;
    for (uint32_t round = 0; round < 2000; ++round) {
        const regal_aim aim = {peak, 0};
        later += one.moved(aim, round, [&](const State &s) {
            return s.key[9] < peak && s.key[9] >= s.key[30] && s.key[8] > peak;
        });
        fed += one.moved(aim, round,
                         [&](const State &s) { return s.key[9] < peak && s.key[8] == s.key[9]; });
        earlier += one.moved(aim, round, [&](const State &s) { return s.key[30] > peak; });
    }
    EXPECT_GT(later, 100);
    EXPECT_GT(fed, 100);
    EXPECT_GT(earlier, 200);
}

TEST(PeakPlace, IsTheRankAndTheDeviceWhereTheMaxPeakIsFirstReached) {
    plain::Graph graph = small_graph(std::vector<std::vector<int64_t>>(4, {1}));
    graph.ops[0].workspace = 5;
    graph.ops[1].workspace = 7;
    graph.ops[2].workspace = 9;
    graph.ops[3].workspace = 9;
    const WholeProblem whole(graph, small_cluster({0, 0}));
    regal_decoder decoder;
    ASSERT_EQ(regal_decoder_create(&whole.view(), &decoder), REGAL_OK);
    for (regal_id op = 0; op < 4; ++op) {
        decoder.simulation.device[op] = op == 2;
        decoder.simulation.order[op] = op;
    }
    decoder.simulation.tick_limit = decoder.simulation.peak_limit = INT64_MAX;
    EXPECT_EQ(regal_simulate(&whole.view(), &decoder.simulation, 1, nullptr), 3);
    EXPECT_EQ(decoder.simulation.peak_place.rank, 3);
    EXPECT_EQ(decoder.simulation.peak_place.device, 1);
    regal_decoder_destroy(&decoder);
}

TEST(ChainMove, DrawsKindsByTheirWeights) {
    for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        uint32_t sum = 0;
        for (int kind = 0; kind < REGAL_MOVE_KINDS; ++kind)
            sum += regal_move_weight(objective, kind);
        std::vector<int64_t> drawn(REGAL_MOVE_KINDS);
        for (uint32_t i = 0; i < 100000; ++i)
            drawn[(size_t)regal_draw_move_kind(objective, i * 42949u)]++;
        for (int kind = 0; kind < REGAL_MOVE_KINDS; ++kind)
            EXPECT_NEAR((double)drawn[(size_t)kind] / 100000,
                        (double)regal_move_weight(objective, kind) / sum, 0.001);
    }
}

} // namespace
