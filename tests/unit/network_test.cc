#include "policy/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "regal/backend/backend.h"
#include "support/naive_network.h"

namespace {

void require(regal_status status) {
    ASSERT_EQ(status, REGAL_OK) << regal_error_message();
}

const regal_math *cpu_math() {
    const regal_backend *backend;
    require(regal_backend_find("cpu", 0, &backend));
    return backend->math;
}

// A network on the CPU.
class Network {
  public:
    Network(const regal_network_shape &shape, const std::vector<float> &parameters,
            int64_t threads = 1)
        : shape_(shape), math_(cpu_math()), context_(nullptr), network_(nullptr) {
        require(math_->create(threads, 0, &context_));
        require(regal_network_create(math_, context_, &shape_, &network_));
        require(regal_network_set(network_, parameters.data()));
    }
    ~Network() {
        regal_network_destroy(network_);
        math_->destroy(context_);
    }
    Network(const Network &) = delete;

    std::vector<float> outputs(const regal_message_graph &graph, bool learning) {
        std::vector<float> values(graph.op_count * shape_.outputs, NAN);
        require(regal_network_forward(network_, &graph, learning, values.data()));
        return values;
    }
    std::vector<float> gradient(const regal_message_graph &graph,
                                const std::vector<float> &output_gradient) {
        std::vector<float> values(regal_network_parameter_count(&shape_), NAN);
        outputs(graph, true);
        require(regal_network_backward(network_, &graph, output_gradient.data(), values.data()));
        return values;
    }

    // The forward pass where the answer is true from the `last` question on.
    regal_status stopped_at(const regal_message_graph &graph, int64_t last) {
        std::vector<float> values(graph.op_count * shape_.outputs);
        const auto stop = [](void *left) { return --*static_cast<int64_t *>(left) <= 0; };
        regal_network_stop_when(network_, stop, &last);
        const regal_status status = regal_network_forward(network_, &graph, false, values.data());
        regal_network_stop_when(network_, nullptr, nullptr);
        return status;
    }

  private:
    regal_network_shape shape_;
    const regal_math *math_;
    regal_math_context *context_;
    regal_network *network_;
};

const regal_network_shape kSmall = {5, 2, 8, 2, 3};

// Ops 3 and 6 have no edges; the second graph is a single op, the third has none.
const std::vector<PlainGraph> kGraphs = {
    {7, {{0, 1}, {0, 2}, {1, 4}, {2, 4}, {0, 4}, {4, 5}}},
    {1, {}},
    {0, {}},
    random_plain_graph(9, 3, 4),
};

void expect_near(const std::vector<float> &values, const std::vector<double> &expected,
                 double tolerance, const std::string &what) {
    ASSERT_EQ(values.size(), expected.size()) << what;
    double greatest = 0;
    for (const double value : expected)
        greatest = std::max(greatest, std::fabs(value));
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * (greatest + 1e-2))
            << what << ", number " << i;
}

void expect_bits(const std::vector<float> &values, const std::vector<float> &expected) {
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(memcmp(&values[i], &expected[i], sizeof(float)), 0) << "number " << i;
}

void expect_outputs_of_plain_loops(const regal_network_shape &shape,
                                   const std::vector<PlainGraph> &graphs) {
    const GraphBatch batch(graphs, shape, 1);
    const std::vector<float> parameters = random_parameters(shape, 2);
    const std::vector<double> expected = naive_outputs(
        shape, std::vector<double>(parameters.begin(), parameters.end()), *batch.get());
    Network network(shape, parameters);
    expect_near(network.outputs(*batch.get(), false), expected, 1e-5, "inference");
    expect_near(network.outputs(*batch.get(), true), expected, 1e-5, "learning");
}

TEST(Network, AgreesWithPlainLoops) {
    for (const int64_t rounds : {0, 1, 3})
        for (const int64_t width : {8, 24})
            expect_outputs_of_plain_loops({7, 2, width, rounds, 1}, kGraphs);
}

TEST(Network, AgreesWithPlainLoopsOnLargeGraphs) {
    expect_outputs_of_plain_loops(
        kSmall, {random_plain_graph(600, 4, 1), random_plain_graph(256, 2, 2), {513, {}}});
}

TEST(Network, TakesGraphsWithoutEdgesAndWithoutOps) {
    expect_outputs_of_plain_loops(kSmall, {{3, {}}, {1, {}}});
    expect_outputs_of_plain_loops(kSmall, {{0, {}}});
    expect_outputs_of_plain_loops(kSmall, {});
}

void expect_gradient_of_differences(const std::vector<PlainGraph> &graphs) {
    const GraphBatch batch(graphs, kSmall, 3);
    const std::vector<float> parameters = random_parameters(kSmall, 4);
    const std::vector<float> output_gradient =
        random_numbers(batch.get()->op_count * kSmall.outputs, 5);
    const std::vector<double> expected =
        naive_gradient(kSmall, parameters, *batch.get(), output_gradient);
    const std::vector<float> gradient =
        Network(kSmall, parameters).gradient(*batch.get(), output_gradient);
    regal_parameter_tensor tensor;
    for (int64_t i = 0; regal_network_tensor(&kSmall, i, &tensor); ++i) {
        const int64_t end = tensor.offset + tensor.rows * tensor.columns;
        expect_near({gradient.begin() + tensor.offset, gradient.begin() + end},
                    {expected.begin() + tensor.offset, expected.begin() + end}, 1e-4, tensor.name);
    }
}

TEST(Network, GradientOfEveryParameterAgreesWithFiniteDifferences) {
    expect_gradient_of_differences(kGraphs);
}

TEST(Network, GradientsAgreeWithoutEdgesAndWithoutOps) {
    expect_gradient_of_differences({{3, {}}, {1, {}}});
    expect_gradient_of_differences({{0, {}}});
}

TEST(Network, EveryTensorMattersInTheGradientCheck) {
    const GraphBatch batch(kGraphs, kSmall, 3);
    const std::vector<float> output_gradient =
        random_numbers(batch.get()->op_count * kSmall.outputs, 5);
    const std::vector<float> gradient =
        Network(kSmall, random_parameters(kSmall, 4)).gradient(*batch.get(), output_gradient);
    regal_parameter_tensor tensor;
    for (int64_t i = 0; regal_network_tensor(&kSmall, i, &tensor); ++i) {
        float greatest = 0;
        for (int64_t k = 0; k < tensor.rows * tensor.columns; ++k)
            greatest = std::max(greatest, std::fabs(gradient[tensor.offset + k]));
        EXPECT_GT(greatest, 1e-2f) << tensor.name;
    }
}

TEST(Network, InferenceGivesTheBitsOfLearning) {
    const GraphBatch batch({random_plain_graph(700, 4, 1)}, kSmall, 3);
    Network network(kSmall, random_parameters(kSmall, 4));
    expect_bits(network.outputs(*batch.get(), false), network.outputs(*batch.get(), true));
}

TEST(Network, StopsBeforeAnyRound) {
    const GraphBatch batch({random_plain_graph(50, 4, 1)}, kSmall, 3);
    Network network(kSmall, random_parameters(kSmall, 4));
    const std::vector<float> whole = network.outputs(*batch.get(), false);
    for (int64_t round = 1; round <= kSmall.rounds; ++round)
        EXPECT_EQ(network.stopped_at(*batch.get(), round), REGAL_INTERRUPTED) << round;
    EXPECT_EQ(network.stopped_at(*batch.get(), kSmall.rounds + 1), REGAL_OK);
    expect_bits(network.outputs(*batch.get(), false), whole);
}

TEST(Network, ServesOneBatchAfterAnother) {
    const std::vector<float> parameters = random_parameters(kSmall, 4);
    Network network(kSmall, parameters);
    for (const int32_t ops : {20, 400, 5, 401, 20}) {
        const GraphBatch batch({random_plain_graph(ops, 3, 1), random_plain_graph(ops / 2, 2, 2)},
                               kSmall, 3);
        const std::vector<float> output_gradient =
            random_numbers(batch.get()->op_count * kSmall.outputs, 5);
        Network fresh(kSmall, parameters);
        expect_bits(network.outputs(*batch.get(), false), fresh.outputs(*batch.get(), false));
        expect_bits(network.gradient(*batch.get(), output_gradient),
                    fresh.gradient(*batch.get(), output_gradient));
    }
}

TEST(Network, GraphsSideBySideDoNotSeeEachOther) {
    const std::vector<float> parameters = random_parameters(kSmall, 4);
    const PlainGraph graph = random_plain_graph(30, 3, 1);
    const GraphBatch alone({graph}, kSmall, 3);
    // Features of both are those of the first, then others.
    const GraphBatch both({graph, random_plain_graph(50, 3, 2)}, kSmall, 3);
    regal_message_graph beside = *both.get();
    std::vector<float> edge_features(alone.get()->edge_features,
                                     alone.get()->edge_features + 2 * alone.get()->edge_count);
    edge_features.resize(static_cast<size_t>(2 * both.get()->edge_count), 0.5f);
    beside.edge_features = edge_features.data();
    Network network(kSmall, parameters);
    const std::vector<float> expected = network.outputs(*alone.get(), false);
    std::vector<float> outputs = network.outputs(beside, false);
    outputs.resize(expected.size());
    expect_near(outputs, {expected.begin(), expected.end()}, 1e-6, "the first graph");
}

TEST(Network, NumberOfThreadsChangesNoBit) {
    const regal_network_shape shape = {33, 2, 48, 2, 5};
    const GraphBatch batch({random_plain_graph(3000, 4, 1), random_plain_graph(2500, 3, 2)}, shape,
                           3);
    const std::vector<float> parameters = random_parameters(shape, 4);
    const std::vector<float> output_gradient =
        random_numbers(batch.get()->op_count * shape.outputs, 5);
    Network first(shape, parameters, 1);
    for (const int64_t threads : {2, 3}) {
        Network network(shape, parameters, threads);
        expect_bits(network.outputs(*batch.get(), false), first.outputs(*batch.get(), false));
        expect_bits(network.gradient(*batch.get(), output_gradient),
                    first.gradient(*batch.get(), output_gradient));
    }
}

TEST(Network, TensorsFillTheParametersWithoutGaps) {
    for (const int64_t rounds : {0, 1, 5}) {
        const regal_network_shape shape = {33, 2, 48, rounds, 5};
        std::set<std::string> names;
        regal_parameter_tensor tensor;
        int64_t end = 0, count = 0;
        for (; regal_network_tensor(&shape, count, &tensor); ++count) {
            EXPECT_EQ(tensor.offset, end) << tensor.name;
            end += tensor.rows * tensor.columns;
            names.insert(tensor.name);
        }
        EXPECT_EQ(end, regal_network_parameter_count(&shape));
        EXPECT_EQ(static_cast<int64_t>(names.size()), count);
        EXPECT_EQ(names.count("round.3.message.along.source"), rounds > 3 ? 1u : 0u);
        EXPECT_FALSE(regal_network_tensor(&shape, -1, &tensor));
    }
}

TEST(Network, FirstWeightsHaveTheirVarianceAndBiasesAreZero) {
    const regal_network_shape shape = {30, 2, 64, 2, 5};
    std::vector<float> parameters(regal_network_parameter_count(&shape), NAN), again = parameters,
                                                                               other = parameters;
    regal_network_initialize(&shape, 1, parameters.data());
    regal_network_initialize(&shape, 1, again.data());
    regal_network_initialize(&shape, 2, other.data());
    EXPECT_EQ(parameters, again);
    EXPECT_NE(parameters, other);
    regal_parameter_tensor tensor;
    for (int64_t i = 0; regal_network_tensor(&shape, i, &tensor); ++i) {
        const std::string name = tensor.name;
        double squares = 0;
        const int64_t count = tensor.rows * tensor.columns;
        for (int64_t k = 0; k < count; ++k)
            squares += std::pow(static_cast<double>(parameters[tensor.offset + k]), 2);
        const double variance = squares / static_cast<double>(count);
        if (name.find("bias") != std::string::npos)
            EXPECT_EQ(squares, 0) << name;
        else if (name == "encoder.0.weight")
            EXPECT_NEAR(variance, 2.0 / 30, 0.2 * 2 / 30) << name;
        else if (name == "round.1.update.in")
            EXPECT_NEAR(variance, 2.0 / 256, 0.2 * 2 / 256) << name;
        else if (name == "round.1.change.weight")
            EXPECT_NEAR(variance, 1.0 / 64, 0.2 / 64) << name;
        else if (name == "output.weight")
            EXPECT_NEAR(variance, 0.01 / 64, 0.4 * 0.01 / 64) << name;
        else
            EXPECT_GT(variance, 0) << name;
    }
}

} // namespace
