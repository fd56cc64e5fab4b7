#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "policy/placement.h"
#include "policy/policy.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"

namespace {

regal_policy_settings small_settings(regal_objective objective) {
    regal_policy_settings settings;
    regal_policy_settings_init(objective, &settings);
    settings.width = 8;
    settings.rounds = 1;
    settings.channels = 2;
    settings.hidden = 8;
    return settings;
}

class Policy {
  public:
    explicit Policy(regal_policy *policy = nullptr) : self(policy) {}
    ~Policy() { regal_policy_destroy(self); }
    Policy(const Policy &) = delete;
    regal_policy *self;
};

void create(const regal_policy_settings &settings, Policy &policy) {
    ASSERT_EQ(regal_policy_create(&settings, 7, &policy.self), REGAL_OK) << regal_error_message();
}

std::string bytes_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// The bytes of a policy's file.
std::string written(const regal_policy *policy) {
    const ScratchFolder folder;
    EXPECT_EQ(regal_policy_write(policy, (folder / "p").c_str()), REGAL_OK)
        << regal_error_message();
    return bytes_of(folder / "p");
}

std::string small_file() {
    Policy policy;
    create(small_settings(REGAL_TIME), policy);
    return written(policy.self);
}

// With something else in the header's text, and its length made to fit.
std::string with(std::string file, const std::string &from, const std::string &to) {
    const size_t place = file.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    file.replace(place, from.size(), to);
    uint64_t length;
    memcpy(&length, file.data(), 8);
    length += to.size() - from.size();
    memcpy(file.data(), &length, 8);
    return file;
}

testing::AssertionResult is_refused(const std::string &file, const std::string &message) {
    Policy policy;
    // A copy without a byte beyond its end, so that sanitizers see reads there.
    const std::vector<char> exact(file.begin(), file.end());
    const regal_status status =
        regal_policy_parse(exact.data(), exact.size(), "name", &policy.self);
    if (policy.self != nullptr)
        return testing::AssertionFailure() << "a policy is left behind";
    if (std::string(regal_error_message()).rfind("name", 0) != 0)
        return testing::AssertionFailure() << regal_error_message() << " lacks the name";
    return refused_with(status, REGAL_INVALID_INPUT, message);
}

TEST(PolicyFile, ReadsBackExactlyWhatWasWritten) {
    for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        regal_policy_settings settings = small_settings(objective);
        settings.rank_weight = 1.0 / 3;
        settings.score_limit = 100;
        settings.chosen_affinity = std::nextafter(0.9, 1);
        settings.rows = 4096;
        Policy policy, back;
        create(settings, policy);
        free(policy.self->card);
        policy.self->card = strdup("{\"hours\": 1.5, \"data\": \"\\\"zoo\\\" \xc3\xa9\"}");
        policy.self->parameters[3] = -0.0f;
        policy.self->parameters[4] = 1e-42f;
        regal_policy_update_digest(policy.self);
        const std::string file = written(policy.self);
        ASSERT_EQ(regal_policy_parse(file.data(), file.size(), "name", &back.self), REGAL_OK)
            << regal_error_message();
        EXPECT_EQ(back.self->settings.objective, objective);
#define REGAL_POLICY_INT(field, time, memory, low, high, text) \
    EXPECT_EQ(back.self->settings.field, settings.field);
#define REGAL_POLICY_REAL(field, time, memory, low, high, text) \
    EXPECT_EQ(back.self->settings.field, settings.field);
#include "policy/policy_settings.def"
        ASSERT_EQ(back.self->parameter_count, policy.self->parameter_count);
        EXPECT_EQ(memcmp(back.self->parameters, policy.self->parameters,
                         policy.self->parameter_count * sizeof(float)),
                  0);
        EXPECT_STREQ(back.self->card, policy.self->card);
        EXPECT_STREQ(back.self->digest, policy.self->digest);
        EXPECT_EQ(written(back.self), file);
    }
}

TEST(PolicyFile, IsReadFromAPath) {
    const ScratchFolder folder;
    Policy policy, back;
    create(small_settings(REGAL_MEMORY), policy);
    const std::string path = folder / "policy.safetensors";
    ASSERT_EQ(regal_policy_write(policy.self, path.c_str()), REGAL_OK);
    ASSERT_EQ(regal_policy_read(path.c_str(), &back.self), REGAL_OK) << regal_error_message();
    EXPECT_STREQ(back.self->digest, policy.self->digest);
    EXPECT_EQ(folder.file_count(), 1);
    Policy none;
    EXPECT_TRUE(refused_with(regal_policy_read((folder / "none").c_str(), &none.self),
                             REGAL_INVALID_INPUT, "none: "));
    EXPECT_EQ(none.self, nullptr);
}

TEST(PolicyFile, IsSafetensorsAsOthersReadIt) {
    const std::string file = small_file();
    uint64_t length;
    memcpy(&length, file.data(), 8);
    ASSERT_EQ(length % 8, 0u);
    const std::string header = file.substr(8, length);
    EXPECT_EQ(header.rfind("{\"__metadata__\":{\"format\":\"regal-policy\",\"version\":\"1\","
                           "\"objective\":\"time\",\"width\":\"8\"",
                           0),
              0u);
    EXPECT_NE(header.find("\"encoder.0.bias\":{\"dtype\":\"F32\",\"shape\":[1,8],"),
              std::string::npos);
    regal_policy_settings settings = small_settings(REGAL_TIME);
    EXPECT_EQ(file.size(), 8 + length + 4 * regal_policy_parameter_count(&settings));
}

TEST(PolicyFile, CutOffAnywhereIsRefused) {
    const std::string file = small_file();
    for (size_t size = 0; size < file.size(); size += size < 200 ? 1 : 89)
        ASSERT_TRUE(is_refused(file.substr(0, size), "")) << size << " bytes";
    EXPECT_TRUE(is_refused(file + "x", "the numbers end at byte"));
}

TEST(PolicyFile, ForeignFilesAreRefused) {
    EXPECT_TRUE(is_refused("", "is no safetensors file"));
    EXPECT_TRUE(is_refused("{\"format\": \"regal-graph\", \"version\": 1}", "is no safetensors"));
    EXPECT_TRUE(is_refused(std::string(8, '\0') + "{", "name"));
    EXPECT_TRUE(is_refused(std::string(8, '\xff') + "{}", "is cut off"));
    EXPECT_TRUE(is_refused(std::string("\2\0\0\0\0\0\0\0{}", 10), "'__metadata__' is missing"));
    EXPECT_TRUE(is_refused(with(small_file(), "regal-policy", "regal-graph"),
                           "__metadata__.format: expected 'regal-policy', found 'regal-graph'"));
    EXPECT_TRUE(is_refused(with(small_file(), "\"version\":\"1\"", "\"version\":\"2\""),
                           "__metadata__.version: expected '1', found '2'"));
    EXPECT_TRUE(is_refused(with(small_file(), "\"version\":\"1\"", "\"version\":1"),
                           "__metadata__.version: expected a string"));
    EXPECT_TRUE(is_refused(with(small_file(), "\"__metadata__\":{", "\"__metadata\":{"),
                           "__metadata: the key 'dtype' is missing"));
}

TEST(PolicyFile, WrongSettingsAreRefused) {
    const std::string file = small_file();
    const auto setting = [&](const std::string &text) {
        return with(file, "\"width\":\"8\"", text);
    };
    EXPECT_TRUE(is_refused(setting("\"wide\":\"8\""), "__metadata__.wide: is no setting"));
    EXPECT_TRUE(is_refused(with(file, "\"width\":\"8\",", ""), "__metadata__: 'width' is missing"));
    for (const char *text :
         {"0", "-8", "1032", "8.0", "8x", "", "nan", "[8]", "1e400", "99999999999999999999", " "})
        EXPECT_TRUE(is_refused(setting("\"width\":\"" + std::string(text) + "\""),
                               "__metadata__.width: expected an integer from 8 to 1024, found '" +
                                   std::string(text)));
    EXPECT_TRUE(is_refused(setting("\"width\":\"12\""), "width: 12 is no multiple of 8"));
    EXPECT_TRUE(is_refused(with(file, "\"hidden\":\"8\"", "\"hidden\":\"9\""),
                           "hidden: 9 is no multiple of 8"));
    EXPECT_TRUE(is_refused(with(file, "\"score_limit\":\"15.0\"", "\"score_limit\":\"1e3\""),
                           "score_limit: expected a number from 1 to 100, found '1e3'"));
    EXPECT_TRUE(is_refused(with(file, "\"objective\":\"time\"", "\"objective\":\"speed\""),
                           "expected 'time' or 'memory', found 'speed'"));
    EXPECT_TRUE(is_refused(with(file, "\"card\":\"{}\"", "\"card\":\"[]\""),
                           "__metadata__.card: is no JSON object"));
}

TEST(PolicyFile, SettingsMayBeWrittenInOtherWays) {
    const std::string file =
        with(with(small_file(), "\"score_limit\":\"15.0\"", "\"score_limit\":\"1.5e1\""),
             ",\"card\":\"{}\"", "");
    Policy policy;
    ASSERT_EQ(regal_policy_parse(file.data(), file.size(), "name", &policy.self), REGAL_OK)
        << regal_error_message();
    EXPECT_EQ(policy.self->settings.score_limit, 15);
    EXPECT_STREQ(policy.self->card, "{}");
}

TEST(PolicyFile, WrongTensorsAreRefused) {
    const std::string file = small_file();
    EXPECT_TRUE(is_refused(with(file, "\"output.bias\"", "\"output.bios\""),
                           "the tensor 'output.bias' is missing"));
    EXPECT_TRUE(is_refused(with(file, "\"rounds\":\"1\"", "\"rounds\":\"0\""),
                           "round.0.change.bias: is no tensor of these settings"));
    EXPECT_TRUE(is_refused(with(file, "\"rounds\":\"1\"", "\"rounds\":\"64\""),
                           "the tensor 'round.1.message.along.source' is missing"));
    EXPECT_TRUE(is_refused(with(file, "\"channels\":\"2\"", "\"channels\":\"3\""),
                           "output.weight: is 8 x 3; the settings make it 8 x 4"));
    EXPECT_TRUE(is_refused(with(file, "[1,8]", "[8,1]"),
                           "encoder.0.bias: is 8 x 1; the settings make it 1 x 8"));
}

TEST(PolicyFile, NumbersThatAreNotFiniteAreRefused) {
    for (const float number : {NAN, INFINITY, -INFINITY}) {
        std::string file = small_file();
        memcpy(&file[file.size() - 4], &number, 4);
        EXPECT_TRUE(is_refused(file, "placement.direct: row 0, column"));
    }
    Policy policy;
    create(small_settings(REGAL_TIME), policy);
    const ScratchFolder folder;
    policy.self->parameters[5] = NAN;
    EXPECT_TRUE(refused_with(regal_policy_write(policy.self, (folder / "p").c_str()),
                             REGAL_INVALID_ARGUMENT, "parameter 5"));
    policy.self->parameters[5] = 0;
    policy.self->settings.rank_weight = NAN;
    EXPECT_TRUE(refused_with(regal_policy_write(policy.self, (folder / "p").c_str()),
                             REGAL_INVALID_ARGUMENT, "rank_weight"));
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(PolicyFile, DigestTellsSettingsAndParametersApart) {
    Policy policy;
    create(small_settings(REGAL_TIME), policy);
    const std::string first = policy.self->digest;
    EXPECT_EQ(first.size(), 16u);
    policy.self->parameters[0] = std::nextafter(policy.self->parameters[0], 1.0f);
    regal_policy_update_digest(policy.self);
    EXPECT_NE(policy.self->digest, first);
    policy.self->parameters[0] = std::nextafter(policy.self->parameters[0], -1.0f);
    policy.self->settings.rows += 1;
    regal_policy_update_digest(policy.self);
    EXPECT_NE(policy.self->digest, first);
    policy.self->settings.rows -= 1;
    regal_policy_update_digest(policy.self);
    EXPECT_EQ(policy.self->digest, first);
}

TEST(Policy, HasTheTensorsOfNetworkAndPlacementInARow) {
    const regal_policy_settings settings = small_settings(REGAL_TIME);
    regal_parameter_tensor tensor;
    int64_t end = 0;
    for (int64_t i = 0; regal_policy_tensor(&settings, i, &tensor); ++i) {
        EXPECT_EQ(tensor.offset, end) << tensor.name;
        end += tensor.rows * tensor.columns;
    }
    EXPECT_STREQ(tensor.name, "placement.direct");
    EXPECT_EQ(end, regal_policy_parameter_count(&settings));
    EXPECT_FALSE(regal_policy_tensor(&settings, -1, &tensor));
}

TEST(Policy, SettingsOutOfTheirRangesAreRefused) {
    regal_policy_settings settings = small_settings(REGAL_TIME);
    settings.rollouts = 0;
    regal_policy *policy;
    EXPECT_TRUE(refused_with(regal_policy_create(&settings, 1, &policy), REGAL_INVALID_ARGUMENT,
                             "rollouts: 0 is not from 1 to 4096"));
    EXPECT_EQ(policy, nullptr);
    settings.rollouts = 1;
    settings.width = 20;
    EXPECT_TRUE(refused_with(regal_policy_create(&settings, 1, &policy), REGAL_INVALID_ARGUMENT,
                             "width: 20 is no multiple of 8"));
}

} // namespace
