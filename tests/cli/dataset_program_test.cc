// `generate dataset`.
#include <gtest/gtest.h>

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

TEST(DatasetProgram, SaysWhatIsWrong) {
    ScratchFolder folder;
    for (const std::vector<std::string> &arguments : std::vector<std::vector<std::string>>{
             {"generate", "dataset", "zoo"},
             {"generate", "dataset", "zoo", "-o", "-"},
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
