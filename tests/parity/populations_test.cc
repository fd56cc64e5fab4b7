// Operations of populations that a plain run does not reach.
#include <gtest/gtest.h>

#include "parity/side_by_side.h"

namespace {

TEST(ParityOfPopulations, HoldsForGivenIndividuals) {
    const std::vector<WholeProblem> problems = random_problems(40, 2);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 5);
    SideBySide both(problems, shape);
    std::vector<std::vector<uint16_t>> genes;
    std::vector<regal_seed_individual> given;
    for (int64_t island = 0; island < 4; ++island) {
        const regal_problem_view &view = problems[(size_t)(island / 2)].view();
        genes.emplace_back(
            (size_t)regal_gene_count(REGAL_INHERIT, view.op_count, view.device_count),
            (uint16_t)(island * 9000));
    }
    for (int64_t island = 0; island < 4; ++island)
        given.push_back({island, island, island, genes[(size_t)island].data()});
    both.seed(0, 0, 3, given); // the last one is for a slot outside
    both.seed(0, 3, shape.population, given);
    for (regal_seed_individual &one : given)
        one.window = 7; // what was given may go
    for (std::vector<uint16_t> &one : genes)
        one.assign(one.size(), 1);
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.expect_equal_individuals(shape.population, "given");
}

TEST(ParityOfPopulations, HoldsAfterARestart) {
    std::vector<WholeProblem> problems = random_problems(60, 3);
    plain::Graph roomy = small_graph(std::vector<std::vector<int64_t>>(40, {3}));
    for (int64_t op = 0; op < 20; ++op)
        add_tensor(roomy, op, 5 + op % 3, {op + 20, op * 7 % 20 + 20});
    problems.emplace_back(roomy, small_cluster({0, 0, 0})); // where there are limits to take back
    const regal_population_shape shape = parity_shape(REGAL_AFFINITY, REGAL_MEMORY, 1, 6);
    SideBySide both(problems, shape);
    both.seed(0, 0, shape.population);
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.evolve(1);
    both.evaluate(shape.elites, shape.population);
    both.rank(shape.population);
    both.keep(2);
    both.seed(2, 2, shape.population);
    both.evaluate(2, shape.population);
    both.rank(shape.population);
    both.expect_equal_individuals(shape.population, "restart");
    both.evolve(3);
    both.evaluate(shape.elites, shape.population);
    both.rank(shape.population);
    both.expect_equal_individuals(shape.population, "after it");
}

TEST(ParityOfPopulations, HoldsForPartsOfAPopulation) {
    const std::vector<WholeProblem> problems = random_problems(80, 2);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_MEMORY, 2, 7);
    SideBySide both(problems, shape);
    both.seed(0, 0, 6);
    both.evaluate(0, 6);
    both.rank(6);
    both.expect_equal_individuals(6, "a part");
}

// Evaluates what is new from `begin` on, ranks all and compares.
void expect_equal_ranks(SideBySide *both, const regal_population_shape &shape, int64_t begin,
                        const std::string &where) {
    both->evaluate(begin, shape.population);
    both->rank(shape.population);
    both->expect_equal_individuals(shape.population, where);
}

TEST(ParityOfPopulations, HoldsForWindowsThatDiffer) {
    const std::vector<WholeProblem> problems = random_problems(100, 3);
    for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY}) {
        const regal_population_shape shape = parity_shape(encoding, REGAL_TIME, 1, 11);
        SideBySide both(problems, shape);
        both.seed(0, 0, shape.population, Individuals(problems, shape).given);
        expect_equal_ranks(&both, shape, 0, "given");
        for (uint32_t generation = 1; generation < 4; ++generation) {
            both.evolve(generation);
            expect_equal_ranks(&both, shape, shape.elites, "evolved");
        }
    }
}

TEST(ParityOfPopulations, HoldsForElitesAroundARing) {
    const std::vector<WholeProblem> problems = random_problems(110, 3);
    for (const int64_t islands : {1, 3, 4}) {
        regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_MEMORY, 3, 12);
        shape.islands = islands;
        SideBySide both(problems, shape);
        both.seed(0, 0, shape.population, Individuals(problems, shape).given);
        expect_equal_ranks(&both, shape, 0, "given");
        both.exchange(shape.population / 2);
        both.rank(shape.population);
        both.expect_equal_individuals(shape.population, "exchanged");
        both.evolve(1);
        expect_equal_ranks(&both, shape, shape.elites, "evolved");
    }
}

TEST(ParityOfPopulations, HoldsForSomeOfTheIslands) {
    const std::vector<WholeProblem> problems = random_problems(120, 3);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 13);
    SideBySide both(problems, shape);
    both.seed(0, 0, shape.population);
    expect_equal_ranks(&both, shape, 0, "all");
    both.narrow({2, 2}); // the second problem's
    both.evolve(1);
    expect_equal_ranks(&both, shape, shape.elites, "evolved");
    both.exchange(2);
    both.rank(shape.population);
    both.keep(4);
    both.seed(2, 4, shape.population);
    expect_equal_ranks(&both, shape, 4, "seeded anew");
    both.narrow({0, 6});
    both.evolve(3);
    expect_equal_ranks(&both, shape, shape.elites, "evolved together");
}

TEST(ParityOfPopulations, HoldsForPopulationsAboveABlock) {
    const std::vector<WholeProblem> problems = random_problems(90, 1);
    regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 8);
    shape.population = 301;
    shape.elites = 60;
    shape.mutants = 45;
    shape.islands = 3;
    expect_equal_generations(problems, shape, 2);
}

TEST(ParityOfPopulations, HoldsForPopulationsThatAreSorted) {
    std::vector<WholeProblem> problems;
    problems.emplace_back(small_graph({{3}, {5}}), small_cluster({0, 0}));
    regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 9);
    shape.population = 16400;
    shape.elites = 10;
    shape.islands = 1;
    SideBySide both(problems, shape);
    both.seed(0, 0, shape.population);
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.expect_equal_individuals(shape.population, "sorted");
}

} // namespace
