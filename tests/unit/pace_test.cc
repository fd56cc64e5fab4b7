// The estimate of the time left. Work is a share of 0..1 over seconds.
#include <gtest/gtest.h>

#include "search/pace.h"

namespace {

// Goes on at a speed, with a note every 0.03 s; returns the seconds left.
double go_on(regal_pace *pace, double per_second, double seconds) {
    for (int i = 0; i < (int)(seconds / 0.03); ++i)
        regal_pace_note(pace, pace->share + 0.03 * per_second, pace->seconds + 0.03);
    return regal_pace_left(pace);
}

TEST(Pace, OfSteadyWorkIsExact) {
    regal_pace pace = regal_pace_begin(0, 5);
    EXPECT_LT(regal_pace_left(&pace), 0) << "nothing is known";
    for (int i = 0; i < 8; ++i) {
        const double left = go_on(&pace, 0.1, 1);
        EXPECT_NEAR(left, (1 - pace.share) / 0.1, 1e-6);
    }
}

TEST(Pace, LeavesOutWhatCameBefore) {
    regal_pace pace = regal_pace_begin(0.2, 100);
    const double left = go_on(&pace, 0.1, 1);
    EXPECT_NEAR(left, (1 - pace.share) / 0.1, 1e-6);
}

TEST(Pace, FollowsTheSpeedOfLate) {
    regal_pace pace = regal_pace_begin(0, 0);
    go_on(&pace, 0.03, 10);
    const double left = go_on(&pace, 0.01, 10), true_left = (1 - pace.share) / 0.01;
    EXPECT_NEAR(left, true_left, 0.03 * true_left); // by the whole run: half of it
}

// Soon after a change to slower work the estimate is right; from then on it falls.
TEST(Pace, OfOtherWorkBeginsAnew) {
    regal_pace pace = regal_pace_begin(0, 0);
    go_on(&pace, 0.03, 10);
    regal_pace_change(&pace);
    double last = go_on(&pace, 0.01, 1), true_left = (1 - pace.share) / 0.01;
    EXPECT_NEAR(last, true_left, 0.25 * true_left);
    last = go_on(&pace, 0.01, 2);
    true_left = (1 - pace.share) / 0.01;
    EXPECT_NEAR(last, true_left, 0.05 * true_left);
}

TEST(Pace, IsUnknownWhileNothingMoves) {
    regal_pace pace = regal_pace_begin(0, 0);
    EXPECT_LT(go_on(&pace, 0, 3), 0);
    EXPECT_GT(go_on(&pace, 0.1, 1), 0);
    EXPECT_EQ(go_on(&pace, 0, 0), regal_pace_left(&pace)) << "asking changes nothing";
    regal_pace_note(&pace, pace.share, pace.seconds);
    EXPECT_GT(regal_pace_left(&pace), 0);
}

} // namespace
