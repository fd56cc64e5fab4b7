// A policy trained on one problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "policy/train/single.h"
#include "support/whole_problem.h"

namespace {

struct Curve {
    std::vector<int64_t> best;
    int64_t most;
};

bool note(const regal_single_progress *progress, void *context) {
    Curve &curve = *static_cast<Curve *>(context);
    curve.best.push_back(progress->best.value[1]);
    return (int64_t)curve.best.size() == curve.most;
}

struct Layered {
    Layered() {
        const regal_parameter_value ops = {"ops", 40};
        regal_graph *g;
        regal_cluster *c;
        regal_problem *p;
        EXPECT_EQ(regal_graph_generate("layered", &ops, 1, 1, nullptr, &g), REGAL_OK);
        graph.reset(g);
        EXPECT_EQ(regal_cluster_parse("3", "1MB/s,0us", &c), REGAL_OK);
        cluster.reset(c);
        EXPECT_EQ(regal_problem_create(g, c, &p), REGAL_OK);
        problem.reset(p);
    }
    PlanPtr train(regal_objective objective, int64_t steps, Curve *curve = nullptr) const {
        const regal_single_options options = {1, steps, 8};
        regal_plan *plan;
        int64_t evaluations;
        EXPECT_EQ(regal_train_single(problem.get(), objective, &options,
                                     curve != nullptr ? note : nullptr, curve, &plan, &evaluations),
                  REGAL_OK)
            << regal_error_message();
        EXPECT_EQ(evaluations % 8, 0);
        return PlanPtr(plan);
    }
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
};

TEST(TrainSingle, DrawsBetterPlansAsItLearns) {
    const Layered layered;
    for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        Curve curve{{}, -1};
        const PlanPtr plan = layered.train(objective, 60, &curve);
        ASSERT_EQ(curve.best.size(), 60u);
        EXPECT_TRUE(std::is_sorted(curve.best.rbegin(), curve.best.rend()));
        EXPECT_LT(curve.best.back(), curve.best.front());
        EXPECT_EQ(regal_plan_fitness(plan.get(), objective).value[1], curve.best.back());
    }
}

TEST(TrainSingle, GivesTheSamePlanAgainAndStopsWhenTold) {
    const Layered layered;
    Curve stopped{{}, 5};
    const PlanPtr early = layered.train(REGAL_TIME, 1000, &stopped);
    EXPECT_EQ(stopped.best.size(), 5u);
    EXPECT_EQ(read_plan(early.get()), read_plan(layered.train(REGAL_TIME, 5).get()));
}

} // namespace
