#include "support/naive_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

namespace {

using Numbers = std::vector<double>;

double inverse(size_t count) {
    return count > 0 ? 1.0 / static_cast<double>(count) : 0.0;
}

// The tensors by name.
class Parameters {
  public:
    Parameters(const regal_network_shape &shape, const Numbers &values) : values_(values) {
        regal_parameter_tensor tensor;
        for (int64_t i = 0; regal_network_tensor(&shape, i, &tensor); ++i)
            tensors_[tensor.name] = tensor;
    }

    // to += x W
    void add_product(Numbers &to, const Numbers &x, const std::string &name) const {
        const regal_parameter_tensor &tensor = tensors_.at(name);
        for (int64_t row = 0; row < tensor.rows; ++row)
            for (int64_t column = 0; column < tensor.columns; ++column)
                to.at(column) += x.at(row) * values_[tensor.offset + row * tensor.columns + column];
    }
    Numbers bias(const std::string &name) const {
        const regal_parameter_tensor &tensor = tensors_.at(name);
        const auto begin = values_.begin() + tensor.offset;
        return Numbers(begin, begin + tensor.columns);
    }

  private:
    const Numbers &values_;
    std::map<std::string, regal_parameter_tensor> tensors_;
};

Numbers relu(Numbers x) {
    for (double &value : x)
        value = std::max(value, 0.0);
    return x;
}

Numbers normalized(const Numbers &x) {
    double mean = 0, variance = 0;
    for (const double value : x)
        mean += value / static_cast<double>(x.size());
    for (const double value : x)
        variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
    Numbers z;
    for (const double value : x)
        z.push_back((value - mean) / std::sqrt(variance + 1e-5));
    return z;
}

void add_scaled(Numbers &to, const Numbers &from, double factor) {
    for (size_t i = 0; i < to.size(); ++i)
        to[i] += factor * from[i];
}

Numbers row_of(const float *values, int64_t row, int64_t columns) {
    return Numbers(values + row * columns, values + (row + 1) * columns);
}

class NaiveNetwork {
  public:
    NaiveNetwork(const regal_network_shape &shape, const Numbers &parameters,
                 const regal_message_graph &graph)
        : shape_(shape), parameters_(shape, parameters), graph_(graph),
          width_(static_cast<size_t>(shape.width)) {}

    Numbers outputs() {
        encode();
        for (int64_t round = 0; round < shape_.rounds; ++round)
            pass("round." + std::to_string(round) + ".");
        const std::vector<Numbers> mean = means_of_graphs(state_);
        Numbers all;
        for (int64_t op = 0; op < graph_.op_count; ++op) {
            Numbers read = parameters_.bias("readout.bias");
            parameters_.add_product(read, state_[op], "readout.state");
            parameters_.add_product(read, mean[graph_.graph_of[op]], "readout.graph");
            Numbers output = parameters_.bias("output.bias");
            parameters_.add_product(output, relu(read), "output.weight");
            all.insert(all.end(), output.begin(), output.end());
        }
        return all;
    }

  private:
    void encode() {
        for (int64_t op = 0; op < graph_.op_count; ++op) {
            Numbers hidden = parameters_.bias("encoder.0.bias");
            parameters_.add_product(hidden, row_of(graph_.features, op, shape_.features),
                                    "encoder.0.weight");
            Numbers state = parameters_.bias("encoder.1.bias");
            parameters_.add_product(state, relu(hidden), "encoder.1.weight");
            state_.push_back(state);
        }
    }

    Numbers message(const std::string &name, int64_t edge) const {
        Numbers sum = parameters_.bias(name + "bias");
        parameters_.add_product(sum, z_[graph_.source[edge]], name + "source");
        parameters_.add_product(sum, z_[graph_.target[edge]], name + "target");
        parameters_.add_product(sum, row_of(graph_.edge_features, edge, shape_.edge_features),
                                name + "edge");
        return relu(sum);
    }

    std::vector<Numbers> means_of_graphs(const std::vector<Numbers> &of) const {
        std::vector<size_t> size(graph_.graph_count);
        for (int64_t op = 0; op < graph_.op_count; ++op)
            ++size[graph_.graph_of[op]];
        std::vector<Numbers> mean(graph_.graph_count, Numbers(width_));
        for (int64_t op = 0; op < graph_.op_count; ++op)
            add_scaled(mean[graph_.graph_of[op]], of[op], inverse(size[graph_.graph_of[op]]));
        return mean;
    }

    void pass(const std::string &round) {
        const size_t ops = state_.size();
        z_.clear();
        for (const Numbers &state : state_)
            z_.push_back(normalized(state));
        std::vector<size_t> in_degree(ops), out_degree(ops);
        for (int64_t edge = 0; edge < graph_.edge_count; ++edge) {
            ++in_degree[graph_.target[edge]];
            ++out_degree[graph_.source[edge]];
        }
        std::vector<Numbers> in(ops, Numbers(width_)), out(ops, Numbers(width_));
        for (int64_t edge = 0; edge < graph_.edge_count; ++edge) {
            const int32_t source = graph_.source[edge], target = graph_.target[edge];
            add_scaled(in[target], message(round + "message.along.", edge),
                       inverse(in_degree[target]));
            add_scaled(out[source], message(round + "message.against.", edge),
                       inverse(out_degree[source]));
        }
        const std::vector<Numbers> mean = means_of_graphs(z_);
        for (size_t op = 0; op < ops; ++op) {
            Numbers update = parameters_.bias(round + "update.bias");
            parameters_.add_product(update, z_[op], round + "update.state");
            parameters_.add_product(update, in[op], round + "update.in");
            parameters_.add_product(update, out[op], round + "update.out");
            parameters_.add_product(update, mean[graph_.graph_of[op]], round + "update.graph");
            parameters_.add_product(state_[op], relu(update), round + "change.weight");
            add_scaled(state_[op], parameters_.bias(round + "change.bias"), 1);
        }
    }

    regal_network_shape shape_;
    Parameters parameters_;
    const regal_message_graph &graph_;
    size_t width_;
    std::vector<Numbers> state_, z_;
};

std::vector<float> inverses(const std::vector<int32_t> &begin) {
    std::vector<float> values;
    for (size_t i = 0; i + 1 < begin.size(); ++i)
        values.push_back(static_cast<float>(inverse(static_cast<size_t>(begin[i + 1] - begin[i]))));
    return values;
}

// [op + 1] of the edges whose ends are these.
std::vector<int32_t> begins(const std::vector<int32_t> &ends, int64_t op_count) {
    std::vector<int32_t> begin(static_cast<size_t>(op_count) + 1);
    for (const int32_t end : ends)
        ++begin[end + 1];
    for (int64_t op = 0; op < op_count; ++op)
        begin[op + 1] += begin[op];
    return begin;
}

} // namespace

PlainGraph random_plain_graph(int32_t op_count, int32_t most_inputs, uint64_t seed) {
    std::mt19937_64 random(seed);
    PlainGraph graph = {op_count, {}};
    for (int32_t op = 1; op < op_count; ++op)
        for (uint64_t i = random() % static_cast<uint64_t>(most_inputs + 1); i > 0; --i)
            graph.edges.emplace_back(static_cast<int32_t>(random() % static_cast<uint64_t>(op)),
                                     op);
    std::sort(graph.edges.begin(), graph.edges.end());
    graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
    return graph;
}

GraphBatch::GraphBatch(const std::vector<PlainGraph> &graphs, const regal_network_shape &shape,
                       uint64_t seed)
    : graph_begin_{0} {
    std::vector<std::pair<int32_t, int32_t>> edges; // (target, source)
    for (const PlainGraph &graph : graphs) {
        const int32_t first = graph_begin_.back();
        for (const auto &edge : graph.edges)
            edges.emplace_back(first + edge.second, first + edge.first);
        graph_of_.insert(graph_of_.end(), graph.op_count,
                         static_cast<int32_t>(graph_begin_.size() - 1));
        graph_begin_.push_back(first + graph.op_count);
    }
    std::sort(edges.begin(), edges.end());
    for (const auto &edge : edges) {
        target_.push_back(edge.first);
        source_.push_back(edge.second);
        out_edge_.push_back(static_cast<int32_t>(out_edge_.size()));
    }
    std::stable_sort(out_edge_.begin(), out_edge_.end(),
                     [this](int32_t a, int32_t b) { return source_[a] < source_[b]; });
    const int64_t op_count = graph_begin_.back(), edge_count = static_cast<int64_t>(edges.size());
    in_begin_ = begins(target_, op_count);
    out_begin_ = begins(source_, op_count);
    inverse_in_ = inverses(in_begin_);
    inverse_out_ = inverses(out_begin_);
    inverse_size_ = inverses(graph_begin_);
    features_ = random_numbers(op_count * shape.features, seed);
    edge_features_ = random_numbers(edge_count * shape.edge_features, seed + 1);
    graph_ = {static_cast<int64_t>(graphs.size()),
              op_count,
              edge_count,
              graph_begin_.data(),
              graph_of_.data(),
              features_.data(),
              source_.data(),
              target_.data(),
              edge_features_.data(),
              in_begin_.data(),
              out_begin_.data(),
              out_edge_.data(),
              inverse_in_.data(),
              inverse_out_.data(),
              inverse_size_.data(),
              nullptr};
}

std::vector<float> random_numbers(int64_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
        value = static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    return values;
}

std::vector<float> random_parameters(const regal_network_shape &shape, uint64_t seed) {
    std::vector<float> parameters(regal_network_parameter_count(&shape));
    regal_network_initialize(&shape, seed, parameters.data());
    const std::vector<float> biases =
        random_numbers(static_cast<int64_t>(parameters.size()), seed + 1);
    for (size_t i = 0; i < parameters.size(); ++i)
        parameters[i] = parameters[i] == 0 ? 0.3f * biases[i] : parameters[i];
    return parameters;
}

std::vector<double> naive_outputs(const regal_network_shape &shape,
                                  const std::vector<double> &parameters,
                                  const regal_message_graph &graph) {
    return NaiveNetwork(shape, parameters, graph).outputs();
}

std::vector<double> naive_gradient(const regal_network_shape &shape,
                                   const std::vector<float> &parameters,
                                   const regal_message_graph &graph,
                                   const std::vector<float> &output_gradient) {
    Numbers at(parameters.begin(), parameters.end()), gradient;
    const auto loss = [&] {
        const Numbers outputs = naive_outputs(shape, at, graph);
        double sum = 0;
        for (size_t i = 0; i < outputs.size(); ++i)
            sum += outputs[i] * static_cast<double>(output_gradient[i]);
        return sum;
    };
    const double step = 1e-7; // so small that hardly a relu has its corner within
    for (double &parameter : at) {
        const double middle = parameter;
        parameter = middle + step;
        const double above = loss();
        parameter = middle - step;
        gradient.push_back((above - loss()) / (2 * step));
        parameter = middle;
    }
    return gradient;
}
