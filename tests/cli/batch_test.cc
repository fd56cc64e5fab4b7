// Several graphs in one call.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <regex>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

class Batch : public testing::Test {
  protected:
    std::string make_graph(const std::string &name, int64_t ops) {
        const std::string path = folder / name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        write_text(path, chain_graph(ops));
        return path;
    }
    const ScratchFolder folder;
    const std::string plans = folder / "plans";
};

TEST_F(Batch, GivesOneLineAndOnePlanForEachGraphInOrder) {
    std::vector<std::string> arguments = {"optimize", "--json",        "-o", plans, "--trace",
                                          plans,      "--evaluations", "50"};
    std::vector<std::string> graphs;
    for (int64_t i = 0; i < 12; ++i)
        graphs.push_back(make_graph("g" + std::to_string(i) + ".json", 40 - 3 * i));
    arguments.insert(arguments.end(), graphs.begin(), graphs.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), graphs.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        const JsonPtr json = parse_json(lines[i]);
        EXPECT_EQ(json_string_at(json, "graph"), graphs[i]);
        EXPECT_EQ(json_number(json, "ops"), 40 - 3 * int64_t(i));
        const std::string plan = plans + "/g" + std::to_string(i) + ".plan.json";
        EXPECT_EQ(json_string_at(json, "plan"), plan);
        EXPECT_EQ(run_program({"check", graphs[i], plan}).exit_code, 0);
        EXPECT_TRUE(parse_json(read_text(plans + "/g" + std::to_string(i) + ".trace.json")));
    }
}

TEST_F(Batch, FindsThePlansOfSingleRuns) {
    const std::string a = make_graph("a.json", 30), b = make_graph("b.json", 40);
    const std::string single = folder / "single.json";
    ASSERT_EQ(run_program({"optimize", a, b, "-o", plans, "--evaluations", "300"}).exit_code, 0);
    ASSERT_EQ(run_program({"optimize", b, "-o", single, "--evaluations", "300"}).exit_code, 0);
    JsonPtr ours = parse_json(read_text(plans + "/b.plan.json"));
    JsonPtr other = parse_json(read_text(single));
    json_object_del(ours.get(), "made");
    json_object_del(other.get(), "made");
    EXPECT_TRUE(json_equal(ours.get(), other.get()));
}

TEST_F(Batch, KeepsEqualNamesApart) {
    const std::string a = make_graph("a/graph.json", 5), b = make_graph("b/graph.json", 6),
                      c = make_graph("c/graph-2.json", 7), d = make_graph("d/graph.hlo.json", 8);
    const ProgramRun run =
        run_program({"optimize", a, b, c, d, a, "-o", plans, "--json", "--evaluations", "20"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::vector<std::string> names;
    for (const std::string &line : lines_of(run.out))
        names.push_back(json_string_at(parse_json(line), "plan").substr(plans.size() + 1));
    EXPECT_EQ(names, (std::vector<std::string>{"graph.plan.json", "graph-2.plan.json",
                                               "graph-2-2.plan.json", "graph.hlo.plan.json",
                                               "graph-3.plan.json"}));
}

TEST_F(Batch, GoesOnAfterAFailureAndEndsWithTheWorst) {
    const std::string good = make_graph("good.json", 10), bad = folder / "bad.json";
    write_text(bad, "{");
    for (const char *threads : {"1", "2", "9"}) {
        const ProgramRun run =
            run_program({"optimize", bad, good, folder / "missing.json", good, "--json",
                         "--evaluations", "20", "--threads", threads, "--quiet"});
        EXPECT_EQ(run.exit_code, 2);
        const std::vector<std::string> lines = lines_of(run.out);
        ASSERT_EQ(lines.size(), 4u);
        const std::vector<std::string> words = {"failed", "done", "failed", "done"};
        for (size_t i = 0; i < 4; ++i)
            EXPECT_EQ(json_string_at(parse_json(lines[i]), "status"), words[i]);
        EXPECT_NE(json_string_at(parse_json(lines[0]), "error").find(bad), std::string::npos);
        EXPECT_EQ(lines_of(run.err).size(), 2u) << run.err;
        EXPECT_NE(run.err.find("regal: " + bad), std::string::npos) << run.err;
    }
    const ProgramRun capped = run_program(
        {"optimize", good, good, "--devices", "1x10B", "--evaluations", "20", "--quiet"});
    EXPECT_EQ(capped.exit_code, 3) << capped.err;
}

TEST_F(Batch, TableHasARowForEachGraphAndATotal) {
    const std::string good = make_graph("good.json", 10);
    const ProgramRun run = run_program({"optimize", good, good, good, "--evaluations", "20"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(lines_of(run.out).size(), 5u) << run.out;
    EXPECT_NE(run.out.find("3 of 3 graphs done, 0 infeasible, 0 failed"), std::string::npos);
    EXPECT_NE(run.out.find("; policy time "), std::string::npos) << run.out;
    const ProgramRun plain =
        run_program({"optimize", good, good, "--evaluations", "20", "--policy", "none"});
    EXPECT_NE(plain.out.find("; no policy\n"), std::string::npos) << plain.out;
}

TEST_F(Batch, FailedAndInfeasibleGraphsAreNotDone) {
    const std::string good = make_graph("good.json", 10), missing = folder / "missing.json";
    const ProgramRun run = run_program({"optimize", good, missing, "--evaluations", "20"});
    EXPECT_NE(run.out.find("\n1 of 2 graphs done, 0 infeasible, 1 failed"), std::string::npos)
        << run.out;
    const ProgramRun capped =
        run_program({"optimize", good, good, "--devices", "1x10B", "--evaluations", "20"});
    EXPECT_NE(capped.out.find("\n0 of 2 graphs done, 2 infeasible, 0 failed"), std::string::npos)
        << capped.out;
}

// Each search takes half a second, one after the other: the estimate falls while one goes on, and
// before the first is finished there is none.
TEST_F(Batch, EstimateOfTheTimeLeftFallsWhileAGraphIsSearched) {
    const std::string graph = folder / "g.json";
    write_text(graph, hard_graph(100));
    ProgramSetting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
    const ProgramRun run = run_program({"optimize", graph, graph, graph, "--threads", "4",
                                        "--evaluations", "1000000000", "--time-limit", "0.5"},
                                       setting);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::regex pattern(R"((\d) of 3 graphs  ([0-9.]+) (s|ms|us) left)");
    std::map<std::string, std::vector<double>> seconds;
    for (std::sregex_iterator at(run.err.begin(), run.err.end(), pattern), end; at != end; ++at)
        seconds[(*at)[1]].push_back(std::stod((*at)[2]) * ((*at)[3] == "s"    ? 1
                                                           : (*at)[3] == "ms" ? 1e-3
                                                                              : 1e-6));
    EXPECT_EQ(seconds.count("0"), 0u) << run.err;
    EXPECT_GE(seconds["1"].size(), 2u) << run.err;
    for (const auto &[finished, left] : seconds)
        EXPECT_TRUE(std::is_sorted(left.rbegin(), left.rend())) << run.err;
}

TEST_F(Batch, ThousandsOfGraphsWork) {
    std::vector<std::string> arguments = {"optimize", "--json", "--evaluations", "5", "-o", plans};
    const std::string graph = make_graph("g.json", 6);
    arguments.insert(arguments.end(), 3000, graph);
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(lines_of(run.out).size(), 3000u);
    EXPECT_EQ(run_program({"check", graph, plans + "/g-3000.plan.json"}).exit_code, 0);
}

TEST_F(Batch, InterruptKeepsWhatWasFound) {
    const std::string graph = folder / "g.json";
    write_text(graph, hard_graph(200));
    std::vector<std::string> arguments = {"optimize",   "--json", "--evaluations",
                                          "1000000000", "-o",     plans};
    arguments.insert(arguments.end(), 6, graph);
    ProgramSetting setting;
    setting.signals = {{std::chrono::milliseconds(600), SIGINT}};
    const ProgramRun run = run_program(arguments, setting);
    EXPECT_EQ(run.exit_code, 4) << run.err;
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_GE(lines.size(), 1u);
    EXPECT_LT(lines.size(), 6u);
    for (const std::string &line : lines) {
        const JsonPtr json = parse_json(line);
        EXPECT_EQ(json_string_at(json, "status"), "interrupted");
        EXPECT_EQ(run_program({"check", graph, json_string_at(json, "plan")}).exit_code, 0);
    }
}

} // namespace
