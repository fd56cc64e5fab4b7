// The search with a policy, or with given proposals.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "policy/policy.h"
#include "policy/rollout.h"
#include "regal/backend/backend.h"
#include "regal/io.h"
#include "search/guide.h"
#include "search/optimize_proposed.h"
#include "support/random_problem.h"
#include "support/refusal.h"
#include "support/scratch_folder.h"
#include "support/warning_list.h"
#include "support/whole_problem.h"

namespace {

// With few numbers, and as good as untrained ones are.
std::string write_policy(const std::string &path, regal_objective objective, int64_t seeds = 3) {
    regal_policy_settings settings;
    regal_policy_settings_init(objective, &settings);
    settings.width = 8;
    settings.rounds = 1;
    settings.rollouts = 12;
    settings.rows = 5;
    settings.seeds = seeds;
    regal_policy *policy;
    EXPECT_EQ(regal_policy_create(&settings, 1, &policy), REGAL_OK) << regal_error_message();
    EXPECT_EQ(regal_policy_write(policy, path.c_str()), REGAL_OK) << regal_error_message();
    const std::string digest = policy->digest;
    regal_policy_destroy(policy);
    return digest;
}

class PolicySearch : public testing::Test {
  protected:
    PolicySearch() {
        regal_graph *made;
        regal_cluster *devices;
        regal_problem *both;
        EXPECT_EQ(regal_graph_generate("layered", nullptr, 0, 1, nullptr, &made), REGAL_OK);
        EXPECT_EQ(regal_cluster_parse("4", "5MB/s,5us", &devices), REGAL_OK);
        EXPECT_EQ(regal_problem_create(made, devices, &both), REGAL_OK);
        graph.reset(made);
        cluster.reset(devices);
        problem.reset(both);
        digest = write_policy(time_policy, REGAL_TIME);
    }

    regal_options options_for(int64_t evaluations, const char *uses) const {
        regal_options options;
        regal_options_init(&options);
        options.evaluations = evaluations;
        options.population = 20;
        options.threads = 1;
        options.policy = time_policy.c_str();
        options.policy_use = uses;
        return options;
    }

    PlanPtr optimize(const regal_options &options) const {
        regal_plan *plan;
        EXPECT_EQ(regal_optimize(problem.get(), &options, nullptr, nullptr, &plan, nullptr),
                  REGAL_OK)
            << regal_error_message();
        return PlanPtr(plan);
    }

    // The best of the policy's roll-outs that a short search draws: as many as there are rows.
    regal_fitness best_rollout() const {
        regal_policy *policy;
        regal_rollouts rollouts;
        regal_fitness best{};
        const regal_backend *cpu;
        EXPECT_EQ(regal_backend_find("cpu", 0, &cpu), REGAL_OK);
        EXPECT_EQ(regal_policy_read(time_policy.c_str(), &policy), REGAL_OK);
        if (regal_policy_roll_out(policy, problem.get(), cpu->math, 1, 0, 5, 1, &rollouts) ==
            REGAL_OK) {
            best = rollouts.fitness[rollouts.best[0]];
            regal_rollouts_destroy(&rollouts);
        }
        regal_policy_destroy(policy);
        return best;
    }

    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
    const ScratchFolder folder;
    const std::string time_policy = folder / "little.safetensors";
    const std::string dump = folder / "proposals.json";
    std::string digest;
};

const char *const ALL = "mutants,population,seeds,chains";

TEST_F(PolicySearch, WithoutAPolicyIsWhatItWas) {
    regal_options options = options_for(3000, ALL);
    options.policy = options.seeds = "none";
    EXPECT_EQ(optimize(options)->makespan, 1953800);
    options.search = "brkga";
    EXPECT_EQ(optimize(options)->makespan, 2038800);
    options.search = "auto";
    options.encoding = "affinity";
    options.objective = "memory";
    EXPECT_EQ(optimize(options)->memory.value[1], 441);
}

TEST_F(PolicySearch, GivesTheSamePlanForAnyThreads) {
    for (const char *encoding : {"inherit", "affinity"}) {
        regal_options options = options_for(600, ALL);
        options.encoding = encoding;
        const PlanPtr one = optimize(options);
        EXPECT_EQ(one->made.policy, "little.safetensors " + digest);
        for (int64_t threads : {2, 3}) {
            options.threads = threads;
            const PlanPtr other = optimize(options);
            EXPECT_EQ(read_plan(one.get()), read_plan(other.get()));
            EXPECT_STREQ(one->made.proposals, other->made.proposals);
            EXPECT_STREQ(one->made.origin, other->made.origin);
        }
    }
}

TEST_F(PolicySearch, FindsThePlanOfItsDumpedProposals) {
    for (const char *encoding : {"inherit", "affinity"})
        for (const char *uses : {"mutants", "population", "population,mutants"}) {
            regal_options options = options_for(600, uses);
            options.encoding = encoding;
            options.dump_proposals = dump.c_str();
            const PlanPtr proposed = optimize(options);
            options.policy = "auto";
            options.dump_proposals = "";
            options.proposals = dump.c_str();
            const PlanPtr given = optimize(options);
            EXPECT_EQ(read_plan(proposed.get()), read_plan(given.get()));
            EXPECT_STREQ(given->made.policy, "proposals");
            EXPECT_STREQ(given->made.proposals, proposed->made.proposals);
        }
}

TEST_F(PolicySearch, DumpsUniformProposalsWithoutAPolicy) {
    regal_options options = options_for(300, ALL);
    options.policy = "none";
    options.dump_proposals = dump.c_str();
    const PlanPtr without = optimize(options);
    EXPECT_EQ(without->made.proposals, nullptr);
    options.dump_proposals = "";
    options.proposals = dump.c_str();
    EXPECT_EQ(read_plan(optimize(options).get()), read_plan(without.get()));
}

TEST_F(PolicySearch, UsesThePolicyForWhatIsAsked) {
    regal_options options = options_for(400, ALL);
    options.policy = "none";
    options.search = "brkga";
    options.seeds = "none";
    const PlanPtr without = optimize(options);
    EXPECT_STREQ(without->made.policy, "none");
    std::vector<plain::Plan> plans{read_plan(without.get())};
    options.policy = time_policy.c_str();
    for (const char *uses : {"mutants", "population", "seeds"}) {
        options.policy_use = uses;
        const PlanPtr plan = optimize(options);
        plans.push_back(read_plan(plan.get()));
        for (size_t i = 0; i + 1 < plans.size(); ++i)
            EXPECT_FALSE(plans[i] == plans.back()) << uses << " as " << i;
    }
    options.policy_use = "chains"; // there are none
    EXPECT_EQ(read_plan(optimize(options).get()), plans[0]);
    options.policy = "none";
    options.policy_use = ALL;
    EXPECT_EQ(read_plan(optimize(options).get()), plans[0]);
}

TEST_F(PolicySearch, EvaluatesTheBestRollOutsFirst) {
    regal_options options = options_for(1, "seeds");
    options.search = "brkga";
    options.seeds = "none";
    const PlanPtr first = optimize(options);
    EXPECT_EQ(regal_fitness_compare(first->time, best_rollout()), 0);
    EXPECT_STREQ(first->made.origin, "policy");
    EXPECT_EQ(first->made.evaluations, 1);
    options.policy_use = "mutants,population,chains";
    EXPECT_NE(regal_fitness_compare(optimize(options)->time, best_rollout()), 0);
}

TEST_F(PolicySearch, ChainsGetTheRollOutsThatThePopulationDidNot) {
    const regal_fitness best = best_rollout();
    for (const char *seeds : {"none", "heuristic"}) {
        regal_options options = options_for(20 + 3, "chains");
        options.search = "anneal";
        options.seeds = seeds;
        const PlanPtr plan = optimize(options);
        EXPECT_LE(regal_fitness_compare(plan->time, best), 0);
        EXPECT_TRUE(plan->made.origin != std::string("policy") ||
                    regal_fitness_compare(plan->time, best) == 0);
        EXPECT_EQ(plan->made.evaluations, 23);
    }
    // A population that the heuristics fill has no place for them.
    write_policy(time_policy, REGAL_TIME, 50);
    regal_options options = options_for(400, "seeds,chains");
    options.population = 4;
    options.search = "anneal";
    EXPECT_LE(regal_fitness_compare(optimize(options)->time, best), 0);
}

TEST_F(PolicySearch, SpendsExactlyItsBudget) {
    for (const char *search : {"auto", "brkga", "anneal"})
        for (int64_t evaluations : {1, 2, 19, 20, 21, 22, 23, 24, 37, 500})
            for (const char *uses : {ALL, "chains"}) {
                regal_options options = options_for(evaluations, uses);
                options.search = search;
                options.islands = evaluations % 3 + 1;
                const PlanPtr plan = optimize(options);
                EXPECT_EQ(plan->made.evaluations, evaluations) << search << " " << uses;
            }
}

PlanPtr optimize_proposed(const regal_problem *problem, const regal_options &options,
                          const std::vector<uint16_t> &rows, int64_t count) {
    regal_plan *plan = nullptr;
    EXPECT_EQ(regal_optimize_proposed(problem, &options, count > 0 ? rows.data() : nullptr, count,
                                      nullptr, nullptr, &plan, nullptr),
              REGAL_OK)
        << regal_error_message();
    return PlanPtr(plan);
}

TEST_F(PolicySearch, TakesProposalsFromMemoryAsFromAFile) {
    regal_options options = options_for(500, ALL);
    options.seeds = "none";
    std::vector<uint16_t> rows((size_t)(2 * 2 * regal_graph_op_count(graph.get())));
    for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = (uint16_t)(i * 37 % 411);
    const PlanPtr uniform = optimize_proposed(problem.get(), options, {}, 0);
    options.dump_proposals = dump.c_str();
    const PlanPtr proposed = optimize_proposed(problem.get(), options, rows, 2);
    options.dump_proposals = "";
    options.proposals = dump.c_str();
    const PlanPtr given = optimize(options);
    EXPECT_EQ(read_plan(proposed.get()), read_plan(given.get()));
    EXPECT_STREQ(given->made.policy, "proposals");
    EXPECT_STREQ(given->made.proposals, proposed->made.proposals);
    options.proposals = "";
    options.policy = "none";
    EXPECT_EQ(read_plan(uniform.get()), read_plan(optimize(options).get()));
    EXPECT_FALSE(read_plan(uniform.get()) == read_plan(proposed.get()));
    EXPECT_STREQ(uniform->made.policy, "none");
}

TEST_F(PolicySearch, WarnsOfAPolicyForTheOtherObjective) {
    WarningList warnings;
    regal_options options = options_for(50, ALL);
    optimize(options);
    EXPECT_TRUE(warnings.list.empty());
    options.objective = "memory";
    EXPECT_EQ(optimize(options)->made.policy, "little.safetensors " + digest);
    ASSERT_EQ(warnings.list.size(), 1u);
    EXPECT_NE(warnings.list[0].find("is for time, but the search is for memory"),
              std::string::npos);
}

bool stop_at_policy(const regal_progress *progress, void *) {
    return progress->stage == std::string("policy");
}

TEST_F(PolicySearch, CanBeInterruptedWhileThePolicyWorks) {
    // So many plans that a tenth of a second passes.
    regal_policy *policy;
    ASSERT_EQ(regal_policy_read(time_policy.c_str(), &policy), REGAL_OK);
    policy->settings.rollouts = 4096;
    ASSERT_EQ(regal_policy_write(policy, time_policy.c_str()), REGAL_OK);
    regal_policy_destroy(policy);
    const regal_options options = options_for(4096 * 64, ALL);
    regal_plan *plan;
    ASSERT_EQ(regal_optimize(problem.get(), &options, stop_at_policy, nullptr, &plan, nullptr),
              REGAL_OK);
    EXPECT_STREQ(plan->made.stopped, "interrupt");
    EXPECT_STREQ(plan->made.search, "none");
    EXPECT_STREQ(plan->made.policy, "none");
    EXPECT_EQ(plan->made.evaluations, 0);
    regal_plan_destroy(plan);
}

TEST_F(PolicySearch, ServesEveryProblem) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
        const plain::Case one = random_case(seed);
        const WholeProblem whole(one.graph, one.cluster);
        if (whole.status != REGAL_OK)
            continue;
        regal_options options = options_for(60, ALL);
        options.encoding = seed % 2 != 0 ? "affinity" : "inherit";
        options.window = (int64_t)seed % 3;
        regal_plan *plan;
        ASSERT_EQ(regal_optimize(whole.get(), &options, nullptr, nullptr, &plan, nullptr), REGAL_OK)
            << regal_error_message();
        regal_plan_destroy(plan);
    }
    plain::Graph empty;
    empty.name = "empty";
    empty.classes = {"class0"};
    const WholeProblem none(empty, small_cluster({0, 0}));
    regal_options options = options_for(60, ALL);
    options.dump_proposals = dump.c_str();
    regal_plan *plan;
    ASSERT_EQ(regal_optimize(none.get(), &options, nullptr, nullptr, &plan, nullptr), REGAL_OK);
    EXPECT_STREQ(plan->made.policy, "none");
    regal_plan_destroy(plan);
}

struct DataFolder {
    explicit DataFolder(const std::string &path) { setenv("REGAL_DATA", path.c_str(), 1); }
    ~DataFolder() { unsetenv("REGAL_DATA"); }
};

TEST_F(PolicySearch, TakesTheShippedPolicyOfTheObjective) {
    const DataFolder data(folder.path());
    std::filesystem::create_directory(folder / "policies");
    const std::string memory = write_policy(folder / "policies/memory.safetensors", REGAL_MEMORY);
    regal_options options = options_for(50, ALL);
    options.policy = "auto";
    options.objective = "memory";
    EXPECT_EQ(optimize(options)->made.policy, "memory " + memory);
    regal_plan *plan = nullptr;
    ASSERT_EQ(regal_text_write((folder / "policies/memory.safetensors").c_str(), "rubbish", 7),
              REGAL_OK);
    EXPECT_TRUE(
        refused_with(regal_optimize(problem.get(), &options, nullptr, nullptr, &plan, nullptr),
                     REGAL_INVALID_INPUT, "memory.safetensors: "));
}

TEST(PolicyUse, IsAListOfWords) {
    unsigned uses;
    EXPECT_EQ(regal_guide_uses_read("chains,mutants", &uses), REGAL_OK);
    EXPECT_EQ(uses, unsigned(REGAL_USE_CHAINS | REGAL_USE_MUTANTS));
    for (const char *list : {"mutant", "mutants, seeds", "all"}) {
        regal_options options;
        regal_options_init(&options);
        options.policy_use = list;
        EXPECT_TRUE(refused_with(regal_options_validate(&options), REGAL_INVALID_ARGUMENT,
                                 "is none of mutants, population, seeds, chains"))
            << list;
    }
    for (const char *list : {"", ",", "mutants,", "mutants,,seeds"})
        EXPECT_TRUE(refused_with(regal_guide_uses_read(list, &uses), REGAL_INVALID_ARGUMENT,
                                 "a word is missing"))
            << list;
}

} // namespace
