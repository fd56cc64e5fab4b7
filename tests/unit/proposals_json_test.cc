#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/proposals_json.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

using Genes = std::vector<int>;

/* For two ops and three devices. */
struct Parsed {
    Parsed(const std::string &text, regal_encoding encoding) {
        uint16_t *read = nullptr;
        status =
            regal_proposals_parse(text.data(), text.size(), "p.json", encoding, 2, 3, &read, &rows);
        if (status == REGAL_OK)
            genes.assign(read, read + rows * regal_gene_count(encoding, 2, 3));
        else
            EXPECT_EQ(read, nullptr);
        free(read);
    }
    regal_status status;
    int64_t rows = -1;
    Genes genes;
};

std::string file_of(const std::string &encoding, const std::string &rows) {
    return R"({"format": "regal-proposals", "version": 1, "encoding": ")" + encoding +
           "\", \"rows\": " + rows + "}";
}

testing::AssertionResult refused(const std::string &rows, const std::string &part,
                                 regal_encoding encoding = REGAL_INHERIT) {
    return refused_with(Parsed(file_of(regal_encoding_name(encoding), rows), encoding).status,
                        REGAL_INVALID_INPUT, part);
}

TEST(ProposalsJson, NumbersEntriesInGeneOrder) {
    const Parsed inherit(file_of("inherit",
                                 R"([{"priority": [null, [0, 0]], "placement": [[40, 9], [1, 2]]},
                                     {"priority": [null, null], "placement": [null, [0, 1]]}])"),
                         REGAL_INHERIT);
    ASSERT_EQ(inherit.status, REGAL_OK) << regal_error_message();
    EXPECT_EQ(inherit.rows, 2);
    EXPECT_EQ(inherit.genes, (Genes{0, 1, 410, 13, 0, 0, 0, 2}));
    const Parsed affinity(file_of("affinity",
                                  R"([{"priority": [[0, 0], null], "transfer": [[0, 9], [1, 0]],
                     "affinity": [[null, [0, 1], null], [[0, 2], [0, 3], [0, 4]]]}])"),
                          REGAL_AFFINITY);
    ASSERT_EQ(affinity.status, REGAL_OK) << regal_error_message();
    EXPECT_EQ(affinity.genes, (Genes{1, 0, 0, 2, 0, 3, 4, 5, 10, 11}));
}

TEST(ProposalsJson, ReadsWhatItWrites) {
    ScratchFolder folder;
    const std::string path = folder / "p";
    for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
        const int64_t count = 2 * regal_gene_count(encoding, 2, 3);
        std::vector<uint16_t> genes;
        for (int64_t i = 0; i < count; ++i)
            genes.push_back(static_cast<uint16_t>(i * 37 % 411));
        ASSERT_EQ(regal_proposals_write(path.c_str(), encoding, 2, 3, genes.data(), 2), REGAL_OK);
        uint16_t *read = nullptr;
        int64_t rows = 0;
        ASSERT_EQ(regal_proposals_read(path.c_str(), encoding, 2, 3, &read, &rows), REGAL_OK)
            << regal_error_message();
        EXPECT_EQ(rows, 2);
        EXPECT_EQ(std::vector<uint16_t>(read, read + count), genes);
        free(read);
    }
}

TEST(ProposalsJson, NamesThePlaceOfEachWrongValue) {
    const std::string good = R"("placement": [null, null]})";
    EXPECT_TRUE(refused("[]", "p.json: rows: is empty"));
    EXPECT_TRUE(refused("{}", "rows: expected an array"));
    EXPECT_TRUE(refused("[5]", "rows[0]: expected an object"));
    EXPECT_TRUE(refused("[{" + good + "]", "rows[0]: the key 'priority' is missing"));
    EXPECT_TRUE(refused("[{\"priority\": [null], " + good + "]",
                        "rows[0].priority: has 1 entries, but there are 2 ops"));
    EXPECT_TRUE(refused("[{\"priority\": [null, 5], " + good + "]",
                        "rows[0].priority[1]: expected null (uniform) or [mean bin"));
    EXPECT_TRUE(
        refused("[{\"priority\": [null, [1]], " + good + "]", "priority[1]: expected null"));
    EXPECT_TRUE(refused("[{\"priority\": [null, [41, 0]], " + good + "]",
                        "priority[1][0]: 41 is not from 0 to 40"));
    EXPECT_TRUE(refused("[{\"priority\": [null, [0, 10]], " + good + "]",
                        "priority[1][1]: 10 is not from 0 to 9"));
    EXPECT_TRUE(refused("[{\"priority\": [null, [0.5, 1]], " + good + "]", "an integer"));
    EXPECT_TRUE(refused(R"([{"priority": [null, null], "transfer": [null, null],
                            "affinity": [[null, null, null], [null, null]]}])",
                        "rows[0].affinity[1]: has 2 entries, but there are 3 devices",
                        REGAL_AFFINITY));
    EXPECT_TRUE(refused_with(Parsed(file_of("affinity", "[]"), REGAL_INHERIT).status,
                             REGAL_INVALID_INPUT,
                             "encoding: expected 'inherit', which the search uses"));
    EXPECT_TRUE(refused_with(Parsed("", REGAL_INHERIT).status, REGAL_INVALID_INPUT, "is empty"));
    EXPECT_TRUE(refused_with(Parsed(R"({"format": "regal-plan"})", REGAL_INHERIT).status,
                             REGAL_INVALID_INPUT, "'version' is missing"));
}

TEST(ProposalsJson, SaysWhyFilesFail) {
    uint16_t *genes = nullptr;
    int64_t rows = 0;
    const uint16_t some[4] = {};
    EXPECT_TRUE(refused_with(regal_proposals_read("/nowhere", REGAL_INHERIT, 2, 3, &genes, &rows),
                             REGAL_INVALID_INPUT, "/nowhere: cannot open"));
    EXPECT_TRUE(refused_with(regal_proposals_write("/dev/full", REGAL_INHERIT, 2, 3, some, 1),
                             REGAL_OUTPUT_FAILED, "No space left"));
}

} // namespace
