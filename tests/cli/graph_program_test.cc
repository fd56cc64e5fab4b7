// `inspect`, `convert` and `generate`.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

TEST(Inspect, MeasuresDepthWidthAndCriticalPath) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, small_graph());
    const ProgramRun run = run_program({"inspect", graph, "--json", "--devices", "2"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const JsonPtr json = parse_json(run.out);
    EXPECT_EQ(json_number(json, "depth"), 5);
    EXPECT_EQ(json_number(json, "width"), 2);
    json_t *classes = json_array_get(json_at(json, "classes"), 0);
    EXPECT_EQ(json_integer_value(json_object_get(classes, "work")), 486000);
    // The second chain, then the op where both meet.
    EXPECT_EQ(json_integer_value(json_object_get(classes, "critical_path")),
              54000 + 55000 + 56000 + 57000 + 58000);
    EXPECT_EQ(json_number(json, "bounds/time"), 280000);
    EXPECT_EQ(json_number(json, "tensor_bytes"), 32000);
    const ProgramRun text = run_program({"inspect", graph});
    for (const char *word : {"critical path", "Add", "depth", "width", "digest"})
        EXPECT_NE(text.out.find(word), std::string::npos) << word;
}

TEST(Inspect, TellsWhatIsOdd) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, chain_graph(5));
    EXPECT_NE(run_program({"inspect", graph}).out.find("one chain"), std::string::npos);
    write_text(graph, R"({"format": "regal-graph", "version": 1, "name": "g",
        "device_classes": ["a"], "ops": [{"name": "x", "cost": [0]}],
        "tensors": [{"name": "t", "producer": 0, "bytes": 0, "consumers": []}]})");
    const ProgramRun run = run_program({"inspect", graph, "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    for (const char *words : {"every op costs 0", "every tensor has 0 bytes", "neither read"})
        EXPECT_NE(run.out.find(words), std::string::npos) << words << " in " << run.out;
}

TEST(Inspect, DefaultDevicesThatDoNotFitAreNoError) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, R"({"format": "regal-graph", "version": 1, "name": "g",
        "device_classes": ["a"], "ops": [{"name": "x", "kind": "k", "cost": [5],
        "allowed": [9]}], "tensors": []})");
    EXPECT_EQ(run_program({"inspect", graph}).exit_code, 0);
    EXPECT_EQ(run_program({"inspect", graph, "--devices", "2"}).exit_code, 2);
    EXPECT_EQ(run_program({"inspect", graph, "--devices", "10"}).exit_code, 0);
}

TEST(Convert, WritesTheSameGraph) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", copy = folder / "copy.json";
    write_text(graph, small_graph());
    ASSERT_EQ(run_program({"convert", graph, copy}).exit_code, 0);
    const JsonPtr before = parse_json(run_program({"inspect", graph, "--json"}).out);
    const JsonPtr after = parse_json(run_program({"inspect", copy, "--json"}).out);
    EXPECT_EQ(json_string_at(before, "digest"), json_string_at(after, "digest"));
    EXPECT_EQ(run_program({"convert", graph, "-"}).out, read_text(copy));
}

TEST(Convert, ReadsEverySharedGraph) {
    const ScratchFolder folder;
    const std::vector<std::string> graphs = shared_graphs();
    if (graphs.empty())
        GTEST_SKIP() << "the shared folder is missing";
    for (const std::string &graph : graphs) {
        SCOPED_TRACE(graph);
        const std::string copy = folder / "copy.json";
        const ProgramRun run = run_program({"convert", graph, copy});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(
            json_string_at(parse_json(run_program({"inspect", graph, "--json"}).out), "digest"),
            json_string_at(parse_json(run_program({"inspect", copy, "--json"}).out), "digest"));
    }
}

std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    for (const std::string &line : lines_of(run_program({"generate", "--list", "--json"}).out))
        names.push_back(json_string_at(parse_json(line), "name"));
    return names;
}

TEST(Generate, EveryGeneratorMakesTheSameGraphAgain) {
    const std::vector<std::string> names = generator_names();
    ASSERT_GE(names.size(), 7u);
    EXPECT_NE(run_program({"generate"}).out.find(names[0] + ": "), std::string::npos);
    for (const std::string &name : names) {
        SCOPED_TRACE(name);
        const ProgramRun first = run_program({"generate", name, "--seed", "5"});
        ASSERT_EQ(first.exit_code, 0) << first.err;
        EXPECT_EQ(run_program({"generate", name, "--seed", "5"}).out, first.out);
        ProgramSetting setting;
        setting.input = first.out;
        const ProgramRun inspect = run_program({"inspect", "-"}, setting);
        EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
    }
}

TEST(Generate, CountMakesAFolderOfSeeds) {
    const ScratchFolder folder;
    const ProgramRun run = run_program(
        {"generate", "erdos-renyi", "--count", "3", "--seed", "7", "-o", folder / "set"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::string single = run_program({"generate", "erdos-renyi", "--seed", "8"}).out;
    EXPECT_EQ(read_text(folder / "set/erdos-renyi-8.json"), single);
    EXPECT_TRUE(parse_json(read_text(folder / "set/erdos-renyi-9.json")));
}

TEST(Generate, TakesParameters) {
    ProgramSetting setting;
    setting.input = run_program({"generate", "erdos-renyi", "ops=77"}).out;
    EXPECT_EQ(json_number(parse_json(run_program({"inspect", "-", "--json"}, setting).out), "ops"),
              77);
}

TEST(Generate, RefusesWrongWords) {
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"generate", "nothing"},
             {"generate", "erdos-renyi", "ops"},
             {"generate", "erdos-renyi", "ops="},
             {"generate", "erdos-renyi", "=5"},
             {"generate", "erdos-renyi", "ops=x"},
             {"generate", "erdos-renyi", "ops=nan"},
             {"generate", "erdos-renyi", "ops=-5"},
             {"generate", "erdos-renyi", "wings=2"},
             {"generate", "erdos-renyi", "--count", "0"},
             {"generate", "erdos-renyi", "--count", "2"},
             {"generate", "erdos-renyi", "--count", "2", "-o", "-"},
             {"generate", "erdos-renyi", "--json"},
             {"generate", "erdos-renyi", "--count", "2", "-o", "x", "--seed",
              "18446744073709551615"},
         }) {
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    }
}

} // namespace
