// A problem with the graph and the cluster that it stands on.
#ifndef REGAL_TESTS_WHOLE_PROBLEM_H
#define REGAL_TESTS_WHOLE_PROBLEM_H

#include <stdexcept>
#include <string>
#include <vector>

#include "graph/problem_data.h"
#include "support/plain_case.h"
#include "support/regal_objects.h"

struct WholeProblem {
    WholeProblem(const plain::Graph &plain_graph, const plain::Cluster &plain_cluster)
        : graph(make_graph(plain_graph)), cluster(make_cluster(plain_cluster)) {
        regal_problem *made = nullptr;
        status = regal_problem_create(graph.get(), cluster.get(), &made);
        problem.reset(made);
        if (status != REGAL_OK && status != REGAL_INFEASIBLE)
            throw std::runtime_error(regal_error_message());
    }

    const regal_problem *get() const { return problem.get(); }
    const regal_problem_view &view() const { return *regal_problem_get_view(problem.get()); }

    GraphPtr graph;
    ClusterPtr cluster;
    ProblemPtr problem; // empty where it is infeasible
    regal_status status;
};

// Short ways to write small cases by hand: one device class unless more costs are given.
inline plain::Graph small_graph(const std::vector<std::vector<int64_t>> &costs) {
    plain::Graph graph;
    graph.name = "small";
    for (size_t i = 0; i < costs.at(0).size(); ++i)
        graph.classes.push_back("class" + std::to_string(i));
    for (const std::vector<int64_t> &cost : costs) {
        plain::Op op;
        op.name = "op" + std::to_string(graph.ops.size());
        op.cost = cost;
        graph.ops.push_back(op);
    }
    return graph;
}

inline void add_tensor(plain::Graph &graph, int64_t producer, int64_t bytes,
                       const std::vector<int64_t> &consumers, bool output = false) {
    plain::Tensor tensor;
    tensor.name = "t" + std::to_string(graph.tensors.size());
    tensor.producer = producer;
    tensor.bytes = bytes;
    tensor.consumers = consumers;
    tensor.output = output;
    graph.tensors.push_back(tensor);
}

// A byte takes a tick on every link. Capacities: 0 is unlimited.
inline plain::Cluster small_cluster(const std::vector<int64_t> &capacities) {
    plain::Cluster cluster;
    for (const int64_t capacity : capacities) {
        plain::Device device;
        device.name = "d" + std::to_string(cluster.devices.size());
        device.memory = capacity;
        cluster.devices.push_back(device);
    }
    cluster.default_link = {0, 1000};
    return cluster;
}

#endif
