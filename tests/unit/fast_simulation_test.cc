// The fast simulation of each instruction set and width of ids against the rules of core/.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <tuple>

#include "graph/problem_data.h"
#include "regal/core/decode.h"
#include "search/decoder.h"
#include "simd/compact/operators.h"
#include "simd/simd_level.h"
#include "support/random_problem.h"
#include "support/regal_objects.h"

namespace {

// Of the rules; the environment may ask for more of them than a test of every day can do.
int64_t case_count() {
    const char *asked = std::getenv("REGAL_TEST_CASES");
    return asked != nullptr ? std::atoll(asked) : 15000;
}

constexpr int64_t NO_LIMIT = INT64_MAX;

struct Problem {
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
    const regal_problem_view *view = nullptr;
};

Problem settle(GraphPtr graph, ClusterPtr cluster) {
    Problem made{std::move(graph), std::move(cluster), nullptr};
    regal_problem *problem = nullptr;
    const regal_status status =
        regal_problem_create(made.graph.get(), made.cluster.get(), &problem);
    if (status != REGAL_OK && status != REGAL_INFEASIBLE)
        throw std::runtime_error(regal_error_message());
    made.problem.reset(problem);
    if (problem != nullptr)
        made.view = regal_problem_get_view(problem);
    return made;
}

Problem random_problem(uint64_t seed) {
    plain::Case one = random_case(seed);
    if (seed % 8 == 0) // runs of many times 2^30 ticks
        for (plain::Op &op : one.graph.ops)
            for (int64_t &cost : op.cost)
                cost = cost * 7919 * 7919 % (int64_t{1} << 30);
    return settle(make_graph(one.graph), make_cluster(one.cluster));
}

plain::Cluster devices_named_by_number(int64_t count) {
    plain::Cluster cluster;
    cluster.devices.resize(count);
    for (int64_t d = 0; d < count; ++d)
        cluster.devices[d].name = "d" + std::to_string(d);
    return cluster;
}

Problem generated(const char *generator, int64_t ops, int64_t devices) {
    const regal_parameter_value values[] = {{"ops", static_cast<double>(ops)}};
    regal_graph *graph = nullptr;
    if (regal_graph_generate(generator, values, 1, 1, nullptr, &graph) != REGAL_OK)
        throw std::runtime_error(regal_error_message());
    plain::Cluster cluster = devices_named_by_number(devices);
    cluster.default_link = {100, 2500000};
    return settle(GraphPtr(graph), make_cluster(cluster));
}

// Ops that are all ready at once.
Problem unrelated_ops(int64_t ops, int64_t devices) {
    plain::Graph graph;
    graph.classes = {"c"};
    for (int64_t i = 0; i < ops; ++i) {
        plain::Op op;
        op.name = std::to_string(i);
        op.cost = {1 + i % 7};
        op.workspace = i % 11;
        graph.ops.push_back(op);
    }
    return settle(make_graph(graph), make_cluster(devices_named_by_number(devices)));
}

struct Outcome {
    int64_t makespan;
    std::vector<int64_t> peak;
    regal_peak_place place = {};
    bool operator==(const Outcome &other) const {
        return makespan == other.makespan &&
               (makespan < 0 || (peak == other.peak && place.rank == other.place.rank &&
                                 place.device == other.place.device));
    }
};

class Rules {
  public:
    explicit Rules(const regal_problem_view *view) : view_(view) {
        if (regal_decoder_create(view, &decoder_) != REGAL_OK)
            throw std::bad_alloc();
    }
    ~Rules() { regal_decoder_destroy(&decoder_); }
    Rules(const Rules &) = delete;

    Outcome decode(regal_encoding encoding, int64_t window, const uint16_t *genes) {
        const int64_t makespan = regal_decode(view_, &decoder_.simulation, encoding, window, genes,
                                              decoder_.sequence, decoder_.scratch);
        const int64_t *peak = decoder_.simulation.peak;
        return {makespan, std::vector<int64_t>(peak, peak + view_->device_count),
                decoder_.simulation.peak_place};
    }
    const regal_decoder &decoder() const { return decoder_; }

  private:
    const regal_problem_view *view_;
    regal_decoder decoder_{};
};

class Fast {
  public:
    Fast(const regal_compact_operators *operators, const regal_problem_view *view)
        : view_(view), operators_(operators), problem_(operators->problem_create(view)),
          simulator_(operators->simulator_create(problem_)) {}
    ~Fast() {
        operators_->simulator_destroy(simulator_);
        operators_->problem_destroy(problem_);
    }
    Fast(const Fast &) = delete;

    Outcome decode(regal_encoding encoding, int64_t window, const uint16_t *genes,
                   int64_t tick_limit = NO_LIMIT, int64_t peak_limit = NO_LIMIT) {
        operators_->place(simulator_, encoding, window, genes);
        return run(window, regal_transfer_keys(view_, encoding, genes), tick_limit, peak_limit);
    }
    Outcome run(int64_t window, const uint16_t *transfer_key, int64_t tick_limit = NO_LIMIT,
                int64_t peak_limit = NO_LIMIT) {
        const int64_t *peak = nullptr;
        const int64_t makespan =
            operators_->simulate(simulator_, window, transfer_key, tick_limit, peak_limit, &peak);
        return {makespan, std::vector<int64_t>(peak, peak + view_->device_count),
                operators_->peak_place(simulator_)};
    }
    void order(const uint8_t *leader_device, const uint16_t *priority, int64_t window) {
        operators_->order(simulator_, leader_device, priority, window);
    }
    std::vector<uint16_t> rank_of_ops() {
        std::vector<uint16_t> of_rank(view_->op_count), of_op(view_->op_count);
        std::iota(of_rank.begin(), of_rank.end(), 0);
        operators_->scatter(simulator_, of_rank.data(), of_op.data());
        return of_op;
    }

  private:
    const regal_problem_view *view_;
    const regal_compact_operators *operators_;
    void *problem_, *simulator_;
};

std::vector<uint16_t> random_genes(Dice &dice, int64_t count) {
    const int64_t range = dice.chance(30) ? 4 : 65536; // few keys: many ties
    std::vector<uint16_t> genes(count);
    for (uint16_t &gene : genes)
        gene = static_cast<uint16_t>(dice.below(range) * (65536 / range));
    return genes;
}

struct Keys {
    regal_encoding encoding;
    int64_t window;
    std::vector<uint16_t> genes;
};

Keys random_keys(Dice &dice, const regal_problem_view *view) {
    const regal_encoding encoding = dice.chance(50) ? REGAL_INHERIT : REGAL_AFFINITY;
    const std::vector<int64_t> windows = {0, 0, 1, 1, 2, 3, 7, view->op_count, INT64_MAX};
    return {encoding, dice.pick(windows),
            random_genes(dice, regal_gene_count(encoding, view->op_count, view->device_count))};
}

class FastSimulation : public testing::TestWithParam<std::tuple<regal_simd_level, int>> {
  protected:
    void SetUp() override {
        const auto [level, bits] = GetParam();
        if (!regal_simd_level_available(level))
            GTEST_SKIP() << "this processor or build lacks it";
        static const regal_compact_operators *const of_16[] =
            REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(regal_compact_operators, 16);
        static const regal_compact_operators *const of_32[] =
            REGAL_SIMD_OF_EACH_LEVEL_AND_WIDTH(regal_compact_operators, 32);
        operators = (bits == 16 ? of_16 : of_32)[level];
    }

    // Whether the problem was covered.
    bool expect_same(const Problem &problem, Dice &dice, int64_t chromosomes) {
        if (problem.view == nullptr || operators->refuses(problem.view) != nullptr)
            return false;
        Rules rules(problem.view);
        Fast fast(operators, problem.view);
        for (int64_t i = 0; i < chromosomes; ++i) {
            const Keys keys = random_keys(dice, problem.view);
            const uint16_t *genes = keys.genes.data();
            const Outcome right = rules.decode(keys.encoding, keys.window, genes);
            EXPECT_TRUE(fast.decode(keys.encoding, keys.window, genes) == right);
            const int64_t peak = *std::max_element(right.peak.begin(), right.peak.end());
            const int64_t tick_limit = right.makespan + dice.between(-3, 1);
            const int64_t peak_limit = peak + dice.between(-3, 1);
            const bool over = right.makespan > tick_limit || peak > peak_limit;
            EXPECT_TRUE(fast.decode(keys.encoding, keys.window, genes, tick_limit, peak_limit) ==
                        (over ? Outcome{-1, {}} : right))
                << "limits " << tick_limit << ", " << peak_limit;
            // What a run that ended early leaves behind does no harm.
            EXPECT_TRUE(fast.decode(keys.encoding, keys.window, genes) == right);
        }
        return true;
    }

    const regal_compact_operators *operators = nullptr;
};

TEST_P(FastSimulation, EqualsTheRulesOnRandomProblems) {
    Dice dice(3);
    int64_t covered = 0;
    const int64_t cases = case_count();
    for (int64_t seed = 0; seed < cases && !HasFailure(); ++seed) {
        covered += expect_same(random_problem(static_cast<uint64_t>(seed)), dice, 2);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(covered, cases * 2 / 3);
}

TEST_P(FastSimulation, EqualsTheRulesOnLargerGraphs) {
    Dice dice(4);
    for (const char *generator : {"layered", "erdos-renyi", "stochastic-block", "layered-large"})
        for (const int64_t devices : {1, 2, 3, 4, 6, 8})
            EXPECT_TRUE(expect_same(generated(generator, 1500, devices), dice, 4)) << generator;
}

TEST_P(FastSimulation, EqualsTheRulesHoweverManyOpsAreReady) {
    Dice dice(5);
    for (const int64_t ops : {31, 32, 33, 34, 64, 65, 4096, 4097, 9000})
        for (const int64_t devices : {1, 2, 8})
            EXPECT_TRUE(expect_same(unrelated_ops(ops, devices), dice, 4)) << ops;
    if (std::get<1>(GetParam()) == 32) {
        EXPECT_TRUE(expect_same(unrelated_ops(300000, 2), dice, 2));
    }
}

TEST_P(FastSimulation, TakesPlacementsAndKeysAndTellsTheOrder) {
    Dice dice(6);
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        const Problem problem = random_problem(seed);
        if (problem.view == nullptr || operators->refuses(problem.view) != nullptr)
            continue;
        Rules rules(problem.view);
        Fast fast(operators, problem.view);
        Keys keys = random_keys(dice, problem.view);
        const Outcome right = rules.decode(keys.encoding, keys.window, keys.genes.data());
        std::vector<uint8_t> leaders(problem.view->op_count, 99);
        for (regal_id op = 0; op < problem.view->op_count; ++op)
            if (problem.view->leader[op] == op)
                leaders[op] = rules.decoder().simulation.device[op];
        fast.order(leaders.data(), keys.genes.data(), keys.window);
        EXPECT_TRUE(fast.run(keys.window, regal_transfer_keys(problem.view, keys.encoding,
                                                              keys.genes.data())) == right);
        const std::vector<uint16_t> ranks = fast.rank_of_ops();
        for (regal_id op = 0; op < problem.view->op_count; ++op)
            ASSERT_EQ(ranks[op], rules.decoder().simulation.order[op]) << "seed " << seed;
    }
}

TEST_P(FastSimulation, RefusesWhatItDoesNotCover) {
    const auto refuses = [&](const Problem &problem, const char *why) {
        const char *said = operators->refuses(problem.view);
        EXPECT_STREQ(said != nullptr ? said : "nothing", why);
    };
    refuses(unrelated_ops(10, 9), "more than 8 devices");
    plain::Graph graph;
    graph.classes = {"c"};
    plain::Op op;
    op.name = "a";
    op.cost = {(int64_t{1} << 30) - 1};
    graph.ops = {op};
    plain::Cluster cluster = devices_named_by_number(2);
    refuses(settle(make_graph(graph), make_cluster(cluster)), "nothing");
    graph.ops[0].cost[0]++;
    refuses(settle(make_graph(graph), make_cluster(cluster)), "an op of 2^30 ticks or more");
    graph.ops[0].cost[0] = 1;
    plain::Tensor tensor;
    tensor.name = "t";
    tensor.bytes = 1 << 21;
    graph.tensors = {tensor};
    cluster.default_link = {0, 1};
    refuses(settle(make_graph(graph), make_cluster(cluster)), "a transfer of 2^30 ticks or more");
    cluster = devices_named_by_number(8);
    for (int64_t i = 0; i < 17; ++i)
        cluster.pairs[{i % 8, (i + 1 + i / 8) % 8}] = {i, 0};
    refuses(settle(make_graph(graph), make_cluster(cluster)), "more than 16 kinds of link");
}

std::string name_of(const testing::TestParamInfo<FastSimulation::ParamType> &info) {
    return std::string(regal_simd_level_name(std::get<0>(info.param))) + "_" +
           std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Levels, FastSimulation,
                         testing::Combine(testing::Values(REGAL_SIMD_PLAIN, REGAL_SIMD_AVX2,
                                                          REGAL_SIMD_AVX512),
                                          testing::Values(16, 32)),
                         name_of);

} // namespace
