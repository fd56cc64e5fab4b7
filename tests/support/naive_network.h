// The policy's network (policy/network.h) as plain loops in double precision, and small batches of
// graphs for it.
#ifndef REGAL_TESTS_SUPPORT_NAIVE_NETWORK_H
#define REGAL_TESTS_SUPPORT_NAIVE_NETWORK_H

#include <cstdint>
#include <utility>
#include <vector>

#include "policy/network.h"

// Ops of a graph, and its edges (source, target).
struct PlainGraph {
    int32_t op_count;
    std::vector<std::pair<int32_t, int32_t>> edges;
};

// Each op has up to `most_inputs` inputs among the ops before it.
PlainGraph random_plain_graph(int32_t op_count, int32_t most_inputs, uint64_t seed);

// Graphs side by side with random features.
class GraphBatch {
  public:
    GraphBatch(const std::vector<PlainGraph> &graphs, const regal_network_shape &shape,
               uint64_t seed);
    GraphBatch(const GraphBatch &) = delete;
    const regal_message_graph *get() const { return &graph_; }

  private:
    std::vector<int32_t> graph_begin_, graph_of_, source_, target_, in_begin_, out_begin_,
        out_edge_;
    std::vector<float> features_, edge_features_, inverse_in_, inverse_out_, inverse_size_;
    regal_message_graph graph_;
};

// Between -1 and 1.
std::vector<float> random_numbers(int64_t count, uint64_t seed);

// The first weights from a seed, and biases that are not 0.
std::vector<float> random_parameters(const regal_network_shape &shape, uint64_t seed);

// [op][outputs]
std::vector<double> naive_outputs(const regal_network_shape &shape,
                                  const std::vector<double> &parameters,
                                  const regal_message_graph &graph);

// Gradient of the sum of output x output_gradient by each parameter, from differences.
std::vector<double> naive_gradient(const regal_network_shape &shape,
                                   const std::vector<float> &parameters,
                                   const regal_message_graph &graph,
                                   const std::vector<float> &output_gradient);

#endif
