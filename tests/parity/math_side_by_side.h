// The same arithmetic on the CPU, with one, two and three threads, and on the subject.
#ifndef REGAL_TESTS_PARITY_MATH_SIDE_BY_SIDE_H
#define REGAL_TESTS_PARITY_MATH_SIDE_BY_SIDE_H

#include <functional>
#include <string>
#include <vector>

#include "regal/backend/math.h"

using Floats = std::vector<float>;
using Ids = std::vector<int32_t>;

// A context whose calls must succeed.
class Machine {
  public:
    Machine(const regal_math *table, int64_t threads, const std::string &called);
    ~Machine() { math->destroy(context); }
    Machine(const Machine &) = delete;

    float *put(const Floats &values);
    const int32_t *put(const Ids &values);
    Floats get(const float *at, size_t count);

    const regal_math *math;
    regal_math_context *context;
    std::string name;
    bool on_cpu;
};

void require(regal_status status);

// What an operation leaves behind.
using Operation = std::function<Floats(Machine &machine)>;

// The same bits everywhere, within tolerance x (1 + |expected|) of what is expected.
void expect_same(const Operation &operation, const std::vector<double> &expected,
                 double tolerance = 1e-5);

// The same bits for any number of threads; the subject's within tolerance, too.
void expect_close(const Operation &operation, const std::vector<double> &expected,
                  double tolerance = 1e-5);

// Between -1 and 1, from a seed.
Floats random_floats(size_t count, uint64_t seed);
// From -1 to below `limit`.
Ids random_ids(size_t count, int64_t limit, uint64_t seed);

#endif
