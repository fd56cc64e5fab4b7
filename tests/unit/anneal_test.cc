// The annealing stage in a search, through the public API.
#include <gtest/gtest.h>

#include <string>

#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

WholeProblem feasible_problem(uint64_t seed) {
    for (;; ++seed) {
        const plain::Case one = random_case(seed);
        WholeProblem whole(one.graph, one.cluster);
        if (whole.status == REGAL_OK)
            return whole;
    }
}

struct Generated {
    Generated(const char *generator, double ops, const char *devices, const char *link) {
        regal_graph *g;
        regal_cluster *c;
        regal_problem *p;
        const regal_parameter_value parameter = {"ops", ops};
        EXPECT_EQ(regal_graph_generate(generator, &parameter, ops > 0, 1, nullptr, &g), REGAL_OK)
            << regal_error_message();
        graph.reset(g);
        EXPECT_EQ(regal_cluster_parse(devices, link, &c), REGAL_OK);
        cluster.reset(c);
        EXPECT_EQ(regal_problem_create(g, c, &p), REGAL_OK);
        problem.reset(p);
    }
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
};

regal_options options_for(const char *search, int64_t evaluations) {
    regal_options options;
    regal_options_init(&options);
    options.policy = "none";
    options.search = search;
    options.evaluations = evaluations;
    options.population = 20;
    options.threads = 1;
    return options;
}

PlanPtr optimize(const regal_problem *problem, const regal_options &options,
                 ChromosomePtr *keys = nullptr) {
    regal_plan *plan = nullptr;
    regal_chromosome *best = nullptr;
    EXPECT_EQ(regal_optimize(problem, &options, nullptr, nullptr, &plan, &best), REGAL_OK)
        << regal_error_message();
    ChromosomePtr owned(best);
    if (keys != nullptr)
        *keys = std::move(owned);
    return PlanPtr(plan);
}

const char *const SEARCHES[] = {"auto", "anneal", "local"};

TEST(Annealing, GivesTheSamePlanForAnyThreads) {
    for (uint64_t seed = 0; seed < 16; ++seed) {
        const WholeProblem whole = feasible_problem(seed * 50);
        regal_options options = options_for(SEARCHES[seed % 3], 3000);
        options.objective = seed % 2 ? "memory" : "time";
        options.encoding = seed % 3 ? "inherit" : "affinity";
        options.islands = 1 + (int64_t)(seed % 3);
        const PlanPtr one = optimize(whole.get(), options);
        for (const int64_t threads : {2, 3}) {
            options.threads = threads;
            const PlanPtr many = optimize(whole.get(), options);
            EXPECT_EQ(read_plan(one.get()), read_plan(many.get()));
            EXPECT_EQ(one->made.evaluations, many->made.evaluations);
            EXPECT_STREQ(one->made.origin, many->made.origin);
        }
    }
}

// One chain over a graph that is worth it: the threads try its rounds ahead.
TEST(Annealing, OfOneChainGoesTheSameWayOnAnyThreads) {
    const Generated given("transformer-step", 0, "4", "25GB/s,5us");
    for (const char *objective : {"time", "memory"})
        for (const char *encoding : {"inherit", "affinity"}) {
            regal_options options = options_for("anneal", 500);
            options.objective = objective;
            options.encoding = encoding;
            options.seeds = "none";
            const PlanPtr one = optimize(given.problem.get(), options);
            for (const int64_t threads : {2, 3, 7}) {
                options.threads = threads;
                EXPECT_EQ(read_plan(one.get()),
                          read_plan(optimize(given.problem.get(), options).get()));
            }
        }
}

// The checker has agreed with every plan before it is returned: with its placement, groups, caps
// and figures.
TEST(Annealing, MakesValidPlansOfEveryFeature) {
    int64_t annealed = 0;
    for (uint64_t seed = 0; seed < 250; ++seed) {
        const WholeProblem whole = feasible_problem(5000 + seed * 7);
        regal_options options = options_for(SEARCHES[seed % 3], 400);
        options.objective = seed % 3 ? "memory" : "time";
        options.encoding = seed % 5 ? "inherit" : "affinity";
        options.window = (int64_t)(seed % 4) - 1;
        options.seeds = seed % 7 ? "heuristic" : "none";
        ChromosomePtr keys;
        const PlanPtr plan = optimize(whole.get(), options, &keys);
        ASSERT_NE(plan, nullptr) << seed;
        const std::string origin = plan->made.origin;
        if (origin != "annealing" && origin != "local search")
            continue;
        ++annealed;
        regal_plan *again;
        ASSERT_EQ(regal_chromosome_decode(whole.get(), keys.get(), &again), REGAL_OK);
        EXPECT_EQ(read_plan(PlanPtr(again).get()), read_plan(plan.get()));
    }
    EXPECT_GT(annealed, 50);
}

// With all its budget in one chain; the same search at zero heat cannot leave its optimum.
TEST(LocalSearch, ImprovesRandomPlansAndStartsAgainWhereThereIsTime) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    regal_options options = options_for("local", 20);
    options.seeds = "none";
    const int64_t start = optimize(given.problem.get(), options)->makespan;
    options.evaluations = 3000;
    const PlanPtr one = optimize(given.problem.get(), options);
    EXPECT_LT(one->makespan, start);
    EXPECT_STREQ(one->made.search, "local");
    EXPECT_STREQ(one->made.origin, "local search");
    options.evaluations = 300000;
    const PlanPtr many = optimize(given.problem.get(), options);
    EXPECT_LT(many->makespan, one->makespan);
    EXPECT_LT(many->made.rounds, 300000 / 2); // several chains share the evaluations
}

TEST(Annealing, SpendsExactlyItsBudget) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    for (const char *search : SEARCHES) {
        for (const int64_t evaluations : {1, 2, 19, 20, 21, 37, 500, 1999, 30001}) {
            for (const int64_t islands : {1, 3}) {
                regal_options options = options_for(search, evaluations);
                options.islands = islands;
                const PlanPtr plan = optimize(given.problem.get(), options);
                EXPECT_STREQ(plan->made.stopped, "evaluations");
                EXPECT_EQ(plan->made.evaluations, evaluations) << search << islands;
            }
        }
    }
}

TEST(Annealing, TurnsALimitOfGenerationsIntoEvaluations) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    for (const char *search : {"brkga", "auto", "anneal"}) {
        regal_options options = options_for(search, -1);
        options.generations = 30;
        const PlanPtr plan = optimize(given.problem.get(), options);
        EXPECT_STREQ(plan->made.stopped, "generations");
        EXPECT_EQ(plan->made.evaluations, 20 + 30 * 16) << search;
    }
}

// A population of 20 of which 16 are new each time, and chains: made says how much of each.
TEST(Annealing, CountsGenerationsAndRoundsApart) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    PlanPtr plan = optimize(given.problem.get(), options_for("brkga", 20 + 30 * 16));
    EXPECT_EQ(plan->made.generations, 30);
    EXPECT_EQ(plan->made.rounds, 0);
    plan = optimize(given.problem.get(), options_for("auto", 1000)); // 300 for BRKGA
    EXPECT_EQ(plan->made.generations, (300 - 20 + 15) / 16);
    EXPECT_EQ(plan->made.rounds, 1000 - (20 + 18 * 16) - 1) << "of the one chain, after its start";
    plan = optimize(given.problem.get(), options_for("anneal", 1000));
    EXPECT_EQ(plan->made.generations, 0);
    EXPECT_EQ(plan->made.rounds, 1000 - 20 - 1);
}

TEST(Annealing, SaysWhatRan) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    EXPECT_STREQ(optimize(given.problem.get(), options_for("brkga", 500))->made.search, "brkga");
    EXPECT_STREQ(optimize(given.problem.get(), options_for("anneal", 500))->made.search, "anneal");
    EXPECT_STREQ(optimize(given.problem.get(), options_for("auto", 500))->made.search,
                 "brkga+anneal");
    EXPECT_STREQ(optimize(given.problem.get(), options_for("auto", 5))->made.search, "brkga");
    EXPECT_STREQ(optimize(given.problem.get(), options_for("anneal", 5))->made.search, "anneal");
}

TEST(Annealing, IsNeverWorseThanItsSeeds) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
        const WholeProblem whole = feasible_problem(9000 + 10 * seed);
        for (const char *objective : {"time", "memory"}) {
            regal_options options = options_for("anneal", 60);
            options.objective = objective;
            const PlanPtr plan = optimize(whole.get(), options);
            for (int baseline = 0; baseline < REGAL_BASELINE_COUNT; ++baseline) {
                regal_plan *other;
                if (baseline == REGAL_RANDOM || baseline == REGAL_PARTITION ||
                    regal_baseline_plan(whole.get(), (regal_baseline)baseline, plan->objective, 0,
                                        &other) != REGAL_OK)
                    continue;
                EXPECT_LE(regal_fitness_compare(regal_plan_fitness(plan.get(), plan->objective),
                                                regal_plan_fitness(other, plan->objective)),
                          0);
                regal_plan_destroy(other);
            }
        }
    }
}

TEST(Annealing, FindsMoreThanTheFirstStageAlone) {
    const Generated given("stochastic-block", 0, "2", "free");
    regal_options options = options_for("brkga", 5000);
    options.objective = "memory";
    const int64_t alone = optimize(given.problem.get(), options)->memory.value[1];
    options.search = "auto";
    EXPECT_LT(optimize(given.problem.get(), options)->memory.value[1], alone);
}

// The stages of a run in their order, and what they count.
struct Stages {
    std::string names;
    int64_t generation = 0, rounds = 0;
    bool counts_fit = true;
};

bool note_stage(const regal_progress *progress, void *context) {
    Stages &stages = *static_cast<Stages *>(context);
    const std::string name = progress->stage;
    if (stages.names.size() < name.size() ||
        stages.names.substr(stages.names.size() - name.size()) != name)
        stages.names += " " + name;
    stages.counts_fit &= progress->generation >= stages.generation &&
                         progress->rounds >= stages.rounds &&
                         (name == "anneal" || name == "local" || progress->rounds == 0);
    stages.generation = progress->generation;
    stages.rounds = progress->rounds;
    return false;
}

TEST(Annealing, ProgressNamesTheStage) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    const struct {
        const char *search, *names;
    } cases[] = {{"auto", " seeds brkga anneal"},
                 {"brkga", " seeds brkga"},
                 {"anneal", " seeds anneal"},
                 {"local", " seeds local"}};
    for (const auto &one : cases) {
        const regal_options options = options_for(one.search, 20000);
        Stages stages;
        regal_plan *plan;
        ASSERT_EQ(
            regal_optimize(given.problem.get(), &options, note_stage, &stages, &plan, nullptr),
            REGAL_OK);
        EXPECT_EQ(stages.names, one.names);
        EXPECT_TRUE(stages.counts_fit);
        regal_plan_destroy(plan);
    }
}

bool stop_late(const regal_progress *progress, void *context) {
    *static_cast<int64_t *>(context) = progress->value;
    return progress->share > 0.4; // in the second stage
}

TEST(Annealing, StopsWhenTheCallerSaysSoWithTheBestSoFar) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    const regal_options options = options_for("auto", 300000);
    int64_t value = -1;
    regal_plan *plan;
    ASSERT_EQ(regal_optimize(given.problem.get(), &options, stop_late, &value, &plan, nullptr),
              REGAL_OK);
    EXPECT_STREQ(plan->made.stopped, "interrupt");
    EXPECT_STREQ(plan->made.search, "brkga+anneal");
    EXPECT_LT(plan->made.evaluations, 300000);
    EXPECT_EQ(plan->makespan, value);
    regal_plan_destroy(plan);
}

TEST(Annealing, KeepsToATimeLimitAndATarget) {
    const Generated given("layered", 0, "4", "5MB/s,5us");
    regal_options options = options_for("auto", -1);
    options.time_limit = 0.2;
    const PlanPtr limited = optimize(given.problem.get(), options);
    EXPECT_STREQ(limited->made.stopped, "time-limit");
    EXPECT_STREQ(limited->made.search, "brkga+anneal");
    EXPECT_LT(limited->made.seconds, 5);
    options = options_for("anneal", 1000000);
    options.target = limited->makespan + limited->makespan / 20;
    EXPECT_STREQ(optimize(given.problem.get(), options)->made.stopped, "target");
}

// A long run follows two lines, with and without the heuristics, and then one.
TEST(Annealing, FollowsTwoLinesInLongRuns) {
    const Generated given("stochastic-block", 60, "2", "5MB/s,5us");
    for (const char *objective : {"time", "memory"}) {
        regal_options options = options_for("auto", 10000 + 32 * 60);
        options.objective = objective;
        const PlanPtr one = optimize(given.problem.get(), options);
        EXPECT_EQ(one->made.evaluations, options.evaluations);
        options.threads = 3;
        const PlanPtr three = optimize(given.problem.get(), options);
        EXPECT_EQ(read_plan(one.get()), read_plan(three.get()));
        options.islands = 1;
        const PlanPtr seeded = optimize(given.problem.get(), options);
        EXPECT_NE(read_plan(one.get()).start, read_plan(seeded.get()).start);
    }
}

// Beyond 65,536 ops keys cannot hold every order; the plan is still what its keys stand for.
TEST(Annealing, HandlesMoreOpsThanKeys) {
    const Generated given("layered-large", 70000, "2", "25GB/s,5us");
    for (const char *objective : {"time", "memory"}) {
        regal_options options = options_for("anneal", 20);
        options.population = 4;
        options.objective = objective;
        options.seeds = "none";
        const PlanPtr plan = optimize(given.problem.get(), options);
        EXPECT_STREQ(plan->made.search, "anneal");
    }
}

} // namespace
