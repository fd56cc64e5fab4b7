// The golden cases of the shared folder, one instance each.
#include <gtest/gtest.h>

#include "parity/subject.h"
#include "support/plain_json.h"
#include "support/whole_problem.h"

namespace {

regal_population_shape shape_of(const plain::Case &one, regal_objective objective) {
    regal_population_shape shape = {};
    shape.encoding = one.chromosome.affinity_encoding ? REGAL_AFFINITY : REGAL_INHERIT;
    shape.objective = objective;
    shape.islands = 1;
    shape.population = 4;
    shape.elites = 1;
    shape.exact = true;
    return shape;
}

std::vector<uint16_t> genes_of(const plain::Chromosome &chromosome) {
    std::vector<uint16_t> genes;
    for (const int64_t key : chromosome.priority)
        genes.push_back((uint16_t)key);
    for (const int64_t key : chromosome.placement)
        genes.push_back((uint16_t)key);
    for (const auto &row : chromosome.affinity)
        for (const int64_t key : row)
            genes.push_back((uint16_t)key);
    for (const int64_t key : chromosome.transfer)
        genes.push_back((uint16_t)key);
    return genes;
}

void expect_golden(const plain::Case &one, regal_objective objective) {
    const WholeProblem whole(one.graph, one.cluster);
    if (whole.status != REGAL_OK || whole.view().op_count == 0)
        return;
    const regal_backend *backend = parity_subject();
    const regal_population_shape shape = shape_of(one, objective);
    const regal_backend_problem problem = {&whole.view(), nullptr, 0};
    const std::vector<uint16_t> genes = genes_of(one.chromosome);
    const regal_seed_individual given = {0, 0, one.chromosome.window, genes.data()};
    regal_backend_instance *instance = nullptr;
    ASSERT_EQ(backend->create(&shape, &problem, 1, &instance), REGAL_OK) << regal_error_message();
    regal_fitness fitness;
    EXPECT_EQ(backend->seed(instance, {0, 1}, 0, 0, 1, &given, 1), REGAL_OK);
    EXPECT_EQ(backend->evaluate(instance, {0, 1}, 0, 1), REGAL_OK);
    EXPECT_EQ(backend->rank(instance, {0, 1}, 1), REGAL_OK);
    EXPECT_EQ(backend->fetch_best(instance, {0, 1}, &fitness), REGAL_OK);
    const std::array<int64_t, 3> &golden =
        objective == REGAL_TIME ? one.plan.time : one.plan.memory;
    for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(fitness.value[i], golden[i]) << one.graph.name;
    backend->destroy(instance);
}

TEST(ParityOfGoldenCases, Holds) {
    if (plain::golden_path().empty())
        GTEST_SKIP() << "the shared folder with golden/decode.json is missing";
    for (const plain::Case &one : plain::read_cases(plain::golden_path())) {
        expect_golden(one, REGAL_TIME);
        expect_golden(one, REGAL_MEMORY);
    }
}

} // namespace
