#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/plain_json.h"
#include "support/refusal.h"
#include "support/regal_objects.h"
#include "support/scratch_folder.h"

namespace {

ChromosomePtr parse(const std::string &text) {
    regal_chromosome *keys = nullptr;
    EXPECT_EQ(regal_chromosome_parse(text.data(), text.size(), "k.json", &keys), REGAL_OK)
        << regal_error_message();
    return ChromosomePtr(keys);
}

testing::AssertionResult refused(const std::string &text, const std::string &part) {
    regal_chromosome *keys = nullptr;
    const regal_status status = regal_chromosome_parse(text.data(), text.size(), "k.json", &keys);
    const ChromosomePtr owner(keys);
    return refused_with(status, REGAL_INVALID_INPUT, part);
}

std::vector<int> genes_of(const regal_chromosome *keys) {
    const int64_t count = regal_gene_count(keys->encoding, keys->op_count, keys->device_count);
    return {keys->genes, keys->genes + count};
}

const char *const INHERIT =
    R"({"encoding": "inherit", "window": 5, "priority": [1, 65535], "placement": [3, 0]})";
const char *const AFFINITY =
    R"({"format": "regal-chromosome", "version": 1, "encoding": "affinity", "window": 0,
        "priority": [1, 2], "affinity": [[3, 4, 5], [6, 7, 8]], "transfer": [9, 10]})";

TEST(ChromosomeJson, ReadsBothEncodingsInGeneOrder) {
    const ChromosomePtr inherit = parse(INHERIT), affinity = parse(AFFINITY);
    ASSERT_TRUE(inherit && affinity);
    EXPECT_EQ(inherit->encoding, REGAL_INHERIT);
    EXPECT_EQ(inherit->window, 5);
    EXPECT_EQ(inherit->op_count, 2);
    EXPECT_EQ(inherit->device_count, 0);
    EXPECT_EQ(genes_of(inherit.get()), (std::vector<int>{1, 65535, 3, 0}));
    EXPECT_EQ(affinity->encoding, REGAL_AFFINITY);
    EXPECT_EQ(affinity->device_count, 3);
    EXPECT_EQ(genes_of(affinity.get()), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(ChromosomeJson, ReadsNoOps) {
    const ChromosomePtr keys =
        parse(R"({"encoding": "affinity", "window": 1, "priority": [], "affinity": [],
                  "transfer": []})");
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->op_count, 0);
}

TEST(ChromosomeJson, WritesWhatItReads) {
    ScratchFolder folder;
    for (const char *text : {INHERIT, AFFINITY}) {
        const ChromosomePtr before = parse(text);
        ASSERT_EQ(regal_chromosome_write(before.get(), (folder / "k").c_str()), REGAL_OK);
        regal_chromosome *after = nullptr;
        ASSERT_EQ(regal_chromosome_read((folder / "k").c_str(), &after), REGAL_OK)
            << regal_error_message();
        const ChromosomePtr owner(after);
        EXPECT_EQ(after->encoding, before->encoding);
        EXPECT_EQ(after->window, before->window);
        EXPECT_EQ(genes_of(after), genes_of(before.get()));
    }
}

TEST(ChromosomeJson, ReadsTheGoldenOnes) {
    if (plain::golden_path().empty())
        GTEST_SKIP() << "the shared folder is missing";
    for (const plain::Case &one : plain::read_cases(plain::golden_path())) {
        const ChromosomePtr keys = parse(plain::to_json(one.chromosome)),
                            made = make_chromosome(one.chromosome, keys ? keys->device_count : 0);
        ASSERT_TRUE(keys) << one.graph.name;
        EXPECT_EQ(genes_of(keys.get()), genes_of(made.get()));
        EXPECT_EQ(keys->window, one.chromosome.window);
    }
}

TEST(ChromosomeJson, NamesThePlaceOfEachWrongValue) {
    const std::string start = R"({"encoding": "inherit", "window": 0, )",
                      rows = R"({"encoding": "affinity", "window": 0, "priority": [1, 1], )";
    EXPECT_TRUE(refused("", "k.json: is empty"));
    EXPECT_TRUE(refused("[1]", "expected an object"));
    EXPECT_TRUE(refused(R"({"format": "regal-plan"})", "expected 'regal-chromosome'"));
    EXPECT_TRUE(refused(R"({"version": 2})", "version: 2 is not supported"));
    EXPECT_TRUE(refused("{}", "the key 'encoding' is missing"));
    EXPECT_TRUE(refused(R"({"encoding": "other", "window": 0, "priority": []})",
                        "encoding: expected 'inherit' or 'affinity', found 'other'"));
    EXPECT_TRUE(refused(R"({"encoding": "inherit", "window": -1, "priority": []})", "window: -1"));
    EXPECT_TRUE(refused(start + R"("priority": [1]})", "the key 'placement' is missing"));
    EXPECT_TRUE(refused(start + R"("priority": [1], "placement": [1], "transfer": [1]})",
                        "transfer: is no part of the encoding 'inherit'"));
    EXPECT_TRUE(refused(start + R"("priority": [1, 2], "placement": [1]})",
                        "placement: has 1 keys, but there are 2 priorities"));
    EXPECT_TRUE(refused(start + R"("priority": [1, 65536], "placement": [1, 1]})",
                        "priority[1]: 65536 is not from 0 to 65535"));
    EXPECT_TRUE(refused(start + R"("priority": [-1], "placement": [1]})", "priority[0]: -1"));
    EXPECT_TRUE(refused(start + R"("priority": [1.0], "placement": [1]})",
                        "priority[0]: expected an integer, found a number with a fraction"));
    EXPECT_TRUE(refused(rows + R"("affinity": [[1], [1]]})", "the key 'transfer' is missing"));
    EXPECT_TRUE(refused(rows + R"("affinity": [[1]], "transfer": [1, 1]})",
                        "affinity: has 1 rows, but there are 2 priorities"));
    EXPECT_TRUE(refused(rows + R"("affinity": [[1, 2], [1]], "transfer": [1, 1]})",
                        "affinity[1]: has 1 keys, but there are 2 in the first row"));
    EXPECT_TRUE(refused(rows + R"("affinity": [[], []], "transfer": [1, 1]})",
                        "affinity[0]: a row has a key for each of 1..64 devices"));
    EXPECT_TRUE(refused(rows + R"("affinity": [1, 1], "transfer": [1, 1]})",
                        "affinity[0]: expected an array"));
}

TEST(ChromosomeJson, SaysWhyFilesFail) {
    regal_chromosome *keys = nullptr;
    EXPECT_TRUE(refused_with(regal_chromosome_read("/nowhere", &keys), REGAL_INVALID_INPUT,
                             "/nowhere: cannot open"));
    EXPECT_TRUE(refused_with(regal_chromosome_write(parse(INHERIT).get(), "/dev/full"),
                             REGAL_OUTPUT_FAILED, "No space left"));
}

} // namespace
