#include "support/oracle_model.h"

#include <fnmatch.h>

#include <algorithm>

namespace oracle {

int64_t op_count(const plain::Graph &graph) {
    return static_cast<int64_t>(graph.ops.size());
}

int64_t op_ticks(const plain::Graph &graph, const plain::Cluster &cluster, int64_t op,
                 int64_t device) {
    const plain::Device &where = cluster.devices[device];
    int64_t index = where.device_class;
    if (where.class_name)
        index = std::find(graph.classes.begin(), graph.classes.end(), *where.class_name) -
                graph.classes.begin();
    return std::max<int64_t>(1, graph.ops[op].cost.at(index));
}

int64_t transfer_ticks(const plain::Graph &graph, const plain::Cluster &cluster, int64_t tensor,
                       int64_t from, int64_t to) {
    const auto listed = cluster.pairs.find({from, to});
    const plain::Link link = listed == cluster.pairs.end() ? cluster.default_link : listed->second;
    int64_t ticks = link.latency;
    if (link.rate > 0) {
        const int64_t scaled = graph.tensors[tensor].bytes * 1000;
        ticks += scaled / link.rate + (scaled % link.rate != 0);
    }
    return std::max<int64_t>(1, ticks);
}

std::set<int64_t> consumers(const plain::Graph &graph, int64_t tensor) {
    const plain::Tensor &t = graph.tensors[tensor];
    return {t.consumers.begin(), t.consumers.end()};
}

std::set<int64_t> inputs(const plain::Graph &graph, int64_t op) {
    std::set<int64_t> found;
    for (size_t t = 0; t < graph.tensors.size(); ++t) {
        const std::vector<int64_t> &all = graph.tensors[t].consumers;
        if (std::count(all.begin(), all.end(), op) > 0)
            found.insert(t);
    }
    return found;
}

std::set<int64_t> control_predecessors(const plain::Graph &graph, int64_t op) {
    std::set<int64_t> found;
    for (const auto &[before, after] : graph.control)
        if (after == op)
            found.insert(before);
    return found;
}

std::set<int64_t> predecessors(const plain::Graph &graph, int64_t op) {
    std::set<int64_t> found = control_predecessors(graph, op);
    for (const int64_t tensor : inputs(graph, op))
        found.insert(graph.tensors[tensor].producer);
    return found;
}

std::set<int64_t> allowed_devices(const plain::Graph &graph, const plain::Cluster &cluster,
                                  int64_t op) {
    std::set<int64_t> found;
    for (size_t d = 0; d < cluster.devices.size(); ++d) {
        if (!graph.ops[op].allowed) {
            found.insert(d);
            continue;
        }
        for (const plain::Allowed &entry : *graph.ops[op].allowed)
            if (entry.pattern
                    ? fnmatch(entry.pattern->c_str(), cluster.devices[d].name.c_str(), 0) == 0
                    : entry.device == static_cast<int64_t>(d))
                found.insert(d);
    }
    return found;
}

static void merge(std::vector<std::set<int64_t>> &groups, int64_t a, int64_t b) {
    std::set<int64_t> both = groups[a];
    both.insert(groups[b].begin(), groups[b].end());
    for (const int64_t op : both)
        groups[op] = both;
}

std::vector<std::set<int64_t>> groups(const plain::Graph &graph) {
    std::vector<std::set<int64_t>> found(graph.ops.size());
    for (int64_t op = 0; op < op_count(graph); ++op)
        found[op] = {op};
    for (int64_t a = 0; a < op_count(graph); ++a)
        for (int64_t b = 0; b < a; ++b)
            if (graph.ops[a].group && graph.ops[a].group == graph.ops[b].group)
                merge(found, a, b);
    for (const plain::Tensor &tensor : graph.tensors)
        if (tensor.alias_of >= 0)
            merge(found, tensor.producer, graph.tensors[tensor.alias_of].producer);
    return found;
}

std::set<int64_t> destinations(const plain::Graph &graph, const std::vector<int64_t> &placement,
                               int64_t tensor) {
    std::set<int64_t> found;
    for (const int64_t op : consumers(graph, tensor))
        if (placement[op] != placement[graph.tensors[tensor].producer])
            found.insert(placement[op]);
    return found;
}

} // namespace oracle
