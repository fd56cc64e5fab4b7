// Graph, cluster, chromosome and plan as plain data: what the oracle works on, and what the tests
// make and change. Shares nothing with the library.
#ifndef REGAL_TESTS_PLAIN_CASE_H
#define REGAL_TESTS_PLAIN_CASE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plain {

struct Allowed {
    int64_t device = -1;
    std::optional<std::string> pattern; // in place of device
};

struct Op {
    std::string name, kind;
    std::vector<int64_t> cost; // per class
    int64_t workspace = 0;
    std::optional<std::string> group;
    std::optional<std::vector<Allowed>> allowed;
};

struct Tensor {
    std::string name;
    int64_t producer = 0, bytes = 0;
    std::vector<int64_t> consumers;
    bool output = false;
    int64_t alias_of = -1;
};

struct Parameter {
    std::string name;
    int64_t bytes = 0;
    std::vector<int64_t> ops;
};

struct Graph {
    std::string name;
    std::vector<std::string> classes;
    std::vector<Op> ops;
    std::vector<Tensor> tensors;
    std::vector<std::pair<int64_t, int64_t>> control; // before, after
    std::vector<Parameter> parameters;
};

struct Device {
    std::string name;
    int64_t device_class = 0;
    std::optional<std::string> class_name; // in place of device_class
    int64_t memory = 0;                    // 0: unlimited
};

struct Link {
    int64_t latency = 0;
    int64_t rate = 0; // bytes per 1000 ticks; 0: infinite
};

struct Cluster {
    std::vector<Device> devices;
    Link default_link;
    std::map<std::pair<int64_t, int64_t>, Link> pairs; // from, to
};

struct Chromosome {
    bool affinity_encoding = false;
    int64_t window = 0;
    std::vector<int64_t> priority, placement, transfer;
    std::vector<std::vector<int64_t>> affinity; // per op, per device
};

struct Transfer {
    int64_t tensor = 0, to = 0, start = 0;
};

struct Plan {
    std::vector<int64_t> placement, start;
    std::vector<Transfer> transfers; // by tensor, then destination
    int64_t makespan = 0;
    std::vector<int64_t> peak;
    std::array<int64_t, 3> time{}, memory{}; // fitness
};

struct Case {
    Graph graph;
    Cluster cluster;
    Chromosome chromosome;
    Plan plan;
};

inline bool operator==(const Transfer &a, const Transfer &b) {
    return a.tensor == b.tensor && a.to == b.to && a.start == b.start;
}
inline bool operator==(const Plan &a, const Plan &b) {
    return a.placement == b.placement && a.start == b.start && a.transfers == b.transfers &&
           a.makespan == b.makespan && a.peak == b.peak && a.time == b.time && a.memory == b.memory;
}

} // namespace plain

#endif
