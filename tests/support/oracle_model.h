// The oracle's reading of a graph and a cluster: questions that both its decoder and its judge ask.
#ifndef REGAL_TESTS_ORACLE_MODEL_H
#define REGAL_TESTS_ORACLE_MODEL_H

#include <set>
#include <vector>

#include "support/plain_case.h"

namespace oracle {

int64_t op_count(const plain::Graph &graph);

// max(1, cost) on the device's class.
int64_t op_ticks(const plain::Graph &graph, const plain::Cluster &cluster, int64_t op,
                 int64_t device);
// max(1, latency + ceil(bytes * 1000 / rate)).
int64_t transfer_ticks(const plain::Graph &graph, const plain::Cluster &cluster, int64_t tensor,
                       int64_t from, int64_t to);

std::set<int64_t> consumers(const plain::Graph &graph, int64_t tensor);
std::set<int64_t> inputs(const plain::Graph &graph, int64_t op); // tensors
std::set<int64_t> control_predecessors(const plain::Graph &graph, int64_t op);
// Producers of the inputs and control predecessors.
std::set<int64_t> predecessors(const plain::Graph &graph, int64_t op);

// The devices that the op itself allows.
std::set<int64_t> allowed_devices(const plain::Graph &graph, const plain::Cluster &cluster,
                                  int64_t op);
// The colocation groups, closed under aliases: for each op the members of its group, itself too.
std::vector<std::set<int64_t>> groups(const plain::Graph &graph);

// The devices other than the producer's that host a consumer.
std::set<int64_t> destinations(const plain::Graph &graph, const std::vector<int64_t> &placement,
                               int64_t tensor);

} // namespace oracle

#endif
