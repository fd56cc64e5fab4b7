// Random problems with every feature, several in an instance.
#include <gtest/gtest.h>

#include <cstdlib>

#include "parity/side_by_side.h"

namespace {

// Problems in all; REGAL_TEST_CASES asks for more.
int64_t problem_count() {
    const char *asked = std::getenv("REGAL_TEST_CASES");
    return asked != nullptr ? std::atoll(asked) : REGAL_PARITY_PROBLEMS;
}

enum { TOGETHER = 5, SETTINGS = 8 };

regal_population_shape setting(int64_t i) {
    static const int64_t windows[] = {0, 1, 3, 0};
    const regal_encoding encoding = i % 2 == 0 ? REGAL_INHERIT : REGAL_AFFINITY;
    const regal_objective objective = i / 2 % 2 == 0 ? REGAL_TIME : REGAL_MEMORY;
    regal_population_shape shape =
        parity_shape(encoding, objective, windows[i / 2 % 4], (uint64_t)i + 1);
    shape.exact = i % 7 == 6;
    return shape;
}

TEST(ParityOfRandomProblems, HoldsForEachGeneration) {
    for (int64_t i = 0; i < problem_count() / TOGETHER && !HasFailure(); ++i)
        expect_equal_generations(random_problems((uint64_t)(i * TOGETHER), TOGETHER), setting(i),
                                 4);
}

TEST(ParityOfRandomProblems, HoldsForChains) {
    for (int64_t i = 0; i < problem_count() / TOGETHER && !HasFailure(); ++i)
        expect_equal_annealing(random_problems(5000 + (uint64_t)(i * TOGETHER), TOGETHER),
                               setting(i), 5, 3, (uint64_t)1 << 28);
}

TEST(ParityOfRandomProblems, HoldsForWholeRuns) {
    for (int64_t i = 0; i < REGAL_PARITY_RUNS && !HasFailure(); ++i)
        expect_equal_generations(random_problems(9000 + (uint64_t)i * 2, 2), setting(i), 10);
}

TEST(ParityOfRandomProblems, HoldsForProposals) {
    for (int64_t i = 0; i < 4 && !HasFailure(); ++i) {
        const std::vector<WholeProblem> problems = random_problems(700 + (uint64_t)i * 3, 3);
        regal_population_shape shape = setting(i);
        shape.uniform_start = i % 2 == 1;
        shape.uniform_mutants = i / 2 == 1;
        Proposals proposals;
        for (const WholeProblem &problem : problems) {
            const int64_t genes = regal_gene_count(shape.encoding, problem.view().op_count,
                                                   problem.view().device_count);
            std::vector<uint16_t> rows;
            for (int64_t g = 0; g < 3 * genes; ++g)
                rows.push_back((uint16_t)(g * 37 % 411));
            proposals.push_back(rows);
        }
        expect_equal_generations(problems, shape, 4, proposals, 3);
    }
}

} // namespace
