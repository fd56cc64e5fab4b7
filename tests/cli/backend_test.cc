// Which backend the program takes, and what it says where CUDA cannot be had. Fakes stand for the
// driver and the plugin (tests/fake_cuda).
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

const std::string FAKES = REGAL_FAKE_CUDA;

// A machine with a driver, and the plugin that lies in that folder.
ProgramSetting with_plugin(const std::string &folder) {
    ProgramSetting setting;
    setting.environment = {{"LD_LIBRARY_PATH", FAKES + "/driver"}, {"REGAL_PLUGINS", folder}};
    return setting;
}

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

class Backend : public testing::Test {
  protected:
    void SetUp() override { write_text(graph_, small_graph()); }

    ProgramRun optimize(const std::vector<std::string> &more, const ProgramSetting &setting = {}) {
        std::vector<std::string> arguments = {"optimize", graph_, "--evaluations", "50", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments, setting);
    }

    // Exit 1 and one line with all these words.
    static void expect_refusal(const ProgramRun &run, const std::vector<std::string> &words) {
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(run.err.rfind("regal: ", 0), 0u) << run.err;
        for (const std::string &word : words)
            EXPECT_TRUE(has(run.err, word)) << run.err << "lacks " << word;
    }

    static void expect_cpu(const ProgramRun &run) {
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const JsonPtr json = parse_json(run.out);
        EXPECT_EQ(json_string_at(json, "made/backend"), "cpu");
        EXPECT_EQ(json_string_at(json, "made/options/backend"), "auto");
    }

    const ScratchFolder folder_;
    const std::string graph_ = folder_ / "g.json";
};

TEST_F(Backend, WithoutADriverIsTheCpuOrRefusedInWords) {
    if (dlopen("libcuda.so.1", RTLD_LAZY) != nullptr)
        GTEST_SKIP() << "this machine has a CUDA driver";
    const std::vector<std::string> why = {"--backend cuda: no CUDA driver on this machine",
                                          "libcuda.so.1", "--backend cpu"};
    expect_refusal(optimize({"--backend", "cuda"}), why);
    expect_refusal(optimize({"--gpu", "1"}), {"--gpu 1: no CUDA driver"});
    EXPECT_TRUE(has(run_program({"backends"}).out, "\n  cuda           not available: no CUDA"));
    const ProgramRun run = optimize({});
    expect_cpu(run);
    EXPECT_FALSE(has(run.err, "CUDA")) << run.err;
}

TEST_F(Backend, WithABrokenPluginIsTheCpuOrRefusedInWords) {
    const std::string no_library = folder_ / "libregal_cuda.so";
    write_text(no_library, "not a library");
    const std::vector<std::vector<std::string>> cases = {
        {folder_.path(), no_library, "install it anew"},
        {FAKES + "/no_entry", "/no_entry/libregal_cuda.so is of another version"},
        {FAKES + "/other_version", "/other_version/libregal_cuda.so is of another version"},
        {FAKES + "/no_gpu", "all of them are fake"}};
    for (const auto &words : cases) {
        SCOPED_TRACE(words[0]);
        const ProgramSetting setting = with_plugin(words[0]);
        const std::vector<std::string> why(words.begin() + 1, words.end());
        expect_refusal(optimize({"--backend", "cuda"}, setting), why);
        expect_refusal(optimize({"--gpu", "1"}, setting), why);
        const ProgramRun list = run_program({"backends"}, setting);
        EXPECT_EQ(list.exit_code, 0);
        EXPECT_TRUE(has(list.out, "\n  cuda           not available: ")) << list.out;
        EXPECT_TRUE(has(list.out, why[0])) << list.out;
        const ProgramRun run = optimize({}, setting);
        expect_cpu(run);
        EXPECT_TRUE(has(run.err, "searching on the CPU: ")) << run.err;
        EXPECT_TRUE(has(run.err, why[0])) << run.err;
    }
}

TEST_F(Backend, OfABatchIsToldOnce) {
    const std::string other = folder_ / "h.json";
    write_text(other, small_graph());
    const ProgramRun run = optimize({other, "--threads", "2"}, with_plugin(FAKES + "/no_gpu"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const size_t first = run.err.find("searching on the CPU");
    EXPECT_NE(first, std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("searching on the CPU", first + 1), std::string::npos) << run.err;
}

TEST_F(Backend, IsCudaWhereThereIsAGpu) {
    const ProgramSetting setting = with_plugin(FAKES + "/two_gpus");
    // Where it is not asked for, what it lacks is told, and the CPU takes over; nothing is told of
    // a GPU that so few plans at a time would not have been given to.
    const ProgramRun large = optimize({"--search", "brkga", "--threads", "1"}, setting);
    expect_cpu(large);
    EXPECT_TRUE(has(large.err, "searching on the CPU: fake GPU 0 is full")) << large.err;
    const ProgramRun small = optimize({}, setting);
    expect_cpu(small);
    EXPECT_EQ(small.err, "");
    expect_refusal(optimize({"--backend", "cuda"}, setting), {"fake GPU 0 is full"});
    expect_refusal(optimize({"--gpu", "1"}, setting), {"fake GPU 1 is full"});
    expect_refusal(optimize({"--gpu", "2"}, setting), {"--gpu 2: the last GPU here is number 1"});
}

TEST_F(Backend, ListsEachGpu) {
    const ProgramSetting setting = with_plugin(FAKES + "/two_gpus");
    const ProgramRun text = run_program({"backends"}, setting);
    EXPECT_TRUE(has(text.out, "GPU 0: Fake Zero, 100 multiprocessors, 80.00 GB")) << text.out;
    EXPECT_TRUE(has(text.out, "GPU 1: Fake One, 101 multiprocessors, 80.00 GB")) << text.out;
    const JsonPtr json = parse_json(run_program({"backends", "--json"}, setting).out);
    ASSERT_EQ(json_array_size(json_at(json, "backends")), 3u);
    const JsonPtr last(json_incref(json_array_get(json_at(json, "backends"), 2)));
    EXPECT_EQ(json_string_at(last, "name"), "cuda");
    EXPECT_EQ(json_string_at(last, "device"), "Fake One");
    EXPECT_EQ(json_number(last, "number"), 1);
    EXPECT_EQ(json_number(last, "multiprocessors"), 101);
}

TEST_F(Backend, CpuLoadsNothingOfCuda) {
    const ProgramSetting setting = with_plugin(FAKES + "/loud");
    for (const auto &arguments : std::vector<std::vector<std::string>>{
             {"--version"},
             {"help"},
             {"inspect", graph_},
             {"optimize", graph_, "--backend=cpu", "--evaluations=50"}})
        EXPECT_FALSE(has(run_program(arguments, setting).err, "loaded")) << arguments[0];
    EXPECT_TRUE(has(run_program({"backends"}, setting).err, "loaded"));
}

TEST_F(Backend, CpuTakesNoGpu) {
    const ProgramRun run = optimize({"--backend", "cpu", "--gpu", "1"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(has(run.err, "--gpu: 1 means nothing to --backend cpu")) << run.err;
}

} // namespace
