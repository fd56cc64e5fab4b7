// Every file of the fuzz targets' corpora, through its target: none makes it crash, fail or hang.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#define FUZZ_TARGET(name) extern "C" int name(const uint8_t *data, size_t size);
#include "fuzz_targets.def"
#undef FUZZ_TARGET

namespace {

struct Target {
    const char *name; // "fuzz_hlo"
    int (*run)(const uint8_t *data, size_t size);
};

const Target kTargets[] = {
#define FUZZ_TARGET(name) {#name, name},
#include "fuzz_targets.def"
#undef FUZZ_TARGET
};

std::vector<uint8_t> Content(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, IsReadOrRefused) {
    const std::string name = std::string(GetParam().name).substr(std::string("fuzz_").size());
    int files = 0;
    for (const auto &file :
         std::filesystem::directory_iterator(REGAL_SOURCE_DIR "/tests/fuzz/corpus/" + name)) {
        SCOPED_TRACE(file.path());
        const std::vector<uint8_t> data = Content(file.path());
        EXPECT_EQ(GetParam().run(data.data(), data.size()), 0);
        ++files;
    }
    EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, testing::ValuesIn(kTargets),
                         [](const auto &target) { return std::string(target.param.name); });

} // namespace
