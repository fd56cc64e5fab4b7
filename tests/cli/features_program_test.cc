// `inspect --features`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "regal/features.h"
#include "support/scratch_folder.h"

namespace {

std::vector<std::string> cells_of(const std::string &line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');)
        cells.push_back(cell);
    return cells;
}

// The lines that no legend is.
std::vector<std::string> without_legend(const std::string &text) {
    std::vector<std::string> rows = lines_of(text);
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [](const std::string &row) { return row[0] == '#'; }),
               rows.end());
    return rows;
}

TEST(InspectFeatures, PrintsALineForEachOpBelowTheNames) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, small_graph());
    const ProgramRun table = run_program({"inspect", graph, "--features"});
    ASSERT_EQ(table.exit_code, 0) << table.err;
    const ProgramRun objects = run_program({"inspect", graph, "--features", "--json"});
    ASSERT_EQ(objects.exit_code, 0) << objects.err;
    const std::vector<std::string> rows = without_legend(table.out);
    std::vector<std::string> lines = lines_of(objects.out);
    const JsonPtr legend = parse_json(lines.at(0));
    lines.erase(lines.begin());
    const std::vector<std::string> names = cells_of(rows.at(0));
    ASSERT_EQ(static_cast<int64_t>(names.size()), regal_feature_count() + 1);
    ASSERT_EQ(rows.size(), lines.size() + 1);
    ASSERT_EQ(lines.size(), 9u);
    for (size_t i = 1; i < names.size(); ++i) {
        const std::string text = json_string_at(legend, "features/" + names[i]);
        EXPECT_NE(text, "") << names[i];
        EXPECT_NE(table.out.find("# " + names[i] + ": " + text + "\n"), std::string::npos);
    }
    for (size_t op = 0; op < lines.size(); ++op) {
        const JsonPtr object = parse_json(lines[op]);
        const std::vector<std::string> cells = cells_of(rows[op + 1]);
        ASSERT_EQ(cells.size(), names.size());
        ASSERT_EQ(json_object_size(object.get()), names.size());
        EXPECT_EQ(json_string_at(object, "op"), cells[0]);
        for (size_t i = 1; i < names.size(); ++i) {
            json_t *value = json_at(object, names[i]);
            ASSERT_TRUE(json_is_real(value)) << names[i];
            EXPECT_NEAR(json_real_value(value), std::stod(cells[i]), 1e-5) << names[i];
        }
    }
}

TEST(InspectFeatures, DependOnObjectiveAndDevices) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, small_graph());
    const auto value = [&](const std::vector<std::string> &options, const char *name) {
        std::vector<std::string> arguments = {"inspect", graph, "--features", "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const JsonPtr object = parse_json(lines_of(run_program(arguments).out).at(1));
        return json_real_value(json_at(object, name));
    };
    EXPECT_EQ(value({}, "for_memory"), 0);
    EXPECT_EQ(value({"--objective", "memory"}, "for_memory"), 1);
    EXPECT_EQ(value({"--devices", "4"}, "devices"), 0);
    EXPECT_NEAR(value({"--devices", "16"}, "devices"), 0.5 * std::log(4), 1e-6);
    EXPECT_EQ(value({"--devices", "2x1GB"}, "capped"), 1);
}

TEST(InspectFeatures, KeepsColumnsWhateverOpsAreCalled) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, R"({"format": "regal-graph", "version": 1, "device_classes": ["a"],
        "ops": [{"name": "a\tb\nc", "cost": [5]}], "tensors": []})");
    const ProgramRun run = run_program({"inspect", graph, "--features"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> rows = without_legend(run.out);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(cells_of(rows[1]).size(), cells_of(rows[0]).size());
}

TEST(InspectFeatures, RefusesWhatCannotBe) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json";
    write_text(graph, R"({"format": "regal-graph", "version": 1, "device_classes": ["a"],
        "ops": [{"name": "x", "cost": [5], "allowed": [9]}], "tensors": []})");
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"inspect", graph, "--features"}, // the default devices lack device 9
             {"inspect", graph, "--devices", "10", "--objective", "memory"},
             {"inspect", graph, "--devices", "10", "--features", "--objective", "money"},
         }) {
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    }
}

} // namespace
