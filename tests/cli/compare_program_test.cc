// regal compare as a user runs it.
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "regal/baseline.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

bool Has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> SplitCsv(const std::string &line) {
    std::vector<std::string> cells = {""};
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    EXPECT_FALSE(quoted) << line;
    return cells;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> ReadCsv(const std::string &text) {
    const std::vector<std::string> lines = lines_of(text);
    std::vector<Row> rows;
    const std::vector<std::string> titles = SplitCsv(lines.at(0));
    for (size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> cells = SplitCsv(lines[i]);
        EXPECT_EQ(cells.size(), titles.size()) << lines[i];
        Row row;
        for (size_t c = 0; c < cells.size() && c < titles.size(); ++c)
            row[titles[c]] = cells[c];
        rows.push_back(row);
    }
    return rows;
}

void write_json(const std::string &path, const JsonPtr &json) {
    char *text = json_dumps(json.get(), 0);
    write_text(path, text);
    free(text);
}

class CompareProgram : public testing::Test {
  protected:
    CompareProgram() { write_text(graph, small_graph()); }

    ProgramRun Run(const Words &more, const ProgramSetting &setting = {}) const {
        Words words = {"compare"};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words, setting);
    }
    void ExpectRefused(const Words &words, const std::string &part) const {
        const ProgramRun run = Run(words);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_TRUE(Has(run.err, part)) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    }
    // A plan of the small graph.
    std::string MakePlan(const std::string &name) const {
        const std::string path = folder / name;
        EXPECT_EQ(run_program({"optimize", graph, "-o", path, "-q"}).exit_code, 0);
        return path;
    }

    const ScratchFolder folder;
    const std::string graph = folder / "small.json";
};

TEST_F(CompareProgram, ShowsTheBestMethodFirst) {
    const ProgramRun run = Run({graph, "--methods", "one-device,heft,brkga-1k,regal-5k", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 8u) << run.out;
    EXPECT_TRUE(Has(lines[3], "method")) << run.out;
    EXPECT_TRUE(Has(lines[4], " 1.000 ")) << run.out;
    EXPECT_TRUE(Has(run.out, "\n  HEFT ")) << run.out;
    EXPECT_FALSE(Has(run.out, "over the caps")) << run.out;
}

TEST_F(CompareProgram, TellsWhichMethodsThereAre) {
    const ProgramRun run = Run({"--methods", "list"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    for (const char *word : {"heft", "brkga-50k", "regal-paper", "standard", "classical", "all"})
        EXPECT_TRUE(Has(run.out, std::string("\n") + word + " ")) << word << "\n" << run.out;
}

TEST_F(CompareProgram, EveryClassicalMethodIsThere) {
    const ProgramRun run = Run({graph, "--methods", "classical", "--csv", "-", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<Row> rows = ReadCsv(run.out);
    EXPECT_EQ(rows.size(), size_t{REGAL_BASELINE_COUNT});
    for (const Row &row : rows) {
        EXPECT_TRUE(row.at("status") == "feasible" || row.at("reason") != "") << row.at("method");
        EXPECT_NE(row.at("status"), "broken") << row.at("method");
    }
}

// All but the seconds, and which of a graph's equals are told first.
TEST_F(CompareProgram, ResultsAreTheSameForAnyNumberOfThreads) {
    write_text(folder / "hard.json", hard_graph(40));
    std::vector<std::vector<Row>> results;
    for (const char *threads : {"1", "2", "3"}) {
        const ProgramRun run =
            Run({graph, folder / "hard.json", "--methods", "heft,random,brkga-1k,policy-random",
                 "--csv", "-", "-q", "--threads", threads, "--seed", "7"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        results.push_back(ReadCsv(run.out));
        for (Row &row : results.back())
            row.erase("seconds");
    }
    EXPECT_EQ(results[0].size(), 8u);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST_F(CompareProgram, SeveralGraphsGiveMeans) {
    write_text(folder / "hard.json", hard_graph(40));
    const Words words = {graph,   folder / "hard.json",   "--methods", "heft,brkga-1k,one-device",
                         "--csv", folder / "results.csv", "--json",    folder / "results.json",
                         "-q",    "--reference",          "heft"};
    const ProgramRun run = Run(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Has(run.out, "makespan on 2 graphs")) << run.out;
    EXPECT_TRUE(Has(run.out, "x best on graph")) << run.out;
    EXPECT_TRUE(Has(run.out, "% over HEFT")) << run.out;
    EXPECT_TRUE(Has(run.out, "reference")) << run.out;
    const JsonPtr json = parse_json(read_text(folder / "results.json"));
    ASSERT_TRUE(json);
    EXPECT_EQ(json_string_at(json, "format"), "regal-comparison");
    EXPECT_EQ(json_string_at(json, "reference"), "heft");
    EXPECT_EQ(json_array_size(json_at(json, "methods")), 3u);
    EXPECT_EQ(json_array_size(json_at(json, "summary")), 3u);
    EXPECT_EQ(json_array_size(json_at(json, "graphs")), 2u);
    const json_t *runs = json_object_get(json_array_get(json_at(json, "graphs"), 1), "runs");
    ASSERT_EQ(json_array_size(runs), 3u);
    const std::vector<Row> rows = ReadCsv(read_text(folder / "results.csv"));
    ASSERT_EQ(rows.size(), 6u);
    for (size_t m = 0; m < 3; ++m) {
        const json_t *value = json_object_get(json_array_get(runs, m), "value");
        EXPECT_EQ(std::to_string(json_integer_value(value)), rows[3 + m].at("value"));
    }
    const json_t *curve = json_object_get(json_array_get(runs, 1), "curve");
    EXPECT_GE(json_array_size(curve), 1u);
}

TEST_F(CompareProgram, GreatSeedsStayWhatTheyAre) {
    const std::string seed = "18446744073709551615";
    const ProgramRun run = Run({graph, "--methods", "heft", "--seed", seed, "--json", "-", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_string_at(parse_json(run.out), "seed"), seed);
}

TEST_F(CompareProgram, TakesSetsWithTheirClustersAndObjective) {
    write_text(folder / "set.json", R"({"format": "regal-set", "version": 1, "name": "small",
        "objective": "memory", "clusters": [{"devices": 2, "link": "free"}], "graphs": [
        {"generator": "layered", "values": {"ops": 12}, "count": 2}]})");
    const ProgramRun run =
        Run({"--set", folder / "set.json", "--methods", "heft,brkga-1k", "--csv", "-", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<Row> rows = ReadCsv(run.out);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].at("objective"), "memory");
    EXPECT_EQ(rows[0].at("devices"), "2");
    EXPECT_EQ(rows[0].at("value"), rows[0].at("max_peak"));
    EXPECT_NE(rows[0].at("digest"), rows[2].at("digest"));
    ExpectRefused({"--set", folder / "set.json", "--devices", "2"}, "the set says itself");
}

TEST_F(CompareProgram, TakesFoldersOfGraphs) {
    const ScratchFolder graphs;
    write_text(graphs / "a.json", small_graph());
    write_text(graphs / "b.json", hard_graph(20));
    write_text(graphs / "README.md", "# Graphs");
    const ProgramRun run = Run({"--set", graphs.path(), "--methods", "heft", "--csv", "-", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(ReadCsv(run.out).size(), 2u);
    const ScratchFolder empty;
    ExpectRefused({"--set", empty.path()}, "no graphs");
}

TEST_F(CompareProgram, PlansOverTheCapsComeLastWithTheirExcess) {
    const ProgramRun run =
        Run({graph, "--methods", "heft,one-device,brkga-1k", "--devices", "2x1B", "-q"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    EXPECT_TRUE(Has(run.out, "over the caps")) << run.out;
}

TEST_F(CompareProgram, GivenPlansAreMeasuredAnew) {
    const std::string plan = MakePlan("exact.plan.json");
    const JsonPtr json = parse_json(read_text(plan));
    const int64_t makespan = json_number(json, "makespan");
    json_object_set_new(json.get(), "makespan", json_integer(1));
    write_json(plan, json);
    const ProgramRun run = Run({graph, "--methods", "heft", "--plans", plan, "--csv", "-", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<Row> rows = ReadCsv(run.out);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].at("method"), "exact");
    EXPECT_EQ(rows[1].at("value"), std::to_string(makespan));
    const ProgramRun named = Run({graph, "--methods", "heft", "--plans", "best known=" + plan});
    EXPECT_TRUE(Has(named.out, "\n  best known ")) << named.out;
}

TEST_F(CompareProgram, BrokenPlansAreTold) {
    const std::string plan = MakePlan("exact.plan.json");
    const JsonPtr json = parse_json(read_text(plan));
    json_t *start = json_at(json, "start");
    for (size_t i = 0; i < json_array_size(start); ++i)
        json_array_set_new(start, i, json_integer(0));
    write_json(folder / "broken.json", json);
    const ProgramRun run =
        Run({graph, "--methods", "heft", "--plans", plan + "," + (folder / "broken.json")});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(Has(run.err, "broken.json: not valid: ")) << run.err;
    EXPECT_TRUE(Has(run.out, "\n  not valid: broken\n    op")) << run.out;
    EXPECT_TRUE(Has(run.out, "\n  exact ")) << run.out;
}

TEST_F(CompareProgram, PlansOfOtherGraphsAreRefused) {
    const std::string plan = MakePlan("exact.plan.json");
    write_text(folder / "other.json", chain_graph(5));
    const ProgramRun run = Run({folder / "other.json", "--methods", "heft", "--plans", plan});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(Has(run.err, "of none of the graphs")) << run.err;
    EXPECT_TRUE(Has(run.out, "HEFT")) << run.out;
    const ProgramRun devices = Run({graph, "--methods", "heft", "--plans", plan, "--devices", "2"});
    EXPECT_EQ(devices.exit_code, 2);
}

TEST_F(CompareProgram, TellsOnceWhyMethodsServeAProblemNot) {
    const JsonPtr json = parse_json(small_graph());
    json_t *ops = json_at(json, "ops");
    for (const int op : {0, 1})
        json_object_set_new(json_array_get(ops, op), "allowed", json_pack("[i]", op));
    write_json(graph, json);
    const ProgramRun run = Run({graph, "--methods", "one-device,heft,depth-first,regal-5k"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Has(run.out, "\n  not served: one device, depth first\n    ")) << run.out;
    EXPECT_TRUE(Has(run.out, "\n  HEFT ")) << run.out;
}

TEST_F(CompareProgram, GoesOnWhereAGraphCannotBeRead) {
    write_text(folder / "bad.json", "{");
    const ProgramRun run =
        Run({folder / "bad.json", graph, folder / "missing.json", "--methods", "heft"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(Has(run.err, "bad.json")) << run.err;
    EXPECT_TRUE(Has(run.err, "missing.json")) << run.err;
    EXPECT_TRUE(Has(run.out, "HEFT")) << run.out;
}

TEST_F(CompareProgram, RefusesWhatIsWrongInOneLine) {
    ExpectRefused({}, "GRAPH... or --set SET");
    ExpectRefused({graph, "--methods", "brkga-5"}, "did you mean brkga-5k?");
    ExpectRefused({graph, "--methods", "heft,,cpop"}, "there is no \"\"");
    ExpectRefused({graph, "--methods", "heft", "--reference", "regal"}, "--reference");
    ExpectRefused({graph, "--plans", folder / "missing.json"}, "missing.json");
    ExpectRefused({graph, "--plans", "exact="}, "a file is missing");
    ExpectRefused({"--set", folder / "missing.json"}, "missing.json");
    ExpectRefused({graph, "--csv", "-", "--json", "-"}, "only one result");
    ExpectRefused({graph, "--csv", graph}, "small.json");
    ExpectRefused({graph, "--csv", folder / "x", "--json", folder / "x"}, "one file");
    ExpectRefused({graph, "--objective", "speed"}, "time|memory");
    ExpectRefused({graph, "--evaluations", "5"}, "takes no --evaluations");
    const ProgramRun run = Run({graph, "--csv", folder / "nowhere/x.csv"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, "") << "found out only afterwards";
}

TEST_F(CompareProgram, TellsWhatIsDoneWhenInterrupted) {
    write_text(folder / "hard.json", hard_graph(400));
    ProgramRun run;
    for (const int wait : {500, 3000, 12000}) { // a machine may have much else to do
        ProgramSetting setting;
        setting.signals = {{std::chrono::milliseconds(wait), SIGINT}};
        run = Run({folder / "hard.json", "--methods", "heft,regal-long,cpop", "--csv",
                   folder / "results.csv", "--json", folder / "results.json"},
                  setting);
        EXPECT_EQ(run.exit_code, 4) << run.err;
        if (run.out != "")
            break;
    }
    EXPECT_TRUE(Has(run.out, "HEFT")) << run.out;
    EXPECT_FALSE(Has(run.out, "REGAL, long")) << run.out;
    EXPECT_TRUE(Has(run.err, "interrupted: ")) << run.err;
    for (const Row &row : ReadCsv(read_text(folder / "results.csv")))
        EXPECT_NE(row.at("method"), "regal-long");
    const JsonPtr json = parse_json(read_text(folder / "results.json"));
    ASSERT_TRUE(json);
    EXPECT_TRUE(json_is_true(json_at(json, "stopped")));
}

TEST_F(CompareProgram, DrawsQualityAgainstTime) {
    write_text(folder / "hard.json", hard_graph(40));
    const ProgramRun run = Run({graph, folder / "hard.json", "--methods", "classical,brkga-1k",
                                "--plot", folder / "plot.svg", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string plot = read_text(folder / "plot.svg");
    EXPECT_EQ(plot.rfind("<svg ", 0), 0u);
    EXPECT_TRUE(Has(plot, "</svg>\n"));
    EXPECT_TRUE(Has(plot, "prefers-color-scheme"));
    EXPECT_TRUE(Has(plot, ">HEFT<")) << plot;
    EXPECT_TRUE(Has(plot, ">BRKGA 1k<")) << plot;
    EXPECT_FALSE(Has(plot, "nan")) << plot;
    EXPECT_FALSE(Has(plot, "inf")) << plot;
}

} // namespace
