// The table of methods, what a run of one says, and what many say.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "compare/method.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

struct MethodRun {
    ~MethodRun() { regal_run_clear(&run); }
    regal_run run = {};
};

std::vector<regal_method_info> AllMethods() {
    std::vector<regal_method_info> all;
    regal_method_info info;
    for (int64_t i = 0; regal_method_describe(i, &info); ++i)
        all.push_back(info);
    return all;
}

regal_run_request Request(regal_objective objective) {
    regal_run_request request;
    regal_run_request_init(&request);
    request.objective = objective;
    request.threads = 1;
    return request;
}

// A ladder of ops on two devices.
WholeProblem Ladder() {
    plain::Graph graph = small_graph({{3}, {5}, {2}, {4}, {6}, {1}, {7}, {2}});
    for (int64_t i = 0; i + 2 < 8; ++i)
        add_tensor(graph, i, 10 + i, {i + 1, i + 2});
    return WholeProblem(graph, small_cluster({0, 0}));
}

TEST(Compare, EveryMethodHasAWordOfItsOwn) {
    std::set<std::string> words, names;
    const std::vector<regal_method_info> all = AllMethods();
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(words.insert(all[i].word).second) << all[i].word;
        EXPECT_TRUE(names.insert(all[i].name).second) << all[i].name;
        EXPECT_EQ(regal_method_find(all[i].word), static_cast<int64_t>(i));
        EXPECT_STRNE(all[i].line, "");
    }
    EXPECT_GT(all.size(), REGAL_BASELINE_COUNT + 0u);
    EXPECT_EQ(regal_method_find("no-such-method"), -1);
    regal_method_info info;
    EXPECT_FALSE(regal_method_describe(-1, &info));
}

TEST(Compare, SettingsOfEverySearchAreValid) {
    int64_t searches = 0;
    for (int64_t i = 0; i < static_cast<int64_t>(AllMethods().size()); ++i)
        for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY})
            for (const int64_t ops : {10, 5000}) {
                regal_options options;
                if (regal_method_options(i, objective, ops, &options) != REGAL_OK)
                    continue;
                ++searches;
                EXPECT_EQ(regal_options_validate(&options), REGAL_OK) << regal_error_message();
                EXPECT_STREQ(options.objective, regal_objective_name(objective));
            }
    EXPECT_GE(searches, 4 * 10);
    regal_options options;
    EXPECT_EQ(regal_method_options(REGAL_HEFT, REGAL_TIME, 10, &options), REGAL_INVALID_ARGUMENT);
}

// Of any method on any problem: a plan that the checker measures as told, or why not.
TEST(Compare, RunsTellWhatTheCheckerMeasures) {
    const std::vector<regal_method_info> all = AllMethods();
    int64_t served = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const plain::Case random = random_case(seed);
        const WholeProblem whole(random.graph, random.cluster);
        if (whole.status != REGAL_OK)
            continue;
        const regal_objective objective = seed % 2 == 0 ? REGAL_TIME : REGAL_MEMORY;
        const regal_run_request request = Request(objective);
        for (size_t i = 0; i < all.size(); ++i) {
            const std::string word = all[i].word;
            if (word.rfind("regal-long", 0) == 0 || word == "brkga-50k" || word == "regal" ||
                word == "reinforce")
                continue;
            SCOPED_TRACE(word + " on case " + std::to_string(seed));
            MethodRun made;
            ASSERT_EQ(regal_method_run(whole.get(), static_cast<int64_t>(i), &request, &made.run),
                      REGAL_OK);
            EXPECT_GE(made.run.seconds, 0);
            if (made.run.status != REGAL_OK) {
                EXPECT_NE(made.run.status, REGAL_INTERNAL) << made.run.reason;
                EXPECT_STRNE(made.run.reason, "");
                EXPECT_EQ(made.run.plan, nullptr);
                continue;
            }
            ++served;
            regal_measure measure;
            ASSERT_EQ(
                regal_plan_measure(whole.graph.get(), whole.cluster.get(), made.run.plan, &measure),
                REGAL_OK)
                << regal_error_message();
            EXPECT_EQ(made.run.excess, measure.time.value[0]);
            EXPECT_EQ(made.run.makespan, measure.time.value[1]);
            EXPECT_EQ(made.run.max_peak, measure.time.value[2]);
            EXPECT_EQ(made.run.value,
                      objective == REGAL_TIME ? made.run.makespan : made.run.max_peak);
        }
    }
    EXPECT_GT(served, 100);
}

TEST(Compare, CurvesOfSearchesFallToTheirResult) {
    const WholeProblem whole = Ladder();
    const regal_run_request request = Request(REGAL_TIME);
    MethodRun made;
    ASSERT_EQ(regal_method_run(whole.get(), regal_method_find("brkga-1k"), &request, &made.run),
              REGAL_OK);
    ASSERT_EQ(made.run.status, REGAL_OK) << made.run.reason;
    ASSERT_GE(made.run.point_count, 2);
    for (int64_t i = 1; i < made.run.point_count; ++i) {
        const regal_run_point &before = made.run.curve[i - 1], &point = made.run.curve[i];
        EXPECT_LE(before.seconds, point.seconds);
        EXPECT_LE(before.evaluations, point.evaluations);
        if (i + 1 < made.run.point_count) {
            EXPECT_LT(point.value, before.value);
        }
    }
    EXPECT_EQ(made.run.curve[made.run.point_count - 1].value, made.run.value);
    EXPECT_EQ(made.run.curve[made.run.point_count - 1].evaluations, made.run.evaluations);
    EXPECT_EQ(made.run.evaluations, 1000);
}

TEST(Compare, SearchesStopWhenAsked) {
    const WholeProblem whole = Ladder();
    regal_run_request request = Request(REGAL_TIME);
    request.callback = [](const regal_progress *progress, void *) { return progress->value >= 0; };
    MethodRun made;
    ASSERT_EQ(regal_method_run(whole.get(), regal_method_find("regal-long"), &request, &made.run),
              REGAL_OK);
    EXPECT_TRUE(made.run.stopped);
    EXPECT_LT(made.run.evaluations, 500000);
}

TEST(Compare, ThereIsNoMethodBeyondTheLast) {
    const WholeProblem whole = Ladder();
    const regal_run_request request = Request(REGAL_TIME);
    MethodRun made;
    EXPECT_EQ(regal_method_run(whole.get(), static_cast<int64_t>(AllMethods().size()), &request,
                               &made.run),
              REGAL_INVALID_ARGUMENT);
    EXPECT_EQ(regal_method_run(whole.get(), -1, &request, &made.run), REGAL_INVALID_ARGUMENT);
}

PlanPtr HeftPlan(const WholeProblem &whole) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_baseline_plan(whole.get(), REGAL_HEFT, REGAL_TIME, 0, &plan), REGAL_OK);
    return PlanPtr(plan);
}

TEST(Compare, BrokenPlansOfMethodsAreAFault) {
    const WholeProblem whole = Ladder();
    for (const bool schedule : {true, false}) {
        PlanPtr plan = HeftPlan(whole);
        if (schedule)
            plan->start[7] = 0; // before its inputs
        else
            plan->makespan -= 1; // valid, but not worth what it claims
        MethodRun judged;
        ASSERT_EQ(regal_run_judge(whole.get(), REGAL_TIME, plan.release(), &judged.run), REGAL_OK);
        EXPECT_EQ(judged.run.status, REGAL_INTERNAL);
        EXPECT_EQ(judged.run.plan, nullptr);
        ASSERT_NE(judged.run.reason, nullptr);
        EXPECT_STRNE(judged.run.reason, "");
    }
}

TEST(Compare, PlansFromElsewhereAreMeasuredAnew) {
    const WholeProblem whole = Ladder();
    const PlanPtr plan = HeftPlan(whole);
    const int64_t makespan = plan->makespan;
    plan->makespan = 1;
    plan->time.value[1] = 1;
    MethodRun made;
    ASSERT_EQ(regal_run_of_plan(whole.get(), REGAL_TIME, plan.get(), &made.run), REGAL_OK);
    EXPECT_EQ(made.run.status, REGAL_OK);
    EXPECT_EQ(made.run.value, makespan);
    plan->start[7] = 0;
    MethodRun broken;
    ASSERT_EQ(regal_run_of_plan(whole.get(), REGAL_TIME, plan.get(), &broken.run), REGAL_OK);
    EXPECT_EQ(broken.run.status, REGAL_INVALID_INPUT);
    ASSERT_NE(broken.run.reason, nullptr);
    EXPECT_NE(std::string(broken.run.reason).find("op7"), std::string::npos);
}

// ---- what many runs say

constexpr regal_compare_cell kNone = {false, 0, 0, -1};

std::vector<regal_compare_row> Summarize(const std::vector<regal_compare_cell> &cells,
                                         int64_t methods, int64_t reference) {
    std::vector<regal_compare_row> rows(static_cast<size_t>(methods));
    const int64_t graphs = static_cast<int64_t>(cells.size()) / methods;
    EXPECT_EQ(regal_compare_summarize(cells.data(), graphs, methods, reference, rows.data()),
              REGAL_OK);
    return rows;
}

TEST(CompareSummary, IsTheMeanGainOverTheReferenceAndTheGeometricMeanOverTheBest) {
    const auto rows = Summarize({{true, 100, 0, 1},
                                 {true, 80, 0, 3},
                                 kNone,
                                 {true, 200, 0, 2},
                                 {true, 100, 0, 5},
                                 {true, 50, 0, -1}},
                                3, 0);
    EXPECT_EQ(rows[0].served, 2);
    EXPECT_EQ(rows[0].won, 0);
    EXPECT_DOUBLE_EQ(rows[0].gain, 0);
    EXPECT_DOUBLE_EQ(rows[0].ratio, std::sqrt(1.25 * 4));
    EXPECT_DOUBLE_EQ(rows[0].seconds, 1.5);
    EXPECT_EQ(rows[1].won, 1);
    EXPECT_EQ(rows[1].compared, 2);
    EXPECT_DOUBLE_EQ(rows[1].gain, 35); // 20 and 50
    EXPECT_DOUBLE_EQ(rows[1].error, 15);
    EXPECT_EQ(rows[2].served, 1);
    EXPECT_EQ(rows[2].won, 1);
    EXPECT_EQ(rows[2].compared, 1);
    EXPECT_DOUBLE_EQ(rows[2].gain, 75);
    EXPECT_DOUBLE_EQ(rows[2].ratio, 1);
    EXPECT_TRUE(std::isnan(rows[2].seconds));
}

TEST(CompareSummary, PlansOverTheCapsNeitherWinNorCount) {
    const auto rows = Summarize({{true, 100, 0, 1}, {true, 10, 5, 1}}, 2, 0);
    EXPECT_EQ(rows[0].won, 1);
    EXPECT_DOUBLE_EQ(rows[0].ratio, 1);
    EXPECT_EQ(rows[1].served, 1);
    EXPECT_EQ(rows[1].feasible, 0);
    EXPECT_EQ(rows[1].won, 0);
    EXPECT_EQ(rows[1].compared, 0);
    EXPECT_TRUE(std::isnan(rows[1].ratio));
    EXPECT_TRUE(std::isnan(rows[1].gain));
}

TEST(CompareSummary, NothingIsAsGoodAsNothing) {
    EXPECT_DOUBLE_EQ(regal_compare_ratio(0, 0), 1);
    EXPECT_TRUE(std::isnan(regal_compare_ratio(5, 0)));
    const auto rows = Summarize({{true, 0, 0, 1}, {true, 7, 0, 1}}, 2, -1);
    EXPECT_DOUBLE_EQ(rows[0].ratio, 1);
    EXPECT_TRUE(std::isnan(rows[1].ratio));
    EXPECT_EQ(rows[1].compared, 0);
    EXPECT_TRUE(std::isnan(Summarize({}, 1, 0)[0].ratio));
}

} // namespace
