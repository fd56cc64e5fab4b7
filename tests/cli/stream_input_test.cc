// Pipes and devices where files are read.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

using Words = std::vector<std::string>;

class StreamInput : public testing::Test {
  protected:
    StreamInput() {
        write_text(graph, small_graph());
        write_text(set, set_text);
        EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    }

    // All places where a command reads a file.
    std::vector<Words> commands(const std::string &file) const {
        return {{"optimize", graph, "--policy", file},
                {"optimize", graph, "--seeds", file},
                {"optimize", graph, "--proposals", file},
                {"optimize", graph, "--cluster", file},
                {"optimize", file},
                {"check", graph, file},
                {"inspect", file},
                {"evaluate", "none", file},
                {"evaluate", "none", set, "--baseline", file},
                {"train", file, "-o", policy},
                {"train", set, "--from", file, "-o", policy},
                {"train", set, "--validation", file, "-o", policy}};
    }

    const ScratchFolder folder;
    const std::string graph = folder / "g.json", set = folder / "set.json", pipe = folder / "pipe",
                      policy = folder / "p.safetensors";
    const std::string set_text =
        R"({"format": "regal-set", "version": 1, "name": "small", "objective": "memory",
            "clusters": [{"devices": 2, "link": "free"}],
            "graphs": [{"generator": "erdos-renyi", "values": {"ops": 20}, "count": 2}]})";
};

TEST_F(StreamInput, ADeviceIsRefused) {
    for (const char *device : {"/dev/zero", "/dev/null"})
        for (const Words &words : commands(device)) {
            const ProgramRun run = run_program(words);
            EXPECT_EQ(run.exit_code, 2) << words[0] << run.err;
            EXPECT_NE(run.err.find(std::string(device) + ": is a device"), std::string::npos)
                << run.err;
        }
    EXPECT_EQ(folder.file_count(), 3);
}

TEST_F(StreamInput, APipeThatNobodyWritesEndsWithASignal) {
    for (const Words &words : commands(pipe)) {
        ProgramSetting setting;
        setting.signals = {{std::chrono::milliseconds(250), SIGINT}};
        const auto begin = std::chrono::steady_clock::now();
        const ProgramRun run = run_program(words, setting);
        EXPECT_EQ(run.exit_code, 4) << words[0] << run.signal << run.err;
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << words[0];
    }
    EXPECT_EQ(folder.file_count(), 3);
}

TEST_F(StreamInput, ATrainingTakesItsSetFromAPipe) {
    std::thread writer([this] { std::ofstream(pipe) << set_text; });
    const ProgramRun run =
        run_program({"train", pipe, "-o", policy, "--order-steps", "1", "--plan-steps", "0",
                     "--search-steps", "0", "--validation-count", "1"});
    writer.join();
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(StreamInput, WhatIsReadAgainIsAFile) {
    for (const Words &words : std::vector<Words>{{"optimize", graph, graph, "--policy", pipe},
                                                 {"optimize", graph, graph, "--seeds", pipe},
                                                 {"optimize", graph, graph, "--policy", "-"},
                                                 {"evaluate", pipe, set},
                                                 {"evaluate", "none", set, "--best", pipe},
                                                 {"train", set, "-o", policy, "--checkpoint", pipe},
                                                 {"train", set, "-o", policy, "--log", pipe}}) {
        const ProgramRun run = run_program(words);
        EXPECT_EQ(run.exit_code, 2) << words[0] << run.err;
        EXPECT_NE(run.err.find(words.back() == "-" ? "-" : "pipe"), std::string::npos) << run.err;
    }
}

// What it keeps of a model beside the graph it reads from the file once more.
TEST_F(StreamInput, AModelToBeKeptIsAFile) {
    const std::string model = "node { name: \"a\" op: \"NoOp\" }\n", out = folder / "out.pbtxt";
    for (const Words &more : std::vector<Words>{{}, {"--drop-unknown"}, {"--to", "regal-graph"}}) {
        std::thread writer([&] { std::ofstream(pipe) << model; });
        Words words = {"convert", pipe, out};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramRun run = run_program(words);
        writer.join();
        if (run.err.find("this build") != std::string::npos)
            GTEST_SKIP() << "this build reads no TensorFlow graphs";
        EXPECT_EQ(run.exit_code, more.empty() ? 2 : 0) << run.err;
        EXPECT_EQ(run.err.find("has to be read twice") != std::string::npos, more.empty());
        EXPECT_EQ(folder.file_count(), more.empty() ? 3 : 4);
    }
    ProgramSetting setting;
    setting.input = model;
    EXPECT_EQ(run_program({"convert", "-", "-", "--to", "graph-def"}, setting).exit_code, 2);
}

} // namespace
