// Reports of plans, as a user gets them. tests/browser looks at them in a browser.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/report_page.h"
#include "support/scratch_folder.h"

namespace {

class ReportProgram : public testing::Test {
  protected:
    ReportProgram() { write_text(graph, small_graph()); }

    ProgramRun optimize(std::vector<std::string> more) {
        std::vector<std::string> arguments = {"optimize", graph, "--evaluations", "200"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }
    static JsonPtr part(const std::string &path, const char *id) {
        return parse_json(embedded_json(read_text(path), id));
    }

    const ScratchFolder folder;
    const std::string graph = folder / "small.json", plan = folder / "plan.json",
                      page = folder / "page.html";
};

// "busy" is in ticks here and a share there.
void expect_figures_of_check(json_t *figures, json_t *check) {
    const char *key;
    json_t *value;
    json_object_foreach(figures, key, value) {
        json_t *right = json_object_get(check, key);
        ASSERT_NE(right, nullptr) << key;
        EXPECT_TRUE(std::string(key) == "busy" || json_equal(value, right)) << key;
    }
    const double makespan = json_number_value(json_object_get(figures, "makespan"));
    size_t d;
    json_array_foreach(json_object_get(figures, "busy"), d, value)
        EXPECT_NEAR(json_number_value(value) / makespan,
                    json_number_value(json_array_get(json_object_get(check, "busy"), d)), 1e-9);
}

TEST_F(ReportProgram, HasTheFiguresOfCheck) {
    for (const char *objective : {"time", "memory"}) {
        ASSERT_EQ(optimize({"-o", plan, "--report", page, "--objective", objective}).exit_code, 0);
        const ProgramRun check = run_program({"check", graph, plan, "--json"});
        ASSERT_EQ(check.exit_code, 0) << check.err;
        const JsonPtr figures = part(page, "figures");
        ASSERT_TRUE(figures);
        EXPECT_GE(json_object_size(figures.get()), 15u);
        expect_figures_of_check(figures.get(), parse_json(check.out).get());
    }
}

TEST_F(ReportProgram, TellsHowTheSearchWentAndWhatItBeats) {
    const ProgramRun run = optimize({"--report", page, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const JsonPtr line = parse_json(run.out), data = part(page, "data");
    EXPECT_EQ(json_string_at(line, "report"), page);
    json_t *points = json_at(data, "points");
    const size_t count = json_array_size(points);
    ASSERT_GE(count, 1u);
    EXPECT_EQ(json_integer_value(json_object_get(json_array_get(points, count - 1), "value")),
              json_number(line, "value"));
    EXPECT_EQ(json_array_size(json_at(data, "rivals")),
              json_array_size(json_at(line, "baselines")));
    EXPECT_EQ(json_string_at(data, "title"), graph);
    EXPECT_EQ(json_string_at(data, "made/seed"), "1");
}

TEST_F(ReportProgram, IsNamedAfterItsGraphInAFolder) {
    const std::string reports = folder / "reports/";
    EXPECT_EQ(optimize({"--report", reports}).exit_code, 0);
    EXPECT_TRUE(part(reports + "small.report.html", "figures"));
}

TEST_F(ReportProgram, GoesToStandardOutputAlone) {
    const ProgramRun run = optimize({"--report", "-"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out.rfind("<!doctype html>", 0), 0u);
    EXPECT_NE(run.err.find("makespan"), std::string::npos);
    EXPECT_EQ(optimize({"--report", "-", "-o", "-"}).exit_code, 2);
    EXPECT_EQ(optimize({"--report", "-", "--trace", "-"}).exit_code, 2);
}

TEST_F(ReportProgram, EachGraphOfABatchHasOne) {
    const std::string other = folder / "other.json", reports = folder / "reports";
    write_text(other, chain_graph(5));
    const ProgramRun run = optimize({other, "--report", reports, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_string_at(parse_json(lines_of(run.out).at(1)), "report"),
              reports + "/other.report.html");
    EXPECT_EQ(json_number(part(reports + "/other.report.html", "figures"), "ops"), 5);
    EXPECT_EQ(json_number(part(reports + "/small.report.html", "figures"), "ops"), 9);
    EXPECT_EQ(optimize({other, "--report", "-"}).exit_code, 2);
}

TEST_F(ReportProgram, SaysWhereAPlanIsOverItsCaps) {
    EXPECT_EQ(optimize({"--report", page, "--devices", "2x1B"}).exit_code, 3);
    EXPECT_GT(json_number(part(page, "figures"), "excess"), 0);
}

TEST_F(ReportProgram, NeverReplacesAnythingElse) {
    EXPECT_EQ(optimize({"--report", graph}).exit_code, 2);
    EXPECT_EQ(optimize({"-o", plan, "--report", plan}).exit_code, 2);
    EXPECT_EQ(optimize({"--trace", page, "--report", page}).exit_code, 2);
    EXPECT_EQ(read_text(graph), small_graph());
    EXPECT_NE(optimize({"--report", folder / "missing/page.html"}).exit_code, 0);
}

TEST_F(ReportProgram, DecodeWritesOneToo) {
    const std::string keys = folder / "keys.json", cluster = folder / "cluster.json";
    write_text(graph, chain_graph(2));
    write_text(cluster, R"({"format": "regal-cluster", "version": 1,
        "devices": [{"name": "x", "class": 0, "memory": 0}],
        "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null}, "pairs": []}})");
    write_text(keys, R"({"encoding": "inherit", "window": 0, "priority": [1, 2],
                         "placement": [0, 0]})");
    const ProgramRun run = run_program({"decode", graph, cluster, keys, "--report", page});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_number(part(page, "figures"), "ops"), 2);
    EXPECT_EQ(json_array_size(json_at(part(page, "data"), "points")), 0u);
    EXPECT_EQ(run_program({"decode", graph, cluster, keys, "--report", keys}).exit_code, 2);
}

} // namespace
