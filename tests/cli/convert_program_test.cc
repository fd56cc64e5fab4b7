// `convert` with plans and to other formats.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

class ConvertProgram : public testing::Test {
  protected:
    void SetUp() override {
        write_text(graph_, small_graph());
        ASSERT_EQ(run_program({"optimize", graph_, "--devices", "2", "-o", plan_, "-q",
                               "--evaluations", "50"})
                      .exit_code,
                  0);
    }
    // Exit code 2, one line that says so, no file OUT.
    void expect_refused(const Words &words, const std::string &says) {
        Words all = {"convert", graph_, out_};
        all.insert(all.end(), words.begin(), words.end());
        const ProgramRun run = run_program(all);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_NE(run.err.find(says), std::string::npos) << run.err;
        EXPECT_FALSE(std::filesystem::exists(out_));
    }

    ScratchFolder folder_;
    const std::string graph_ = folder_ / "g.json", plan_ = folder_ / "p.json", out_ = folder_ / "o";
};

TEST_F(ConvertProgram, WritesPlansByToOrByTheEnding) {
    const std::string csv = folder_ / "plan.csv";
    ASSERT_EQ(run_program({"convert", graph_, csv, "--plan", plan_}).exit_code, 0);
    const std::string text = read_text(csv);
    EXPECT_EQ(text.rfind("what,index,name", 0), 0u);
    EXPECT_EQ(run_program({"convert", graph_, "-", "--plan", plan_, "--to", "csv"}).out, text);
    const ProgramRun dot = run_program({"convert", graph_, "-", "--to", "dot"});
    EXPECT_EQ(dot.out.rfind("digraph ", 0), 0u) << dot.err;
    EXPECT_EQ(run_program({"convert", graph_, "-", "--to", "trace", "--plan", plan_})
                  .out.rfind("{\"displayTimeUnit\"", 0),
              0u);
}

TEST_F(ConvertProgram, MakesAFolderForMinimalloc) {
    const std::string folder = folder_ / "memory";
    for (int again = 0; again < 2; ++again) {
        const ProgramRun run =
            run_program({"convert", graph_, folder, "--plan", plan_, "--to", "minimalloc"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(lines_of(read_text(folder + "/d1.csv"))[0], "id,lower,upper,size");
    }
}

TEST_F(ConvertProgram, ChecksThePlan) {
    std::string text = read_text(plan_);
    const size_t makespan = text.find("\"makespan\": ");
    text.insert(makespan + 12, "1");
    write_text(plan_, text);
    const ProgramRun run = run_program({"check", graph_, plan_});
    ASSERT_EQ(run.exit_code, 2);
    expect_refused({"--plan", plan_, "--to", "csv"}, run.err.substr(7, run.err.size() - 8));
}

TEST_F(ConvertProgram, RefusesBeforeItReads) {
    std::filesystem::remove(graph_);
    expect_refused({"--to", "word"}, "--to: no format is named \"word\"");
    expect_refused({"--to", "hlo"}, "--to: hlo is read only");
    expect_refused({"--to", "csv"}, "--to: csv describes a plan: give one by --plan");
    expect_refused({"--plan", "-"}, "--plan has to be a file");
}

TEST_F(ConvertProgram, GoesByTheEndingHoweverItIsSpelt) {
    const std::string csv = folder_ / "PLAN.CSV";
    ASSERT_EQ(run_program({"convert", graph_, csv, "--plan", plan_}).exit_code, 0);
    EXPECT_EQ(read_text(csv).rfind("what,index,name", 0), 0u);
}

TEST_F(ConvertProgram, RefusesPlansThatHaveNoRoom) {
    expect_refused({"--plan", plan_}, graph_ + ": regal-graph has no room for a plan");
    expect_refused({"--plan", plan_, "--to", "cost-graph"}, "cost-graph has no room for a plan");
}

TEST_F(ConvertProgram, TracesGiveTheCostsBack) {
    const std::string trace = folder_ / "t.json", copy = folder_ / "c.json";
    ASSERT_EQ(run_program({"convert", graph_, trace, "--to", "trace", "--plan", plan_}).exit_code,
              0);
    ASSERT_EQ(run_program({"convert", graph_, copy, "--costs", trace, "-q"}).exit_code, 0);
    const JsonPtr before = parse_json(read_text(graph_)), after = parse_json(read_text(copy));
    size_t i;
    json_t *op;
    json_array_foreach(json_at(after, "ops"), i, op) {
        EXPECT_TRUE(json_equal(json_object_get(op, "cost"),
                               json_object_get(json_array_get(json_at(before, "ops"), i), "cost")))
            << i;
    }
    EXPECT_GT(i, 0u);
}

} // namespace
