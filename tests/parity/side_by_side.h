// One instance on the CPU and one on the subject, asked the same; whatever they hold must be equal.
#ifndef REGAL_TESTS_PARITY_SIDE_BY_SIDE_H
#define REGAL_TESTS_PARITY_SIDE_BY_SIDE_H

#include <vector>

#include "regal/backend/backend.h"
#include "support/whole_problem.h"

// Proposals [rows][genes] of each problem; empty: uniform.
using Proposals = std::vector<std::vector<uint16_t>>;

class SideBySide {
  public:
    SideBySide(const std::vector<WholeProblem> &problems, const regal_population_shape &shape,
               const Proposals &proposals = {}, int64_t proposal_rows = 0);
    ~SideBySide();
    SideBySide(const SideBySide &) = delete;

    // What follows is asked for these islands only.
    void narrow(regal_island_range range) { range_ = range; }

    void seed(uint32_t generation, int64_t begin, int64_t end,
              const std::vector<regal_seed_individual> &given = {});
    void evaluate(int64_t begin, int64_t end);
    void rank(int64_t count);
    void keep(int64_t count);
    void evolve(uint32_t generation);
    void exchange(int64_t count);
    void start_chains(int64_t chains, int64_t starts);
    // Problem p cools at heat / (p + 1).
    void move_chains(int64_t begin, int64_t end, int64_t round, int64_t count, uint64_t heat);
    void select_chains(int64_t replaced);

    // Compares the first `count` ranks of each island: genes, windows, fitness.
    void expect_equal_individuals(int64_t count, const std::string &where);
    // Compares the best plans of the first `chains` chains.
    void expect_equal_chains(int64_t chains, const std::string &where);

  private:
    const regal_problem_view &view(int64_t island) const;

    const std::vector<WholeProblem> &problems_;
    regal_population_shape shape_;
    const regal_backend *backend_[2];
    regal_backend_instance *instance_[2] = {nullptr, nullptr};
    regal_island_range range_;
};

// Feasible random problems with at least one op, from a seed on.
std::vector<WholeProblem> random_problems(uint64_t first_seed, size_t count);

regal_population_shape parity_shape(regal_encoding encoding, regal_objective objective,
                                    int64_t window, uint64_t seed);

// Individuals for all slots of all islands whose windows differ: slot s has s mod 5.
struct Individuals {
    Individuals(const std::vector<WholeProblem> &problems, const regal_population_shape &shape);
    std::vector<std::vector<uint16_t>> genes;
    std::vector<regal_seed_individual> given;
};

// A search of some generations on both, compared after each.
void expect_equal_generations(const std::vector<WholeProblem> &problems,
                              const regal_population_shape &shape, int generations,
                              const Proposals &proposals = {}, int64_t proposal_rows = 0);

// Chains from a first population on both, compared after each selection.
void expect_equal_annealing(const std::vector<WholeProblem> &problems,
                            const regal_population_shape &shape, int64_t chains, int selections,
                            uint64_t heat);

#endif
