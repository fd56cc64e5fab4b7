// `optimize` and `check`: what is found, written, printed, and the same again.
#include <gtest/gtest.h>

#include <regex>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

std::string folded(json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    std::string copy = text ? text : "";
    free(text);
    return copy;
}

// The plan file without `made`, byte for byte otherwise.
std::string plan_without_made(const std::string &path) {
    JsonPtr plan = parse_json(read_text(path));
    EXPECT_TRUE(json_at(plan, "made"));
    json_object_del(plan.get(), "made");
    char *text = json_dumps(plan.get(), 0);
    std::string copy = text;
    free(text);
    return copy;
}

class Optimize : public testing::Test {
  protected:
    void SetUp() override {
        write_text(graph, small_graph());
        write_text(hard, hard_graph(60));
    }
    ProgramRun optimize(std::vector<std::string> more) {
        more.insert(more.begin(), "optimize");
        return run_program(more);
    }
    const ScratchFolder folder;
    const std::string graph = folder / "small.json", hard = folder / "hard.json",
                      plan = folder / "plan.json";
};

TEST_F(Optimize, SummaryAndJsonTellTheSame) {
    const ProgramRun text = optimize({graph, "--evaluations", "200"});
    const ProgramRun line = optimize({graph, "--evaluations", "200", "--json"});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_EQ(text.err, "");
    EXPECT_EQ(lines_of(line.out).size(), 1u);
    const JsonPtr json = parse_json(line.out);
    ASSERT_TRUE(json);
    EXPECT_EQ(json_string_at(json, "graph"), graph);
    EXPECT_EQ(json_string_at(json, "status"), "done");
    EXPECT_EQ(json_number(json, "ops"), 9);
    EXPECT_EQ(json_number(json, "devices"), 4);
    EXPECT_EQ(json_number(json, "value"), json_number(json, "makespan"));
    EXPECT_LE(json_number(json, "bound"), json_number(json, "makespan"));
    EXPECT_EQ(json_number(json, "made/evaluations"), 200);
    EXPECT_EQ(json_number(json, "made/options/evaluations"), 200);
    EXPECT_EQ(json_array_size(json_at(json, "peak")), 4u);
    EXPECT_EQ(json_array_size(json_at(json, "busy")), 4u);
    EXPECT_EQ(json_array_size(json_at(json, "baselines")), 2u);
    for (const char *word : {"makespan", "max peak memory", "HEFT", "one device", "x ours",
                             "lower bound", "200 evaluations", "seed 1", "d3", "transfer"})
        EXPECT_NE(text.out.find(word), std::string::npos) << word << " in " << text.out;
    for (const std::string &row : lines_of(text.out)) {
        EXPECT_LE(row.size(), 110u) << row;
        EXPECT_FALSE(!row.empty() && row.back() == ' ') << row;
    }
}

TEST_F(Optimize, MemoryIsComparedWithMemoryOrders) {
    const ProgramRun run =
        optimize({graph, "--objective", "memory", "--evaluations", "200", "--json"});
    const JsonPtr json = parse_json(run.out);
    EXPECT_EQ(json_array_size(json_at(json, "baselines")), 4u) << run.out << run.err;
    EXPECT_EQ(json_number(json, "value"), json_number(json, "max_peak"));
}

TEST_F(Optimize, NeverWorseThanHeft) {
    const JsonPtr json = parse_json(optimize({graph, "--evaluations", "1", "--json"}).out);
    size_t i;
    json_t *baseline;
    json_array_foreach(json_at(json, "baselines"), i, baseline)
        EXPECT_GE(json_number_value(json_object_get(baseline, "ratio")), 1.0);
}

TEST_F(Optimize, WritesThePlanToStandardOutput) {
    const ProgramRun run = optimize({graph, "-o", "-", "--evaluations", "100"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(json_string_at(parse_json(run.out), "format"), "regal-plan");
    EXPECT_NE(run.err.find("makespan"), std::string::npos);
    ProgramSetting setting;
    setting.input = run.out;
    EXPECT_EQ(run_program({"check", graph, "-"}, setting).exit_code, 0);
}

TEST_F(Optimize, QuietSaysNothingBesideThePlan) {
    const ProgramRun run = optimize({graph, "-o", "-", "--evaluations", "100", "--quiet"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(parse_json(run.out));
}

TEST_F(Optimize, QuietKeepsTheJsonBesideThePlan) {
    const ProgramRun run = optimize({graph, "-o", "-", "--evaluations", "100", "-q", "--json"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(json_string_at(parse_json(run.out), "format"), "regal-plan");
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_EQ(json_string_at(parse_json(run.err), "status"), "done");
}

TEST_F(Optimize, NeverWritesOverItsGraph) {
    for (const char *option : {"-o", "--trace"})
        EXPECT_EQ(optimize({graph, option, folder.path() + "/./small.json"}).exit_code, 2);
    EXPECT_EQ(optimize({graph, "-o", plan, "--trace", plan}).exit_code, 2);
    EXPECT_EQ(read_text(graph), small_graph());
}

TEST_F(Optimize, ReadsTheGraphFromStandardInput) {
    ProgramSetting setting;
    setting.input = small_graph();
    const ProgramRun run =
        run_program({"optimize", "-", "-o", plan, "--evaluations", "100"}, setting);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run_program({"check", graph, plan}).exit_code, 0);
}

TEST_F(Optimize, TraceIsChromeTraceJson) {
    const std::string trace = folder / "trace.json";
    ASSERT_EQ(optimize({graph, "--trace", trace, "--evaluations", "100"}).exit_code, 0);
    const JsonPtr json = parse_json(read_text(trace));
    json_t *events = json_is_array(json.get()) ? json.get() : json_at(json, "traceEvents");
    EXPECT_GE(json_array_size(events), 9u);
}

TEST_F(Optimize, PlanDoesNotDependOnThreads) {
    std::string first;
    for (int time = 0; time < 10; ++time)
        for (const char *threads : {"1", "2"}) {
            ASSERT_EQ(optimize({hard, "-o", plan, "--evaluations", "2000", "--islands", "2",
                                "--threads", threads, "--objective", time % 2 ? "time" : "memory",
                                "--seed", std::to_string(time / 2 * 2)})
                          .exit_code,
                      0);
            const std::string again = plan_without_made(plan);
            if (threads[0] == '1')
                first = again;
            EXPECT_EQ(again, first) << "run " << time;
        }
}

TEST_F(Optimize, SameCallTenTimesGivesTheSamePlan) {
    std::string first;
    for (int time = 0; time < 10; ++time) {
        ASSERT_EQ(optimize({graph, "-o", plan, "--evaluations", "500"}).exit_code, 0);
        const std::string again = plan_without_made(plan);
        if (time == 0)
            first = again;
        EXPECT_EQ(again, first);
    }
}

TEST_F(Optimize, MeetsItsBudget) {
    const JsonPtr few =
        parse_json(optimize({graph, "--search", "brkga", "--generations", "3", "--json"}).out);
    EXPECT_EQ(json_number(few, "made/generations"), 3);
    EXPECT_EQ(json_number(few, "made/rounds"), 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(optimize({hard, "--time-limit", "0.3", "--evaluations", "1000000000"}).exit_code, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    const JsonPtr json = parse_json(optimize({graph, "--target", "1000000000", "--json"}).out);
    EXPECT_NE(json_string_at(json, "made/stopped"), "");
    EXPECT_LE(json_number(json, "made/evaluations"), 1000);
}

TEST_F(Optimize, PlanFileIsASeed) {
    const ProgramRun first = optimize({hard, "-o", plan, "--evaluations", "3000", "--json"});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    const ProgramRun second = optimize({hard, "--seeds", plan, "--evaluations", "100", "--json"});
    ASSERT_EQ(second.exit_code, 0) << second.err;
    EXPECT_LE(json_number(parse_json(second.out), "makespan"),
              json_number(parse_json(first.out), "makespan"));
    const ProgramRun missing = optimize({hard, "--seeds", folder / "none.json"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_NE(missing.err.find("none.json"), std::string::npos) << missing.err;
}

TEST_F(Optimize, FilesOfOptionsAreNamedOnceAndWithTheirOption) {
    const std::string bad = folder / "bad.json", other = folder / "other.json";
    write_text(bad, "{\"format\": ");
    ASSERT_EQ(optimize({hard, "-o", other, "--evaluations", "20"}).exit_code, 0);
    for (const std::string option : {"--seeds", "--proposals"})
        for (const std::string &file : {bad, other, folder / "missing.json"}) {
            const ProgramRun run = optimize({graph, option, file, "--evaluations", "20"});
            const std::string start = "regal: " + option + " " + file + ":";
            EXPECT_EQ(run.exit_code, 2);
            EXPECT_EQ(run.err.rfind(start, 0), 0u) << run.err;
            EXPECT_EQ(run.err.find(file, start.size()), std::string::npos) << run.err;
            EXPECT_EQ(run.err.find(graph), std::string::npos) << run.err;
            EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        }
    const ProgramRun batch =
        optimize({hard, graph, "--seeds", other, "--evaluations", "20", "--quiet"});
    EXPECT_EQ(batch.err.rfind("regal: " + graph + ": --seeds " + other + ": ", 0), 0u) << batch.err;
}

TEST_F(Optimize, CapThatCannotBeMetIsInfeasible) {
    const ProgramRun run =
        optimize({graph, "--devices", "2x1kB", "--evaluations", "200", "-o", plan, "--json"});
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_EQ(json_string_at(parse_json(run.out), "status"), "infeasible");
    const std::string proof = "no plan can keep within the caps: some device needs at least ";
    EXPECT_NE(run.err.find(proof), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("the least-violating plan found is"), std::string::npos) << run.err;
    const ProgramRun inspect = run_program({"inspect", graph, "--devices", "2x1kB"});
    EXPECT_NE(inspect.out.find(proof), std::string::npos) << inspect.out;
    const ProgramRun check = run_program({"check", graph, plan});
    EXPECT_EQ(check.exit_code, 3);
    EXPECT_NE(check.out.find("valid"), std::string::npos);
}

// Where the bound leaves room (its bytes fit, or one device has no cap) nothing is proven.
TEST_F(Optimize, CapThatIsNotMetIsNoProof) {
    const int64_t bound =
        json_number(parse_json(run_program({"inspect", hard, "--devices", "1", "--json"}).out),
                    "bounds/memory");
    for (const int64_t cap : {bound - 1, bound}) {
        const ProgramRun run =
            optimize({hard, "--devices", "1x" + std::to_string(cap) + "B", "--evaluations", "20"});
        EXPECT_EQ(run.exit_code, 3);
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_NE(run.err.find(cap < bound ? "no plan can" : "no plan within"), std::string::npos)
            << run.err;
    }
    const std::string cluster = folder / "cluster.json";
    write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
        {"name": "x", "class": 0, "memory": 1}, {"name": "y", "class": 0, "memory": 0}],
        "links": {"default": {"latency": 0, "bytes_per_1000_ticks": null}, "pairs": []}})");
    EXPECT_EQ(run_program({"inspect", hard, "--cluster", cluster}).out.find("no plan can"),
              std::string::npos);
}

TEST_F(Optimize, CheckNamesAnotherGraph) {
    ASSERT_EQ(optimize({graph, "-o", plan, "--evaluations", "100"}).exit_code, 0);
    const ProgramRun run = run_program({"check", hard, plan});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(lines_of(run.err).size(), 1u);
    EXPECT_NE(run.err.find("digest"), std::string::npos) << run.err;
}

TEST_F(Optimize, CheckFindsAForgedPlan) {
    ASSERT_EQ(optimize({graph, "-o", plan, "--evaluations", "100"}).exit_code, 0);
    const JsonPtr good = parse_json(read_text(plan));
    const std::string before = folded(good.get());
    json_object_set_new(good.get(), "makespan", json_integer(json_number(good, "makespan") - 1));
    write_text(plan, folded(good.get()));
    const ProgramRun run = run_program({"check", graph, plan});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err.rfind("regal: " + plan + ": ", 0), 0u) << run.err;
    write_text(plan, before);
    EXPECT_EQ(run_program({"check", graph, plan}).exit_code, 0);
}

TEST_F(Optimize, CheckFindsForgedBounds) {
    ASSERT_EQ(optimize({hard, "-o", plan, "--evaluations", "100"}).exit_code, 0);
    const std::string good = read_text(plan);
    for (const char *name : {"time", "memory"}) {
        const JsonPtr json = parse_json(good);
        json_t *bounds = json_at(json, "bounds");
        json_object_set_new(bounds, name,
                            json_integer(json_integer_value(json_object_get(bounds, name)) - 1));
        write_text(plan, folded(json.get()));
        const ProgramRun run = run_program({"check", hard, plan});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(run.err.rfind("regal: " + plan + ": bounds." + name, 0), 0u) << run.err;
        json_object_del(json.get(), "bounds");
        write_text(plan, folded(json.get()));
        EXPECT_EQ(run_program({"check", hard, plan}).exit_code, 0);
    }
}

// The one object of `check --json` beside the line on standard error.
JsonPtr refusal(const std::string &graph, const std::string &plan) {
    const ProgramRun run = run_program({"check", graph, plan, "--json"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(lines_of(run.out).size(), 1u) << run.out;
    JsonPtr json = parse_json(run.out);
    EXPECT_EQ(json_string_at(json, "plan"), plan);
    EXPECT_EQ("regal: " + json_string_at(json, "error") + "\n", run.err);
    return json;
}

TEST_F(Optimize, CheckGivesAnObjectForEveryPlan) {
    ASSERT_EQ(optimize({graph, "-o", plan, "--evaluations", "100"}).exit_code, 0);
    EXPECT_TRUE(json_is_false(json_at(refusal(hard, plan), "valid")));
    EXPECT_TRUE(json_is_null(json_at(refusal(folder / "missing.json", plan), "valid")));
    const JsonPtr good = parse_json(read_text(plan));
    json_object_set_new(good.get(), "makespan", json_integer(json_number(good, "makespan") - 1));
    write_text(plan, folded(good.get()));
    EXPECT_TRUE(json_is_false(json_at(refusal(graph, plan), "valid")));
    write_text(plan, "{");
    EXPECT_TRUE(json_is_false(json_at(refusal(graph, plan), "valid")));
}

TEST_F(Optimize, CheckNeedsACluster) {
    ASSERT_EQ(optimize({graph, "-o", plan, "--evaluations", "100"}).exit_code, 0);
    const JsonPtr json = parse_json(read_text(plan));
    const std::string cluster = folder / "cluster.json";
    write_text(cluster, folded(json_at(json, "cluster")));
    json_object_del(json.get(), "cluster");
    write_text(plan, folded(json.get()));
    const ProgramRun run = run_program({"check", graph, plan});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("--cluster"), std::string::npos);
    EXPECT_EQ(run_program({"check", graph, plan, "--cluster", cluster}).exit_code, 0);
}

TEST_F(Optimize, FolderTakesThePlanOfTheGraphsName) {
    EXPECT_EQ(optimize({graph, "-o", folder.path(), "--evaluations", "50"}).exit_code, 0);
    EXPECT_EQ(run_program({"check", graph, folder / "small.plan.json"}).exit_code, 0);
    EXPECT_EQ(optimize({graph, "-o", folder / "new/", "--evaluations", "50"}).exit_code, 0);
    EXPECT_EQ(run_program({"check", graph, folder / "new/small.plan.json"}).exit_code, 0);
}

TEST_F(Optimize, TerminalShowsProgressAndOtherOutputsDoNot) {
    const std::vector<std::string> arguments = {"optimize",   graph,          "--evaluations",
                                                "1000000000", "--time-limit", "0.5"};
    ProgramSetting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", ""}};
    const ProgramRun live = run_program(arguments, setting);
    EXPECT_EQ(live.exit_code, 0);
    EXPECT_NE(live.err.find("best "), std::string::npos) << live.err;
    EXPECT_NE(live.err.find("\033[36m"), std::string::npos);
    EXPECT_EQ(live.err.substr(live.err.size() - 4), "\r\033[J");
    setting.environment["NO_COLOR"] = "1";
    const ProgramRun plain = run_program(arguments, setting);
    EXPECT_NE(plain.err.find("best "), std::string::npos);
    EXPECT_EQ(plain.err.find("\033[36m"), std::string::npos);
    setting.environment["TERM"] = "dumb";
    EXPECT_EQ(run_program(arguments, setting).err, "");
    EXPECT_EQ(run_program(arguments).err, "");
}

// Every state of the status line, without the bar.
std::vector<std::string> status_lines(const std::string &text) {
    static const std::regex ends("\r|\033\\[J"), bar(R"(^\[[#.]*\] )");
    std::vector<std::string> lines;
    for (std::sregex_token_iterator at(text.begin(), text.end(), ends, -1), end; at != end; ++at)
        if (at->length() > 0 && at->str() != "\n")
            lines.push_back(std::regex_replace(at->str(), bar, ""));
    return lines;
}

// Under caps that cannot be met the line has all its fields.
TEST_F(Optimize, NarrowTerminalLeavesOutWholeFieldsOfProgress) {
    const std::string field =
        R"((\s*\d+ %|(seeds|policy|brkga|anneal|local)( [0-9,]+)?|best \S+ \w+|bound \S+ \w+|gap \S+ %|\S+ x bound|)"
        R"(\S+ \w+ over the caps|[0-9.]+[kM]?/s|\S+ \w+ left))";
    const std::regex whole(field + "(  " + field + ")*");
    ProgramSetting setting;
    setting.terminal = true;
    setting.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}, {"LC_ALL", "C"}};
    for (const unsigned short columns : {200, 80, 70, 60, 40, 20}) {
        setting.columns = columns;
        const ProgramRun run = run_program({"optimize", hard, "--devices", "2x100B",
                                            "--evaluations", "1000000000", "--time-limit", "0.3"},
                                           setting);
        const std::vector<std::string> lines = status_lines(run.err);
        size_t shown = 0;
        for (const std::string &line : lines) {
            if (line.rfind("regal: ", 0) == 0)
                continue;
            ++shown;
            EXPECT_LT(line.size(), columns);
            EXPECT_TRUE(std::regex_match(line, whole)) << columns << ": " << line;
            EXPECT_EQ(line.find("over the caps") != std::string::npos, columns >= 40) << line;
            if (columns != 80) { // where it hangs on the figures
                EXPECT_EQ(line.find("/s") != std::string::npos, columns == 200) << line;
            }
        }
        EXPECT_GE(shown, 1u) << run.err;
    }
}

TEST_F(Optimize, EverySampleGraphPassesTheCheck) {
    const std::vector<std::string> graphs = sample_graphs();
    ASSERT_FALSE(graphs.empty());
    for (const std::string &sample : graphs)
        for (const char *objective : {"time", "memory"})
            for (const char *devices : {"1", "2", "4"}) {
                SCOPED_TRACE(sample + " " + objective + " " + devices);
                const ProgramRun run =
                    optimize({sample, "--objective", objective, "--devices", devices,
                              "--evaluations", "60", "-o", plan, "--quiet"});
                ASSERT_EQ(run.exit_code, 0) << run.err;
                const ProgramRun check = run_program({"check", sample, plan, "--quiet"});
                ASSERT_EQ(check.exit_code, 0) << check.err;
            }
}

TEST_F(Optimize, SeedFilesMayBeginWithAByteOrderMark) {
    const std::string two = folder / "two.json", seed = folder / "seed.json";
    write_text(two, chain_graph(2));
    ASSERT_EQ(optimize({two, "-o", plan, "--evaluations", "20"}).exit_code, 0);
    for (const std::string &text :
         {read_text(plan), std::string(R"({"encoding": "inherit", "window": 0,
          "priority": [7, 7], "placement": [7, 7]})")}) {
        write_text(seed, "\xef\xbb\xbf" + text);
        const ProgramRun run = optimize({two, "--seeds", seed, "--evaluations", "20"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
    }
}

TEST_F(Optimize, EverySharedGraphPassesTheCheck) {
    const std::vector<std::string> graphs = shared_graphs();
    if (graphs.empty())
        GTEST_SKIP() << "the shared folder is missing";
    for (const std::string &shared : graphs)
        for (const char *objective : {"time", "memory"})
            for (const char *devices : {"1", "2", "4"}) {
                SCOPED_TRACE(shared + " " + objective + " " + devices);
                const ProgramRun run =
                    optimize({shared, "--objective", objective, "--devices", devices,
                              "--evaluations", "60", "-o", plan, "--quiet"});
                ASSERT_EQ(run.exit_code, 0) << run.err;
                const ProgramRun check = run_program({"check", shared, plan, "--quiet"});
                ASSERT_EQ(check.exit_code, 0) << check.err;
            }
}

TEST_F(Optimize, PlanCarriesTheProfileOfItsGraph) {
    const std::string hlo = folder / "g.hlo";
    write_text(hlo, "HloModule m\n\nENTRY main {\n  a = f32[512,512] parameter(0)\n"
                    "  b = f32[512,512] dot(a, a), lhs_contracting_dims={1}, "
                    "rhs_contracting_dims={0}\n  ROOT c = f32[512,512] add(b, a)\n}\n");
    const ProgramRun run = optimize({hlo, "--profile", "a100", "-o", plan, "--evaluations", "50"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const ProgramRun check = run_program({"check", hlo, plan});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_EQ(run_program({"check", hlo, plan, "--profile", "cpu"}).exit_code, 2);
}

TEST_F(Optimize, ClusterGivesEachDeviceItsProfile) {
    const std::string hlo = folder / "g.hlo", cluster = folder / "cluster.json";
    write_text(hlo, "HloModule m\n\nENTRY main {\n  a = f32[512,512] parameter(0)\n"
                    "  ROOT c = f32[512,512] add(a, a)\n}\n");
    write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
        {"name": "fast", "class": "h200", "memory": 0}, {"name": "slow", "class": "cpu",
        "memory": 0}], "links": {"default": {"latency": 10, "bytes_per_1000_ticks": 1000},
        "pairs": []}})");
    const ProgramRun run = optimize({hlo, "--cluster", cluster, "-o", plan, "--evaluations", "50"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("fast"), std::string::npos);
    EXPECT_EQ(run_program({"check", hlo, plan}).exit_code, 0);
}

// How far each plan is above the caps ranks first, and stands in the last column.
TEST_F(Optimize, ComparisonTellsTheExcessOfEachPlan) {
    const ProgramRun run = optimize({hard, "--devices", "2x1kB", "--evaluations", "20"});
    EXPECT_EQ(run.exit_code, 3);
    int rows = 0;
    bool within = false;
    for (const std::string &line : lines_of(run.out)) {
        if (line.rfind("  compared", 0) == 0) {
            EXPECT_EQ(line.substr(line.size() - 13), "over the caps") << line;
            within = true;
        } else if (within && !line.empty()) {
            EXPECT_EQ(line.back(), 'B') << line;
            ++rows;
        } else {
            within = false;
        }
    }
    EXPECT_GE(rows, 2) << run.out;
    EXPECT_EQ(optimize({hard, "--evaluations", "20"}).out.find("over the caps"), std::string::npos);
    const ProgramRun batch =
        optimize({graph, graph, "--devices", "2x10B", "--evaluations", "20", "-q"});
    EXPECT_NE(batch.out.find(": infeasible: no plan can keep within the caps\n"), std::string::npos)
        << batch.out;
}

} // namespace
