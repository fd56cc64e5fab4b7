#include <gtest/gtest.h>

#include "regal/regal.h"

extern "C" const char *c_api_use(void);

TEST(CApi, ServesAProgramInC) {
    EXPECT_EQ(c_api_use(), nullptr) << c_api_use();
}

TEST(CApi, StatusesHaveNamesAndExitCodes) {
    EXPECT_STREQ(regal_status_name(REGAL_OK), "REGAL_OK");
    EXPECT_EQ(regal_status_exit_code(REGAL_OK), 0);
    EXPECT_EQ(regal_status_exit_code(REGAL_INVALID_INPUT), 2);
    EXPECT_EQ(regal_status_exit_code(REGAL_INFEASIBLE), 3);
    EXPECT_EQ(regal_status_exit_code(REGAL_INTERNAL), 1);
    EXPECT_STREQ(regal_version(), REGAL_VERSION);
}

TEST(CApi, AFailingCallSaysWhatAndWhere) {
    regal_cluster *cluster;
    ASSERT_EQ(regal_cluster_parse("four", nullptr, &cluster), REGAL_INVALID_ARGUMENT);
    EXPECT_NE(std::string(regal_error_message()).find("four"), std::string::npos);
    EXPECT_NE(std::string(regal_error_location()).find(".c:"), std::string::npos);
}
