// Graphs of the model zoo, and what can be asked of them.
#ifndef REGAL_TESTS_ZOO_GRAPHS_H
#define REGAL_TESTS_ZOO_GRAPHS_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "graph/zoo_layers.h"
#include "graph/zoo_models.h"
#include "regal/regal.h"

using Graph = std::unique_ptr<regal_graph, decltype(&regal_graph_destroy)>;
using Values = std::vector<regal_parameter_value>;

inline Graph Generate(const std::string &name, const Values &values = {}) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate(name.c_str(), values.data(), (int64_t)values.size(), 0, nullptr,
                                   &graph),
              REGAL_OK)
        << regal_error_message();
    return Graph(graph, regal_graph_destroy);
}

inline void ExpectRefused(const std::string &name, const Values &values, const std::string &part) {
    regal_graph *graph = nullptr;
    EXPECT_EQ(regal_graph_generate(name.c_str(), values.data(), (int64_t)values.size(), 0, nullptr,
                                   &graph),
              REGAL_INVALID_ARGUMENT);
    EXPECT_NE(std::string(regal_error_message()).find(part), std::string::npos)
        << regal_error_message();
}

inline regal_generator_info Find(const std::string &name) {
    regal_generator_info info = {};
    for (int64_t i = 0; regal_generator_describe(i, &info) && name != info.name;)
        ++i;
    return info;
}

// Standard values of the architecture's parameters, with changes.
inline std::vector<double> Settings(const std::string &name,
                                    const std::map<std::string, double> &changes) {
    const regal_generator_info info = Find(name);
    std::vector<double> values;
    for (int64_t i = 0; i < info.parameter_count; ++i) {
        const auto change = changes.find(info.parameters[i].name);
        values.push_back(change != changes.end() ? change->second : info.parameters[i].standard);
    }
    return values;
}

inline zoo_totals Totals(zoo_architecture *architecture, const std::vector<double> &values) {
    const regal_read_options options = {};
    zoo_totals totals = {};
    regal_graph *graph = nullptr;
    EXPECT_EQ(architecture("", values.data(), &options, &totals, &graph), REGAL_OK)
        << regal_error_message();
    regal_graph_destroy(graph);
    return totals;
}

inline int64_t FindOp(const Graph &graph, const std::string &name) {
    for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
        if (name == regal_graph_op(graph.get(), v).name)
            return v;
    ADD_FAILURE() << "no op " << name;
    return 0;
}

inline int64_t CountKind(const Graph &graph, const std::string &kind) {
    int64_t count = 0;
    for (int64_t v = 0; v < regal_graph_op_count(graph.get()); ++v)
        count += kind == regal_graph_op(graph.get(), v).kind;
    return count;
}

// Names of the ops whose tensors this op reads.
inline std::set<std::string> Inputs(const Graph &graph, int64_t op) {
    std::set<std::string> names;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph.get()); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph.get(), t);
        for (int64_t i = 0; i < tensor.consumer_count; ++i)
            if (tensor.consumers[i] == op)
                names.insert(regal_graph_op(graph.get(), tensor.producer).name);
    }
    return names;
}

inline int64_t WeightBytes(const Graph &graph) {
    int64_t bytes = 0;
    for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p) {
        const regal_parameter parameter = regal_graph_parameter(graph.get(), p);
        const std::string name = parameter.name;
        if (name.find(".state") == std::string::npos && name.find(".running") == std::string::npos)
            bytes += parameter.bytes;
    }
    return bytes;
}

// Each trained weight has states of an optimizer and one update.
inline void ExpectEachWeightIsUpdatedOnce(const Graph &graph, const std::string &name) {
    std::set<std::string> weights, states;
    for (int64_t p = 0; p < regal_graph_parameter_count(graph.get()); ++p) {
        const std::string weight = regal_graph_parameter(graph.get(), p).name;
        const size_t end = weight.find(".state");
        if (end != std::string::npos)
            states.insert(weight.substr(0, end));
        else if (weight.find(".running") == std::string::npos)
            weights.insert(weight);
    }
    EXPECT_EQ(weights, states) << name;
    EXPECT_EQ(CountKind(graph, "Adam") + CountKind(graph, "Momentum"), (int64_t)weights.size())
        << name;
}

#endif
