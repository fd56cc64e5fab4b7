// The placement head's network at each instruction set, against double precision.
#include "simd/placement_operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

// Parameters in double: weight [inputs][hidden], bias, output, direct.
struct Head {
    int64_t inputs, hidden;
    std::vector<double> at;

    double score(const std::vector<double> &input) const {
        const double *bias = at.data() + inputs * hidden, *output = bias + hidden;
        const double *direct = output + hidden;
        double sum = 0;
        for (int64_t i = 0; i < inputs; ++i)
            sum += input[i] * direct[i];
        for (int64_t j = 0; j < hidden; ++j) {
            double unit = bias[j];
            for (int64_t i = 0; i < inputs; ++i)
                unit += input[i] * at[i * hidden + j];
            sum += output[j] * std::tanh(unit);
        }
        return sum;
    }
};

class PlacementOperators : public testing::TestWithParam<regal_simd_level> {
  protected:
    static constexpr int64_t INPUTS = 11, HIDDEN = 16, DEVICES = 3, FIRST = 7;

    void SetUp() override {
        if (!regal_simd_level_available(GetParam()))
            GTEST_SKIP() << "this processor or build lacks it";
        operators = regal_placement_operators_for(GetParam());
        head = {INPUTS, HIDDEN, {}};
        for (int64_t i = 0; i < INPUTS * HIDDEN + 2 * HIDDEN + INPUTS; ++i)
            parameters.push_back(number());
        head.at.assign(parameters.begin(), parameters.end());
        for (int64_t i = 0; i < INPUTS * DEVICES; ++i)
            input.push_back(number());
        for (int64_t d = 0; d < DEVICES; ++d)
            share.push_back(number());
        weights = {INPUTS, HIDDEN, parameters.data()};
        operators->score(&weights, DEVICES, input.data(), unit.data(), score.data());
    }

    float number() { return std::uniform_real_distribution<float>(-1, 1)(random); }

    std::vector<double> input_of(int64_t device) const {
        std::vector<double> of_device;
        for (int64_t i = 0; i < INPUTS; ++i)
            of_device.push_back(input[i * DEVICES + device]);
        return of_device;
    }

    // Sum over the devices of share x score, in double.
    double target(const Head &with) const {
        double sum = 0;
        for (int64_t d = 0; d < DEVICES; ++d)
            sum += share[d] * with.score(input_of(d));
        return sum;
    }

    std::mt19937 random{7};
    const regal_placement_operators *operators = nullptr;
    Head head;
    std::vector<float> parameters, input, share;
    std::vector<float> unit = std::vector<float>(DEVICES * HIDDEN);
    std::vector<float> score = std::vector<float>(DEVICES);
    regal_placement_weights weights{};
};

TEST_P(PlacementOperators, ScoreIsThatOfDoublePrecision) {
    for (int64_t d = 0; d < DEVICES; ++d)
        EXPECT_NEAR(score[d], head.score(input_of(d)), 1e-5);
}

TEST_P(PlacementOperators, GradientOfEachParameterAgreesWithFiniteDifferences) {
    std::vector<float> gradient(parameters.size(), 0.5f), of_input(INPUTS - FIRST);
    const regal_placement_weights into = {INPUTS, HIDDEN, gradient.data()};
    operators->learn(&weights, DEVICES, input.data(), unit.data(), share.data(), &into, FIRST,
                     of_input.data());
    const double step = 1e-5;
    for (size_t i = 0; i < parameters.size(); ++i) {
        Head more = head, less = head;
        more.at[i] += step;
        less.at[i] -= step;
        EXPECT_NEAR(gradient[i] - 0.5, (target(more) - target(less)) / (2 * step), 2e-5) << i;
    }
}

TEST_P(PlacementOperators, GradientByTheLastInputsIsSummedOverTheDevices) {
    std::vector<float> gradient(parameters.size()), of_input(INPUTS - FIRST);
    const regal_placement_weights into = {INPUTS, HIDDEN, gradient.data()};
    operators->learn(&weights, DEVICES, input.data(), unit.data(), share.data(), &into, FIRST,
                     of_input.data());
    const double step = 1e-5;
    for (int64_t i = FIRST; i < INPUTS; ++i) {
        double expected = 0;
        for (int64_t d = 0; d < DEVICES; ++d) {
            std::vector<double> more = input_of(d), less = more;
            more[i] += step;
            less[i] -= step;
            expected += share[d] * (head.score(more) - head.score(less)) / (2 * step);
        }
        EXPECT_NEAR(of_input[i - FIRST], expected, 2e-5) << i;
    }
}

TEST_P(PlacementOperators, BitsAreThoseOfPlainC) {
    std::vector<float> plain_unit(unit.size()), plain_score(score.size());
    regal_placement_operators_plain.score(&weights, DEVICES, input.data(), plain_unit.data(),
                                          plain_score.data());
    EXPECT_EQ(score, plain_score);
    EXPECT_EQ(unit, plain_unit);
    std::vector<float> gradient(parameters.size()), of_input(INPUTS - FIRST);
    std::vector<float> plain_gradient = gradient, plain_of_input = of_input;
    const regal_placement_weights into = {INPUTS, HIDDEN, gradient.data()};
    const regal_placement_weights plain_into = {INPUTS, HIDDEN, plain_gradient.data()};
    operators->learn(&weights, DEVICES, input.data(), unit.data(), share.data(), &into, FIRST,
                     of_input.data());
    regal_placement_operators_plain.learn(&weights, DEVICES, input.data(), unit.data(),
                                          share.data(), &plain_into, FIRST, plain_of_input.data());
    EXPECT_EQ(gradient, plain_gradient);
    EXPECT_EQ(of_input, plain_of_input);
}

INSTANTIATE_TEST_SUITE_P(EachLevel, PlacementOperators,
                         testing::Values(REGAL_SIMD_PLAIN, REGAL_SIMD_AVX2, REGAL_SIMD_AVX512));

} // namespace
