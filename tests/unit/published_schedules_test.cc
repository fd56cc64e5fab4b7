// The examples of the papers: the methods' own schedules, on links without contention.
#include <gtest/gtest.h>

#include <vector>

#include "baselines/methods.h"
#include "support/whole_problem.h"

namespace {

struct Edge {
    int64_t from, to, ticks; // ops from 1 on, as in the papers
};

struct Example {
    std::vector<std::vector<int64_t>> ticks; // [op][device]
    std::vector<Edge> edges;
};

// Topcuoglu, Hariri, Wu 2002, figure 2 and table 2.
const Example topcuoglu = {{{14, 16, 9},
                            {13, 19, 18},
                            {11, 13, 19},
                            {13, 8, 17},
                            {12, 13, 10},
                            {13, 16, 9},
                            {7, 15, 11},
                            {5, 11, 14},
                            {18, 12, 20},
                            {21, 7, 16}},
                           {{1, 2, 18},
                            {1, 3, 12},
                            {1, 4, 9},
                            {1, 5, 11},
                            {1, 6, 14},
                            {2, 8, 19},
                            {2, 9, 16},
                            {3, 7, 23},
                            {4, 8, 27},
                            {4, 9, 23},
                            {5, 9, 13},
                            {6, 8, 15},
                            {7, 10, 17},
                            {8, 10, 11},
                            {9, 10, 13}}};

// Arabnejad, Barbosa 2014, figure 1.
const Example arabnejad = {{{22, 21, 36},
                            {22, 18, 18},
                            {32, 27, 43},
                            {7, 10, 4},
                            {29, 27, 35},
                            {26, 17, 24},
                            {14, 25, 30},
                            {29, 23, 36},
                            {15, 21, 8},
                            {13, 16, 33}},
                           {{1, 2, 17},
                            {1, 3, 31},
                            {1, 4, 29},
                            {1, 5, 13},
                            {1, 6, 7},
                            {2, 8, 3},
                            {2, 9, 30},
                            {3, 7, 16},
                            {4, 8, 11},
                            {4, 9, 7},
                            {5, 9, 57},
                            {6, 8, 5},
                            {7, 10, 9},
                            {8, 10, 42},
                            {9, 10, 7}}};

// One tensor an edge, all ticks times `scale`: with 3 no mean has a remainder.
WholeProblem problem_of(const Example &example, int64_t scale) {
    std::vector<std::vector<int64_t>> costs = example.ticks;
    for (auto &row : costs)
        for (int64_t &ticks : row)
            ticks *= scale;
    plain::Graph graph = small_graph(costs);
    for (const Edge &edge : example.edges)
        add_tensor(graph, edge.from - 1, edge.ticks * scale, {edge.to - 1});
    plain::Cluster cluster = small_cluster({0, 0, 0});
    for (int64_t d = 0; d < 3; ++d)
        cluster.devices[d].device_class = d;
    return WholeProblem(graph, cluster);
}

using Method = regal_status(const regal_problem *, regal_heuristic *, int64_t *);

int64_t makespan(Method *method, const Example &example, int64_t scale) {
    const WholeProblem whole = problem_of(example, scale);
    regal_heuristic heuristic{};
    int64_t ticks = -1;
    EXPECT_EQ(method(whole.get(), &heuristic, &ticks), REGAL_OK) << regal_error_message();
    EXPECT_EQ(heuristic.sequence[0], 0);
    EXPECT_EQ(heuristic.sequence[9], 9);
    regal_heuristic_destroy(&heuristic);
    return ticks;
}

TEST(PublishedSchedules, AreReachedByHeft) {
    for (const int64_t scale : {1, 3}) {
        EXPECT_EQ(makespan(regal_heft_contention_free, topcuoglu, scale), 80 * scale);
        EXPECT_EQ(makespan(regal_heft_contention_free, arabnejad, scale), 133 * scale);
    }
}

TEST(PublishedSchedules, AreReachedByCpop) {
    for (const int64_t scale : {1, 3})
        EXPECT_EQ(makespan(regal_cpop_contention_free, topcuoglu, scale), 86 * scale);
}

TEST(PublishedSchedules, AreReachedByPeft) {
    for (const int64_t scale : {1, 3})
        EXPECT_EQ(makespan(regal_peft_contention_free, arabnejad, scale), 122 * scale);
}

TEST(PublishedSchedules, TakeLongerWhereLinksAreContended) {
    const WholeProblem whole = problem_of(topcuoglu, 1);
    for (const auto &[method, published] : {std::pair{REGAL_HEFT, 80}, std::pair{REGAL_CPOP, 86}}) {
        regal_plan *plan = nullptr;
        ASSERT_EQ(regal_baseline_plan(whole.get(), method, REGAL_TIME, 0, &plan), REGAL_OK);
        const PlanPtr owned(plan);
        EXPECT_GE(plan->makespan, published) << regal_baseline_name(method);
    }
}

} // namespace
