// Annealing chains through the seam: several problems, islands, windows and encodings at once.
#include <gtest/gtest.h>

#include <vector>

#include "graph/problem_data.h"
#include "regal/backend/backend.h"
#include "regal/core/fitness.h"
#include "search/encode.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

std::vector<WholeProblem> feasible_problems(uint64_t seed, size_t count) {
    std::vector<WholeProblem> made;
    for (; made.size() < count; ++seed) {
        const plain::Case one = random_case(seed);
        WholeProblem whole(one.graph, one.cluster);
        if (whole.status == REGAL_OK && whole.view().op_count > 0)
            made.push_back(std::move(whole));
    }
    return made;
}

regal_population_shape small_shape(regal_encoding encoding, regal_objective objective,
                                   int64_t window, int64_t threads) {
    regal_population_shape shape = {};
    shape.encoding = encoding;
    shape.objective = objective;
    shape.seed = 11;
    shape.islands = 2;
    shape.population = 8;
    shape.elites = 3;
    shape.mutants = 2;
    shape.rho = 180;
    shape.window = window;
    shape.threads = threads;
    return shape;
}

class Chains {
  public:
    Chains(const std::vector<WholeProblem> &problems, const regal_population_shape &shape,
           int64_t chains)
        : problems_(problems), shape_(shape), chains_(chains),
          heat_(problems.size(), (uint64_t)1 << 28) {
        std::vector<regal_backend_problem> given;
        for (const WholeProblem &whole : problems)
            given.push_back({&whole.view(), nullptr, 0});
        EXPECT_EQ(regal_backend_find("cpu", 0, &backend_), REGAL_OK);
        EXPECT_EQ(backend_->create(&shape_, given.data(), (int64_t)given.size(), &instance_),
                  REGAL_OK);
        range_ = {0, (int64_t)problems.size() * shape.islands};
        backend_->seed(instance_, range_, 0, 0, shape_.population, nullptr, 0);
        backend_->evaluate(instance_, range_, 0, shape_.population);
        backend_->rank(instance_, range_, shape_.population);
        EXPECT_EQ(backend_->start_chains(instance_, range_, chains, 3), REGAL_OK);
    }
    ~Chains() { backend_->destroy(instance_); }
    Chains(const Chains &) = delete;

    void move(int64_t round, int64_t count) { move(round, count, 0, chains_); }
    void move(int64_t round, int64_t count, int64_t begin, int64_t end) {
        const regal_chain_rounds rounds = {begin, end, round, count, heat_.data()};
        EXPECT_EQ(backend_->move_chains(instance_, range_, &rounds), REGAL_OK);
    }
    void select(int64_t replaced) { backend_->select_chains(instance_, range_, replaced); }
    void set_heat(uint64_t heat) { heat_.assign(heat_.size(), heat); }

    const regal_problem_view &view(int64_t island) const {
        return problems_[(size_t)(island / shape_.islands)].view();
    }
    // The best plan of a chain as a chromosome.
    std::vector<uint16_t> fetch(int64_t island, int64_t chain, int64_t *window) {
        const regal_problem_view &v = view(island);
        std::vector<uint8_t> device((size_t)v.op_count);
        std::vector<uint16_t> key((size_t)v.op_count),
            genes((size_t)regal_gene_count(shape_.encoding, v.op_count, v.device_count));
        EXPECT_EQ(
            backend_->fetch_chain(instance_, island, chain, device.data(), key.data(), window),
            REGAL_OK);
        regal_encode_keys(&v, shape_.encoding, device.data(), key.data(), genes.data());
        return genes;
    }
    std::vector<regal_chain_best> best() {
        std::vector<regal_chain_best> best((size_t)range_.count);
        EXPECT_EQ(backend_->fetch_best_chains(instance_, range_, best.data()), REGAL_OK);
        return best;
    }
    regal_fitness worth(int64_t island, int64_t chain) {
        int64_t window;
        std::vector<uint16_t> genes = fetch(island, chain, &window);
        const regal_problem_view &v = view(island);
        const regal_chromosome keys = {shape_.encoding, window, v.op_count, v.device_count,
                                       genes.data()};
        regal_plan *plan;
        EXPECT_EQ(regal_chromosome_decode(problems_[(size_t)(island / shape_.islands)].get(), &keys,
                                          &plan),
                  REGAL_OK);
        return regal_plan_fitness(PlanPtr(plan).get(), shape_.objective);
    }
    // All that has come about.
    std::vector<int64_t> state() {
        std::vector<int64_t> all;
        for (const regal_chain_best &best : best())
            all.insert(all.end(), {best.fitness.value[0], best.fitness.value[1],
                                   best.fitness.value[2], best.chain});
        for (int64_t island = 0; island < range_.count; ++island)
            for (int64_t chain = 0; chain < chains_; ++chain) {
                int64_t window;
                const std::vector<uint16_t> genes = fetch(island, chain, &window);
                all.insert(all.end(), genes.begin(), genes.end());
                all.push_back(window);
            }
        return all;
    }

    const std::vector<WholeProblem> &problems_;
    regal_population_shape shape_;
    int64_t chains_;
    std::vector<uint64_t> heat_;
    const regal_backend *backend_ = nullptr;
    regal_backend_instance *instance_ = nullptr;
    regal_island_range range_{};
};

struct Setting {
    regal_encoding encoding;
    regal_objective objective;
    int64_t window;
};
const Setting SETTINGS[] = {{REGAL_INHERIT, REGAL_TIME, 0},    {REGAL_INHERIT, REGAL_MEMORY, 1},
                            {REGAL_INHERIT, REGAL_TIME, 3},    {REGAL_AFFINITY, REGAL_TIME, 0},
                            {REGAL_AFFINITY, REGAL_MEMORY, 1}, {REGAL_AFFINITY, REGAL_MEMORY, 2}};

TEST(AnnealingChains, GiveTheSameForAnyThreadsAndCalls) {
    const std::vector<WholeProblem> problems = feasible_problems(100, 5);
    for (const Setting &s : SETTINGS) {
        Chains one(problems, small_shape(s.encoding, s.objective, s.window, 1), 5),
            three(problems, small_shape(s.encoding, s.objective, s.window, 3), 5);
        for (int64_t round = 0; round < 60; round += 20) {
            one.move(round, 20);
            three.move(round, 7, 0, 3); // in parts, and in another order
            three.move(round, 7, 3, 5);
            three.move(round + 7, 13);
            ASSERT_EQ(one.state(), three.state());
            one.select(2);
            three.select(2);
        }
    }
}

TEST(AnnealingChains, BestIsExactlyWhatItsChromosomeGives) {
    const std::vector<WholeProblem> problems = feasible_problems(300, 40);
    for (const Setting &s : SETTINGS) {
        Chains run(problems, small_shape(s.encoding, s.objective, s.window, 1), 2);
        for (int64_t round = 0; round < 80; round += 40) {
            run.move(round, 40);
            const std::vector<regal_chain_best> best = run.best();
            for (int64_t island = 0; island < run.range_.count; ++island) {
                const regal_chain_best &claimed = best[(size_t)island];
                ASSERT_EQ(regal_fitness_compare(run.worth(island, claimed.chain), claimed.fitness),
                          0);
                for (int64_t chain = 0; chain < 2; ++chain)
                    ASSERT_LE(regal_fitness_compare(claimed.fitness, run.worth(island, chain)), 0);
            }
        }
    }
}

TEST(AnnealingChains, StartFromRankedIndividuals) {
    const std::vector<WholeProblem> problems = feasible_problems(500, 10);
    Chains run(problems, small_shape(REGAL_INHERIT, REGAL_TIME, 0, 1), 7);
    for (int64_t island = 0; island < run.range_.count; ++island)
        for (int64_t chain = 0; chain < 7; ++chain) {
            regal_fitness start;
            run.backend_->fetch_individual(run.instance_, island, chain % 3, nullptr, nullptr,
                                           &start);
            EXPECT_EQ(regal_fitness_compare(run.worth(island, chain), start), 0);
        }
}

TEST(AnnealingChains, AcceptNothingWorseWithoutHeatAndSelectionSpreadsTheBest) {
    const std::vector<WholeProblem> problems = feasible_problems(700, 10);
    Chains run(problems, small_shape(REGAL_INHERIT, REGAL_MEMORY, 1, 1), 4);
    run.set_heat(0);
    run.move(0, 200);
    run.select(2);
    const std::vector<regal_chain_best> before = run.best();
    run.move(200, 200);
    const std::vector<regal_chain_best> after = run.best();
    for (size_t i = 0; i < before.size(); ++i)
        EXPECT_LE(regal_fitness_compare(after[i].fitness, before[i].fitness), 0);
}

} // namespace
