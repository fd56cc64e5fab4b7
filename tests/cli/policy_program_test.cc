// The policy in the program.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "policy/policy.h"
#include "support/scratch_folder.h"

namespace {

class PolicyProgram : public testing::Test {
  protected:
    PolicyProgram() {
        write_text(graph, hard_graph(60));
        regal_policy_settings settings;
        regal_policy_settings_init(REGAL_TIME, &settings);
        settings.width = 8;
        settings.rounds = 1;
        settings.rollouts = 8;
        regal_policy *made;
        EXPECT_EQ(regal_policy_create(&settings, 1, &made), REGAL_OK);
        EXPECT_EQ(regal_policy_write(made, policy.c_str()), REGAL_OK);
        name = std::string("little.safetensors ") + made->digest;
        regal_policy_destroy(made);
    }

    ProgramRun optimize(std::vector<std::string> arguments,
                        const ProgramSetting &setting = {}) const {
        arguments.insert(arguments.begin(), {"optimize", graph, "--evaluations", "200"});
        return run_program(arguments, setting);
    }

    void expect_refused(const std::string &file, const std::string &part) const {
        const ProgramRun run = optimize({"--policy", file});
        EXPECT_EQ(run.exit_code, 2) << file;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(run.err.rfind("regal: --policy " + file + ": ", 0), 0u) << run.err;
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    }

    const ScratchFolder folder;
    const std::string graph = folder / "graph.json", policy = folder / "little.safetensors";
    const std::string plan = folder / "plan.json", dump = folder / "dump.json";
    std::string name;
};

TEST_F(PolicyProgram, SaysWhichPolicyMadeThePlan) {
    const ProgramRun words = optimize({"--policy", policy, "-o", plan});
    ASSERT_EQ(words.exit_code, 0) << words.err;
    EXPECT_EQ(words.err, "");
    EXPECT_NE(words.out.find("keys, policy " + name + ", best from "), std::string::npos)
        << words.out;
    const JsonPtr written = parse_json(read_text(plan));
    EXPECT_EQ(json_string_at(written, "made/policy"), name);
    EXPECT_EQ(json_string_at(written, "made/proposals").size(), 16u);
    EXPECT_EQ(run_program({"check", graph, plan}).exit_code, 0);
    const JsonPtr json = parse_json(optimize({"--policy", policy, "--json"}).out);
    EXPECT_EQ(json_string_at(json, "made/policy"), name);
    EXPECT_EQ(json_string_at(json, "made/proposals"), json_string_at(written, "made/proposals"));
    EXPECT_EQ(json_string_at(json, "made/options/policy"), policy);
    EXPECT_NE(optimize({"--policy", "none"}).out.find("keys, no policy, best"), std::string::npos);
}

TEST_F(PolicyProgram, RefusesWhatIsNoPolicy) {
    const std::string bytes = read_text(policy), bad = folder / "bad.safetensors";
    expect_refused(folder / "missing.safetensors", "cannot open");
    expect_refused(graph, "");
    for (const size_t size : {(size_t)0, (size_t)7, (size_t)8, (size_t)100, bytes.size() - 1}) {
        write_text(bad, bytes.substr(0, size));
        expect_refused(bad, "");
    }
    write_text(bad, bytes + "x");
    expect_refused(bad, "");
    std::string foreign = bytes;
    const size_t at = foreign.find("regal-policy");
    ASSERT_NE(at, std::string::npos);
    foreign.replace(at, 12, "other-policy");
    write_text(bad, foreign);
    expect_refused(bad, "regal-policy");
}

TEST_F(PolicyProgram, NamesTheUsesThatThereAre) {
    const ProgramRun run = optimize({"--policy-use", "mutants,starts"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_NE(run.err.find("'starts' is none of mutants, population, seeds, chains"),
              std::string::npos)
        << run.err;
}

TEST_F(PolicyProgram, DumpsProposalsThatItReads) {
    const ProgramRun first = optimize({"--policy", policy, "--policy-use", "mutants,population",
                                       "--dump-proposals", dump, "--json"});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    const ProgramRun second =
        optimize({"--proposals", dump, "--policy-use", "mutants,population", "--json", "-o", plan});
    ASSERT_EQ(second.exit_code, 0) << second.err;
    const JsonPtr a = parse_json(first.out), b = parse_json(second.out);
    EXPECT_EQ(json_number(a, "makespan"), json_number(b, "makespan"));
    EXPECT_EQ(json_string_at(a, "made/proposals"), json_string_at(b, "made/proposals"));
    EXPECT_EQ(json_string_at(b, "made/policy"), "proposals");
    const ProgramRun streamed = optimize({"--policy", policy, "--dump-proposals", "-"});
    EXPECT_EQ(json_string_at(parse_json(streamed.out), "format"), "regal-proposals");
    EXPECT_NE(streamed.err.find("made by"), std::string::npos) << streamed.err;
}

TEST_F(PolicyProgram, DoesNotDumpOverOtherFiles) {
    for (const std::vector<std::string> &arguments :
         std::vector<std::vector<std::string>>{{"--dump-proposals", graph},
                                               {"--dump-proposals", policy, "--policy", policy},
                                               {"--dump-proposals", plan, "-o", plan},
                                               {"--dump-proposals", dump, graph},
                                               {"--dump-proposals", "-", "-o", "-"},
                                               {"--policy", "-", "--proposals", "-"}}) {
        const ProgramRun run = optimize(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    }
    const ProgramRun run = optimize({"--dump-proposals", folder / "nowhere/dump.json"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
}

TEST_F(PolicyProgram, GoesOnWithoutBlasUnlessAPolicyWasAskedFor) {
    std::filesystem::create_directories(folder / "policies");
    std::filesystem::copy_file(policy, folder / "policies/time.safetensors");
    write_text(folder / "libopenblas.so.0", "nothing to load");
    ProgramSetting lacking;
    lacking.environment = {{"REGAL_DATA", folder.path()}, {"LD_LIBRARY_PATH", folder.path()}};
    const ProgramRun automatic = optimize({"--json"}, lacking);
    EXPECT_EQ(automatic.exit_code, 0);
    EXPECT_EQ(lines_of(automatic.err).size(), 1u) << automatic.err;
    EXPECT_NE(automatic.err.find("searching without the policy: "), std::string::npos)
        << automatic.err;
    EXPECT_EQ(json_string_at(parse_json(automatic.out), "made/policy"), "none");
    const ProgramRun asked = optimize({"--policy", policy}, lacking);
    EXPECT_EQ(asked.exit_code, 1);
    EXPECT_EQ(asked.err.rfind("regal: --policy " + policy + ": ", 0), 0u) << asked.err;
    EXPECT_EQ(lines_of(asked.err).size(), 1u) << asked.err;
}

TEST_F(PolicyProgram, AsksThePolicyOnTheProcessor) {
    ProgramSetting setting; // a GPU that is full, without arithmetic
    setting.environment = {{"LD_LIBRARY_PATH", REGAL_FAKE_CUDA "/driver"},
                           {"REGAL_PLUGINS", REGAL_FAKE_CUDA "/two_gpus"}};
    const ProgramRun run =
        optimize({"--policy", policy, "--search", "brkga", "--threads", "1", "--json"}, setting);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(json_string_at(parse_json(run.out), "made/policy"), name);
    EXPECT_NE(run.err.find("searching on the CPU"), std::string::npos) << run.err;
}

} // namespace
