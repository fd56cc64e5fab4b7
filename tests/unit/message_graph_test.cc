// The graph that messages are passed on, against sets of pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "policy/message_graph.h"
#include "support/random_problem.h"
#include "support/whole_problem.h"

namespace {

using Pair = std::pair<int64_t, int64_t>;

struct MessageGraph : regal_message_graph {
    MessageGraph(const std::vector<const regal_problem_view *> &views, regal_objective objective) {
        if (regal_message_graph_create(views.data(), static_cast<int64_t>(views.size()), objective,
                                       this) != REGAL_OK)
            throw std::runtime_error(regal_error_message());
    }
    ~MessageGraph() { regal_message_graph_destroy(this); }
    MessageGraph(const MessageGraph &) = delete;
    MessageGraph &operator=(const MessageGraph &) = delete;
};

// (target, source) -> bytes; -1: no data. Ops are numbered from `first`.
std::map<Pair, double> pairs_of(const plain::Graph &graph, int64_t first) {
    std::map<Pair, double> pairs;
    for (const auto &[before, after] : graph.control)
        pairs[{first + after, first + before}] = -1;
    for (const plain::Tensor &tensor : graph.tensors)
        for (const int64_t op :
             std::set<int64_t>(tensor.consumers.begin(), tensor.consumers.end())) {
            double &bytes = pairs[{first + op, first + tensor.producer}];
            bytes = std::max(bytes, 0.0) + static_cast<double>(tensor.bytes);
        }
    return pairs;
}

double mean_bytes(const std::map<Pair, double> &pairs) {
    double sum = 0, count = 0;
    for (const auto &[pair, bytes] : pairs)
        if (bytes >= 0)
            sum += bytes, ++count;
    return count > 0 ? sum / count : 0;
}

double edge_feature(double bytes, double mean) {
    if (bytes < 0 || mean == 0)
        return 0;
    return std::max(-3.0, std::min(3.0, 0.5 * std::log(bytes / mean)));
}

// Everything about the edges of the ops [first, end).
void check_edges(const MessageGraph &graph, const plain::Graph &source, int64_t first,
                 int64_t *edge) {
    const std::map<Pair, double> pairs = pairs_of(source, first);
    const double mean = mean_bytes(pairs);
    for (const auto &[pair, bytes] : pairs) {
        const int64_t e = (*edge)++;
        ASSERT_LT(e, graph.edge_count);
        ASSERT_EQ(Pair(graph.target[e], graph.source[e]), pair);
        ASSERT_NEAR(graph.edge_features[2 * e], edge_feature(bytes, mean), 1e-5);
        ASSERT_EQ(graph.edge_features[2 * e + 1], bytes < 0 ? 1 : 0);
        ASSERT_LE(graph.in_begin[pair.first], e);
        ASSERT_LT(e, graph.in_begin[pair.first + 1]);
    }
}

void check_lists(const MessageGraph &graph) {
    int64_t place = 0;
    for (int64_t op = 0; op < graph.op_count; ++op) {
        const int64_t in = graph.in_begin[op + 1] - graph.in_begin[op];
        const int64_t out = graph.out_begin[op + 1] - graph.out_begin[op];
        ASSERT_EQ(graph.inverse_in[op], in > 0 ? 1.0f / static_cast<float>(in) : 0);
        ASSERT_EQ(graph.inverse_out[op], out > 0 ? 1.0f / static_cast<float>(out) : 0);
        for (int64_t i = graph.out_begin[op]; i < graph.out_begin[op + 1]; ++i, ++place) {
            ASSERT_EQ(i, place);
            ASSERT_EQ(graph.source[graph.out_edge[i]], op);
            ASSERT_TRUE(i == graph.out_begin[op] || graph.out_edge[i - 1] < graph.out_edge[i]);
        }
    }
    ASSERT_EQ(place, graph.edge_count);
}

void check_graph_of(const MessageGraph &graph, int64_t number, const WholeProblem &whole) {
    const int64_t first = graph.graph_begin[number], count = whole.view().op_count;
    ASSERT_EQ(graph.graph_begin[number + 1], first + count);
    ASSERT_EQ(graph.inverse_size[number], count > 0 ? 1.0f / static_cast<float>(count) : 0);
    std::vector<float> features(static_cast<size_t>(count) * REGAL_FEATURE_COUNT);
    ASSERT_EQ(regal_features_compute(&whole.view(), REGAL_MEMORY, features.data()), REGAL_OK);
    for (int64_t op = 0; op < count; ++op)
        ASSERT_EQ(graph.graph_of[first + op], number);
    for (size_t i = 0; i < features.size(); ++i)
        ASSERT_EQ(graph.features[first * REGAL_FEATURE_COUNT + static_cast<int64_t>(i)],
                  features[i]);
}

TEST(MessageGraph, HoldsEachPairOfOpsOnceProblemByProblem) {
    for (uint64_t seed = 0; seed < 300; seed += 3) {
        std::vector<plain::Graph> graphs;
        std::vector<std::unique_ptr<WholeProblem>> wholes;
        std::vector<const regal_problem_view *> views;
        for (uint64_t i = seed; i < seed + 3; ++i) {
            const plain::Case one = random_case(i);
            auto whole = std::make_unique<WholeProblem>(one.graph, one.cluster);
            if (whole->status == REGAL_INFEASIBLE)
                continue;
            views.push_back(&whole->view());
            wholes.push_back(std::move(whole));
            graphs.push_back(one.graph);
        }
        const MessageGraph graph(views, REGAL_MEMORY);
        ASSERT_EQ(graph.graph_count, static_cast<int64_t>(views.size()));
        int64_t edge = 0;
        for (size_t i = 0; i < graphs.size(); ++i) {
            SCOPED_TRACE(graphs[i].name);
            const auto number = static_cast<int64_t>(i);
            ASSERT_NO_FATAL_FAILURE(check_graph_of(graph, number, *wholes[i]));
            ASSERT_NO_FATAL_FAILURE(check_edges(graph, graphs[i], graph.graph_begin[i], &edge));
        }
        ASSERT_EQ(edge, graph.edge_count);
        ASSERT_NO_FATAL_FAILURE(check_lists(graph));
    }
}

TEST(MessageGraph, OfNoProblemsIsEmpty) {
    const MessageGraph graph({}, REGAL_TIME);
    EXPECT_EQ(graph.op_count, 0);
    EXPECT_EQ(graph.edge_count, 0);
    EXPECT_EQ(graph.graph_begin[0], 0);
    EXPECT_EQ(graph.in_begin[0], 0);
}

} // namespace
