// Graph and cluster together: groups, worst-case sums, bounds.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/problem_data.h"
#include "support/oracle.h"
#include "support/random_problem.h"
#include "support/regal_objects.h"

namespace {

struct Made {
    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem;
    regal_status status;
};

Made make_problem(const plain::Graph &graph, const plain::Cluster &cluster) {
    Made made{make_graph(graph), make_cluster(cluster), nullptr, REGAL_OK};
    regal_problem *problem;
    made.status = regal_problem_create(made.graph.get(), made.cluster.get(), &problem);
    made.problem.reset(problem);
    return made;
}

TEST(Problem, ViewHoldsEachEdgeOnceInBothDirections) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
        const plain::Case one = random_case(seed);
        const Made made = make_problem(one.graph, one.cluster);
        if (made.status == REGAL_INFEASIBLE)
            continue;
        ASSERT_EQ(made.status, REGAL_OK) << regal_error_message();
        const regal_problem_view *view = regal_problem_get_view(made.problem.get());
        for (regal_id e = 1; e < view->edge_count; ++e) {
            ASSERT_LE(view->edge_tensor[e - 1], view->edge_tensor[e]);
            ASSERT_TRUE(view->edge_tensor[e - 1] != view->edge_tensor[e] ||
                        view->consumer[e - 1] < view->consumer[e]);
        }
        for (regal_id v = 0; v < view->op_count; ++v)
            for (regal_id i = view->ops[v].input_begin; i < view->ops[v + 1].input_begin; ++i) {
                ASSERT_EQ(view->consumer[view->inputs[i].edge], v);
                ASSERT_EQ(view->edge_tensor[view->inputs[i].edge], view->inputs[i].tensor);
            }
        ASSERT_EQ(view->ops[view->op_count].input_begin, view->edge_count);
        ASSERT_EQ(view->ops[view->op_count].output_begin, view->tensor_count);
    }
}

TEST(Problem, NoPlanBeatsItsBounds) {
    int64_t met_time = 0, met_memory = 0, count = 0;
    for (uint64_t seed = 0; seed < 1500; ++seed) {
        const plain::Case one = random_case(seed);
        const auto plan = oracle::decode(one.graph, one.cluster, one.chromosome);
        const Made made = make_problem(one.graph, one.cluster);
        if (!plan)
            continue;
        const regal_bounds bounds = regal_problem_bounds(made.problem.get());
        int64_t peak = 0;
        for (const int64_t value : plan->peak)
            peak = std::max(peak, value);
        ASSERT_LE(bounds.time, plan->makespan) << one.graph.name;
        ASSERT_LE(bounds.memory, peak) << one.graph.name;
        met_time += bounds.time == plan->makespan;
        met_memory += bounds.memory == peak;
        ++count;
    }
    // They are not empty promises either: small problems often meet them.
    EXPECT_GT(met_time, count / 20);
    EXPECT_GT(met_memory, count / 20);
}

plain::Cluster two_devices() {
    plain::Cluster cluster;
    cluster.devices.resize(2);
    cluster.devices[0].name = "left";
    cluster.devices[1].name = "right";
    return cluster;
}

TEST(Problem, NamesTheMembersOfAnInfeasibleGroup) {
    plain::Graph graph;
    graph.classes = {"c"};
    graph.ops.resize(2);
    graph.ops[0].name = "first", graph.ops[1].name = "second";
    for (int i = 0; i < 2; ++i) {
        graph.ops[i].cost = {1};
        graph.ops[i].group = "g";
        graph.ops[i].allowed = std::vector<plain::Allowed>{{i, std::nullopt}};
    }
    const Made made = make_problem(graph, two_devices());
    EXPECT_EQ(made.status, REGAL_INFEASIBLE);
    const std::string message = regal_error_message();
    EXPECT_NE(message.find("'first' on left"), std::string::npos) << message;
    EXPECT_NE(message.find("'second' on right"), std::string::npos) << message;
}

TEST(Problem, SaysWhatAnOpWithoutADeviceAllows) {
    plain::Graph graph;
    graph.classes = {"c"};
    graph.ops.resize(1);
    graph.ops[0].name = "first";
    graph.ops[0].cost = {1};
    for (const auto &[patterns, says] : {std::pair{std::vector<std::string>{"gpu:0"}, "'gpu:0'"},
                                         {{"gpu:*", "GPU*"}, "'gpu:*', ..."},
                                         {{}, "it allows none"}}) {
        graph.ops[0].allowed.emplace();
        for (const std::string &pattern : patterns)
            graph.ops[0].allowed->push_back({0, pattern});
        EXPECT_EQ(make_problem(graph, two_devices()).status, REGAL_INFEASIBLE);
        const std::string message = regal_error_message();
        EXPECT_NE(message.find("'first' may run on no device"), std::string::npos) << message;
        EXPECT_NE(message.find(says), std::string::npos) << message;
    }
}

} // namespace
