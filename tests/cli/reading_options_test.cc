// --dim, --assume-bytes, --costs and --stated-devices, and plans that carry them.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/onnx_file.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

// x [N, 64] -> MatMul -> Relu -> MatMul -> y; the ops are named a, b and c.
std::string open_model() {
    using namespace onnx_file;
    Model model;
    model.graph.inputs = {value("x", FLOAT, {"N", 64})};
    model.graph.outputs = {value("y", FLOAT, {"N", 64})};
    model.graph.initializers = {weights("w", FLOAT, {64, 64})};
    model.graph.nodes = {{"MatMul", {"x", "w"}, {"u"}, {}, "a"},
                         {"Relu", {"u"}, {"v"}, {}, "b"},
                         {"MatMul", {"v", "w"}, {"y"}, {}, "c"}};
    return model.bytes();
}

class ReadingOptions : public testing::Test {
  protected:
    void SetUp() override {
        if (run_program({"backends"}).out.find("ONNX models (read") == std::string::npos)
            GTEST_SKIP() << "built without ONNX";
        write_text(model_, open_model());
        write_text(costs_, "op,class,microseconds\na,,7\nb,a100,3.5\n");
    }

    void optimize(const Words &more) {
        Words words = {"optimize", model_, "-o", plan_, "-q", "--evaluations", "50"};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramRun run = run_program(words);
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }

    ScratchFolder folder_;
    const std::string model_ = folder_ / "m.onnx", costs_ = folder_ / "costs.csv",
                      plan_ = folder_ / "p.json";
};

TEST_F(ReadingOptions, AreThoseOfThePlanUnlessGiven) {
    optimize({"--dim", "N=8", "--costs", costs_, "--profile", "a100"});
    const ProgramRun checked = run_program({"check", model_, plan_});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_EQ(checked.err, "");
    EXPECT_EQ(run_program({"check", model_, plan_, "--dim", "N=8"}).exit_code, 0);
    const ProgramRun other = run_program({"check", model_, plan_, "--dim", "N=9"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.err.find("made for another graph: its digest is"), std::string::npos);
    write_text(costs_, "a,,8\n");
    EXPECT_EQ(run_program({"check", model_, plan_}).exit_code, 0) << "the plan has its own";
    EXPECT_EQ(run_program({"check", model_, plan_, "--costs", costs_}).exit_code, 2);
}

TEST_F(ReadingOptions, AreThoseOfComparedPlans) {
    optimize({"--dim", "N=8", "--profile", "a100"});
    const ProgramRun run = run_program({"compare", model_, "--plans", "mine=" + plan_, "--methods",
                                        "one-device", "--devices", "4", "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("mine"), std::string::npos) << run.out;
}

TEST_F(ReadingOptions, GoWithAConvertedGraph) {
    const std::string graph = folder_ / "g.json";
    optimize({"--dim", "N=8", "--costs", costs_, "--profile", "a100"});
    ASSERT_EQ(run_program({"convert", model_, graph, "--dim", "N=8", "--costs", costs_, "--profile",
                           "a100"})
                  .exit_code,
              0);
    EXPECT_EQ(run_program({"check", graph, plan_}).exit_code, 0) << "the same graph";
    const JsonPtr json = parse_json(read_text(graph));
    EXPECT_EQ(json_string_at(json, "options/costs"), "a,,7\nb,a100,3.5\n");
    EXPECT_EQ(json_string_at(json, "options/dim"), "N=8");

    // Changed by hand, it is as it says, not as the costs say that went into it.
    std::string text = read_text(graph);
    const size_t cost = text.find("\"cost\": [7000]");
    ASSERT_NE(cost, std::string::npos);
    write_text(graph, text.replace(cost, 14, "\"cost\": [99]"));
    ASSERT_EQ(run_program({"optimize", graph, "-o", plan_, "-q", "--evaluations", "50"}).exit_code,
              0);
    const ProgramRun checked = run_program({"check", graph, plan_});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST_F(ReadingOptions, NameWhatTheGraphLacks) {
    for (const auto &[more, says] : std::vector<std::pair<Words, std::string>>{
             {{}, "N"},
             {{"--dim", "M=8"}, "M"},
             {{"--dim", "N=8", "--costs", "/nowhere"}, "/nowhere"}}) {
        Words words = {"inspect", model_};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramRun run = run_program(words);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_NE(run.err.find(says), std::string::npos) << run.err;
        EXPECT_EQ(run.out, "");
    }
    const std::string hlo = folder_ / "h.hlo";
    write_text(hlo, "ENTRY e {\n p = f32[8] parameter(0)\n ROOT x = f32[8] negate(p)\n}");
    const ProgramRun run = run_program({"inspect", hlo, "--dim", "N=8"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "regal: " + hlo + ": has no dimension \"N=8\": no size in it is open\n");
}

TEST(ReadingOptionWords, AreCheckedBeforeAnythingIsRead) {
    for (const auto &[words, says] : std::vector<std::pair<Words, std::string>>{
             {{"--dim", "N"}, "--dim: \"N\" is no NAME=SIZE"},
             {{"--dim", "N=8,=4"}, "--dim: \"=4\" is no NAME=SIZE"},
             {{"--dim", "N=8,M=x"}, "--dim: \"M=x\" is no NAME=SIZE"},
             {{"--dim", "N=-1"}, "--dim: \"N=-1\" is no NAME=SIZE"},
             {{"--assume-bytes", "4QB"}, "--assume-bytes: '4QB' is no size"},
             {{"--assume-bytes", "-4"}, "--assume-bytes: '-4' is no size"},
             {{"--stated-devices", "maybe"}, "--stated-devices takes allowed|plan|ignore"}}) {
        Words all = {"inspect", "/nowhere"};
        all.insert(all.end(), words.begin(), words.end());
        const ProgramRun run = run_program(all);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find(says), std::string::npos) << run.err;
    }
}

TEST(ReadingOptionWords, CostsComeFromStandardInputOnce) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", plan = folder / "p.json";
    write_text(graph, small_graph());
    ProgramSetting setting;
    setting.input = "# none\n";
    EXPECT_EQ(run_program({"inspect", graph, "--costs", "-"}, setting).err,
              "regal: <stdin>: holds no times of ops\n");
    EXPECT_NE(run_program({"inspect", "-", "--costs", "-"}, setting)
                  .err.find("standard input can be read only once"),
              std::string::npos);
}

TEST(ReadingOptionWords, NoResultReplacesTheCosts) {
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", costs = folder / "c.csv";
    write_text(graph, small_graph());
    write_text(costs, "a,,1\n");
    for (const Words &words : {Words{"optimize", graph, "--costs", costs, "-o", costs},
                               Words{"convert", graph, costs, "--costs", costs}}) {
        const ProgramRun run = run_program(words);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find("would be written over"), std::string::npos) << run.err;
        EXPECT_EQ(read_text(costs), "a,,1\n");
    }
}

} // namespace
