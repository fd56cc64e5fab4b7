// `generate dataset`.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

TEST(DatasetProgram, ListsTheDatasetsWithTheirParameters) {
    const ProgramRun run = run_program({"generate", "dataset"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.out.find("synthetic: "), std::string::npos);
    EXPECT_NE(run.out.find("zoo: "), std::string::npos);
    EXPECT_NE(run.out.find("cap_erdos_renyi=0.85"), std::string::npos);
}

TEST(DatasetProgram, MakesTheFilesInTheFolder) {
    ScratchFolder folder;
    const ProgramRun run = run_program({"generate", "dataset", "synthetic", "train=8", "test=4",
                                        "validation=4", "-o", folder / "made"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    for (const char *name :
         {"time/train.json", "time/validation.json", "time/test.json", "memory/train.json",
          "memory/validation.json", "memory/test.json", "graphs/train/erdos-renyi-100000001.pbtxt"})
        EXPECT_TRUE(std::filesystem::exists(folder / ("made/" + std::string(name)))) << name;
}

TEST(DatasetProgram, TellsWhatItMade) {
    ScratchFolder folder;
    const ProgramRun run = run_program({"generate", "dataset", "synthetic", "train=5", "test=0",
                                        "validation=2", "-o", folder / "d"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.err.find("5 graphs to train on, 2 to choose by, 0 to judge by"),
              std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find(folder / "d/time/train.json"), std::string::npos) << run.err;
}

TEST(DatasetProgram, EndsItsFilterAtASignal) {
    ScratchFolder folder;
    ProgramSetting setting;
    setting.signals = {{std::chrono::milliseconds(700), SIGINT}};
    const auto begin = std::chrono::steady_clock::now();
    const ProgramRun run = run_program({"generate", "dataset", "synthetic", "train=9", "filter=1",
                                        "low=1000000", "high=1000000000", "-o", folder / "d"},
                                       setting);
    EXPECT_EQ(run.exit_code, 4) << run.err;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_NE(run.err.find("the same command goes on"), std::string::npos) << run.err;
}

TEST(DatasetProgram, GivesUpAHopelessFilter) {
    ScratchFolder folder;
    const ProgramRun run =
        run_program({"generate", "dataset", "synthetic", "train=1", "test=0", "validation=0",
                     "filter=1", "low=1", "high=1", "faster=100", "-o", folder / "d"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    EXPECT_NE(run.err.find("none passed the filter"), std::string::npos) << run.err;
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(DatasetProgram, SaysWhatIsWrong) {
    ScratchFolder folder;
    for (const std::vector<std::string> &arguments : std::vector<std::vector<std::string>>{
             {"generate", "dataset", "zoo"},
             {"generate", "dataset", "zoo", "-o", "-"},
             {"generate", "dataset", "synthetic", "train=0", "test=0", "validation=0", "-o",
              folder / "d"},
             {"generate", "dataset", "nothing", "-o", folder.path()},
             {"generate", "dataset", "zoo", "wings=2", "-o", folder.path()},
             {"generate", "dataset", "zoo", "graphs", "-o", folder.path()},
             {"generate", "dataset", "zoo", "--count", "2", "-o", folder.path()},
             {"generate", "dataset", "zoo", "--profile", "h100", "-o", folder.path()}}) {
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find("--help"), std::string::npos) << run.err;
    }
    EXPECT_EQ(folder.file_count(), 0);
}

} // namespace
