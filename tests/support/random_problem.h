// Random graphs, clusters and chromosomes with every feature of DESIGN 2 and 3, small and full of
// ties. The same seed gives the same case on every machine.
#ifndef REGAL_TESTS_RANDOM_PROBLEM_H
#define REGAL_TESTS_RANDOM_PROBLEM_H

#include <cstdint>

#include "support/plain_case.h"

// SplitMix64: ours, since the distributions of <random> differ between libraries.
class Dice {
  public:
    explicit Dice(uint64_t seed) : state_(seed) {}
    uint64_t next();
    int64_t below(int64_t bound);               // 0..bound-1; 0 where bound <= 0
    int64_t between(int64_t low, int64_t high); // both may come
    bool chance(int64_t percent);
    template <typename Items> auto pick(const Items &items) {
        return items.begin()[below(static_cast<int64_t>(items.size()))];
    }

  private:
    uint64_t state_;
};

// Without its plan. A few cases in a hundred are infeasible: a group with no device in common.
plain::Case random_case(uint64_t seed);

// Another chromosome for the same problem.
plain::Chromosome random_chromosome(Dice &dice, int64_t op_count, int64_t device_count);

#endif
