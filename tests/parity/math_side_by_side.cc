#include "parity/math_side_by_side.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "parity/subject.h"
#include "regal/backend/backend.h"

void require(regal_status status) {
    ASSERT_EQ(status, REGAL_OK) << regal_error_message();
}

Machine::Machine(const regal_math *table, int64_t threads, const std::string &called)
    : math(table), context(nullptr), name(called), on_cpu(threads > 0) {
    require(math->create(threads, 0, &context));
}

float *Machine::put(const Floats &values) {
    void *memory;
    const int64_t count = static_cast<int64_t>(values.size());
    require(math->allocate(context, count, &memory));
    require(math->upload(context, memory, values.data(), count));
    require(math->wait(context));
    return static_cast<float *>(memory);
}

const int32_t *Machine::put(const Ids &values) {
    void *memory;
    const int64_t count = static_cast<int64_t>(values.size());
    require(math->allocate(context, count, &memory));
    require(math->upload(context, memory, values.data(), count));
    require(math->wait(context));
    return static_cast<int32_t *>(memory);
}

Floats Machine::get(const float *at, size_t count) {
    Floats values(count);
    require(math->download(context, values.data(), at, static_cast<int64_t>(count)));
    return values;
}

namespace {

void expect_near_all(const Floats &values, const std::vector<double> &expected, double tolerance,
                     const std::string &where) {
    ASSERT_EQ(values.size(), expected.size()) << where;
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * (1 + std::fabs(expected[i])))
            << where << ", number " << i;
}

void expect_bits(const Floats &values, const Floats &expected, const std::string &where) {
    ASSERT_EQ(values.size(), expected.size()) << where;
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(memcmp(&values[i], &expected[i], sizeof(float)), 0)
            << where << ", number " << i << ": " << values[i] << " and " << expected[i];
}

void run_everywhere(const Operation &operation, const std::vector<double> &expected,
                    double tolerance, bool subject_has_same_bits) {
    const regal_backend *cpu, *subject = parity_subject();
    require(regal_backend_find("cpu", 0, &cpu));
    ASSERT_NE(subject, nullptr) << regal_error_message();
    Floats first;
    for (const int64_t threads : {1, 2, 3, 0}) {
        Machine machine(threads > 0 ? cpu->math : subject->math, threads,
                        threads > 0 ? std::to_string(threads) + " threads" : "the subject");
        const Floats values = operation(machine);
        expect_near_all(values, expected, tolerance, machine.name);
        if (threads == 1)
            first = values;
        else if (threads > 0 || subject_has_same_bits)
            expect_bits(values, first, machine.name);
        if (testing::Test::HasFatalFailure())
            return;
    }
}

} // namespace

void expect_same(const Operation &operation, const std::vector<double> &expected,
                 double tolerance) {
    run_everywhere(operation, expected, tolerance, true);
}

void expect_close(const Operation &operation, const std::vector<double> &expected,
                  double tolerance) {
    run_everywhere(operation, expected, tolerance, false);
}

Floats random_floats(size_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    Floats values(count);
    for (float &value : values)
        value = static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    return values;
}

Ids random_ids(size_t count, int64_t limit, uint64_t seed) {
    std::mt19937_64 random(seed);
    Ids values(count);
    for (int32_t &value : values)
        value = static_cast<int32_t>(random() % static_cast<uint64_t>(limit + 1)) - 1;
    return values;
}
