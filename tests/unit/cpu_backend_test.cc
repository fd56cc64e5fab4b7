// The CPU backend through the seam: populations of several problems and islands.
#include <gtest/gtest.h>

#include <vector>

#include "graph/problem_data.h"
#include "regal/backend/backend.h"
#include "regal/core/fitness.h"
#include "support/random_problem.h"
#include "support/regal_objects.h"

namespace {

struct Problems {
    std::vector<GraphPtr> graphs;
    std::vector<ClusterPtr> clusters;
    std::vector<ProblemPtr> problems;
    std::vector<regal_backend_problem> given;
};

Problems feasible_problems(uint64_t seed, size_t count) {
    Problems made;
    for (; made.problems.size() < count; ++seed) {
        const plain::Case one = random_case(seed);
        GraphPtr graph = make_graph(one.graph);
        ClusterPtr cluster = make_cluster(one.cluster);
        regal_problem *problem;
        if (regal_problem_create(graph.get(), cluster.get(), &problem) != REGAL_OK)
            continue;
        made.problems.emplace_back(problem);
        made.graphs.push_back(std::move(graph));
        made.clusters.push_back(std::move(cluster));
        made.given.push_back({regal_problem_get_view(problem), nullptr, 0});
    }
    return made;
}

regal_population_shape small_shape(regal_encoding encoding, int64_t threads) {
    regal_population_shape shape = {};
    shape.encoding = encoding;
    shape.objective = REGAL_TIME;
    shape.seed = 7;
    shape.islands = 3;
    shape.population = 13;
    shape.elites = 3;
    shape.mutants = 2;
    shape.rho = 180;
    shape.window = 1;
    shape.threads = threads;
    return shape;
}

// An instance over several problems; one run of a few generations as lists of what came about.
class Evolution {
  public:
    Evolution(const Problems &problems, const regal_population_shape &shape)
        : problems_(problems), shape_(shape) {
        EXPECT_EQ(regal_backend_find("cpu", 0, &backend_), REGAL_OK);
        EXPECT_EQ(backend_->create(&shape_, problems.given.data(),
                                   static_cast<int64_t>(problems.given.size()), &instance_),
                  REGAL_OK);
        range_ = {0, static_cast<int64_t>(problems.given.size()) * shape.islands};
    }
    ~Evolution() { backend_->destroy(instance_); }
    Evolution(const Evolution &) = delete;

    int64_t gene_count(int64_t island) const {
        const regal_problem_view *view = problems_.given[island / shape_.islands].view;
        return regal_gene_count(shape_.encoding, view->op_count, view->device_count);
    }
    regal_fitness fetch(int64_t island, int64_t rank, std::vector<uint16_t> *genes = nullptr,
                        int64_t *window = nullptr) {
        std::vector<uint16_t> keys(gene_count(island) + 1);
        regal_fitness fitness;
        EXPECT_EQ(
            backend_->fetch_individual(instance_, island, rank, keys.data(), window, &fitness),
            REGAL_OK);
        keys.pop_back();
        if (genes != nullptr)
            *genes = keys;
        return fitness;
    }
    // Everything that all islands hold, in ranks.
    std::vector<int64_t> state() {
        std::vector<int64_t> all;
        for (int64_t island = 0; island < range_.count; ++island)
            for (int64_t rank = 0; rank < shape_.population; ++rank) {
                std::vector<uint16_t> genes;
                int64_t window;
                const regal_fitness fitness = fetch(island, rank, &genes, &window);
                all.insert(all.end(), fitness.value, fitness.value + 3);
                all.insert(all.end(), genes.begin(), genes.end());
                all.push_back(window);
            }
        return all;
    }
    void first(int64_t slice) {
        for (int64_t begin = 0; begin < shape_.population; begin += slice)
            EXPECT_EQ(backend_->seed(instance_, range_, 0, begin,
                                     std::min(begin + slice, shape_.population), nullptr, 0),
                      REGAL_OK);
        finish(0, slice);
    }
    void next(uint32_t generation, int64_t slice) {
        EXPECT_EQ(backend_->evolve(instance_, range_, generation), REGAL_OK);
        finish(shape_.elites, slice);
    }
    void finish(int64_t begin, int64_t slice) {
        for (; begin < shape_.population; begin += slice)
            EXPECT_EQ(backend_->evaluate(instance_, range_, begin,
                                         std::min(begin + slice, shape_.population)),
                      REGAL_OK);
        EXPECT_EQ(backend_->rank(instance_, range_, shape_.population), REGAL_OK);
    }

    const Problems &problems_;
    regal_population_shape shape_;
    const regal_backend *backend_ = nullptr;
    regal_backend_instance *instance_ = nullptr;
    regal_island_range range_;
};

TEST(CpuBackend, GivesTheSameForAnyThreadsAndSlices) {
    const Problems problems = feasible_problems(100, 4);
    for (regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
        Evolution one(problems, small_shape(encoding, 1)),
            three(problems, small_shape(encoding, 3));
        one.first(13);
        three.first(2);
        ASSERT_EQ(one.state(), three.state());
        for (uint32_t generation = 1; generation < 6; ++generation) {
            one.next(generation, 5);
            three.next(generation, 13);
            if (generation == 3)
                for (Evolution *run : {&one, &three}) {
                    run->backend_->exchange(run->instance_, run->range_, 2);
                    run->backend_->rank(run->instance_, run->range_, 13);
                }
            ASSERT_EQ(one.state(), three.state()) << generation;
        }
    }
}

TEST(CpuBackend, FitnessIsThatOfTheDecodedPlan) {
    const Problems problems = feasible_problems(200, 5);
    for (regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
        regal_population_shape shape = small_shape(encoding, 2);
        shape.exact = true;
        Evolution run(problems, shape);
        run.first(4);
        run.next(1, 4);
        for (int64_t island = 0; island < run.range_.count; ++island) {
            const regal_problem *problem = problems.problems[island / 3].get();
            const regal_problem_view *view = regal_problem_get_view(problem);
            regal_fitness last = {{-1, -1, -1}};
            for (int64_t rank = 0; rank < 13; ++rank) {
                std::vector<uint16_t> genes;
                int64_t window;
                const regal_fitness fitness = run.fetch(island, rank, &genes, &window);
                const regal_chromosome keys = {encoding, window, view->op_count, view->device_count,
                                               genes.data()};
                regal_plan *plan;
                ASSERT_EQ(regal_chromosome_decode(problem, &keys, &plan), REGAL_OK);
                ASSERT_EQ(regal_fitness_compare(plan->time, fitness), 0);
                regal_plan_destroy(plan);
                ASSERT_LE(regal_fitness_compare(last, fitness), 0);
                last = fitness;
            }
        }
    }
}

// Leaving hopeless individuals early changes no elite, ever, and so no parent of the next
// generation.
TEST(CpuBackend, CutsEvaluationsShortWithoutAnyEffect) {
    const Problems problems = feasible_problems(500, 12);
    for (regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
        regal_population_shape shape = small_shape(REGAL_INHERIT, 1);
        shape.objective = objective;
        Evolution cut(problems, shape);
        shape.exact = true;
        Evolution exact(problems, shape);
        cut.first(13);
        exact.first(13);
        int64_t hopeless = 0;
        for (uint32_t generation = 1; generation < 30; ++generation) {
            cut.next(generation, 13);
            exact.next(generation, 13);
            for (int64_t island = 0; island < cut.range_.count; ++island) {
                for (int64_t rank = 0; rank < shape.elites; ++rank) {
                    std::vector<uint16_t> some, others;
                    ASSERT_EQ(regal_fitness_compare(cut.fetch(island, rank, &some),
                                                    exact.fetch(island, rank, &others)),
                              0);
                    ASSERT_EQ(some, others);
                }
                hopeless += cut.fetch(island, 12).value[0] == INT64_MAX;
                ASSERT_NE(exact.fetch(island, 12).value[0], INT64_MAX);
            }
        }
        EXPECT_GT(hopeless, 100);
    }
}

TEST(CpuBackend, ElitesSurviveAndRestartsKeepTheBest) {
    const Problems problems = feasible_problems(300, 2);
    Evolution run(problems, small_shape(REGAL_INHERIT, 1));
    run.first(13);
    std::vector<std::vector<uint16_t>> elites(3);
    for (int64_t rank = 0; rank < 3; ++rank)
        run.fetch(4, rank, &elites[rank]);
    run.backend_->evolve(run.instance_, run.range_, 1);
    run.backend_->rank(run.instance_, run.range_, 3); // the elites alone
    for (int64_t rank = 0; rank < 3; ++rank) {
        std::vector<uint16_t> genes;
        run.fetch(4, rank, &genes);
        EXPECT_EQ(genes, elites[rank]);
    }
    run.backend_->keep(run.instance_, {4, 1}, 1);
    run.backend_->seed(run.instance_, {4, 1}, 2, 1, run.shape_.population, nullptr, 0);
    run.backend_->rank(run.instance_, {4, 1}, 1);
    std::vector<uint16_t> genes;
    run.fetch(4, 0, &genes);
    EXPECT_EQ(genes, elites[0]);
}

TEST(CpuBackend, ExchangePassesTheBestAroundTheRing) {
    const Problems problems = feasible_problems(400, 2);
    Evolution run(problems, small_shape(REGAL_INHERIT, 1));
    run.first(13);
    std::vector<regal_fitness> best(6);
    ASSERT_EQ(run.backend_->fetch_best(run.instance_, run.range_, best.data()), REGAL_OK);
    run.backend_->exchange(run.instance_, run.range_, 1);
    run.backend_->rank(run.instance_, run.range_, 13);
    std::vector<regal_fitness> after(6);
    run.backend_->fetch_best(run.instance_, run.range_, after.data());
    for (int64_t island = 0; island < 6; ++island) {
        const int64_t from = island / 3 * 3 + (island % 3 + 2) % 3;
        const regal_fitness better =
            regal_fitness_less(best[from], best[island]) ? best[from] : best[island];
        EXPECT_EQ(regal_fitness_compare(after[island], better), 0);
    }
}

TEST(Backends, AreListedAndFoundByName) {
    regal_backend_info info;
    ASSERT_TRUE(regal_backend_describe(0, &info));
    EXPECT_STREQ(info.name, "cpu");
    EXPECT_TRUE(info.available);
    EXPECT_GE(info.threads, 1);
    EXPECT_GT(info.memory, 0);
    const regal_backend *backend;
    EXPECT_EQ(regal_backend_find("auto", 0, &backend), REGAL_OK);
    EXPECT_EQ(regal_backend_find("abacus", 0, &backend), REGAL_UNAVAILABLE);
}

} // namespace
