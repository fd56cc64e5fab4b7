// The policy's network, forward and backward: the CPU, with several numbers of threads, and the
// subject.
#include <gtest/gtest.h>

#include "parity/math_side_by_side.h"
#include "regal/backend/backend.h"
#include "support/naive_network.h"

namespace {

struct Case {
    regal_network_shape shape;
    std::vector<PlainGraph> graphs;
};

// Outputs of inference and of learning, then the gradient.
Floats run(Machine &machine, const regal_network_shape &shape, const regal_message_graph &graph,
           const Floats &parameters, const Floats &by_output) {
    regal_network *network;
    require(regal_network_create(machine.math, machine.context, &shape, &network));
    require(regal_network_set(network, parameters.data()));
    const size_t outputs = by_output.size();
    Floats values(2 * outputs + parameters.size(), -1);
    require(regal_network_forward(network, &graph, false, values.data()));
    require(regal_network_forward(network, &graph, true, values.data() + outputs));
    require(regal_network_backward(network, &graph, by_output.data(), values.data() + 2 * outputs));
    regal_network_destroy(network);
    return values;
}

void append(std::vector<double> &to, const std::vector<double> &from) {
    to.insert(to.end(), from.begin(), from.end());
}

void expect_plain_loops(const Case &c) {
    const GraphBatch batch(c.graphs, c.shape, 1);
    const Floats parameters = random_parameters(c.shape, 2);
    const Floats by_output = random_numbers(batch.get()->op_count * c.shape.outputs, 3);
    std::vector<double> expected = naive_outputs(
        c.shape, std::vector<double>(parameters.begin(), parameters.end()), *batch.get());
    append(expected, expected);
    append(expected, naive_gradient(c.shape, parameters, *batch.get(), by_output));
    expect_close([&](Machine &m) { return run(m, c.shape, *batch.get(), parameters, by_output); },
                 expected, 1e-4);
}

TEST(ParityOfTheNetwork, HoldsForwardAndBackward) {
    expect_plain_loops({{5, 2, 8, 2, 3},
                        {{7, {{0, 1}, {0, 2}, {1, 4}, {2, 4}, {0, 4}, {4, 5}}},
                         {1, {}},
                         {0, {}},
                         random_plain_graph(9, 3, 1)}});
}

TEST(ParityOfTheNetwork, HoldsForOpsWithoutEdges) {
    expect_plain_loops({{3, 2, 8, 1, 1}, {{3, {}}, {1, {}}}});
}

TEST(ParityOfTheNetwork, HoldsForLargeGraphsAndWideStates) {
    const regal_network_shape shape = {33, 2, 40, 2, 5};
    const GraphBatch batch({random_plain_graph(520, 2, 1), random_plain_graph(40, 3, 2)}, shape, 3);
    const Floats parameters = random_parameters(shape, 4);
    Floats by_output = random_numbers(batch.get()->op_count * shape.outputs, 5);
    for (float &value : by_output)
        value *= 0.01f;
    const auto operation = [&](Machine &m) {
        return run(m, shape, *batch.get(), parameters, by_output);
    };
    const regal_backend *cpu;
    require(regal_backend_find("cpu", 0, &cpu));
    Machine machine(cpu->math, 1, "one thread");
    const Floats expected = operation(machine);
    expect_close(operation, std::vector<double>(expected.begin(), expected.end()), 1e-4);
}

} // namespace
