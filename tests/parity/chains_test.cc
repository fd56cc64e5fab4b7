// Annealing chains beyond what a plain run does with them.
#include <gtest/gtest.h>

#include "parity/side_by_side.h"

namespace {

constexpr uint64_t kHeat = (uint64_t)1 << 28;

void begin(SideBySide *both, const std::vector<WholeProblem> &problems,
           const regal_population_shape &shape) {
    both->seed(0, 0, shape.population, Individuals(problems, shape).given);
    both->evaluate(0, shape.population);
    both->rank(shape.population);
}

TEST(ParityOfChains, HoldsForAnyNumberOfThem) {
    const std::vector<WholeProblem> problems = random_problems(130, 3);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 14);
    SideBySide both(problems, shape);
    begin(&both, problems, shape);
    for (const int64_t chains : {1, 2, 7, 40}) { // each time made anew
        both.start_chains(chains, shape.elites);
        both.move_chains(0, chains, 0, 4, kHeat);
        both.select_chains(chains / 2);
        both.move_chains(0, chains, 4, 4, kHeat);
        both.expect_equal_chains(chains, std::to_string(chains) + " chains");
    }
}

TEST(ParityOfChains, HoldsForWindowsThatDiffer) {
    const std::vector<WholeProblem> problems = random_problems(140, 4);
    for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY})
        for (const regal_objective objective : {REGAL_TIME, REGAL_MEMORY}) {
            const regal_population_shape shape = parity_shape(encoding, objective, 2, 15);
            SideBySide both(problems, shape);
            begin(&both, problems, shape);
            both.start_chains(shape.population, shape.population);
            both.expect_equal_chains(shape.population, "at the start");
            for (int64_t i = 0; i < 3; ++i) {
                both.select_chains(shape.population / 2);
                both.move_chains(0, shape.population, 6 * i, 6, kHeat);
                both.expect_equal_chains(shape.population, "later");
            }
        }
}

TEST(ParityOfChains, HoldsForPartsOfThem) {
    const std::vector<WholeProblem> problems = random_problems(150, 3);
    const regal_population_shape shape = parity_shape(REGAL_AFFINITY, REGAL_TIME, 1, 16);
    SideBySide both(problems, shape);
    begin(&both, problems, shape);
    both.start_chains(6, 4);
    both.move_chains(2, 5, 0, 8, kHeat);
    both.move_chains(5, 6, 3, 5, kHeat);
    both.move_chains(3, 3, 0, 1, kHeat);
    both.expect_equal_chains(6, "parts");
    both.narrow({4, 2}); // the third problem's islands
    both.start_chains(5, 5);
    both.select_chains(2);
    both.move_chains(0, 5, 0, 8, kHeat);
    both.expect_equal_chains(5, "some islands");
    both.narrow({0, 4});
    both.select_chains(3);
    both.move_chains(0, 6, 8, 8, kHeat);
    both.expect_equal_chains(6, "the other islands");
}

TEST(ParityOfChains, HoldsWhereTheyAreHot) {
    // They leave their best plans: the reference is what they have come by, not what they cost.
    const std::vector<WholeProblem> problems = random_problems(170, 3);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 18);
    SideBySide both(problems, shape);
    begin(&both, problems, shape);
    both.start_chains(1, 1);
    for (int64_t i = 0; i < 4; ++i) {
        both.move_chains(0, 1, 30 * i, 12, (uint64_t)1 << 34);
        both.select_chains(0);
        both.move_chains(0, 1, 30 * i + 12, 18, (uint64_t)1 << 30);
        both.expect_equal_chains(1, "hot and cool");
    }
}

TEST(ParityOfChains, HoldsForRoundsBeyond32Bits) {
    const std::vector<WholeProblem> problems = random_problems(160, 1);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 17);
    SideBySide both(problems, shape);
    begin(&both, problems, shape);
    both.start_chains(4, 2);
    both.move_chains(0, 4, ((int64_t)1 << 32) - 3, 6, kHeat); // draws take 32 bits of the round
    both.expect_equal_chains(4, "late rounds");
}

} // namespace
