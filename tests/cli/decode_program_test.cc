// Golden cases through `regal decode`, as files.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

std::string text_of(json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    std::string copy = text ? text : "";
    free(text);
    return copy;
}

// Every member of `right` stands in `found` with the same value.
void expect_members(json_t *found, json_t *right) {
    const char *key;
    json_t *value;
    json_object_foreach(right, key, value)
            EXPECT_EQ(text_of(json_object_get(found, key)), text_of(value))
        << key;
}

void decode_case(const ScratchFolder &folder, json_t *one) {
    const std::string graph = folder / "graph.json", cluster = folder / "cluster.json",
                      keys = folder / "keys.json", plan = folder / "plan.json";
    std::filesystem::remove(plan);
    write_text(graph, text_of(json_object_get(one, "graph")));
    write_text(cluster, text_of(json_object_get(one, "cluster")));
    write_text(keys, text_of(json_object_get(one, "chromosome")));
    json_t *right = json_object_get(one, "plan");
    json_t *fitness = json_object_get(json_object_get(right, "fitness"), "time");
    const bool feasible = json_integer_value(json_array_get(fitness, 0)) == 0;
    const ProgramRun run = run_program({"decode", graph, cluster, keys, "-o", plan, "--json"});
    EXPECT_EQ(run.exit_code, feasible ? 0 : 3) << run.err;
    expect_members(parse_json(read_text(plan)).get(), right);
    const JsonPtr line = parse_json(run.out);
    EXPECT_EQ(text_of(json_at(line, "fitness")), text_of(json_object_get(right, "fitness")));
    EXPECT_EQ(run_program({"check", graph, plan}).exit_code, feasible ? 0 : 3);
}

void decode_all(const std::string &path, size_t least) {
    const JsonPtr json = parse_json(read_text(path));
    json_t *cases = json_at(json, "cases"), *one;
    ASSERT_GE(json_array_size(cases), least);
    const ScratchFolder folder;
    size_t i;
    json_array_foreach(cases, i, one) {
        SCOPED_TRACE("case " + std::to_string(i) + " " +
                     text_of(json_object_get(json_object_get(one, "graph"), "name")));
        decode_case(folder, one);
        if (testing::Test::HasFatalFailure())
            return;
    }
}

TEST(DecodeProgram, GivesTheGoldenPlans) {
    const std::string path = shared_file("golden/decode.json");
    if (path.empty())
        GTEST_SKIP() << "the shared folder is missing";
    decode_all(path, 177);
}

TEST(DecodeProgram, GivesThePlansOfOurOwnCases) {
    decode_all(REGAL_SOURCE_DIR "/tests/data/decode_cases.json", 10);
}

class DecodeFiles : public testing::Test {
  protected:
    void SetUp() override {
        write_text(graph, chain_graph(2));
        write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
            {"name": "x", "class": 0, "memory": 0}, {"name": "y", "class": 0, "memory": 0}],
            "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null}, "pairs": []}})");
    }
    ProgramRun decode(const std::string &text) {
        write_text(keys, text);
        return run_program({"decode", graph, cluster, keys});
    }
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", cluster = folder / "c.json",
                      keys = folder / "k.json";
};

TEST_F(DecodeFiles, SummaryWithoutAnOutput) {
    const ProgramRun run = decode(
        R"({"encoding": "inherit", "window": 0, "priority": [1, 2], "placement": [0, 65535]})");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("makespan"), std::string::npos);
}

TEST_F(DecodeFiles, QuietKeepsTheJsonBesideThePlan) {
    decode(R"({"encoding": "inherit", "window": 0, "priority": [1, 2], "placement": [0, 65535]})");
    const ProgramRun run =
        run_program({"decode", graph, cluster, keys, "-o", "-", "--quiet", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_string_at(parse_json(run.out), "format"), "regal-plan");
    EXPECT_TRUE(json_at(parse_json(run.err), "makespan")) << run.err;
    EXPECT_EQ(run_program({"decode", graph, cluster, keys, "-o", "-", "-q"}).err, "");
}

TEST_F(DecodeFiles, NeverWritesOverItsInputs) {
    decode(R"({"encoding": "inherit", "window": 0, "priority": [1, 2], "placement": [0, 65535]})");
    for (const std::string &input : {graph, cluster, keys})
        for (const char *option : {"-o", "--trace"}) {
            const std::string before = read_text(input);
            EXPECT_EQ(run_program({"decode", graph, cluster, keys, option, input}).exit_code, 2);
            EXPECT_EQ(read_text(input), before);
        }
}

TEST_F(DecodeFiles, WrongKeysAreRefused) {
    const std::vector<std::string> wrong = {
        "",
        "{}",
        R"({"encoding": "inherit", "window": 0, "priority": [1], "placement": [0]})",
        R"({"encoding": "inherit", "window": -1, "priority": [1, 2], "placement": [0, 1]})",
        R"({"encoding": "inherit", "window": 0, "priority": [1, 65536], "placement": [0, 1]})",
        R"({"encoding": "inherit", "window": 0, "priority": [1, -1], "placement": [0, 1]})",
        R"({"encoding": "inherit", "window": 0, "priority": [1, 2], "placement": [0]})",
        R"({"encoding": "other", "window": 0, "priority": [1, 2], "placement": [0, 1]})",
        R"({"encoding": "affinity", "window": 0, "priority": [1, 2], "transfer": [1, 2],
            "affinity": [[1, 2, 3], [1, 2, 3]]})",
        R"({"encoding": "affinity", "window": 0, "priority": [1, 2], "transfer": [1, 2],
            "affinity": [[1, 2], [1]]})",
    };
    for (const std::string &text : wrong) {
        const ProgramRun run = decode(text);
        EXPECT_EQ(run.exit_code, 2) << text;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(run.err.rfind("regal: " + keys + ": ", 0), 0u) << text << run.err;
    }
}

} // namespace
