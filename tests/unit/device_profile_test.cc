#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cost/device_profile.h"
#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"

namespace {

const regal_device_profile *find(const char *name) {
    const regal_device_profile *profile = nullptr;
    return regal_device_profile_find(name, &profile) == REGAL_OK ? profile : nullptr;
}

// A file of one profile; `change` replaces a part of it.
std::string one_profile(const std::string &from = "", const std::string &to = "") {
    std::string text = R"({"format": "regal-profiles", "version": 1, "profiles": [
        {"name": "toy", "line": "a toy", "source": "made up", "launch_ns": 7,
         "gops": {"matrix_f64": 1, "matrix_f32": 2, "matrix_tf32": 3, "matrix_f16": 4,
                  "matrix_f8": 5, "matrix_s8": 6, "vector_f64": 7, "vector_f32": 8,
                  "vector_f16": 9, "vector_integer": 10, "special": 11},
         "memory_gb_s": 12, "collective_gb_s": 13,
         "permille": {"matrix": 100, "vector": 200, "memory": 300, "collective": 400}}]})";
    if (!from.empty()) {
        const size_t at = text.find(from);
        if (at == std::string::npos)
            throw std::runtime_error("no " + from);
        text.replace(at, from.size(), to);
    }
    return text;
}

regal_status parse(const std::string &text, regal_device_profiles **profiles) {
    return regal_device_profiles_parse(text.data(), text.size(), "toys.json", profiles);
}

// Sets REGAL_DATA while it lives.
struct DataFolder {
    explicit DataFolder(const std::string &path) { setenv("REGAL_DATA", path.c_str(), 1); }
    ~DataFolder() { unsetenv("REGAL_DATA"); }
};

TEST(DeviceProfile, KnowsTheShippedParts) {
    for (const char *name : {"a100", "h100", "h200", "cpu"}) {
        const regal_device_profile *profile = find(name);
        ASSERT_NE(profile, nullptr) << name;
        EXPECT_STREQ(profile->name, name);
        for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
            EXPECT_GT(profile->operations[u], 0);
    }
    EXPECT_EQ(find("H100"), find("h100"));
}

TEST(DeviceProfile, RanksTheGenerations) {
    const regal_device_profile *a100 = find("a100"), *h100 = find("h100"), *h200 = find("h200");
    for (int u = 0; u < REGAL_UNIT_COUNT; ++u) {
        EXPECT_GT(h100->operations[u], a100->operations[u]);
        EXPECT_EQ(h200->operations[u], h100->operations[u]);
    }
    EXPECT_GT(h100->memory_bytes, a100->memory_bytes);
    EXPECT_GT(h200->memory_bytes, h100->memory_bytes);
}

// Units x multiply-adds a clock x 2 x MHz, all from the white papers; the profiles hold the rounded
// figures of the data sheets.
TEST(DeviceProfile, PeaksFollowFromUnitsAndClocks) {
    const struct {
        const char *name;
        regal_unit unit;
        double count, each, megahertz;
    } cases[] = {
        {"a100", REGAL_UNIT_VECTOR_F64, 108, 32, 1410},
        {"a100", REGAL_UNIT_VECTOR_F32, 108, 64, 1410},
        {"a100", REGAL_UNIT_VECTOR_F16, 108, 128, 1410}, // bf16
        {"a100", REGAL_UNIT_VECTOR_INTEGER, 108, 64, 1410},
        {"a100", REGAL_UNIT_MATRIX_F64, 108, 64, 1410},
        {"a100", REGAL_UNIT_MATRIX_TF32, 108, 512, 1410},
        {"a100", REGAL_UNIT_MATRIX_F16, 108, 1024, 1410},
        {"a100", REGAL_UNIT_MATRIX_S8, 108, 2048, 1410},
        {"a100", REGAL_UNIT_SPECIAL, 108, 8, 1410}, // 16 functions, one operation each
        {"h100", REGAL_UNIT_VECTOR_F64, 132, 64, 1980},
        {"h100", REGAL_UNIT_VECTOR_F32, 132, 128, 1980},
        {"h100", REGAL_UNIT_VECTOR_F16, 132, 256, 1980},
        {"h100", REGAL_UNIT_VECTOR_INTEGER, 132, 64, 1980},
        {"h100", REGAL_UNIT_MATRIX_F64, 132, 128, 1980},
        {"h100", REGAL_UNIT_MATRIX_TF32, 132, 1024, 1830},
        {"h100", REGAL_UNIT_MATRIX_F16, 132, 2048, 1830},
        {"h100", REGAL_UNIT_MATRIX_F8, 132, 4096, 1830},
        {"h100", REGAL_UNIT_MATRIX_S8, 132, 4096, 1830},
        {"h100", REGAL_UNIT_SPECIAL, 132, 8, 1980},
        {"cpu", REGAL_UNIT_VECTOR_F64, 56, 16, 2000},
        {"cpu", REGAL_UNIT_VECTOR_F32, 56, 32, 2000},
        {"cpu", REGAL_UNIT_MATRIX_F16, 56, 512, 2000},
        {"cpu", REGAL_UNIT_MATRIX_S8, 56, 1024, 2000},
    };
    for (const auto &one : cases) {
        const double derived = one.count * one.each * 2 * one.megahertz / 1000;
        EXPECT_NEAR(find(one.name)->operations[one.unit] / derived, 1, 0.02)
            << one.name << " unit " << one.unit;
    }
}

TEST(DeviceProfile, ListsWhatThereIsForAnUnknownName) {
    const regal_device_profile *profile = nullptr;
    EXPECT_TRUE(refused_with(regal_device_profile_find("b300", &profile), REGAL_INVALID_ARGUMENT,
                             "'b300': there are a100, h100, h200, cpu"));
}

TEST(DeviceProfile, DescribesEachInOrder) {
    regal_profile_info info;
    int64_t count = 0;
    for (; regal_profile_describe(count, &info); ++count) {
        ASSERT_NE(find(info.name), nullptr);
        EXPECT_STREQ(info.line, find(info.name)->line);
    }
    EXPECT_EQ(count, 4);
    EXPECT_FALSE(regal_profile_describe(-1, &info));
}

TEST(DeviceProfile, SelectsTheDefaultAndEachNameOnce) {
    const regal_device_profile **chosen = nullptr;
    int64_t count = 0;
    ASSERT_EQ(regal_device_profiles_select(nullptr, &chosen, &count), REGAL_OK);
    ASSERT_EQ(count, 1);
    EXPECT_STREQ(chosen[0]->name, REGAL_DEFAULT_PROFILE);
    free(chosen);

    const char *const names[] = {"cpu", "h100", "CPU"};
    const regal_read_options options = {.profiles = names, .profile_count = 3};
    ASSERT_EQ(regal_device_profiles_select(&options, &chosen, &count), REGAL_OK);
    ASSERT_EQ(count, 2);
    EXPECT_STREQ(chosen[0]->name, "cpu");
    EXPECT_STREQ(chosen[1]->name, "h100");
    regal_graph *graph = nullptr;
    ASSERT_EQ(regal_device_profiles_graph("g", chosen, count, &graph), REGAL_OK);
    const GraphPtr owner(graph);
    EXPECT_EQ(regal_graph_class_count(graph), 2);
    EXPECT_STREQ(regal_graph_class_name(graph, 1), "h100");
    EXPECT_STREQ(regal_graph_option(graph, "profile"), "cpu,h100");
    free(chosen);
}

TEST(DeviceProfile, RefusesASelectionWithAnUnknownName) {
    const char *const names[] = {"cpu", "abacus"};
    const regal_read_options options = {.profiles = names, .profile_count = 2};
    const regal_device_profile **chosen = nullptr;
    int64_t count = 0;
    EXPECT_TRUE(refused_with(regal_device_profiles_select(&options, &chosen, &count),
                             REGAL_INVALID_ARGUMENT, "'abacus'"));
}

TEST(DeviceProfile, ReadsEveryField) {
    regal_device_profiles *profiles = nullptr;
    ASSERT_EQ(parse(one_profile(), &profiles), REGAL_OK) << regal_error_message();
    ASSERT_EQ(regal_device_profiles_count(profiles), 1);
    const regal_device_profile *toy = regal_device_profiles_at(profiles, 0);
    EXPECT_STREQ(toy->name, "toy");
    EXPECT_STREQ(toy->line, "a toy");
    EXPECT_EQ(toy->launch, 7);
    for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
        EXPECT_EQ(toy->operations[u], u + 1);
    EXPECT_EQ(toy->memory_bytes, 12);
    EXPECT_EQ(toy->collective_bytes, 13);
    EXPECT_EQ(toy->matrix_permille, 100);
    EXPECT_EQ(toy->vector_permille, 200);
    EXPECT_EQ(toy->memory_permille, 300);
    EXPECT_EQ(toy->collective_permille, 400);
    regal_device_profiles_destroy(profiles);
}

TEST(DeviceProfile, RefusesWhatIsNoProfile) {
    const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"launch_ns\": 7,", "", "toys.json: profiles[0].launch_ns: missing"},
        {"\"launch_ns\": 7", "\"launch_ns\": -1", "must be from 0 to 1000000000"},
        {"\"launch_ns\": 7", "\"launch_ns\": 7.5", "launch_ns: must be an integer"},
        {"\"special\": 11", "\"special\": 0", "special: must be from 1 to"},
        {", \"special\": 11", "", "special: missing"},
        {"\"memory\": 300", "\"memory\": 1001", "memory: must be from 1 to 1000"},
        {"\"gops\"", "\"ops\"", "gops: must be an object"},
        {"\"toy\"", "\"\"", "name: must be a text"},
        {"\"toy\"", "\"a,b\"", "name: must not hold commas"},
        {"\"a toy\"", "3", "line: must be a text"},
        {"\"version\": 1", "\"version\": 2", "version: must be 1"},
        {"regal-profiles", "regal-graph", "format: must be"},
        {"[\n", "[7,", "profiles[0].: must be an object"},
        {"\"name\": \"toy\"", "\"name\": \"toy\", \"name\": \"toy\"", "toys.json:2"},
        {"}]}", "}]", "toys.json:"},
    };
    for (const auto &one : cases) {
        regal_device_profiles *profiles = nullptr;
        EXPECT_TRUE(refused_with(parse(one_profile(one.from, one.to), &profiles),
                                 REGAL_INVALID_INPUT, one.message))
            << one.to;
    }
}

TEST(DeviceProfile, RefusesTwoOfAName) {
    std::string text = one_profile();
    const size_t begin = text.find('['), end = text.rfind(']');
    const std::string item = text.substr(begin + 1, end - begin - 1);
    text.insert(end, "," + item);
    regal_device_profiles *profiles = nullptr;
    EXPECT_TRUE(refused_with(parse(text, &profiles), REGAL_INVALID_INPUT,
                             "profiles[1].name: listed twice"));
}

TEST(DeviceProfile, WarnsOfUnknownKeys) {
    const WarningList warnings;
    regal_device_profiles *profiles = nullptr;
    ASSERT_EQ(parse(one_profile("\"source\"", "\"sauce\": 1, \"source\""), &profiles), REGAL_OK);
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_EQ(warnings.list[0], "toys.json: profiles[0].sauce: unknown key left out");
    regal_device_profiles_destroy(profiles);
}

TEST(DeviceProfile, PrefersTheFileOfTheDataFolder) {
    const ScratchFolder folder;
    std::ofstream(folder / "profiles.json") << one_profile();
    {
        const DataFolder data(folder.path());
        EXPECT_NE(find("toy"), nullptr);
        EXPECT_EQ(find("h100"), nullptr);
    }
    EXPECT_NE(find("h100"), nullptr);
}

TEST(DeviceProfile, KeepsItsOwnWhereTheDataFolderHasNone) {
    const ScratchFolder folder;
    const DataFolder data(folder.path());
    EXPECT_NE(find("h100"), nullptr);
}

TEST(DeviceProfile, NamesTheBrokenFileOfTheDataFolder) {
    const ScratchFolder folder;
    const DataFolder data(folder.path());
    std::ofstream(folder / "profiles.json") << "{";
    const regal_device_profile *profile = nullptr;
    for (int time = 0; time < 2; ++time)
        EXPECT_TRUE(refused_with(regal_device_profile_find("h100", &profile), REGAL_INVALID_INPUT,
                                 folder / "profiles.json:1:"));
    std::filesystem::remove(folder / "profiles.json");
    std::filesystem::create_directory(folder / "profiles.json");
    EXPECT_TRUE(refused_with(regal_device_profile_find("h100", &profile), REGAL_INVALID_INPUT,
                             "is a folder"));
}

} // namespace
