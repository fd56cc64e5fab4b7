// What instances do with the memory of the GPU: the stand-in has as much as a test wants.
#include <gtest/gtest.h>

#include <cstring>

#include "parity/side_by_side.h"
#include "parity/subject.h"
#include "simt/runtime.h"

namespace {

// So much memory while it lives.
class DeviceMemory {
  public:
    explicit DeviceMemory(size_t bytes) : before_(simt::device().memory) {
        simt::device().memory = bytes;
    }
    ~DeviceMemory() { simt::device().memory = before_; }
    DeviceMemory(const DeviceMemory &) = delete;

  private:
    size_t before_;
};

void run_everything(const std::vector<WholeProblem> &problems,
                    const regal_population_shape &shape) {
    expect_equal_generations(problems, shape, 2);
    expect_equal_annealing(problems, shape, 5, 1, (uint64_t)1 << 28);
}

TEST(MemoryOfTheGpu, IsFreeAfterAnInstance) {
    const simt::Usage before = simt::usage();
    run_everything(random_problems(200, 2), parity_shape(REGAL_AFFINITY, REGAL_TIME, 1, 1));
    EXPECT_EQ(simt::usage().allocations, before.allocations);
    EXPECT_EQ(simt::usage().streams, before.streams);
}

TEST(MemoryOfTheGpu, IsNotTakenByChainsTwice) {
    const std::vector<WholeProblem> problems = random_problems(200, 2);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 1);
    SideBySide both(problems, shape);
    both.seed(0, 0, shape.population);
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.start_chains(9, 3);
    const size_t once = simt::usage().bytes;
    both.start_chains(9, 3);
    EXPECT_EQ(simt::usage().bytes, once);
}

TEST(MemoryOfTheGpu, GivesSmallWorkspacesTheSamePlans) {
    const std::vector<WholeProblem> problems = random_problems(210, 2);
    for (const size_t bytes : {(size_t)300 << 10, (size_t)600 << 10, (size_t)130 << 20}) {
        const DeviceMemory memory(bytes);
        run_everything(problems, parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 2));
        run_everything(problems, parity_shape(REGAL_AFFINITY, REGAL_MEMORY, 2, 3));
    }
}

// At every size up to one that is enough, an instance either comes to be or says what is wanted.
TEST(MemoryOfTheGpu, IsAskedForInWordsWhereItEnds) {
    const std::vector<WholeProblem> problems = random_problems(220, 2);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 4);
    const regal_backend *backend = parity_subject();
    std::vector<regal_backend_problem> given;
    for (const WholeProblem &problem : problems)
        given.push_back({&problem.view(), nullptr, 0});
    const simt::Usage before = simt::usage();
    int refused = 0, made = 0;
    for (size_t bytes = 1 << 10; bytes < 1 << 20; bytes += bytes / 8) {
        const DeviceMemory memory(before.bytes + bytes);
        regal_backend_instance *instance = nullptr;
        const regal_status status =
            backend->create(&shape, given.data(), (int64_t)given.size(), &instance);
        if (status == REGAL_OK) {
            ++made;
            backend->destroy(instance);
        } else {
            ++refused;
            EXPECT_EQ(status, REGAL_OUT_OF_MEMORY);
            EXPECT_EQ(instance, nullptr);
            EXPECT_NE(std::strstr(regal_error_message(), "use --backend cpu"), nullptr)
                << regal_error_message();
            EXPECT_EQ(std::strchr(regal_error_message(), '\n'), nullptr);
        }
        ASSERT_EQ(simt::usage().allocations, before.allocations) << bytes;
        ASSERT_EQ(simt::usage().streams, before.streams) << bytes;
    }
    EXPECT_GT(refused, 10);
    EXPECT_GT(made, 2);
}

TEST(MemoryOfTheGpu, IsAskedForInWordsByChains) {
    const std::vector<WholeProblem> problems = random_problems(230, 1);
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 5);
    const regal_backend *backend = parity_subject();
    const regal_backend_problem given = {&problems[0].view(), nullptr, 0};
    const regal_island_range all = {0, shape.islands};
    const simt::Usage before = simt::usage();
    regal_backend_instance *instance = nullptr;
    ASSERT_EQ(backend->create(&shape, &given, 1, &instance), REGAL_OK);
    EXPECT_EQ(backend->seed(instance, all, 0, 0, shape.population, nullptr, 0), REGAL_OK);
    EXPECT_EQ(backend->evaluate(instance, all, 0, shape.population), REGAL_OK);
    EXPECT_EQ(backend->rank(instance, all, shape.population), REGAL_OK);
    for (const int64_t chains : {(int64_t)1 << 30, INT64_MAX / 2}) {
        EXPECT_EQ(backend->start_chains(instance, all, chains, 1), REGAL_OUT_OF_MEMORY);
        EXPECT_NE(std::strstr(regal_error_message(), "the annealing chains"), nullptr)
            << regal_error_message();
    }
    EXPECT_EQ(backend->start_chains(instance, all, 3, 1), REGAL_OK);
    backend->destroy(instance);
    EXPECT_EQ(simt::usage().allocations, before.allocations);
}

} // namespace
