// No result is written over what the run reads or over another result.
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/scratch_folder.h"

namespace {

class Overwrite : public testing::Test {
  protected:
    void SetUp() override {
        for (const std::string &path : {graph, other, cluster, keys, folder / "seeds.json"})
            write_text(path, small_graph());
        write_text(cluster, R"({"format": "regal-cluster", "version": 1, "devices": [
            {"name": "x", "class": 0, "memory": 0}], "links": {"default": {"latency": 0,
            "bytes_per_1000_ticks": null}, "pairs": []}})");
    }
    // Exit code 2, one line, and every file as before.
    void refuses(const std::vector<std::string> &arguments) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        const auto before = contents();
        const ProgramRun run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
        EXPECT_EQ(contents(), before);
    }
    std::map<std::string, std::string> contents() {
        std::map<std::string, std::string> all;
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path()))
            all[entry.path()] = entry.is_regular_file() ? read_text(entry.path()) : "";
        return all;
    }
    const ScratchFolder folder;
    const std::string graph = folder / "g.json", other = folder / "g.plan.json",
                      cluster = folder / "c.json", keys = folder / "k.json",
                      fresh = folder / "new.json";
};

TEST_F(Overwrite, BatchSparesItsGraphs) {
    refuses({"optimize", graph, other, "-o", folder.path()});
    refuses({"optimize", graph, other, "-o", folder / "./"});
    const std::string plans = folder / "plans";
    std::filesystem::create_directory(plans);
    ASSERT_EQ(symlink(other.c_str(), (plans + "/g.plan.json").c_str()), 0);
    refuses({"optimize", graph, other, "-o", plans});
    ASSERT_EQ(symlink("new.json", (folder / "g.trace.json").c_str()), 0);
    refuses({"optimize", graph, graph, "--trace", folder.path(), "--cluster", fresh});
}

TEST_F(Overwrite, BatchWritesEachResultToItsOwnFile) {
    const std::string plans = folder / "plans";
    std::filesystem::create_directory(plans);
    ASSERT_EQ(symlink("same.json", (plans + "/g.plan.json").c_str()), 0);
    ASSERT_EQ(symlink("./same.json", (plans + "/g.trace.json").c_str()), 0);
    refuses({"optimize", graph, graph, "-o", plans, "--trace", plans});
}

TEST_F(Overwrite, PlanAndTraceAreTwoFiles) {
    const std::string link = folder / "link.json", hard = folder / "hard.json";
    ASSERT_EQ(symlink("new.json", link.c_str()), 0); // to a file that is not there yet
    for (const auto &[plan, trace] : std::vector<std::pair<std::string, std::string>>{
             {fresh, fresh}, {fresh, folder / "./new.json"}, {fresh, link}, {link, fresh}}) {
        refuses({"optimize", graph, "-o", plan, "--trace", trace});
        refuses({"decode", graph, cluster, keys, "-o", plan, "--trace", trace});
    }
    write_text(fresh, "old");
    ASSERT_EQ(::link(fresh.c_str(), hard.c_str()), 0);
    refuses({"optimize", graph, "-o", fresh, "--trace", hard});
    refuses({"decode", graph, cluster, keys, "-o", link, "--trace", fresh});
}

TEST_F(Overwrite, NoInputIsReplaced) {
    const std::string link = folder / "link.json";
    for (const char *option : {"-o", "--trace"}) {
        for (const char *input : {"--cluster", "--proposals"})
            refuses({"optimize", graph, input, cluster, option, folder / "./c.json"});
        for (const std::string &path : {graph, cluster, keys}) {
            refuses({"decode", graph, cluster, keys, option, path});
            std::filesystem::remove(link);
            ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
            refuses({"decode", graph, cluster, keys, option, link});
        }
    }
    refuses({"convert", graph, folder / "./g.json"});
}

TEST_F(Overwrite, SeedsMayBecomeTheBetterPlan) {
    const std::string seeds = folder / "seeds.json";
    ASSERT_EQ(run_program({"optimize", graph, "-o", seeds, "--evaluations", "20"}).exit_code, 0);
    const ProgramRun run =
        run_program({"optimize", graph, "--seeds", seeds, "-o", seeds, "--evaluations", "50"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run_program({"check", graph, seeds}).exit_code, 0);
    refuses({"optimize", graph, "--seeds", seeds, "--trace", seeds});
    std::filesystem::rename(seeds, other);
    refuses({"optimize", graph, graph, "--seeds", other, "-o", folder.path()});
}

TEST_F(Overwrite, DevicesTakeAnything) {
    EXPECT_EQ(run_program({"optimize", graph, "-o", "/dev/null", "--trace", "/dev/null",
                           "--evaluations", "20"})
                  .exit_code,
              0);
}

} // namespace
