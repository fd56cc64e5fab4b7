// What names of any bytes do to lines for people.
#include <gtest/gtest.h>
#include <string.h>

#include <algorithm>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

// Escape and other control characters, as they are and as C1 in UTF-8.
TEST(PlainOutput, NamesDoNothingToATerminal) {
    const ScratchFolder folder;
    const std::string evil = "\\u001b[2J\\u007f\\u009b\\n\\u00e9\\u4e2d";
    const std::string file = folder / "g\033\x7f\xc2\x9b\x9b\n.json", plans = folder / "p\033\n",
                      cluster = folder / "c.json", keys = folder / "k\033.json";
    write_text(file, R"({"format": "regal-graph", "version": 1, "name": ")" + evil +
                         R"(", "device_classes": [")" + evil + R"("], "ops": [{"name": "x)" + evil +
                         R"(", "kind": ")" + evil + R"(", "cost": [500]}, {"name": "y", "kind": "k",
            "cost": [5]}, {"name": "z", "kind": "k", "cost": [5]}], "tensors": [{"name": ")" +
                         evil + R"(", "producer": 0, "bytes": 9, "consumers": [1]}]})");
    write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
        {"name": ")" + evil +
                            R"(", "class": 0, "memory": 0}], "links": {"default": {"latency": 0,
        "bytes_per_1000_ticks": null}, "pairs": []}})");
    write_text(keys, R"({"encoding": "inherit", "window": 0, "priority": [0,0,0],
                         "placement": [0,0,0]})");
    const std::string plan = folder / "plan.json";
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"inspect", file, "--cluster", cluster},
             {"optimize", file, "--cluster", cluster, "-o", plan, "--evaluations", "20"},
             {"optimize", file, "--cluster", cluster, "-o", plans + "/", "--evaluations", "20"},
             {"optimize", file, file, "--cluster", cluster, "-o", plans, "--evaluations", "20"},
             {"check", file, plan},
             {"decode", file, cluster, keys}}) {
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        for (const std::string &line : lines_of(run.out + run.err))
            for (size_t i = 0; i < line.size(); ++i) {
                EXPECT_FALSE((unsigned char)line[i] < 0x20 || line[i] == 0x7f) << line;
                EXPECT_FALSE(line.compare(i, 2, "\xc2\x9b") == 0) << line;
            }
        if (arguments[0] == "inspect") {
            EXPECT_NE(run.out.find("(?[2J???\xc3\xa9\xe4\xb8\xad)"), std::string::npos) << run.out;
        }
    }
}

TEST(PlainOutput, ColumnsOfAnyAlphabetLineUp) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", cluster = folder / "c.json";
    write_text(graph, small_graph());
    write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
        {"name": "gerät"}, {"name": "plain"}, {"name": "ускоритель"}], "links": {"default":
        {"latency": 0, "bytes_per_1000_ticks": null}}})");
    const ProgramRun run =
        run_program({"optimize", graph, "--cluster", cluster, "--evaluations", "20"});
    size_t rows = 0, width = 0;
    for (const std::string &line : lines_of(run.out)) {
        if (line.find("unlimited") == std::string::npos)
            continue;
        const size_t characters = size_t(
            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
        EXPECT_TRUE(rows == 0 || characters == width) << run.out;
        width = characters;
        ++rows;
    }
    EXPECT_EQ(rows, 3u) << run.out << run.err;
}

TEST(PlainOutput, FilesAreNamedOnceAndFully) {
    const ScratchFolder folder;
    for (const char *name : {"odd\n.json", "x.json"}) {
        const ProgramRun run = run_program({"inspect", folder / name});
        EXPECT_EQ(run.err.find(".json"), run.err.rfind(".json")) << run.err;
    }
    ProgramSetting setting;
    setting.folder = folder.path();
    // A message that begins as the name of the file does.
    const std::string begin = run_program({"inspect", "missing"}, setting).err;
    EXPECT_EQ(begin.rfind("regal: missing: ", 0), 0u) << begin;
    const std::string text = R"({"format": "regal-graph", "version": 1, "name": "g",
        "device_classes": ["a"], "ops": [{"name": "x", "kind": "k", "cost": [5], "group": "g",
        "allowed": [0]}, {"name": "y", "kind": "k", "cost": [5], "group": "g", "allowed": [1]}],
        "tensors": []})";
    write_text(folder / "plain", text);
    const std::string message =
        run_program({"optimize", "plain"}, setting).err.substr(strlen("regal: plain: "));
    const std::string word = message.substr(0, message.find_first_of(" :'\""));
    ASSERT_NE(message[word.size()], ':') << message;
    write_text(folder / word, text);
    EXPECT_EQ(run_program({"optimize", word}, setting).err, "regal: " + word + ": " + message);
}

} // namespace
