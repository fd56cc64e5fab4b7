// The policy's network on the CPU, for graphs of two edges an op: one thread, and two.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "policy/policy.h"
#include "regal/backend/backend.h"
#include "regal/regal.h"

namespace {

void require(regal_status status) {
    if (status != REGAL_OK) {
        std::cerr << regal_error_message() << "\n";
        std::exit(1);
    }
}

// `graphs` graphs side by side; an op has two inputs among those before it.
struct Batch {
    std::vector<int32_t> graph_begin{0}, graph_of, source, target, in_begin{0}, out_begin, out_edge;
    std::vector<float> features, edge_features, inverse_in, inverse_out, inverse_size;
    regal_message_graph graph;

    Batch(int64_t ops, int64_t graphs) {
        for (int64_t g = 0; g < graphs; ++g)
            add_graph(ops / graphs);
        const auto op_count = static_cast<int64_t>(graph_of.size());
        const auto edge_count = static_cast<int64_t>(source.size());
        out_begin.resize(op_count + 1);
        for (const int32_t op : source)
            ++out_begin[op + 1];
        for (int64_t op = 0; op < op_count; ++op) {
            inverse_out.push_back(1.0f / static_cast<float>(std::max(1, out_begin[op + 1])));
            out_begin[op + 1] += out_begin[op];
        }
        std::vector<int32_t> next = out_begin;
        out_edge.resize(edge_count);
        for (int32_t edge = 0; edge < edge_count; ++edge)
            out_edge[next[source[edge]]++] = edge;
        features.resize(op_count * REGAL_FEATURE_COUNT);
        for (size_t i = 0; i < features.size(); ++i)
            features[i] = static_cast<float>(i * 7919 % 1000) * 0.002f - 1;
        edge_features.resize(edge_count * REGAL_EDGE_FEATURE_COUNT, 0.5f);
        graph = {graphs,
                 op_count,
                 edge_count,
                 graph_begin.data(),
                 graph_of.data(),
                 features.data(),
                 source.data(),
                 target.data(),
                 edge_features.data(),
                 in_begin.data(),
                 out_begin.data(),
                 out_edge.data(),
                 inverse_in.data(),
                 inverse_out.data(),
                 inverse_size.data(),
                 nullptr};
    }

    void add_graph(int64_t ops) {
        const int32_t first = graph_begin.back();
        for (int32_t op = 0; op < ops; ++op) {
            const int32_t inputs = std::min(op, 2);
            for (int32_t i = 0; i < inputs; ++i) {
                source.push_back(first + op - 1 - (i == 0 ? 0 : op * 31 % std::min(op, 200)));
                target.push_back(first + op);
            }
            graph_of.push_back(static_cast<int32_t>(graph_begin.size() - 1));
            in_begin.push_back(static_cast<int32_t>(source.size()));
            inverse_in.push_back(1.0f / static_cast<float>(std::max(1, inputs)));
        }
        graph_begin.push_back(first + static_cast<int32_t>(ops));
        inverse_size.push_back(1.0f / static_cast<float>(ops));
    }
};

class Network {
  public:
    explicit Network(int64_t threads) {
        const regal_backend *backend;
        regal_policy_settings settings;
        regal_policy_settings_init(REGAL_TIME, &settings);
        shape = regal_policy_network(&settings);
        parameters.resize(regal_network_parameter_count(&shape));
        regal_network_initialize(&shape, 1, parameters.data());
        require(regal_backend_find("cpu", 0, &backend));
        math_ = backend->math;
        require(math_->create(threads, 0, &context_));
        require(regal_network_create(math_, context_, &shape, &self));
        require(regal_network_set(self, parameters.data()));
    }
    ~Network() {
        regal_network_destroy(self);
        math_->destroy(context_);
    }
    Network(const Network &) = delete;

    regal_network_shape shape;
    regal_network *self;
    std::vector<float> parameters;

  private:
    const regal_math *math_;
    regal_math_context *context_;
};

void inference(benchmark::State &state) {
    const Batch batch(state.range(0), 1);
    Network network(state.range(1));
    std::vector<float> outputs(batch.graph.op_count * network.shape.outputs);
    for (auto _ : state)
        require(regal_network_forward(network.self, &batch.graph, false, outputs.data()));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Forward and backward, on ten graphs.
void learning(benchmark::State &state) {
    const Batch batch(state.range(0), 10);
    Network network(state.range(1));
    std::vector<float> outputs(batch.graph.op_count * network.shape.outputs);
    const std::vector<float> by_output(outputs.size(), 0.1f);
    std::vector<float> gradient(network.parameters.size());
    for (auto _ : state) {
        require(regal_network_forward(network.self, &batch.graph, true, outputs.data()));
        require(
            regal_network_backward(network.self, &batch.graph, by_output.data(), gradient.data()));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

bool register_policy() {
    const auto add = [](const char *name, auto function, std::vector<int64_t> ops) {
        benchmark::RegisterBenchmark(name, function)
            ->ArgNames({"ops", "threads"})
            ->ArgsProduct({ops, {1, 2}})
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    add("policy/network", inference, {1000, 10000});
    add("policy/network/learning", learning, {1000});
    return true;
}
const bool policy_registered = register_policy();

} // namespace
