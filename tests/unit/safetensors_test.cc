#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

std::string file_of(const std::string &header, size_t bytes) {
    std::string file(8, '\0');
    for (int i = 0; i < 8; ++i)
        file[i] = static_cast<char>(header.size() >> 8 * i);
    return file + header + std::string(bytes, '\0');
}

std::string entry(const std::string &name, const std::string &shape, const std::string &offsets) {
    return "\"" + name + "\": {\"dtype\": \"F32\", \"shape\": [" + shape +
           "], \"data_offsets\": [" + offsets + "]}";
}

regal_status accept(const regal_safetensors *file, void *result) {
    *static_cast<int64_t *>(result) = file->count;
    return REGAL_OK;
}

testing::AssertionResult is_refused(const std::string &header, size_t bytes,
                                    const std::string &message) {
    const std::string text = file_of(header, bytes);
    const std::vector<char> file(text.begin(), text.end());
    int64_t count;
    return refused_with(regal_safetensors_parse(file.data(), file.size(), "name", accept, &count),
                        REGAL_INVALID_INPUT, message);
}

TEST(Safetensors, TensorsMayStandInAnyOrderAndBeEmpty) {
    const std::string file =
        file_of("{" + entry("b", "2,1", "4,12") + ", " + entry("a", "1,1", "0,4") + ", " +
                    entry("none", "0,7", "4,4") + "}   ",
                12);
    int64_t count = -1;
    EXPECT_EQ(regal_safetensors_parse(file.data(), file.size(), "name", accept, &count), REGAL_OK)
        << regal_error_message();
    EXPECT_EQ(count, 3);
}

TEST(Safetensors, GapsAndOverlapsAreRefused) {
    const std::string a = entry("a", "1,2", "0,8");
    EXPECT_TRUE(
        is_refused("{" + a + ", " + entry("b", "1,1", "4,8") + "}", 8, "name: b: overlaps 'a'"));
    EXPECT_TRUE(is_refused("{" + a + ", " + entry("b", "1,2", "0,8") + "}", 8, "overlaps"));
    EXPECT_TRUE(is_refused("{" + a + ", " + entry("b", "1,1", "12,16") + "}", 16,
                           "name: b: begins at 12: bytes from 8 on are of no tensor"));
    EXPECT_TRUE(is_refused("{" + a + "}", 12, "the numbers end at byte 8, the file has 12"));
    EXPECT_TRUE(is_refused("{}", 4, "the numbers end at byte 0"));
}

TEST(Safetensors, WrongEntriesAreRefused) {
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2", "0,8") + "}", 4,
                           "name: a.data_offsets: 8 is beyond the end: the file has 4 bytes"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2", "8,0") + "}", 8, "lies before the begin"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2", "0,4") + "}", 4,
                           "has 4 bytes, which are not those of 1 x 2 numbers"));
    EXPECT_TRUE(is_refused("{" + entry("a", "4294967296,4294967296", "0,0") + "}", 0, "has 0"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2", "-8,0") + "}", 8, "a.data_offsets[0]"));
    EXPECT_TRUE(is_refused("{" + entry("a", "2", "0,8") + "}", 8,
                           "a.shape: expected [rows, columns], found 1 numbers"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2.0", "0,8") + "}", 8, "a.shape[1]"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,2", "0,8,9") + "}", 8, "a.data_offsets"));
    EXPECT_TRUE(is_refused("{\"a\": {\"dtype\": \"BF16\", \"shape\": [1, 2], "
                           "\"data_offsets\": [0, 4]}}",
                           4, "a.dtype: expected 'F32', found 'BF16'"));
    EXPECT_TRUE(is_refused("{\"a\": {\"dtype\": \"F32\", \"data_offsets\": [0, 4]}}", 4,
                           "a: the key 'shape' is missing"));
    EXPECT_TRUE(is_refused("{\"a\": 3}", 0, "a: expected an object"));
    EXPECT_TRUE(is_refused("{" + entry("a", "1,1", "0,4") + ", " + entry("a", "1,1", "4,8") + "}",
                           8, "duplicate"));
    EXPECT_TRUE(is_refused("{\"__metadata__\": [1]}", 0, "__metadata__: expected an object"));
    EXPECT_TRUE(
        is_refused("{\"__metadata__\": {\"x\": 1}}", 0, "__metadata__.x: expected a string"));
    EXPECT_TRUE(is_refused("{} x", 0, "name:1:"));
    EXPECT_TRUE(is_refused("{\"a\"", 0, "name:1:"));
}

struct Found {
    std::vector<float> wide, one;
    std::string note;
    bool missing;
};

regal_status find(const regal_safetensors *file, void *result) {
    Found &found = *static_cast<Found *>(result);
    const regal_safetensor *wide = regal_safetensors_find(file, "wide");
    const regal_safetensor *one = regal_safetensors_find(file, "one");
    found.missing = regal_safetensors_find(file, "two") == nullptr;
    if (wide == nullptr || one == nullptr || wide->rows != 2 || wide->columns != 3)
        return REGAL_INTERNAL;
    found.wide.resize(6);
    found.one.resize(1);
    found.note = json_string_value(json_object_get(file->metadata.json, "note"));
    if (regal_safetensor_read(file, wide, found.wide.data()) != REGAL_OK)
        return REGAL_INTERNAL;
    return regal_safetensor_read(file, one, found.one.data());
}

TEST(Safetensors, ReadsWhatItWrites) {
    const ScratchFolder folder;
    const std::string path = folder / "x";
    const float numbers[] = {1, -2.5f, 3e-40f, 3.4e38f, -0.0f, 6, 7};
    const regal_tensor_out tensors[] = {{"wide", 2, 3, numbers}, {"one", 1, 1, numbers + 6}};
    const regal_metadata_out metadata[] = {{"note", "a \"quoted\"\nline"}};
    ASSERT_EQ(regal_safetensors_write(path.c_str(), metadata, 1, tensors, 2), REGAL_OK)
        << regal_error_message();
    std::ifstream stream(path, std::ios::binary);
    const std::string file(std::istreambuf_iterator<char>(stream), {});
    Found found;
    ASSERT_EQ(regal_safetensors_parse(file.data(), file.size(), "name", find, &found), REGAL_OK)
        << regal_error_message();
    EXPECT_EQ(memcmp(found.wide.data(), numbers, sizeof(float) * 6), 0);
    EXPECT_EQ(found.one[0], 7);
    EXPECT_EQ(found.note, "a \"quoted\"\nline");
    EXPECT_TRUE(found.missing);
    EXPECT_EQ(static_cast<unsigned char>(file[0]) % 8, 0);
}

} // namespace
