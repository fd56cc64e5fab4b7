// Shapes at the edges of what kernels handle in one step: one op, one device, 64 devices, more
// consumers than a warp has lanes, more ops than a level of a tree has bits, ties everywhere.
#include <gtest/gtest.h>

#include "parity/side_by_side.h"
#include "support/random_problem.h"

namespace {

std::vector<WholeProblem> one_problem(const plain::Graph &graph, const plain::Cluster &cluster) {
    std::vector<WholeProblem> problems;
    problems.emplace_back(graph, cluster);
    return problems;
}

void expect_equal_everywhere(const std::vector<WholeProblem> &problems, int generations = 3) {
    for (const regal_encoding encoding : {REGAL_INHERIT, REGAL_AFFINITY})
        for (const int64_t window : {0, 1, 4}) {
            const regal_objective objective = window == 1 ? REGAL_MEMORY : REGAL_TIME;
            const regal_population_shape shape = parity_shape(encoding, objective, window, 3);
            expect_equal_generations(problems, shape, generations);
            expect_equal_annealing(problems, shape, 3, 2, (uint64_t)1 << 27);
        }
}

std::vector<std::vector<int64_t>> equal_costs(size_t count, int64_t cost) {
    return std::vector<std::vector<int64_t>>(count, {cost});
}

// A graph of layers: each op reads some tensors of the layer before.
plain::Graph layers(int64_t depth, int64_t width, int64_t inputs, uint64_t seed) {
    Dice dice(seed);
    plain::Graph graph = small_graph(equal_costs((size_t)(depth * width), 7));
    for (int64_t layer = 0; layer + 1 < depth; ++layer)
        for (int64_t i = 0; i < width; ++i) {
            std::vector<int64_t> consumers;
            for (int64_t k = 0; k < inputs; ++k)
                consumers.push_back((layer + 1) * width + dice.below(width));
            add_tensor(graph, layer * width + i, 1 + dice.below(5), consumers);
        }
    return graph;
}

TEST(ParityOfEdgeShapes, HoldsForOneOp) {
    expect_equal_everywhere(one_problem(small_graph({{3}}), small_cluster({0, 0, 0})));
}

TEST(ParityOfEdgeShapes, HoldsForOneDevice) {
    expect_equal_everywhere(one_problem(layers(4, 9, 2, 1), small_cluster({0})));
}

TEST(ParityOfEdgeShapes, HoldsForSixtyFourDevices) {
    expect_equal_everywhere(
        one_problem(layers(5, 20, 3, 2), small_cluster(std::vector<int64_t>(64, 40))), 2);
}

TEST(ParityOfEdgeShapes, HoldsWhereEverythingTies) {
    expect_equal_everywhere(one_problem(small_graph(equal_costs(70, 1)), small_cluster({0, 0, 0})));
}

TEST(ParityOfEdgeShapes, HoldsForTensorsOfManyConsumers) {
    plain::Graph graph = small_graph(equal_costs(150, 2));
    std::vector<int64_t> all;
    for (int64_t op = 2; op < 150; ++op)
        all.push_back(op);
    for (const int64_t producer : {0, 1})
        for (int64_t bytes = 1; bytes < 4; ++bytes)
            add_tensor(graph, producer, bytes, all, bytes == 2);
    expect_equal_everywhere(one_problem(graph, small_cluster({0, 300, 200, 0})), 2);
}

TEST(ParityOfEdgeShapes, HoldsForOpsOfManyInputsAndOutputs) {
    plain::Graph graph = small_graph(equal_costs(80, 3));
    for (int64_t op = 1; op < 75; ++op) {
        add_tensor(graph, 0, 2 + op % 5, op % 3 == 0 ? std::vector<int64_t>{} : std::vector{op});
        add_tensor(graph, op, 10 + op, {75 + op % 2, 79});
    }
    expect_equal_everywhere(one_problem(graph, small_cluster({0, 2000, 0})), 2);
}

TEST(ParityOfEdgeShapes, HoldsForManyTransfersOnALink) {
    // Far more transfers wait than a node of the heap has children.
    plain::Graph graph = small_graph(equal_costs(160, 1));
    for (int64_t op = 0; op < 80; ++op)
        add_tensor(graph, op, 50 + op % 7, {80 + op, 80 + (op + 1) % 80});
    expect_equal_everywhere(one_problem(graph, small_cluster({0, 0})), 2);
}

TEST(ParityOfEdgeShapes, HoldsForTransfersInThreeLevelsOfAHeap) {
    // While the first transfer is on its way the others wait, transfer i + 1 in place i of the
    // heap. Places 0, 2 and 64 go first; place 1, above 64, and those below it go last. What
    // follows the transfer in place 64 takes long.
    enum { TRANSFERS = 100 };
    plain::Graph graph = small_graph(equal_costs(2 * TRANSFERS, 1));
    std::vector<uint16_t> genes(4 * TRANSFERS, 0);
    for (int64_t i = 0; i < TRANSFERS; ++i) {
        const int64_t place = i - 1;
        const bool first = place == 0 || place == 2 || place == 64;
        const bool last = place == 1 || (place > 32 && place < 64);
        add_tensor(graph, i, 500, {TRANSFERS + i});
        genes[(size_t)i] = (uint16_t)(65535 - i);
        genes[(size_t)(TRANSFERS + i)] = (uint16_t)((first ? 30000 : last ? 10000 : 20000) - i);
        genes[(size_t)(3 * TRANSFERS + i)] = 65535;
        graph.ops[(size_t)i].allowed = std::vector<plain::Allowed>{{0, {}}};
        graph.ops[(size_t)(TRANSFERS + i)].allowed = std::vector<plain::Allowed>{{1, {}}};
    }
    graph.ops[TRANSFERS + 65].cost[0] = 100000;
    const std::vector<WholeProblem> problems = one_problem(graph, small_cluster({0, 0}));
    const regal_population_shape shape = parity_shape(REGAL_INHERIT, REGAL_TIME, 0, 3);
    SideBySide both(problems, shape);
    both.seed(0, 0, shape.population, {{0, 0, 0, genes.data()}});
    both.evaluate(0, shape.population);
    both.rank(shape.population);
    both.expect_equal_individuals(shape.population, "three levels");
}

TEST(ParityOfEdgeShapes, HoldsForMoreOpsThanALevelOfATree) {
    const std::vector<WholeProblem> problems =
        one_problem(layers(11, 100, 2, 5), small_cluster({0, 0, 0, 0}));
    for (const int64_t window : {0, 1, 40}) {
        regal_population_shape shape =
            parity_shape(window == 0 ? REGAL_INHERIT : REGAL_AFFINITY, REGAL_TIME, window, 9);
        shape.population = 5;
        shape.elites = 2;
        expect_equal_generations(problems, shape, 1);
    }
}

TEST(ParityOfEdgeShapes, HoldsForTicksAndBytesBeyond32Bits) {
    plain::Graph graph = layers(5, 8, 2, 7);
    for (plain::Op &op : graph.ops)
        op.cost[0] = ((int64_t)1 << 40) + op.cost[0];
    for (plain::Tensor &tensor : graph.tensors)
        tensor.bytes += (int64_t)1 << 41;
    expect_equal_everywhere(
        one_problem(graph, small_cluster({0, (int64_t)5 << 41, (int64_t)3 << 41})));
}

} // namespace
