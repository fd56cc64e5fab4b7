// The library's objects made from plain data through the public API, and back.
#ifndef REGAL_TESTS_REGAL_OBJECTS_H
#define REGAL_TESTS_REGAL_OBJECTS_H

#include <memory>
#include <string>

#include "regal/regal.h"
#include "support/plain_case.h"

struct RegalDelete {
    void operator()(regal_graph *graph) const { regal_graph_destroy(graph); }
    void operator()(regal_cluster *cluster) const { regal_cluster_destroy(cluster); }
    void operator()(regal_problem *problem) const { regal_problem_destroy(problem); }
    void operator()(regal_chromosome *chromosome) const { regal_chromosome_destroy(chromosome); }
    void operator()(regal_plan *plan) const { regal_plan_destroy(plan); }
};
using GraphPtr = std::unique_ptr<regal_graph, RegalDelete>;
using ClusterPtr = std::unique_ptr<regal_cluster, RegalDelete>;
using ProblemPtr = std::unique_ptr<regal_problem, RegalDelete>;
using ChromosomePtr = std::unique_ptr<regal_chromosome, RegalDelete>;
using PlanPtr = std::unique_ptr<regal_plan, RegalDelete>;

// Throw std::runtime_error with the library's message where it refuses. The graph is not validated.
GraphPtr make_graph(const plain::Graph &graph);
ClusterPtr make_cluster(const plain::Cluster &cluster);
ChromosomePtr make_chromosome(const plain::Chromosome &chromosome, int64_t device_count);

// With every figure that the plain plan claims; finishes, digest and names are left out.
PlanPtr make_plan(const plain::Plan &plan);
plain::Plan read_plan(const regal_plan *plan);

// A plan in words, for failing tests.
std::string describe(const plain::Plan &plan);

#endif
