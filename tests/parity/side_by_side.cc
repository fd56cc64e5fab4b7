#include "parity/side_by_side.h"

#include <gtest/gtest.h>

#include "parity/subject.h"
#include "support/random_problem.h"

namespace {

void expect_ok(regal_status status) {
    EXPECT_EQ(status, REGAL_OK) << regal_error_message();
}

bool equal(const regal_fitness &a, const regal_fitness &b) {
    return a.value[0] == b.value[0] && a.value[1] == b.value[1] && a.value[2] == b.value[2];
}

std::string text(const regal_fitness &f) {
    return std::to_string(f.value[0]) + " " + std::to_string(f.value[1]) + " " +
           std::to_string(f.value[2]);
}

} // namespace

SideBySide::SideBySide(const std::vector<WholeProblem> &problems,
                       const regal_population_shape &shape, const Proposals &proposals,
                       int64_t proposal_rows)
    : problems_(problems), shape_(shape), range_{0, (int64_t)problems.size() * shape.islands} {
    std::vector<regal_backend_problem> given;
    for (size_t i = 0; i < problems.size(); ++i)
        given.push_back({&problems[i].view(), proposals.empty() ? nullptr : proposals[i].data(),
                         proposal_rows});
    expect_ok(regal_backend_find("cpu", 0, &backend_[0]));
    backend_[1] = parity_subject();
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->create(&shape_, given.data(), (int64_t)given.size(), &instance_[b]));
}

SideBySide::~SideBySide() {
    for (int b = 0; b < 2; ++b)
        backend_[b]->destroy(instance_[b]);
}

const regal_problem_view &SideBySide::view(int64_t island) const {
    return problems_[(size_t)(island / shape_.islands)].view();
}

void SideBySide::seed(uint32_t generation, int64_t begin, int64_t end,
                      const std::vector<regal_seed_individual> &given) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->seed(instance_[b], range_, generation, begin, end, given.data(),
                                    (int64_t)given.size()));
}

void SideBySide::evaluate(int64_t begin, int64_t end) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->evaluate(instance_[b], range_, begin, end));
}

void SideBySide::rank(int64_t count) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->rank(instance_[b], range_, count));
}

void SideBySide::keep(int64_t count) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->keep(instance_[b], range_, count));
}

void SideBySide::evolve(uint32_t generation) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->evolve(instance_[b], range_, generation));
}

void SideBySide::exchange(int64_t count) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->exchange(instance_[b], range_, count));
}

void SideBySide::start_chains(int64_t chains, int64_t starts) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->start_chains(instance_[b], range_, chains, starts));
}

void SideBySide::move_chains(int64_t begin, int64_t end, int64_t round, int64_t count,
                             uint64_t heat) {
    std::vector<uint64_t> heats;
    for (size_t p = 0; p < problems_.size(); ++p)
        heats.push_back(heat / (p + 1));
    const regal_chain_rounds rounds = {begin, end, round, count, heats.data()};
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->move_chains(instance_[b], range_, &rounds));
}

void SideBySide::select_chains(int64_t replaced) {
    for (int b = 0; b < 2; ++b)
        expect_ok(backend_[b]->select_chains(instance_[b], range_, replaced));
}

void SideBySide::expect_equal_individuals(int64_t count, const std::string &where) {
    for (int64_t island = range_.first; island < range_.first + range_.count; ++island)
        for (int64_t rank = 0; rank < count; ++rank) {
            std::vector<uint16_t> genes[2];
            int64_t window[2];
            regal_fitness fitness[2];
            for (int b = 0; b < 2; ++b) {
                genes[b].resize((size_t)regal_gene_count(shape_.encoding, view(island).op_count,
                                                         view(island).device_count));
                expect_ok(backend_[b]->fetch_individual(instance_[b], island, rank, genes[b].data(),
                                                        &window[b], &fitness[b]));
            }
            ASSERT_EQ(genes[0], genes[1]) << where << ", island " << island << ", rank " << rank;
            ASSERT_EQ(window[0], window[1]) << where << ", island " << island << ", rank " << rank;
            ASSERT_TRUE(equal(fitness[0], fitness[1]))
                << where << ", island " << island << ", rank " << rank << ": " << text(fitness[0])
                << " is not " << text(fitness[1]);
        }
}

void SideBySide::expect_equal_chains(int64_t chains, const std::string &where) {
    std::vector<regal_chain_best> best[2];
    for (int b = 0; b < 2; ++b) {
        best[b].resize((size_t)range_.count);
        expect_ok(backend_[b]->fetch_best_chains(instance_[b], range_, best[b].data()));
    }
    for (int64_t island = range_.first; island < range_.first + range_.count; ++island) {
        const size_t i = (size_t)(island - range_.first);
        const regal_chain_best &cpu = best[0][i], &other = best[1][i];
        ASSERT_TRUE(equal(cpu.fitness, other.fitness))
            << where << ", island " << island << ": " << text(cpu.fitness) << " is not "
            << text(other.fitness);
        ASSERT_EQ(cpu.chain, other.chain) << where << ", island " << island;
        for (int64_t chain = 0; chain < chains; ++chain) {
            const size_t n = (size_t)view(island).op_count;
            std::vector<uint8_t> device[2];
            std::vector<uint16_t> key[2];
            int64_t window[2];
            for (int b = 0; b < 2; ++b) {
                device[b].resize(n);
                key[b].resize(n);
                expect_ok(backend_[b]->fetch_chain(instance_[b], island, chain, device[b].data(),
                                                   key[b].data(), &window[b]));
            }
            ASSERT_EQ(device[0], device[1])
                << where << ", island " << island << ", chain " << chain;
            ASSERT_EQ(key[0], key[1]) << where << ", island " << island << ", chain " << chain;
            ASSERT_EQ(window[0], window[1]) << where << ", island " << island;
        }
    }
}

std::vector<WholeProblem> random_problems(uint64_t first_seed, size_t count) {
    std::vector<WholeProblem> made;
    for (uint64_t seed = first_seed; made.size() < count; ++seed) {
        const plain::Case one = random_case(seed);
        WholeProblem whole(one.graph, one.cluster);
        if (whole.status == REGAL_OK && whole.view().op_count > 0)
            made.push_back(std::move(whole));
    }
    return made;
}

regal_population_shape parity_shape(regal_encoding encoding, regal_objective objective,
                                    int64_t window, uint64_t seed) {
    regal_population_shape shape = {};
    shape.encoding = encoding;
    shape.objective = objective;
    shape.seed = seed;
    shape.islands = 2;
    shape.population = 11; // a multiple of nothing
    shape.elites = 3;
    shape.mutants = 2;
    shape.rho = 180;
    shape.window = window;
    shape.threads = 1;
    return shape;
}

Individuals::Individuals(const std::vector<WholeProblem> &problems,
                         const regal_population_shape &shape) {
    Dice dice(shape.seed);
    for (int64_t island = 0; island < (int64_t)problems.size() * shape.islands; ++island) {
        const regal_problem_view &view = problems[(size_t)(island / shape.islands)].view();
        for (int64_t slot = 0; slot < shape.population; ++slot) {
            genes.emplace_back(
                (size_t)regal_gene_count(shape.encoding, view.op_count, view.device_count));
            for (uint16_t &gene : genes.back())
                gene = (uint16_t)dice.next();
            given.push_back({island, slot, slot % 5, genes.back().data()});
        }
    }
}

void expect_equal_generations(const std::vector<WholeProblem> &problems,
                              const regal_population_shape &shape, int generations,
                              const Proposals &proposals, int64_t proposal_rows) {
    SideBySide both(problems, shape, proposals, proposal_rows);
    if (testing::Test::HasFailure())
        return;
    both.seed(0, 0, shape.population);
    for (int generation = 0; !testing::Test::HasFailure(); ++generation) {
        both.evaluate(generation == 0 ? 0 : shape.elites, shape.population);
        both.rank(shape.population);
        both.expect_equal_individuals(shape.population, "generation " + std::to_string(generation));
        if (generation == generations)
            break;
        if (generation % 3 == 2) {
            both.exchange(2);
            both.rank(shape.population);
        }
        both.evolve((uint32_t)generation + 1);
    }
}

void expect_equal_annealing(const std::vector<WholeProblem> &problems,
                            const regal_population_shape &shape, int64_t chains, int selections,
                            uint64_t heat) {
    enum { ROUNDS = 5 };
    SideBySide both(problems, shape);
    if (testing::Test::HasFailure())
        return;
    both.seed(0, 0, shape.population);
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.start_chains(chains, shape.elites);
    both.expect_equal_chains(chains, "at the start");
    for (int i = 0; i < selections && !testing::Test::HasFailure(); ++i) {
        both.select_chains(chains / 2);
        both.move_chains(0, chains, i * ROUNDS, ROUNDS, heat);
        both.expect_equal_chains(chains, "after selection " + std::to_string(i));
    }
    both.move_chains(0, 1, selections * ROUNDS, 1, heat);
    both.expect_equal_chains(chains, "after the last rounds");
}
