// The library's decoder against the naive oracle, and cases of our own that the oracle worked out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <tuple>

#include "support/decoded.h"
#include "support/oracle.h"
#include "support/plain_json.h"
#include "support/random_problem.h"

namespace {

const int64_t CASES = 4000;

TEST(DecoderOracle, AgreesOnRandomProblems) {
    int64_t infeasible = 0;
    for (int64_t seed = 0; seed < CASES; ++seed) {
        const plain::Case one = random_case(seed);
        const auto right = oracle::decode(one.graph, one.cluster, one.chromosome);
        const auto plan = library_plan(one);
        infeasible += !right;
        ASSERT_EQ(plan.has_value(), right.has_value()) << one.graph.name;
        ASSERT_TRUE(!right || *plan == *right)
            << one.graph.name << "\nis    " << describe(*plan) << "\nnot   " << describe(*right);
    }
    EXPECT_GT(infeasible, CASES / 100);
    EXPECT_LT(infeasible, CASES / 10);
}

TEST(DecoderOracle, AgreesOnManyChromosomesOfOneProblem) {
    Dice dice(1);
    for (int64_t seed = CASES; seed < CASES + 40; ++seed) {
        plain::Case one = random_case(seed);
        for (int i = 0; i < 50; ++i) {
            one.chromosome = random_chromosome(dice, static_cast<int64_t>(one.graph.ops.size()),
                                               static_cast<int64_t>(one.cluster.devices.size()));
            const auto right = oracle::decode(one.graph, one.cluster, one.chromosome);
            const auto plan = library_plan(one);
            ASSERT_EQ(plan.has_value(), right.has_value()) << one.graph.name << " " << i;
            ASSERT_TRUE(!right || *plan == *right)
                << one.graph.name << " " << i << "\nis    " << describe(*plan) << "\nnot   "
                << describe(*right);
        }
    }
}

TEST(DecoderOracle, DecodedPlansPassTheCheckerWithTheirBoundsAndNames) {
    for (int64_t seed = 0; seed < 1000; ++seed) {
        const Decoded decoded = decode_with_library(random_case(seed));
        if (!decoded.plan)
            continue;
        regal_measure measure;
        ASSERT_EQ(regal_plan_check(decoded.graph.get(), decoded.cluster.get(), decoded.plan.get(),
                                   &measure),
                  REGAL_OK)
            << "seed " << seed << ": " << regal_error_message();
        EXPECT_GE(decoded.plan->bound_time, 0);
        EXPECT_GE(decoded.plan->bound_memory, 0);
        EXPECT_NE(decoded.plan->finish, nullptr);
        EXPECT_NE(decoded.plan->op_names, nullptr);
        EXPECT_STRNE(decoded.plan->graph_digest, "");
    }
}

const char *const OWN_CASES = REGAL_SOURCE_DIR "/tests/data/decode_cases.json";

size_t json_size(const plain::Case &one) {
    return plain::to_json(one.graph).size() + plain::to_json(one.cluster).size() +
           plain::to_json(one.chromosome).size();
}

// The kinds of case of which the file holds one each: encoding, window, devices.
std::tuple<bool, int64_t, int64_t> kind(const plain::Case &one) {
    const int64_t n = static_cast<int64_t>(one.graph.ops.size());
    const int64_t devices = static_cast<int64_t>(one.cluster.devices.size());
    const int64_t window = one.chromosome.window;
    return {one.chromosome.affinity_encoding,
            window <= 5   ? window
            : window <= n ? 6
                          : 7,
            devices <= 5    ? devices
            : devices <= 16 ? 6
                            : 7};
}

// Small cases of as many kinds as random ones show, made by the oracle.
std::vector<plain::Case> make_own_cases() {
    std::vector<plain::Case> made;
    std::set<std::tuple<bool, int64_t, int64_t>> kinds;
    for (uint64_t seed = 1000000; made.size() < 64 && seed < 1010000; ++seed) {
        plain::Case one = random_case(seed);
        if (one.graph.ops.size() < 2 || json_size(one) > 4000 || kinds.count(kind(one)) > 0)
            continue;
        const auto plan = oracle::decode(one.graph, one.cluster, one.chromosome);
        if (!plan || (one.cluster.devices.size() > 1 && plan->transfers.empty()))
            continue;
        one.plan = *plan;
        kinds.insert(kind(one));
        made.push_back(one);
    }
    return made;
}

// REGAL_REFRESH=1 writes the file anew: read the difference before committing it.
TEST(OwnDecodeCases, AreWhatTheOracleMakes) {
    const std::vector<plain::Case> right = make_own_cases();
    ASSERT_GE(right.size(), 60u);
    if (std::getenv("REGAL_REFRESH") != nullptr)
        plain::write_cases(OWN_CASES, "Decode cases made by the naive oracle of tests/support.",
                           right);
    const std::vector<plain::Case> cases = plain::read_cases(OWN_CASES);
    ASSERT_EQ(cases.size(), right.size());
    for (size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(plain::to_json(cases[i].graph), plain::to_json(right[i].graph)) << i;
        EXPECT_EQ(plain::to_json(cases[i].cluster), plain::to_json(right[i].cluster)) << i;
        EXPECT_EQ(plain::to_json(cases[i].chromosome), plain::to_json(right[i].chromosome)) << i;
        EXPECT_TRUE(cases[i].plan == right[i].plan) << i;
    }
}

TEST(OwnDecodeCases, AreWhatTheLibraryDecodes) {
    for (const plain::Case &one : plain::read_cases(OWN_CASES)) {
        const auto plan = library_plan(one);
        ASSERT_TRUE(plan) << one.graph.name;
        EXPECT_TRUE(*plan == one.plan)
            << one.graph.name << "\nis    " << describe(*plan) << "\nnot   " << describe(one.plan);
    }
}

TEST(OwnDecodeCases, AreWhatTheLibraryDecodesFromJson) {
    for (const plain::Case &one : plain::read_cases(OWN_CASES)) {
        const auto plan = library_plan_from_json(one);
        EXPECT_TRUE(plan && *plan == one.plan) << one.graph.name;
    }
}

} // namespace
