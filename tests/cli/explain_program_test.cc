// `explain` as a user runs it.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

// Two devices: a runs on d0 for 2 ticks, its 5 bytes take 5 ticks to b on d1, where c runs first.
const char kGraph[] = R"({"format": "regal-graph", "version": 1, "device_classes": ["x"],
 "ops": [{"name": "a", "kind": "Make", "cost": [2], "allowed": [0]},
         {"name": "b", "cost": [3], "allowed": [1]},
         {"name": "c", "cost": [4], "allowed": [1]}, {"name": "d.end", "cost": [1], "allowed": [1]}],
 "tensors": [{"name": "t", "producer": "a", "bytes": 5, "consumers": ["b", "b"]}],
 "control": [["b", "d.end"], ["b", "d.end"]]})";

class ExplainProgram : public testing::Test {
  protected:
    void SetUp() override {
        write_text(graph_, kGraph);
        const ProgramRun run = run_program({"optimize", graph_, "--devices", "2", "--link", "1GB/s",
                                            "-o", plan_, "--quiet", "--evaluations", "100"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }

    ProgramRun explain(std::vector<std::string> more) {
        std::vector<std::string> arguments = {"explain", graph_, plan_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }

    ScratchFolder folder_;
    std::string graph_ = folder_ / "g.json", plan_ = folder_ / "p.json";
};

TEST_F(ExplainProgram, SaysWhatAnOpWaitedForAndHowMuchLaterItCouldEnd) {
    const ProgramRun run = explain({"b", "2"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("b, op 1: on d1 from 7 ns to 10 ns, for 3 ns"), std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("waited for 't' (5 B), which arrived over link d0 > d1 at 7 ns"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("d1 idled for 3 ns before it, since 'c' finished at 4 ns"),
              std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("c, op 2:"), std::string::npos);
    EXPECT_NE(run.out.find("it could end 3 ns later"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("not allowed"), std::string::npos);
}

TEST_F(ExplainProgram, TellsMachinesTheSame) {
    const ProgramRun run = explain({"b", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const JsonPtr told = parse_json(run.out);
    EXPECT_EQ(json_string_at(told, "op"), "b");
    EXPECT_EQ(json_number(told, "start"), 7);
    EXPECT_EQ(json_number(told, "device_free"), 4);
    EXPECT_EQ(json_number(told, "slack"), 0);
    EXPECT_EQ(json_string_at(told, "waited/for"), "transfer");
    EXPECT_EQ(json_string_at(told, "waited/from"), "d0");
    ASSERT_EQ(json_array_size(json_at(told, "must_follow")), 1u);
    EXPECT_STREQ(json_string_value(json_array_get(json_at(told, "must_follow"), 0)), "d.end");
    EXPECT_EQ(json_array_size(json_at(told, "inputs")), 1u);
}

TEST_F(ExplainProgram, TellsEachUseOfAnOutputOnce) {
    const JsonPtr told = parse_json(explain({"a", "--json"}).out);
    ASSERT_EQ(json_array_size(json_at(told, "uses")), 1u);
    json_t *use = json_array_get(json_at(told, "uses"), 0);
    EXPECT_STREQ(json_string_value(json_object_get(use, "user")), "b");
    EXPECT_EQ(json_integer_value(json_object_get(use, "sent")), 2);
    EXPECT_EQ(json_integer_value(json_object_get(use, "there")), 7);
    EXPECT_EQ(json_integer_value(json_object_get(use, "start")), 7);
}

TEST_F(ExplainProgram, TellsOfThePlanAsAWholeWhereNoOpIsNamed) {
    const ProgramRun run = explain({});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("critical path: 3 ops, 54.5 % computing; 1 transfer, 45.5 % sending"),
              std::string::npos)
        << run.out;
    const JsonPtr told = parse_json(explain({"--json"}).out);
    EXPECT_EQ(json_number(told, "makespan"), 11);
    EXPECT_EQ(json_number(told, "critical_path/computing"), 6);
    ASSERT_EQ(json_array_size(json_at(told, "devices")), 2u);
    json_t *idle = json_object_get(json_array_get(json_at(told, "devices"), 1), "idle");
    EXPECT_EQ(json_integer_value(json_object_get(idle, "transfer")), 3);
}

TEST_F(ExplainProgram, RefusesOpsThatAreNotThereAndPlansThatAreNotValid) {
    ProgramRun run = explain({"bb"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("no op is named \"bb\""), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
    for (const char *word : {"d.enf", "end"})
        EXPECT_NE(explain({word}).err.find("did you mean d.end?"), std::string::npos) << word;
    run = explain({"b", "99"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, ""); // nothing of b either
    std::string plan = read_text(plan_);
    const size_t at = plan.find("\"makespan\": 11");
    ASSERT_NE(at, std::string::npos) << plan;
    write_text(plan_, plan.replace(at, 14, "\"makespan\": 12"));
    run = explain({"b"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("makespan"), std::string::npos) << run.err;
}

} // namespace
