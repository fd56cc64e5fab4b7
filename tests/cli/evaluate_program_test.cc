// regal evaluate as a user runs it.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <jansson.h>

#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

std::string Content(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool IsJson(const std::string &text) {
    json_t *json = json_loads(text.c_str(), 0, nullptr);
    json_decref(json);
    return json != nullptr;
}

bool Has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

class EvaluateProgram : public testing::Test {
  protected:
    EvaluateProgram() {
        std::ofstream(set()) << R"({"format": "regal-set", "version": 1, "name": "small",
            "objective": "time", "clusters": [{"devices": 4, "ccr": 2}], "graphs": [
            {"generator": "layered", "values": {"ops": 20, "cost_unit": 500}, "count": 3}]})";
    }
    std::string set() const { return folder / "set.json"; }
    ProgramRun Run(const std::string &policy, const Words &more = {},
                   const ProgramSetting &setting = {}) const {
        Words words = {"evaluate", policy, set()};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words, setting);
    }
    void ExpectRefused(const std::string &policy, const Words &more,
                       const std::string &part) const {
        const ProgramRun run = Run(policy, more);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_TRUE(Has(run.err, part)) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
    ScratchFolder folder;
};

TEST_F(EvaluateProgram, PrintsATableForEachBudget) {
    const ProgramRun run = Run("none", {"--budgets", "100,300", "--repeats", "1"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(Has(run.out, "none against none: makespan on set small, 3 problems x 1 seed"))
        << run.out;
    EXPECT_TRUE(Has(run.out, "\n100 evaluations"));
    EXPECT_TRUE(Has(run.out, "\n300 evaluations"));
    EXPECT_TRUE(Has(run.out, "\n100 against 300"));
    EXPECT_TRUE(Has(run.out, "+0.00 +- 0.00"));
}

TEST_F(EvaluateProgram, WritesRawResultsThatServeAsABaseline) {
    const Words common = {"--budgets", "100", "--repeats", "1", "--json"};
    Words words = common;
    words.push_back(folder / "first.json");
    const ProgramRun first = Run("untrained", words);
    EXPECT_EQ(first.exit_code, 0) << first.err;
    EXPECT_TRUE(IsJson(Content(folder / "first.json")));
    words = common;
    words.insert(words.end(), {"-", "--baseline", folder / "first.json"});
    const ProgramRun second = Run("untrained", words);
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(IsJson(second.out));
    EXPECT_TRUE(Has(second.err, "untrained against none"));
    words.push_back("--policy-use=mutants,population"); /* nothing to a search without a policy */
    EXPECT_EQ(Run("untrained", words).exit_code, 0);
    words.push_back("--rho=0.6");
    EXPECT_EQ(Run("untrained", words).exit_code, 2);
}

TEST_F(EvaluateProgram, TakesOtherOptionsForTheReference) {
    const ProgramRun run = Run("none", {"--budgets", "100", "--repeats", "1", "--reference",
                                        "encoding=inherit seeds heuristic policy=untrained"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Has(run.out, "none against untrained")) << run.out;
    EXPECT_TRUE(Has(run.out, " 0 %")) << run.out;
    ExpectRefused("none", {"--reference", "best=3"}, "\"best=3\" is no option of a search");
    for (const char *shared : {"seed", "objective", "threads"})
        ExpectRefused("none", {"--reference", std::string(shared) + "=1"},
                      std::string("both sides have the --") + shared);
    ExpectRefused("none", {"--reference", "serach=auto"}, "did you mean search?");
    ExpectRefused("none", {"--reference", "brkga"}, "\"brkga\" is no option of a search");
    ExpectRefused("none", {"--reference=--search"}, "--search needs a value");
    ExpectRefused("none", {"--reference", "search best"}, "auto|brkga|anneal|local");
    ExpectRefused("none", {"--reference", "evaluations=5"}, "leave out evaluations");
}

TEST_F(EvaluateProgram, TellsMisspelledControls) {
    ExpectRefused("nonne", {}, "did you mean none?");
    ExpectRefused("upward", {}, "did you mean upward-rank?");
    ExpectRefused("aut", {}, "did you mean auto?");
}

TEST_F(EvaluateProgram, LeavesOutTheErrorOfOneProblem) {
    const ProgramRun run =
        Run("none", {"--count", "1", "--budgets", "50", "--json", folder / "one.json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Has(run.out, "+0.00 +- - ")) << run.out;
    EXPECT_TRUE(Has(Content(folder / "one.json"), R"("error": null, "low": null, "high": null)"));
}

TEST_F(EvaluateProgram, RefusesMoreProblemsThanItCanRemember) {
    std::ofstream(set()) << R"({"format": "regal-set", "version": 1, "name": "many",
        "objective": "memory", "clusters": [{"devices": 2, "link": "free"}], "graphs": [
        {"generator": "layered", "count": 1000000000}]})";
    ExpectRefused("none", {"--repeats", "1000"}, "--count");
}

TEST_F(EvaluateProgram, ToldOfABaselineThatLacksSearches) {
    const Words common = {"--repeats", "1", "--budgets"};
    const auto with = [&](Words more) {
        more.insert(more.begin(), common.begin(), common.end());
        return more;
    };
    const std::string file = folder / "base.json";
    ASSERT_EQ(Run("none", with({"50", "--count", "1", "--json", file})).exit_code, 0);
    const ProgramRun part = Run("none", with({"50", "--baseline", file}));
    EXPECT_EQ(part.exit_code, 0) << part.err;
    EXPECT_TRUE(Has(part.err, "of the searches of the reference that it lacks 2 were run"))
        << part.err;
    ExpectRefused("none", with({"70", "--baseline", file}), "holds no search that");
}

TEST_F(EvaluateProgram, RefusesWhatIsWrongInOneLine) {
    ExpectRefused("none", {"--budgets", "5,x"}, "not \"x\"");
    ExpectRefused("none", {"--budgets", ""}, "--budgets");
    ExpectRefused("none", {"--budgets", "5,5"}, "each above the one before");
    ExpectRefused("none", {"--budgets", "5", "--time-limit", "1"},
                  "either --budgets or --time-limit");
    ExpectRefused("none", {"--evaluations", "5"}, "takes no --evaluations");
    ExpectRefused("beta:2,1", {}, "beta:0.5,10");
    ExpectRefused(folder / "missing", {}, folder / "missing");
    ExpectRefused(set(), {}, set()); /* no policy */
    ExpectRefused("none", {"--baseline", set()}, "expected 'regal-evaluation'");
    ExpectRefused("none", {"--json", set()}, "set.json");
    const ProgramRun run = run_program({"evaluate", "none", folder / "nothing.json"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(Has(run.err, "nothing.json")) << run.err;
}

TEST_F(EvaluateProgram, LeavesNoHalfWrittenFileWhenInterrupted) {
    ProgramSetting setting;
    setting.signals = {{std::chrono::milliseconds(700), SIGINT}};
    const Words words = {"--budgets", "20000", "--repeats", "100",
                         "--threads", "1",     "--json",    folder / "raw.json"};
    const ProgramRun run = Run("none", words, setting);
    EXPECT_EQ(run.exit_code, 4);
    EXPECT_TRUE(Has(run.err, "interrupted")) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "raw.json")) << "nothing was finished";
    EXPECT_EQ(folder.file_count(), 1);
    /* Seeds 1 to 2: some problems are finished long before the signal. */
    std::ofstream(set()) << R"({"format": "regal-set", "version": 1, "name": "many",
        "objective": "memory", "clusters": [{"devices": 2, "link": "free"}], "graphs": [
        {"generator": "layered", "values": {"ops": 10}, "count": 1000000}]})";
    ProgramRun part;
    for (const int wait : {700, 3000, 12000, 48000}) { // a machine may have much else to do
        setting.signals = {{std::chrono::milliseconds(wait), SIGINT}};
        part = Run("none", {"--budgets", "100", "--repeats", "2", "--json", folder / "raw.json"},
                   setting);
        EXPECT_EQ(part.exit_code, 4);
        if (part.out != "")
            break;
    }
    EXPECT_TRUE(Has(part.out, "problems finished x 2 seeds")) << part.out;
    const std::string raw = Content(folder / "raw.json");
    EXPECT_TRUE(IsJson(raw));
    EXPECT_TRUE(Has(raw, "\"stopped\": true"));
    EXPECT_EQ(folder.file_count(), 2);
}

} // namespace
