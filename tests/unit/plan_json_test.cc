#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "io/file.h"
#include "support/decoded.h"
#include "support/plain_json.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"

namespace {

PlanPtr parse(const std::string &text) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_plan_parse(text.data(), text.size(), "p.json", &plan), REGAL_OK)
        << regal_error_message();
    return PlanPtr(plan);
}

testing::AssertionResult refused(const std::string &text, const std::string &part) {
    regal_plan *plan = nullptr;
    const regal_status status = regal_plan_parse(text.data(), text.size(), "p.json", &plan);
    const PlanPtr owner(plan);
    return refused_with(status, REGAL_INVALID_INPUT, part);
}

std::string written(const regal_plan *plan) {
    ScratchFolder folder;
    EXPECT_EQ(regal_plan_write(plan, (folder / "p").c_str()), REGAL_OK) << regal_error_message();
    char *data = nullptr;
    size_t size = 0;
    EXPECT_EQ(regal_file_read((folder / "p").c_str(), &data, &size), REGAL_OK);
    const std::string text(data, size);
    free(data);
    return text;
}

/* A plan with transfers, caps and everything else; made with every key. */
Decoded full() {
    uint64_t seed = 0;
    Decoded decoded;
    while (!decoded.plan || decoded.plan->transfer_count < 3)
        decoded = decode_with_library(random_case(seed++));
    EXPECT_EQ(regal_graph_set_option(decoded.graph.get(), "profile", "h100"), REGAL_OK);
    EXPECT_EQ(regal_plan_attach(decoded.plan.get(), decoded.graph.get(), decoded.cluster.get()),
              REGAL_OK);
    decoded.plan->objective = REGAL_MEMORY;
    regal_made made = {};
    made.version = "0.1.0";
    made.origin = "search";
    made.search = "brkga";
    made.encoding = "inherit";
    made.window = 0;
    made.seed = UINT64_MAX;
    made.backend = "cpu";
    made.policy = "time 0123456789abcdef";
    made.proposals = "fedcba9876543210";
    made.threads = 2;
    made.evaluations = 5000;
    made.generations = 50;
    made.rounds = 700;
    made.seconds = 1.2345;
    made.stopped = "evaluations";
    made.options = R"({"rho": 0.7, "seeds": "heuristic"})";
    EXPECT_EQ(regal_plan_set_made(decoded.plan.get(), &made), REGAL_OK);
    return decoded;
}

/* A plan file of one op on one of two devices, with these members added or replaced. */
std::string file_of(const std::string &key = "", const std::string &value = "") {
    std::string text = "{\"format\": \"regal-plan\", \"version\": 1";
    bool put = key.empty();
    const char *const members[][2] = {{"placement", "[1]"},
                                      {"start", "[0]"},
                                      {"transfers", "[]"},
                                      {"makespan", "3"},
                                      {"peak", "[0, 7]"}};
    for (const auto &member : members) {
        const bool replaced = key == member[0];
        put = put || replaced;
        if (!replaced || !value.empty())
            text += std::string(", \"") + member[0] + "\": " + (replaced ? value : member[1]);
    }
    return text + (put ? "}" : ", \"" + key + "\": " + value + "}");
}

TEST(PlanJson, WritesWhatItReads) {
    const Decoded decoded = full();
    const regal_plan &before = *decoded.plan;
    const std::string text = written(&before);
    const PlanPtr plan = parse(text);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(read_plan(plan.get()) == read_plan(&before));
    EXPECT_EQ(plan->objective, REGAL_MEMORY);
    EXPECT_EQ(plan->bound_time, before.bound_time);
    EXPECT_STREQ(plan->graph_digest, before.graph_digest);
    EXPECT_STREQ(plan->op_names[0], before.op_names[0]);
    ASSERT_EQ(plan->option_count, 1);
    EXPECT_STREQ(plan->option_values[0], "h100");
    for (int64_t i = 0; i < before.op_count; ++i)
        EXPECT_EQ(plan->finish[i], before.finish[i]);
    EXPECT_STREQ(plan->made.origin, "search");
    EXPECT_EQ(plan->made.seed, UINT64_MAX);
    EXPECT_EQ(plan->made.generations, 50);
    EXPECT_EQ(plan->made.rounds, 700);
    EXPECT_EQ(plan->made.seconds, 1.235);
    EXPECT_STREQ(plan->made.options, R"({"rho": 0.7, "seeds": "heuristic"})");
    EXPECT_EQ(written(plan.get()), text) << "byte for byte";
}

TEST(PlanJson, DiffersOnlyInMadeBetweenEqualPlans) {
    Decoded one = full(), other = full();
    regal_made made = {};
    made.seconds = 99;
    ASSERT_EQ(regal_plan_set_made(other.plan.get(), &made), REGAL_OK);
    const std::string a = written(one.plan.get()), b = written(other.plan.get());
    EXPECT_NE(a, b);
    EXPECT_EQ(a.substr(0, a.find("\"made\"")), b.substr(0, b.find("\"made\"")));
}

TEST(PlanJson, ReadsTheLeast) {
    const PlanPtr plan = parse(file_of());
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->op_count, 1);
    EXPECT_EQ(plan->placement[0], 1);
    EXPECT_EQ(plan->device_count, 2);
    EXPECT_EQ(plan->peak[1], 7);
    EXPECT_EQ(plan->makespan, 3);
    EXPECT_EQ(plan->finish, nullptr);
    EXPECT_EQ(plan->cluster, nullptr);
    EXPECT_EQ(plan->op_names, nullptr);
    EXPECT_EQ(plan->time.value[0], -1) << "no fitness was claimed";
    EXPECT_EQ(plan->bound_memory, -1);
    EXPECT_EQ(plan->made.seconds, -1);
    EXPECT_STREQ(plan->graph_digest, "");
}

TEST(PlanJson, PassesTheCheckerWithoutAFitness) {
    const Decoded decoded = full();
    std::string text = written(decoded.plan.get());
    const size_t at = text.find("\"fitness\""), end = text.find('\n', at);
    ASSERT_NE(at, std::string::npos);
    text.erase(at, end + 1 - at);
    const PlanPtr plan = parse(text);
    ASSERT_TRUE(plan);
    regal_measure measure;
    EXPECT_EQ(regal_plan_check(decoded.graph.get(), decoded.cluster.get(), plan.get(), &measure),
              REGAL_OK)
        << regal_error_message();
}

TEST(PlanJson, SortsTransfers) {
    const PlanPtr plan = parse(file_of("transfers", R"([{"tensor": 2, "to": 0, "start": 1},
        {"tensor": 1, "to": 1, "start": 2}, {"tensor": 1, "to": 0, "start": 3}])"));
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->transfer_count, 3);
    EXPECT_EQ(plan->transfers[0].start, 3);
    EXPECT_EQ(plan->transfers[1].start, 2);
    EXPECT_EQ(plan->transfers[2].start, 1);
}

TEST(PlanJson, KeepsSeedsOfAllSizes) {
    const struct {
        const char *text;
        uint64_t seed;
    } cases[] = {{"0", 0},
                 {"9223372036854775807", INT64_MAX},
                 {"\"9223372036854775808\"", UINT64_C(1) << 63},
                 {"\"18446744073709551615\"", UINT64_MAX},
                 {"\"7\"", 7}};
    for (const auto &one : cases) {
        const PlanPtr plan = parse(file_of("made", std::string("{\"seed\": ") + one.text + "}"));
        ASSERT_TRUE(plan);
        EXPECT_EQ(plan->made.seed, one.seed);
    }
}

// As files were before they told of annealing.
TEST(PlanJson, ReadsFilesThatTellOfNoRounds) {
    const PlanPtr plan = parse(file_of("made", R"({"search": "brkga", "generations": 50})"));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->made.generations, 50);
    EXPECT_EQ(plan->made.rounds, -1);
}

TEST(PlanJson, NamesThePlaceOfEachWrongValue) {
    const struct {
        const char *key, *value, *message;
    } cases[] = {
        {"placement", "", "p.json: the key 'placement' is missing"},
        {"start", "", "the key 'start' is missing"},
        {"transfers", "", "the key 'transfers' is missing"},
        {"makespan", "", "the key 'makespan' is missing"},
        {"peak", "", "the key 'peak' is missing"},
        {"placement", "[2]", "placement[0]: 2 is not from 0 to 1"},
        {"placement", "[-1]", "placement[0]: -1"},
        {"placement", "[1.0]", "placement[0]: expected an integer"},
        {"placement", "[0, 0]", "start: has 1 entries, but there are 2 ops in placement"},
        {"start", "[-1]", "start[0]: -1"},
        {"start", "[9223372036854775807]", "start[0]: 9223372036854775807 is not"},
        {"finish", "[]", "finish: has 0 entries"},
        {"makespan", "-1", "makespan: -1"},
        {"makespan", "null", "makespan: expected an integer, found null"},
        {"peak", "[]", "peak: a plan is for 1..64 devices"},
        {"peak", "[0, -1]", "peak[1]: -1"},
        {"transfers", "[5]", "transfers[0]: expected an object"},
        {"transfers", R"([{"tensor": 0, "to": 0}])", "transfers[0]: the key 'start' is missing"},
        {"transfers", R"([{"tensor": 0, "to": 2, "start": 0}])", "transfers[0].to: 2"},
        {"transfers", R"([{"tensor": -1, "to": 0, "start": 0}])", "transfers[0].tensor: -1"},
        {"objective", "\"speed\"", "objective: expected 'time' or 'memory', found 'speed'"},
        {"fitness", R"({"time": [0, 1, 2]})", "fitness: the key 'memory' is missing"},
        {"fitness", R"({"time": [0, 1], "memory": [0, 1, 2]})", "fitness.time: has 2 entries"},
        {"bounds", R"({"time": -1})", "bounds.time: -1"},
        {"graph", R"({"digest": "xyz"})", "graph.digest: expected 16 hexadecimal digits"},
        {"graph", R"({"options": {"a": 1}})", "graph.options.a: expected a string"},
        {"graph", R"({"options": []})", "graph.options: expected an object"},
        {"cluster", "{}", "cluster: the key 'format' is missing"},
        {"cluster",
         R"({"format": "regal-cluster", "version": 1, "devices": [{"class": 0}],
             "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null}}})",
         "cluster: has 1 devices, but peak has 2 entries"},
        {"names", "[]", "names: has 0 entries"},
        {"names", "[1]", "names[0]: expected a string"},
        {"made", R"({"seed": -1})", "made.seed: -1"},
        {"made", R"({"seed": "18446744073709551616"})", "made.seed: '18446744073709551616'"},
        {"made", R"({"seed": ""})", "made.seed: ''"},
        {"made", R"({"seed": "1x"})", "made.seed: '1x'"},
        {"made", R"({"seconds": "1"})", "made.seconds: expected a number"},
        {"made", R"({"seconds": -0.5})", "made.seconds: is negative"},
        {"made", R"({"options": "x"})", "made.options: expected an object"},
        {"made", R"({"evaluations": 1.5})", "made.evaluations: expected an integer"},
        {"made", R"({"rounds": -1})", "made.rounds: -1"},
        {"made", "[]", "made: expected an object"},
    };
    for (const auto &one : cases)
        EXPECT_TRUE(refused(file_of(one.key, one.value), one.message)) << one.key << one.value;
    EXPECT_TRUE(refused("", "p.json: is empty"));
    EXPECT_TRUE(refused("{\"format\"", "p.json:1:"));
    EXPECT_TRUE(refused(R"({"format": "regal-graph", "version": 1})", "expected 'regal-plan'"));
}

TEST(PlanJson, WarnsOfUnknownKeys) {
    WarningList warnings;
    parse(file_of("colour", "1"));
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_EQ(warnings.list[0], "p.json: colour: unknown key, left out");
}

TEST(PlanJson, ReadsTheGoldenOnes) {
    if (plain::golden_path().empty())
        GTEST_SKIP() << "the shared folder is missing";
    for (const plain::Case &one : plain::read_cases(plain::golden_path())) {
        const PlanPtr made = make_plan(one.plan);
        const GraphPtr graph = make_graph(one.graph);
        const ClusterPtr cluster = make_cluster(one.cluster);
        ASSERT_EQ(regal_plan_attach(made.get(), graph.get(), cluster.get()), REGAL_OK);
        const PlanPtr plan = parse(written(made.get()));
        ASSERT_TRUE(plan);
        EXPECT_TRUE(read_plan(plan.get()) == one.plan) << one.graph.name;
    }
}

TEST(PlanJson, WritesAttachedPlansOnly) {
    const PlanPtr plan = parse(file_of());
    EXPECT_TRUE(refused_with(regal_plan_write(plan.get(), "/dev/null"), REGAL_INVALID_ARGUMENT,
                             "not attached"));
}

TEST(PlanJson, RefusesOptionsThatAreNoObject) {
    const Decoded decoded = full();
    for (const char *options : {"", "[]", "{", "{\"a\": 1, \"a\": 2}"}) {
        regal_made made = {};
        made.options = options;
        ASSERT_EQ(regal_plan_set_made(decoded.plan.get(), &made), REGAL_OK);
        EXPECT_TRUE(refused_with(regal_plan_write(decoded.plan.get(), "/dev/null"),
                                 REGAL_INVALID_ARGUMENT, "no JSON object"));
    }
}

TEST(PlanJson, SaysWhyFilesFail) {
    regal_plan *plan = nullptr;
    EXPECT_TRUE(refused_with(regal_plan_read("/nowhere", &plan), REGAL_INVALID_INPUT,
                             "/nowhere: cannot open"));
    EXPECT_TRUE(refused_with(regal_plan_write(full().plan.get(), "/dev/full"), REGAL_OUTPUT_FAILED,
                             "No space left"));
}

} // namespace
