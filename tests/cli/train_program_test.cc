// regal train as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "io/file_lock.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

class TrainProgram : public testing::Test {
  protected:
    TrainProgram() { write(set, "memory"); }

    static void write(const std::string &path, const std::string &objective) {
        std::ofstream(path) << R"({"format": "regal-set", "version": 1, "name": "small",
            "objective": ")" << objective
                            << R"(", "clusters": [{"devices": 2, "link": "free"}],
            "graphs": [{"generator": "erdos-renyi", "values": {"ops": 20}, "count": 2}]})";
    }

    static ProgramRun run(const std::string &of, const Words &more,
                          const ProgramSetting &setting = {}) {
        Words words = {"train", of, "--validation-count", "1", "--search-steps", "0"};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words, setting);
    }

    void expect_refused(const std::string &of, const Words &more, const std::string &part) const {
        const ProgramRun refused = run(of, more);
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_TRUE(has(refused.err, part)) << refused.err;
        EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
        EXPECT_EQ(folder.file_count(), files);
    }

    static std::string content(const std::string &path) {
        std::ifstream file(path);
        return std::string(std::istreambuf_iterator<char>(file), {});
    }

    bool exists(const std::string &path) const { return std::ifstream(path).good(); }

    const ScratchFolder folder;
    const std::string set = folder / "set.json", policy = folder / "policy.safetensors";
    long files = 1;
};

TEST_F(TrainProgram, WritesAPolicyThatTheSearchTakes) {
    const ProgramRun trained = run(set, {"-o", policy, "--order-steps", "2", "--plan-steps", "2"});
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_TRUE(has(trained.err, "policy written to " + policy)) << trained.err;
    EXPECT_TRUE(has(trained.err, "at 5,000 evaluations")) << trained.err;
    const std::string graph = folder / "graph.json";
    run_program({"generate", "layered", "ops=20", "-o", graph});
    const ProgramRun used = run_program(
        {"optimize", graph, "--objective", "memory", "--policy", policy, "--evaluations", "100"});
    EXPECT_EQ(used.exit_code, 0) << used.err;
    EXPECT_TRUE(has(used.out, "policy policy.safetensors")) << used.out;
}

TEST_F(TrainProgram, GoesOnAfterASignal) {
    const Words words = {"-o", policy, "--order-steps", "400", "--plan-steps", "0"};
    ProgramSetting setting;
    setting.signals = {{std::chrono::milliseconds(1500), SIGINT}};
    const ProgramRun first = run(set, words, setting);
    ASSERT_EQ(first.exit_code, 4) << first.err;
    EXPECT_FALSE(exists(policy));
    if (!has(first.err, "the same command goes on"))
        GTEST_SKIP() << "the signal came before the first step";
    const ProgramRun second = run(set, words);
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(has(second.err, "going on from step ")) << second.err;
    EXPECT_FALSE(has(second.err, " 0 us left")) << second.err;
    EXPECT_TRUE(exists(policy));
}

TEST_F(TrainProgram, RefusesFilesThatAnotherTrainingWrites) {
    const std::string checkpoint = folder / "c", log = folder / "l";
    for (const std::string &file : {policy, checkpoint, log}) {
        regal_file_lock lock;
        ASSERT_EQ(regal_file_lock_take(file.c_str(), "a training", &lock), REGAL_OK);
        const ProgramRun refused =
            run(set, {"-o", policy, "--checkpoint", checkpoint, "--log", log});
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_TRUE(has(refused.err, file + ": a training is under way there")) << refused.err;
        regal_file_lock_release(&lock);
    }
    EXPECT_EQ(folder.file_count(), 1);
}

TEST_F(TrainProgram, WarnsWhereNothingIsLearned) {
    const ProgramRun trained = run(set, {"-o", policy, "--order-steps", "0", "--plan-steps", "0"});
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_TRUE(has(trained.err, "no stage has a step: the policy stays untrained")) << trained.err;
}

TEST_F(TrainProgram, NamesBothObjectivesThatDiffer) {
    const std::string other = folder / "time.json", graph = folder / "graph.json";
    write(other, "time");
    ASSERT_EQ(run(set, {"-o", policy, "--order-steps", "0", "--plan-steps", "0"}).exit_code, 0);
    run_program({"generate", "layered", "ops=20", "-o", graph});
    const std::string said = ": this policy is for memory, but the ";
    const ProgramRun optimized =
        run_program({"optimize", graph, "--policy", policy, "--evaluations", "50"});
    EXPECT_EQ(optimized.exit_code, 0);
    EXPECT_TRUE(has(optimized.err, policy + said + "search is for time")) << optimized.err;
    const ProgramRun evaluated =
        run_program({"evaluate", policy, other, "--budgets", "20", "--repeats", "1"});
    EXPECT_EQ(evaluated.exit_code, 0);
    EXPECT_TRUE(has(evaluated.err, policy + said + "search is for time")) << evaluated.err;
    EXPECT_EQ(std::count(evaluated.err.begin(), evaluated.err.end(), '\n'), 1) << evaluated.err;
    const ProgramRun trained = run(other, {"-o", folder / "q", "--from", policy});
    EXPECT_EQ(trained.exit_code, 2);
    EXPECT_TRUE(has(trained.err, policy + said + "training is for time")) << trained.err;
}

TEST_F(TrainProgram, RefusesWhatItCannotUse) {
    const std::string other = folder / "time.json", foreign = folder / "foreign.safetensors";
    write(other, "time");
    std::ofstream(foreign) << "no policy";
    files = 3;
    expect_refused(folder / "missing.json", {"-o", policy}, "missing.json: cannot open");
    expect_refused(foreign, {"-o", policy}, "foreign.safetensors");
    expect_refused(set, {}, "-o FILE");
    expect_refused(set, {"-o", policy, "--batch", "0"}, "--batch");
    expect_refused(set, {"-o", policy, "--search-samples", "3"}, "--search-samples");
    expect_refused(set, {"-o", policy, "--from", foreign}, "foreign.safetensors");
    expect_refused(set, {"-o", policy, "--validation", other}, "objective");
}

TEST_F(TrainProgram, WritesNothingOverWhatItReadsOrWrites) {
    const std::string before = content(set);
    expect_refused(set, {"-o", set}, "would be written over");
    expect_refused(set, {"-o", policy, "--log", set}, "would be written over");
    expect_refused(set, {"-o", policy, "--checkpoint", set}, "would be written over");
    expect_refused(set, {"-o", policy, "--log", policy}, "two results");
    expect_refused(set, {"-o", policy, "--log", policy + ".checkpoint"}, "two results");
    expect_refused("-", {"-o", policy}, "files");
    EXPECT_EQ(content(set), before);
}

} // namespace
