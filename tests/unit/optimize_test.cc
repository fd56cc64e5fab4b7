// The search as a whole, through the public API.
#include <gtest/gtest.h>

#include <ctime>
#include <vector>

#include "support/random_problem.h"
#include "support/regal_objects.h"

namespace {

struct Given {
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
};

Given make_given(uint64_t seed) {
    for (;; ++seed) {
        const plain::Case one = random_case(seed);
        Given given{make_graph(one.graph), make_cluster(one.cluster), nullptr};
        regal_problem *problem;
        if (regal_problem_create(given.graph.get(), given.cluster.get(), &problem) != REGAL_OK)
            continue;
        given.problem.reset(problem);
        return given;
    }
}

// A layered graph on slow links: far from its bound for a while.
Given make_hard() {
    regal_graph *graph;
    regal_cluster *cluster;
    regal_problem *problem;
    EXPECT_EQ(regal_graph_generate("layered", nullptr, 0, 1, nullptr, &graph), REGAL_OK);
    EXPECT_EQ(regal_cluster_parse("4", "5MB/s,5us", &cluster), REGAL_OK);
    EXPECT_EQ(regal_problem_create(graph, cluster, &problem), REGAL_OK);
    return {GraphPtr(graph), ClusterPtr(cluster), ProblemPtr(problem)};
}

regal_options options_for(int64_t evaluations) {
    regal_options options;
    regal_options_init(&options);
    options.policy = "none";
    options.evaluations = evaluations;
    options.population = 20;
    options.threads = 1;
    return options;
}

PlanPtr optimize(const Given &given, const regal_options &options, ChromosomePtr *keys = nullptr) {
    regal_plan *plan;
    regal_chromosome *best;
    EXPECT_EQ(regal_optimize(given.problem.get(), &options, nullptr, nullptr, &plan, &best),
              REGAL_OK)
        << regal_error_message();
    ChromosomePtr owned(best);
    if (keys != nullptr)
        *keys = std::move(owned);
    return PlanPtr(plan);
}

TEST(Search, GivesTheSamePlanForAnyThreads) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
        const Given given = make_given(seed * 50);
        regal_options options = options_for(500);
        options.objective = seed % 2 ? "memory" : "time";
        options.encoding = seed % 3 ? "inherit" : "affinity";
        options.islands = 1 + static_cast<int64_t>(seed % 4);
        options.exchange = 3;
        options.stall = 4;
        const PlanPtr one = optimize(given, options);
        options.threads = 3;
        const PlanPtr three = optimize(given, options);
        EXPECT_EQ(read_plan(one.get()), read_plan(three.get()));
        EXPECT_EQ(one->made.evaluations, three->made.evaluations);
        EXPECT_STREQ(one->made.origin, three->made.origin);
    }
}

TEST(Search, SpendsExactlyItsBudget) {
    const Given given = make_given(1000);
    for (int64_t evaluations : {1, 2, 19, 20, 21, 37, 500}) {
        regal_options options = options_for(evaluations);
        options.seeds = "none";
        options.islands = 3;
        options.stall = 2;
        const PlanPtr plan = optimize(given, options);
        EXPECT_STREQ(plan->made.stopped, "evaluations");
        EXPECT_EQ(plan->made.evaluations, evaluations);
    }
    regal_options options = options_for(-1);
    options.generations = 3;
    const PlanPtr plan = optimize(given, options);
    EXPECT_STREQ(plan->made.stopped, "generations");
    EXPECT_EQ(plan->made.evaluations, 20 + 3 * 16);
}

TEST(Search, MakesNoMoreIndividualsThanItsBudgetReaches) {
    const Given given = make_hard();
    regal_options options = options_for(10);
    options.population = 1 << 20;
    options.islands = 1 << 16; // far more than memory could hold
    const PlanPtr plan = optimize(given, options);
    EXPECT_EQ(plan->made.evaluations, 10);
}

// However large the population: an end is seen between slices of what is drawn and evaluated.
TEST(Search, DrawsIndividualsAsItEvaluatesThem) {
    const Given given = make_hard();
    regal_options options = options_for(1000000000);
    options.encoding = "affinity";
    options.seeds = "none";
    options.population = 1 << 19;
    options.time_limit = 0;
    const clock_t begin = clock();
    const PlanPtr plan = optimize(given, options);
    EXPECT_LT(clock() - begin, CLOCKS_PER_SEC / 2);
    EXPECT_LT(plan->made.evaluations, options.population);
}

TEST(Search, MoreBudgetIsNeverWorse) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
        const Given given = make_given(2000 + 30 * seed);
        regal_fitness last = {{INT64_MAX, 0, 0}};
        for (int64_t evaluations : {1, 20, 100, 400, 2000}) {
            regal_options options = options_for(evaluations);
            options.search = "brkga"; // an annealing schedule depends on the whole budget
            const PlanPtr plan = optimize(given, options);
            EXPECT_LE(regal_fitness_compare(plan->time, last), 0);
            last = plan->time;
        }
    }
}

TEST(Search, IsNeverWorseThanTheHeuristics) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const Given given = make_given(3000 + 10 * seed);
        for (const char *objective : {"time", "memory"}) {
            regal_options options = options_for(20);
            options.objective = objective;
            const PlanPtr plan = optimize(given, options);
            for (int baseline = 0; baseline < REGAL_BASELINE_COUNT; ++baseline) {
                regal_plan *other;
                const auto which = static_cast<regal_baseline>(baseline);
                if (which == REGAL_RANDOM || which == REGAL_PARTITION ||
                    regal_baseline_plan(given.problem.get(), which, plan->objective, 0, &other) !=
                        REGAL_OK)
                    continue;
                const PlanPtr owned(other);
                const regal_fitness ours = regal_plan_fitness(plan.get(), plan->objective);
                const regal_fitness theirs = regal_plan_fitness(other, plan->objective);
                EXPECT_TRUE(ours.value[0] < theirs.value[0] ||
                            (ours.value[0] == theirs.value[0] && ours.value[1] <= theirs.value[1]))
                    << seed << " " << objective << " "
                    << regal_baseline_name(static_cast<regal_baseline>(baseline));
            }
        }
    }
}

TEST(Search, TheChromosomeDecodesToThePlan) {
    const Given given = make_given(5000);
    regal_options options = options_for(200);
    options.seeds = "none";
    ChromosomePtr keys;
    const PlanPtr plan = optimize(given, options, &keys);
    ASSERT_NE(keys, nullptr);
    regal_plan *again;
    ASSERT_EQ(regal_chromosome_decode(given.problem.get(), keys.get(), &again), REGAL_OK);
    EXPECT_EQ(read_plan(PlanPtr(again).get()), read_plan(plan.get()));
}

struct Listener {
    int64_t calls = 0, stop_after;
    double share = 0;
    bool rising = true;
};

bool listen(const regal_progress *progress, void *context) {
    auto *listener = static_cast<Listener *>(context);
    listener->rising = listener->rising && progress->share >= listener->share;
    listener->share = progress->share;
    return ++listener->calls >= listener->stop_after;
}

TEST(Search, StopsWhenTheCallerSaysSoWithTheBestSoFar) {
    const Given given = make_hard();
    for (int64_t stop_after : {1, 2, 3, 6}) {
        Listener listener;
        listener.stop_after = stop_after;
        const regal_options options = options_for(1000000000);
        regal_plan *plan;
        ASSERT_EQ(regal_optimize(given.problem.get(), &options, listen, &listener, &plan, nullptr),
                  REGAL_OK);
        EXPECT_STREQ(plan->made.stopped, "interrupt");
        EXPECT_EQ(listener.calls, stop_after);
        EXPECT_TRUE(listener.rising);
        regal_plan_destroy(plan);
    }
}

TEST(Search, StopsAtATimeLimitATargetOrTheBound) {
    const Given given = make_hard();
    regal_options options = options_for(-1);
    options.time_limit = 0.05;
    EXPECT_STREQ(optimize(given, options)->made.stopped, "time-limit");
    options.time_limit = 0;
    options.seeds = "none";
    EXPECT_STREQ(optimize(given, options)->made.stopped, "time-limit");
    options = options_for(100000);
    options.target = INT64_MAX;
    EXPECT_STREQ(optimize(given, options)->made.stopped, "target");

    plain::Graph graph;
    graph.classes = {"c"};
    graph.ops.resize(1);
    graph.ops[0].name = "only";
    graph.ops[0].cost = {5};
    plain::Cluster cluster;
    cluster.devices.resize(1);
    cluster.devices[0].name = "d";
    Given one{make_graph(graph), make_cluster(cluster), nullptr};
    regal_problem *problem;
    ASSERT_EQ(regal_problem_create(one.graph.get(), one.cluster.get(), &problem), REGAL_OK);
    one.problem.reset(problem);
    EXPECT_STREQ(optimize(one, options_for(100))->made.stopped, "bound");
}

TEST(Search, RefusesABackendItDoesNotHave) {
    const Given given = make_given(8000);
    regal_options options = options_for(10);
    options.backend = "abacus";
    regal_plan *plan;
    EXPECT_NE(regal_optimize(given.problem.get(), &options, nullptr, nullptr, &plan, nullptr),
              REGAL_OK);
    EXPECT_EQ(plan, nullptr);
}

} // namespace
