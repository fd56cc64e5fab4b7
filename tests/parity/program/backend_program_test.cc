// The program with the CUDA backend under the stand-in: a GPU by all that it can see.
#include <gtest/gtest.h>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

ProgramSetting with_gpu(const std::string &folder) {
    ProgramSetting setting;
    setting.folder = folder;
    setting.environment = {{"REGAL_PLUGINS", REGAL_SIMT_PLUGINS},
                           {"LD_LIBRARY_PATH", REGAL_SIMT_PLUGINS}};
    return setting;
}

// A plan without the part that tells how it came about.
std::string plan_of(const ScratchFolder &folder, const std::string &name) {
    JsonPtr plan = parse_json(read_text(folder.path() + "/" + name));
    if (plan == nullptr)
        return "";
    json_object_del(plan.get(), "made");
    char *text = json_dumps(plan.get(), JSON_COMPACT);
    const std::string result = text;
    free(text);
    return result;
}

void expect_same_plans(const std::vector<std::string> &options) {
    const ScratchFolder folder;
    write_text(folder.path() + "/g.json", hard_graph(40));
    for (const char *backend : {"cpu", "cuda"}) {
        std::vector<std::string> arguments = {"optimize", "g.json", "--devices", "3", "--backend",
                                              backend,    "-o",     backend,     "-q"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProgramRun run = run_program(arguments, with_gpu(folder.path()));
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const JsonPtr plan = parse_json(read_text(folder.path() + "/" + backend));
        EXPECT_EQ(json_string_at(plan, "made/backend"), backend);
    }
    EXPECT_EQ(plan_of(folder, "cpu"), plan_of(folder, "cuda"));
}

TEST(BackendProgram, GivesTheSamePlanByDefault) {
    expect_same_plans({"--evaluations", "1500"});
}

TEST(BackendProgram, GivesTheSamePlanForMemory) {
    expect_same_plans({"--evaluations", "1500", "--objective", "memory"});
}

TEST(BackendProgram, GivesTheSamePlanWithIslandsAndAffinity) {
    expect_same_plans({"--search", "brkga", "--encoding", "affinity", "--islands", "3",
                       "--exchange", "2", "--stall", "3", "--population", "30", "--generations",
                       "12"});
}

TEST(BackendProgram, GivesTheSamePlanForChainsAlone) {
    expect_same_plans({"--search", "anneal", "--evaluations", "3000", "--window", "2"});
}

// The backend that `auto` takes for a population of that size.
std::string backend_for(const std::string &population) {
    const ScratchFolder folder;
    write_text(folder.path() + "/g.json", small_graph());
    const ProgramRun run =
        run_program({"optimize", "g.json", "--devices", "2", "--evaluations", "200", "--search",
                     "brkga", "--population", population, "--threads", "4", "-o", "p.json", "-q"},
                    with_gpu(folder.path()));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return json_string_at(parse_json(read_text(folder.path() + "/p.json")), "made/backend");
}

TEST(BackendProgram, TakesTheGpuForManyPlansAtATime) {
    EXPECT_EQ(backend_for("64"), "cuda");
}

TEST(BackendProgram, LeavesFewPlansToTheProcessor) {
    EXPECT_EQ(backend_for("63"), "cpu");
}

TEST(BackendProgram, ListsTheGpu) {
    const ScratchFolder folder;
    const ProgramRun run = run_program({"backends"}, with_gpu(folder.path()));
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.out.find("2 multiprocessors"), std::string::npos) << run.out;
}

TEST(BackendProgram, SaysWhatTheGpuLacks) {
    const ScratchFolder folder;
    write_text(folder.path() + "/g.json", hard_graph(200));
    ProgramSetting setting = with_gpu(folder.path());
    setting.environment["SIMT_MEMORY"] = "1000000";
    const ProgramRun run = run_program({"optimize", "g.json", "--devices", "2", "--backend", "cuda",
                                        "--population", "5000", "-o", "p.json"},
                                       setting);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find("kB left, but the populations would take 4 MB: use --backend cpu, or a "
                           "smaller --population"),
              std::string::npos)
        << run.err;
    EXPECT_EQ(read_text(folder.path() + "/p.json"), "");
}

} // namespace
