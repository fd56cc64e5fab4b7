// Each planted fault is found, by what must find it; its correct twin passes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <set>
#include <string>

#include "orders.h"

namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool kTsan = true;
#else
constexpr bool kTsan = false;
#endif

struct Outcome {
    int exit_code; // -1: ended by a signal
    std::string output;
};

Outcome run_planted(const std::string &fault, const std::string &environment) {
    const std::string command = "ASAN_OPTIONS=detect_leaks=1 TSAN_OPTIONS='halt_on_error=1 "
                                "atexit_sleep_ms=0' " +
                                environment + " '" SIMT_PLANTED_PROGRAM "' " + fault + " 2>&1";
    Outcome outcome;
    FILE *pipe = popen(command.c_str(), "r");
    char buffer[4096];
    while (const size_t bytes = fread(buffer, 1, sizeof buffer, pipe)) {
        outcome.output.append(buffer, bytes);
    }
    const int status = pclose(pipe);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

bool ends_with_message(const Outcome &outcome, const std::string &text) {
    return outcome.exit_code != 0 && outcome.output.find(text) != std::string::npos;
}

// How many lines of the planted sources a report names. (std::regex would do, were it not for g++'s
// false warnings about it under ASan.)
size_t lines_named(const std::string &report) {
    const std::string mark = "_faults.cu:";
    std::set<std::string> lines;
    for (size_t at = report.find(mark); at != std::string::npos; at = report.find(mark, at)) {
        at += mark.size();
        lines.insert(report.substr(at, report.find_first_not_of("0123456789", at) - at));
    }
    return lines.size();
}

class SimtPlanted : public ::testing::TestWithParam<const char *> {};

// By the stand-in itself, in every build and order: a message that names the lines.
class SimtFindsByItself : public SimtPlanted {};
TEST_P(SimtFindsByItself, AndNamesThePlaces) {
    for (const char *order : {"forward", "reverse", "random"}) {
        const Outcome outcome = run_planted(GetParam(), std::string("SIMT_ORDER=") + order);
        EXPECT_TRUE(ends_with_message(outcome, "simt: ")) << order << "\n" << outcome.output;
        EXPECT_TRUE(lines_named(outcome.output) >= 1) << order << "\n" << outcome.output;
    }
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtFindsByItself,
                         ::testing::Values("divergent_barrier", "exited_lane", "lane_elsewhere",
                                           "different_collectives", "caller_not_in_mask",
                                           "source_not_in_mask", "one_round_less", "trap"));

TEST(SimtPlanted, BothBarriersAreNamed) {
    const Outcome outcome = run_planted("divergent_barrier", "");
    EXPECT_GE(lines_named(outcome.output), 2u) << outcome.output;
}

// By the stand-in's checks of copies.
class SimtFindsWrongCopies : public SimtPlanted {};
TEST_P(SimtFindsWrongCopies, WhereTheyAreAskedFor) {
    const Outcome outcome = run_planted(GetParam(), "");
    EXPECT_TRUE(ends_with_message(outcome, "simt: a ")) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtFindsWrongCopies,
                         ::testing::Values("wrong_direction", "wrong_size", "wrong_memset"));

// By a wrong result: poison, or work that has not run.
class SimtMakesResultsWrong : public SimtPlanted {};
TEST_P(SimtMakesResultsWrong, InEveryBuild) {
    const Outcome outcome = run_planted(GetParam(), "");
    EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtMakesResultsWrong,
                         ::testing::Values("uninitialized_shared", "no_event", "no_wait"));

TEST(SimtPlanted, EagerStreamsHideAMissingEvent) {
    EXPECT_EQ(run_planted("no_event", "SIMT_STREAMS=eager").exit_code, 0);
}

TEST(SimtPlanted, RandomOrderShowsAMissingSyncthreads) {
    bool shown = false;
    for (int seed = 0; seed < 5; ++seed) {
        const std::string environment = "SIMT_ORDER=random SIMT_SEED=" + std::to_string(seed);
        shown |= run_planted("no_syncthreads", environment).exit_code != 0;
    }
    EXPECT_TRUE(shown);
}

#ifdef __SANITIZE_ADDRESS__
// By AddressSanitizer, UBSan or LeakSanitizer.
struct Report {
    const char *fault, *text;
};
class SimtUnderAsan : public ::testing::TestWithParam<Report> {};
TEST_P(SimtUnderAsan, Finds) {
    const Outcome outcome = run_planted(GetParam().fault, "");
    EXPECT_TRUE(ends_with_message(outcome, GetParam().text)) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtUnderAsan,
                         ::testing::Values(Report{"past_static", "global-buffer-overflow"},
                                           Report{"past_dynamic", "use-after-poison"},
                                           Report{"past_device", "use-after-poison"},
                                           Report{"shift_too_far", "shift exponent 32"},
                                           Report{"touch_device", "use-after-poison"},
                                           Report{"use_after_free", "heap-use-after-free"},
                                           Report{"leak", "LeakSanitizer: detected memory leaks"}),
                         [](const auto &report) { return std::string(report.param.fault); });
#endif

// By ThreadSanitizer only: no order of threads shows these. Both sides of the race are named.
class SimtUnderTsan : public SimtPlanted {};
TEST_P(SimtUnderTsan, FindsRaces) {
    const Outcome outcome = run_planted(GetParam(), "");
    if (kTsan) {
        EXPECT_TRUE(ends_with_message(outcome, "ThreadSanitizer: data race")) << outcome.output;
        EXPECT_GE(lines_named(outcome.output), 2u) << outcome.output;
    } else if (std::string(GetParam()) != "no_syncthreads") {
        EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    }
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtUnderTsan,
                         ::testing::Values("no_syncthreads", "no_syncwarp", "shuffle_as_barrier"));

class SimtPassesCorrect : public SimtPlanted {};
TEST_P(SimtPassesCorrect, Twins) {
    for (const char *order : {"forward", "reverse", "random"}) {
        const Outcome outcome =
            run_planted(std::string(GetParam()) + " fixed", std::string("SIMT_ORDER=") + order);
        EXPECT_EQ(outcome.exit_code, 0) << order << "\n" << outcome.output;
    }
}
INSTANTIATE_TEST_SUITE_P(Faults, SimtPassesCorrect,
                         ::testing::Values("past_static", "past_dynamic", "past_device",
                                           "shift_too_far", "no_syncthreads", "no_syncwarp",
                                           "shuffle_as_barrier", "divergent_barrier", "exited_lane",
                                           "lane_elsewhere", "different_collectives",
                                           "caller_not_in_mask", "source_not_in_mask",
                                           "one_round_less", "uninitialized_shared", "trap",
                                           "touch_device", "use_after_free", "wrong_direction",
                                           "wrong_size", "wrong_memset", "no_event", "no_wait",
                                           "leak"));

} // namespace
