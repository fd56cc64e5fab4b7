#include <gtest/gtest.h>
#include <jansson.h>

#include <cmath>
#include <cstdlib>

#include "regal/optimize.h"

namespace {

regal_options defaults() {
    regal_options options;
    regal_options_init(&options);
    return options;
}

TEST(Options, DefaultsAreValid) {
    const regal_options options = defaults();
    EXPECT_EQ(regal_options_validate(&options), REGAL_OK);
    EXPECT_STREQ(options.objective, "time");
    EXPECT_EQ(options.seed, 1u);
}

template <typename Change> void expect_refused(Change change, const char *named) {
    regal_options options = defaults();
    change(options);
    EXPECT_EQ(regal_options_validate(&options), REGAL_INVALID_ARGUMENT) << named;
    EXPECT_NE(std::string(regal_error_message()).find(named), std::string::npos)
        << regal_error_message();
}

TEST(Options, RefuseValuesOutOfRangeByName) {
    expect_refused([](regal_options &o) { o.objective = "money"; }, "--objective");
    expect_refused([](regal_options &o) { o.objective = "tim"; }, "--objective");
    expect_refused([](regal_options &o) { o.objective = ""; }, "--objective");
    expect_refused([](regal_options &o) { o.objective = nullptr; }, "--objective");
    expect_refused([](regal_options &o) { o.encoding = "time|memory"; }, "--encoding");
    expect_refused([](regal_options &o) { o.evaluations = 0; }, "--evaluations");
    expect_refused([](regal_options &o) { o.evaluations = -2; }, "--evaluations");
    expect_refused([](regal_options &o) { o.population = 3; }, "--population");
    expect_refused([](regal_options &o) { o.rho = 1.01; }, "--rho");
    expect_refused([](regal_options &o) { o.rho = NAN; }, "--rho");
    expect_refused([](regal_options &o) { o.time_limit = -0.5; }, "--time-limit");
    expect_refused([](regal_options &o) { o.islands = 0; }, "--islands");
    expect_refused([](regal_options &o) { o.threads = -1; }, "--threads");
    expect_refused([](regal_options &o) { o.elites = o.mutants = 0.6; }, "--elites");
}

TEST(Options, EchoEveryLineOfTheTable) {
    regal_options options = defaults();
    options.seed = UINT64_MAX;
    options.window = 3;
    char *text = regal_options_json(&options);
    json_t *object = json_loads(text, 0, nullptr);
    ASSERT_TRUE(json_is_object(object));
    size_t lines = 0;
#define REGAL_OPTION_INT(field, flag, ...) lines += json_object_get(object, flag) != nullptr;
#define REGAL_OPTION_SEED                  REGAL_OPTION_INT
#define REGAL_OPTION_REAL                  REGAL_OPTION_INT
#define REGAL_OPTION_TEXT                  REGAL_OPTION_INT
#include "regal/options.def"
    EXPECT_EQ(lines, json_object_size(object));
    EXPECT_STREQ(json_string_value(json_object_get(object, "seed")), "18446744073709551615");
    EXPECT_EQ(json_integer_value(json_object_get(object, "window")), 3);
    EXPECT_STREQ(json_string_value(json_object_get(object, "population")), "auto");
    json_decref(object);
    std::free(text);
}

TEST(Options, EchoPathsThatAreNotUtf8) {
    regal_options options = defaults();
    options.seeds = "s\xff.json";
    char *text = regal_options_json(&options);
    ASSERT_NE(text, nullptr);
    EXPECT_NE(std::string(text).find("\"s?.json\""), std::string::npos) << text;
    std::free(text);
}

} // namespace
