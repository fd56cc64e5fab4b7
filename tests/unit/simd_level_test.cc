// The choice of an instruction set, and that REGAL_SIMD forces one.
#include "simd/simd_level.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cli/program_files.h"
#include "cli/run_program.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

class SimdLevel : public testing::Test {
  protected:
    void SetUp() override {
        const char *word = getenv("REGAL_SIMD");
        before = word != nullptr ? word : "";
    }
    void TearDown() override { setenv("REGAL_SIMD", before.c_str(), 1); }

    static regal_status find(const char *word, regal_simd_level *level) {
        setenv("REGAL_SIMD", word, 1);
        return regal_simd_level_find(level);
    }

  private:
    std::string before;
};

TEST_F(SimdLevel, IsTheBestAvailableUnlessForced) {
    regal_simd_level unset, empty;
    unsetenv("REGAL_SIMD");
    ASSERT_EQ(regal_simd_level_find(&unset), REGAL_OK);
    ASSERT_EQ(find("", &empty), REGAL_OK);
    EXPECT_EQ(unset, empty);
    for (int level = REGAL_SIMD_PLAIN; level < REGAL_SIMD_LEVEL_COUNT; ++level)
        EXPECT_EQ(regal_simd_level_available(static_cast<regal_simd_level>(level)), level <= unset);
}

TEST_F(SimdLevel, IsTheForcedOneOrRefused) {
    for (int i = REGAL_SIMD_PLAIN; i < REGAL_SIMD_LEVEL_COUNT; ++i) {
        const auto forced = static_cast<regal_simd_level>(i);
        const char *name = regal_simd_level_name(forced);
        regal_simd_level level = REGAL_SIMD_LEVEL_COUNT;
        const regal_status status = find(name, &level);
        if (regal_simd_level_available(forced))
            EXPECT_EQ(level, forced);
        else
            EXPECT_TRUE(refused_with(status, REGAL_UNAVAILABLE, std::string("REGAL_SIMD=") + name));
    }
}

TEST_F(SimdLevel, RefusesOtherWords) {
    regal_simd_level level;
    for (const char *word : {"avx", "AVX2", "avx2 ", " plain", "avx2,plain", "0", "sse2"})
        EXPECT_TRUE(refused_with(find(word, &level), REGAL_INVALID_ARGUMENT,
                                 std::string("REGAL_SIMD=") + word + ":"))
            << word;
}

ProgramRun run_with(const std::string &word, const std::vector<std::string> &arguments) {
    ProgramSetting setting;
    setting.environment = {{"REGAL_SIMD", word}};
    return run_program(arguments, setting);
}

TEST(SimdProgram, NamesTheLevel) {
    for (int i = REGAL_SIMD_PLAIN; i < REGAL_SIMD_LEVEL_COUNT; ++i) {
        const auto level = static_cast<regal_simd_level>(i);
        const std::string name = regal_simd_level_name(level);
        const std::string line = lines_of(run_with(name, {"backends"}).out).at(1);
        const bool available = regal_simd_level_available(level);
        EXPECT_NE(line.find(available ? ", " + name + "," : "REGAL_SIMD=" + name),
                  std::string::npos)
            << line;
        const JsonPtr json = parse_json(run_with(name, {"backends", "--json"}).out);
        json_t *cpu = json_array_get(json_at(json, "backends"), 0);
        EXPECT_STREQ(json_string_value(json_object_get(cpu, "simd")),
                     available ? name.c_str() : "");
        EXPECT_EQ(json_is_true(json_object_get(cpu, "available")), available);
    }
}

class SimdSearch : public testing::Test {
  protected:
    void SetUp() override { write_text(graph, hard_graph(60)); }

    ProgramRun search(const std::string &word, const std::string &plan) {
        return run_with(word, {"optimize", graph, "--devices", "3", "--evaluations", "3000",
                               "--seed", "5", "-o", plan});
    }

    ScratchFolder folder;
    const std::string graph = folder / "graph.json";
};

TEST_F(SimdSearch, RefusesWhatCannotBeHad) {
    for (const char *backend : {"auto", "cpu"}) {
        const ProgramRun run =
            run_with("mmx", {"optimize", graph, "--devices", "2", "--backend", backend});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find("REGAL_SIMD=mmx: "), std::string::npos) << run.err;
    }
    const ProgramRun batch = run_with("mmx", {"optimize", graph, graph, graph});
    EXPECT_EQ(batch.exit_code, 2);
    EXPECT_EQ(batch.err.rfind("regal: REGAL_SIMD=mmx: ", 0), 0u) << batch.err;
    EXPECT_EQ(lines_of(batch.err).size(), 1u) << batch.err;
    EXPECT_EQ(batch.out, "");
    const bool available = regal_simd_level_available(REGAL_SIMD_AVX512);
    EXPECT_EQ(search("avx512", folder / "plan.json").exit_code, available ? 0 : 1);
}

TEST_F(SimdSearch, FindsTheSamePlanAtEachLevel) {
    std::string first;
    for (int i = REGAL_SIMD_PLAIN; i < REGAL_SIMD_LEVEL_COUNT; ++i) {
        const auto level = static_cast<regal_simd_level>(i);
        if (!regal_simd_level_available(level))
            continue;
        const std::string path = folder / regal_simd_level_name(level);
        ASSERT_EQ(search(regal_simd_level_name(level), path).exit_code, 0);
        const JsonPtr plan = parse_json(read_text(path));
        ASSERT_EQ(json_object_del(json_at(plan, "made"), "seconds"), 0);
        const std::unique_ptr<char, decltype(&free)> text(json_dumps(plan.get(), 0), &free);
        if (first.empty())
            first = text.get();
        EXPECT_EQ(text.get(), first);
    }
}

} // namespace
