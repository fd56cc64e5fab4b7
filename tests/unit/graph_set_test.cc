// Sets of problems: what they hold, what they refuse, and that drawing is a function of its seed.
#include "policy/graph_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "policy/draws.h"
#include "regal/regal.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

struct SetDelete {
    void operator()(regal_graph_set *set) const { regal_graph_set_destroy(set); }
};
using SetPtr = std::unique_ptr<regal_graph_set, SetDelete>;

class Problem {
  public:
    Problem() = default;
    ~Problem() { regal_set_problem_destroy(&it); }
    Problem(const Problem &) = delete;
    Problem &operator=(const Problem &) = delete;
    std::string digest() const {
        char text[17];
        regal_graph_digest(it.graph, text);
        return text;
    }
    int64_t rate() const { return regal_cluster_default_link(it.cluster).bytes_per_1000_ticks; }
    int64_t ops() const { return regal_graph_op_count(it.graph); }
    regal_set_problem it{};
};

std::string SetText(const std::string &clusters, const std::string &graphs) {
    return R"({"format": "regal-set", "version": 1, "name": "test", "objective": "memory",
              "clusters": [)" +
           clusters + R"(], "graphs": [)" + graphs + "]}";
}

const char kFree[] = R"({"devices": 2, "link": "free"})";
const char kSmall[] =
    R"({"generator": "erdos-renyi", "values": {"ops": 20}, "seed": 5, "count": 3})";

regal_status Parse(const std::string &text, SetPtr *set) {
    regal_graph_set *made = nullptr;
    const regal_status status = regal_graph_set_parse(text.data(), text.size(), "set.json", &made);
    set->reset(made);
    return status;
}

SetPtr Made(const std::string &clusters, const std::string &graphs) {
    SetPtr set;
    EXPECT_EQ(Parse(SetText(clusters, graphs), &set), REGAL_OK) << regal_error_message();
    return set;
}

void ExpectRefused(const std::string &clusters, const std::string &graphs,
                   const std::string &part) {
    SetPtr set;
    const regal_status status = Parse(SetText(clusters, graphs), &set);
    EXPECT_TRUE(refused_with(status, REGAL_INVALID_INPUT, part));
    EXPECT_EQ(set, nullptr);
}

void Take(const SetPtr &set, int64_t index, Problem *problem) {
    ASSERT_EQ(regal_graph_set_problem(set.get(), index, &problem->it), REGAL_OK)
        << regal_error_message();
}

void Draw(const SetPtr &set, uint64_t seed, uint64_t number, bool augment, Problem *problem) {
    ASSERT_EQ(regal_graph_set_draw(set.get(), seed, number, augment, &problem->it), REGAL_OK)
        << regal_error_message();
}

double Ratio(const Problem &problem) {
    double cost = 0, bytes = 0;
    int64_t read = 0;
    for (int64_t v = 0; v < problem.ops(); ++v)
        cost += (double)regal_graph_op(problem.it.graph, v).cost[0];
    for (int64_t t = 0; t < regal_graph_tensor_count(problem.it.graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(problem.it.graph, t);
        if (tensor.consumer_count > 0) {
            bytes += (double)tensor.bytes;
            ++read;
        }
    }
    return bytes / (double)read * 1000 / (double)problem.rate() / (cost / (double)problem.ops());
}

int64_t PeakOf(regal_baseline baseline, const Problem &problem) {
    regal_cluster *cluster = nullptr;
    regal_problem *uncapped = nullptr;
    regal_plan *plan = nullptr;
    const int64_t devices = regal_cluster_device_count(problem.it.cluster);
    EXPECT_EQ(regal_cluster_parse(std::to_string(devices).c_str(), "free", &cluster), REGAL_OK);
    EXPECT_EQ(regal_problem_create(problem.it.graph, cluster, &uncapped), REGAL_OK);
    EXPECT_EQ(regal_baseline_plan(uncapped, baseline, REGAL_TIME, 0, &plan), REGAL_OK);
    int64_t peak = 0;
    for (int64_t d = 0; d < devices; ++d)
        peak = std::max(peak, plan->peak[d]);
    regal_plan_destroy(plan);
    regal_problem_destroy(uncapped);
    regal_cluster_destroy(cluster);
    return peak;
}

TEST(GraphSet, CountsGraphsTimesClusters) {
    const SetPtr set = Made(std::string(kFree) + R"(, {"devices": 4, "link": "25GB/s,5us"})",
                            std::string(kSmall) +
                                R"(, {"generator": "layered", "family": "deep", "unseen": true})");
    EXPECT_STREQ(regal_graph_set_name(set.get()), "test");
    EXPECT_EQ(regal_graph_set_objective(set.get()), REGAL_MEMORY);
    ASSERT_EQ(regal_graph_set_count(set.get()), 8);
    const std::string names[] = {"erdos-renyi ops=20 seed=5, 2 devices, link free",
                                 "erdos-renyi ops=20 seed=5, 4 devices, link 5000 + 25000 per 1000",
                                 "erdos-renyi ops=20 seed=6, 2 devices, link free"};
    for (int64_t i = 0; i < 8; ++i) {
        Problem problem;
        Take(set, i, &problem);
        EXPECT_STREQ(problem.it.family, i < 6 ? "erdos-renyi" : "deep");
        EXPECT_EQ(problem.it.unseen, i >= 6);
        EXPECT_EQ(regal_cluster_device_count(problem.it.cluster), i % 2 == 0 ? 2 : 4);
        if (i < 3) {
            EXPECT_EQ(problem.it.name, names[i]);
        }
    }
    Problem beyond;
    EXPECT_TRUE(refused_with(regal_graph_set_problem(set.get(), 8, &beyond.it),
                             REGAL_INVALID_ARGUMENT, "it has 8"));
}

TEST(GraphSet, MakesTheGraphsOfTheGenerator) {
    const SetPtr set = Made(kFree, kSmall);
    Problem problem;
    Take(set, 2, &problem);
    const regal_parameter_value ops = {"ops", 20};
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_generate("erdos-renyi", &ops, 1, 7, nullptr, &graph), REGAL_OK);
    char digest[17];
    regal_graph_digest(graph, digest);
    EXPECT_EQ(problem.digest(), digest);
    regal_graph_destroy(graph);
}

TEST(GraphSet, DrawsWholeNumbersFromRanges) {
    const SetPtr set = Made(kFree, R"({"generator": "layered", "count": 200,
                                       "values": {"ops": [10, 15], "cost_noise": [0.1, 0.2]}})");
    std::map<int64_t, int> seen;
    for (int64_t i = 0; i < 200; ++i) {
        Problem problem;
        Take(set, i, &problem);
        ++seen[problem.ops()];
    }
    EXPECT_EQ(seen.begin()->first, 10);
    EXPECT_EQ(seen.rbegin()->first, 15);
    EXPECT_EQ(seen.size(), 6u);
}

TEST(GraphSet, CapsAtAShareOfABaselinesPeak) {
    const struct {
        const char *cluster;
        regal_baseline baseline;
    } cases[] = {{R"({"devices": 3, "link": "free", "cap": 0.6})", REGAL_HEFT},
                 {R"({"devices": 3, "link": "free", "cap": 0.6, "cap_of": "one-device"})",
                  REGAL_ONE_DEVICE}};
    for (const auto &one : cases) {
        const SetPtr set = Made(one.cluster, kSmall);
        for (int64_t i = 0; i < 3; ++i) {
            Problem problem;
            Take(set, i, &problem);
            const int64_t cap = (int64_t)(0.6 * (double)PeakOf(one.baseline, problem));
            for (int64_t d = 0; d < 3; ++d)
                EXPECT_EQ(regal_cluster_device(problem.it.cluster, d).memory, cap);
        }
    }
}

TEST(GraphSet, SetsTheRateThatGivesTheRatio) {
    /* Rates of about 1000: the costs stay. Rates near 1: the costs give way. */
    const SetPtr fine = Made(R"({"devices": 4, "ccr": 2})",
                             R"({"generator": "layered", "values": {"cost_unit": 1}})");
    const SetPtr coarse = Made(R"({"devices": 4, "ccr": 0.7}, {"devices": 4, "ccr": 5})",
                               R"({"generator": "layered", "values": {"cost_unit": 1000}})");
    Problem problem, middle, high, same;
    Take(fine, 0, &problem);
    EXPECT_NEAR(Ratio(problem), 2, 0.04);
    EXPECT_EQ(regal_graph_op(problem.it.graph, 0).cost[0] < 200, true);
    Take(coarse, 0, &middle);
    EXPECT_NEAR(Ratio(middle), 0.7, 0.7 * 0.02);
    Take(coarse, 1, &high);
    EXPECT_NEAR(Ratio(high), 5, 5 * 0.02);
    EXPECT_EQ(high.rate(), 1);
}

TEST(GraphSet, DrawsRatiosWithinTheirRange) {
    const SetPtr set = Made(R"({"devices": 4, "ccr": [0.5, 8]})", R"({"generator": "layered"})");
    double least = 1e9, greatest = 0, logs = 0;
    for (uint64_t i = 0; i < 100; ++i) {
        Problem problem;
        Draw(set, 1, i, false, &problem);
        const double ratio = Ratio(problem);
        least = std::min(least, ratio);
        greatest = std::max(greatest, ratio);
        logs += std::log2(ratio) / 100;
    }
    EXPECT_GT(least, 0.49);
    EXPECT_LT(least, 0.7);
    EXPECT_LT(greatest, 8.2);
    EXPECT_GT(greatest, 6);
    EXPECT_NEAR(logs, 1, 0.4); /* of 2: the middle of the logarithms */
}

TEST(GraphSet, DrawsTheSameProblemForTheSameSeedAndNumber) {
    const SetPtr set = Made(std::string(kFree) + R"(, {"devices": 4, "ccr": [1, 4]})",
                            R"({"generator": "layered"}, {"generator": "barabasi-albert"})");
    std::set<std::string> digests;
    for (const bool augment : {false, true})
        for (uint64_t number = 0; number < 20; ++number) {
            Problem one, again;
            Draw(set, 3, number, augment, &one);
            Draw(set, 3, number, augment, &again);
            EXPECT_EQ(one.digest(), again.digest());
            EXPECT_STREQ(one.it.name, again.it.name);
            EXPECT_EQ(one.rate(), again.rate());
            digests.insert(one.digest());
        }
    EXPECT_EQ(digests.size(), 40u);
}

TEST(GraphSet, DrawsEntriesByWeight) {
    const SetPtr set = Made(kFree, R"({"generator": "layered", "values": {"ops": 10}, "weight": 0},
        {"generator": "layered", "values": {"ops": 11}, "weight": 3},
        {"generator": "layered", "values": {"ops": 12}},
        {"generator": "layered", "values": {"ops": 13}, "weight": 0})");
    std::map<int64_t, int> seen;
    for (uint64_t number = 0; number < 400; ++number) {
        Problem problem;
        Draw(set, 1, number, false, &problem);
        ++seen[problem.ops()];
    }
    EXPECT_EQ(seen.size(), 2u);
    EXPECT_NEAR(seen[11], 300, 40);
}

TEST(GraphSet, ReadsFilesBesideIt) {
    const ScratchFolder folder;
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_graph_generate("layered", nullptr, 0, 1, nullptr, &graph), REGAL_OK);
    ASSERT_EQ(regal_graph_write(graph, (folder / "one.json").c_str()), REGAL_OK);
    std::ofstream(folder / "cluster.json")
        << R"({"format": "regal-cluster", "version": 1, "devices": [{}, {}, {}],
              "links": {"default": {"latency": 7, "bytes_per_1000_ticks": 3}}})";
    std::ofstream(folder / "set.json")
        << SetText(R"({"cluster": "cluster.json"})", R"({"file": "one.json", "family": "mine"})");
    regal_graph_set *read = nullptr;
    ASSERT_EQ(regal_graph_set_read((folder / "set.json").c_str(), &read), REGAL_OK)
        << regal_error_message();
    const SetPtr set(read);
    Problem problem;
    Take(set, 0, &problem);
    char digest[17];
    regal_graph_digest(graph, digest);
    EXPECT_EQ(problem.digest(), digest);
    EXPECT_STREQ(problem.it.family, "mine");
    EXPECT_EQ(problem.rate(), 3);
    Problem drawn;
    Draw(set, 1, 1, true, &drawn);
    EXPECT_NE(drawn.digest(), digest);
    regal_graph_destroy(graph);
}

SetPtr Shipped(const std::filesystem::path &path) {
    regal_graph_set *read = nullptr;
    EXPECT_EQ(regal_graph_set_read(path.c_str(), &read), REGAL_OK) << regal_error_message();
    return SetPtr(read);
}

TEST(GraphSet, MakesTheProblemsOfEveryShippedSet) {
    int sets = 0;
    const std::string folder = REGAL_SOURCE_DIR "/models/policies/sets";
    for (const auto &file : std::filesystem::directory_iterator(folder)) {
        const SetPtr set = Shipped(file.path());
        EXPECT_EQ(file.path().stem(), regal_graph_set_name(set.get()));
        Problem first, last;
        Take(set, 0, &first);
        Take(set, regal_graph_set_count(set.get()) - 1, &last);
        ++sets;
    }
    EXPECT_GE(sets, 14);
}

/* What is learned must be shown on graphs that training cannot have met. */
TEST(GraphSet, TrainsOnNoGraphOfAnotherSet) {
    std::vector<std::filesystem::path> training;
    std::set<std::string> graphs, unseen;
    const std::string folder = REGAL_SOURCE_DIR "/models/policies/sets";
    for (const auto &file : std::filesystem::directory_iterator(folder)) {
        if (file.path().filename().string().rfind("train-", 0) == 0) {
            training.push_back(file.path());
            continue;
        }
        const SetPtr set = Shipped(file.path());
        for (int64_t i = 0; i < regal_graph_set_count(set.get()); ++i) {
            Problem problem;
            Take(set, i, &problem);
            graphs.insert(problem.digest());
            if (problem.it.unseen)
                unseen.insert(problem.it.family);
        }
    }
    EXPECT_EQ(unseen.count("layered"), 1u);
    EXPECT_GE(training.size(), 2u);
    for (const std::filesystem::path &path : training) {
        const SetPtr set = Shipped(path);
        for (uint64_t number = 0; number < 200; ++number) {
            Problem drawn;
            Draw(set, 1, number, false, &drawn);
            EXPECT_EQ(unseen.count(drawn.it.family), 0u) << path << drawn.it.name;
            EXPECT_EQ(graphs.count(drawn.digest()), 0u) << path << drawn.it.name;
        }
    }
}

TEST(GraphSet, RefusesWhatIsWrongAndSaysWhere) {
    const std::string free = kFree;
    ExpectRefused(free, R"({"generator": "nothing"})",
                  "graphs[0].generator: there is no generator");
    ExpectRefused(free, R"({"generator": "transfomer"})", "did you mean transformer?");
    ExpectRefused(free, R"({"generator": "transformer", "profiles": ["h100", "h1000"]})",
                  "graphs[0].profiles[1]: no device profile is named 'h1000'");
    ExpectRefused(free, R"({"generator": "layered", "values": {"oops": 3}})",
                  "no parameter 'oops'");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": -3}})", "graphs[0].values: ");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": [10, 1e12]}})", "ops is 1");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": [10.0, 12.0]}})", "whole");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": [12, 10]}})",
                  "graphs[0].values.ops[1]: 10 is not from 12");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": [1]}})", "a range is");
    ExpectRefused(free, R"({"generator": "layered", "values": {"ops": "3"}})", "a string");
    ExpectRefused(free, R"({"generator": "layered", "count": 0})", "graphs[0].count: 0");
    ExpectRefused(free, R"({"generator": "layered", "seed": 4611686018427387904})", "2^62 - 1");
    ExpectRefused(free, R"({"generator": "layered", "weight": -1})", "graphs[0].weight");
    ExpectRefused(free, R"({"generator": "layered", "unseen": 1})", "graphs[0].unseen");
    ExpectRefused(free, R"({"generator": "layered", "weight": 0})", "all weights are 0");
    ExpectRefused(free, R"({"file": "missing.json"})", "graphs[0].file: ./missing.json: ");
    ExpectRefused(free, R"({"file": "x", "count": 2})", "go with 'generator'");
    ExpectRefused(free, "{}", "graphs[0]: expected either 'generator' or 'file'");
    ExpectRefused(free, R"({"generator": "layered", "clusters": []})", "at least one cluster");
    ExpectRefused(free, "", "graphs: expected at least one graph");
    ExpectRefused(R"({"devices": 0, "link": "free"})", kSmall, "clusters[0].devices: 0 is not");
    ExpectRefused(R"({"devices": 2, "link": "1"})", kSmall, "clusters[0].link: ");
    ExpectRefused(R"({"devices": 2})", kSmall, "clusters[0]: expected either 'link' or 'ccr'");
    ExpectRefused(R"({"devices": 2, "ccr": 0})", kSmall, "clusters[0].ccr: 0 is not");
    ExpectRefused(R"({"devices": 2, "ccr": 1, "link": "free"})", kSmall, "either 'link' or 'ccr'");
    ExpectRefused(R"({"link": "free"})", kSmall, "either 'devices' or 'cluster'");
    ExpectRefused(R"({"cluster": "none.json", "link": "free"})", kSmall, "no 'link'");
    ExpectRefused(R"({"devices": "2x1GB", "link": "free", "cap": 0.5})", kSmall,
                  "clusters[0].cap: the devices have a memory already");
    ExpectRefused(R"({"devices": 2, "link": "free", "cap_of": "heft"})", kSmall,
                  "clusters[0].cap_of: without 'cap'");
    ExpectRefused(R"({"devices": 2, "link": "free", "cap": 1, "cap_of": "cp"})", kSmall,
                  "clusters[0].cap_of: ");
    SetPtr set;
    EXPECT_TRUE(refused_with(
        Parse(R"({"format": "regal-set", "version": 1, "name": "x", "objective": "speed",
                  "graphs": []})",
              &set),
        REGAL_INVALID_INPUT, "set.json: objective: expected 'time' or 'memory'"));
    EXPECT_TRUE(refused_with(
        Parse(R"({"format": "regal-set", "version": 1, "name": "x", "objective": "time",
                  "graphs": [{"generator": "layered"}]})",
              &set),
        REGAL_INVALID_INPUT, "graphs[0]: neither the entry nor the set has 'clusters'"));
}

TEST(Draws, AreUniformNormalAndLogNormal) {
    regal_draws draws = regal_draws_make(1, REGAL_STAGE_GRAPH_SET, 2);
    double unit = 0, sum = 0, squares = 0, logs = 0;
    const int count = 20000;
    std::map<int64_t, int> dice;
    for (int i = 0; i < count; ++i) {
        unit += regal_draws_unit(&draws) / count;
        const double normal = regal_draws_normal(&draws);
        sum += normal / count;
        squares += normal * normal / count;
        logs += std::log(regal_draws_factor(&draws, 0.5)) / count;
        ++dice[regal_draws_below(&draws, 6)];
    }
    EXPECT_NEAR(unit, 0.5, 0.01);
    EXPECT_NEAR(sum, 0, 0.03);
    EXPECT_NEAR(squares, 1, 0.04);
    EXPECT_NEAR(logs, 0, 0.015);
    ASSERT_EQ(dice.size(), 6u);
    for (const auto &[face, times] : dice)
        EXPECT_NEAR(times, count / 6, 250) << face;
}

} // namespace
