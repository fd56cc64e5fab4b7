// The golden cases of the shared folder, whose right answers were worked out elsewhere.
#include <gtest/gtest.h>

#include "support/decoded.h"
#include "support/judged.h"
#include "support/oracle.h"
#include "support/plain_json.h"

namespace {

class GoldenDecode : public testing::Test {
  protected:
    void SetUp() override {
        if (plain::golden_path().empty())
            GTEST_SKIP() << "the shared folder with golden/decode.json is missing";
        cases_ = plain::read_cases(plain::golden_path());
        ASSERT_GE(cases_.size(), 177u);
    }
    std::vector<plain::Case> cases_;
};

TEST_F(GoldenDecode, ProvesTheOracle) {
    for (const plain::Case &one : cases_) {
        const auto plan = oracle::decode(one.graph, one.cluster, one.chromosome);
        ASSERT_TRUE(plan) << one.graph.name;
        EXPECT_TRUE(*plan == one.plan)
            << one.graph.name << "\nis    " << describe(*plan) << "\nnot   " << describe(one.plan);
        EXPECT_EQ(oracle::broken_rule(one.graph, one.cluster, one.plan), "") << one.graph.name;
    }
}

TEST_F(GoldenDecode, PassesTheChecker) {
    for (const plain::Case &one : cases_)
        EXPECT_EQ(Judged(one.graph, one.cluster).check(one.plan), "") << one.graph.name;
}

TEST_F(GoldenDecode, IsWhatTheLibraryDecodes) {
    for (const plain::Case &one : cases_) {
        const auto plan = library_plan(one);
        ASSERT_TRUE(plan) << one.graph.name;
        EXPECT_TRUE(*plan == one.plan)
            << one.graph.name << "\nis    " << describe(*plan) << "\nnot   " << describe(one.plan);
    }
}

TEST_F(GoldenDecode, IsWhatTheLibraryDecodesFromJson) {
    for (const plain::Case &one : cases_) {
        const auto plan = library_plan_from_json(one);
        EXPECT_TRUE(plan && *plan == one.plan) << one.graph.name;
    }
}

} // namespace
