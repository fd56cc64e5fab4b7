// Asks the checker about plain plans.
#ifndef REGAL_TESTS_JUDGED_H
#define REGAL_TESTS_JUDGED_H

#include <string>

#include "support/plain_case.h"
#include "support/regal_objects.h"

// A graph and a cluster, and what the checker says of plans for them.
class Judged {
  public:
    Judged(const plain::Graph &graph, const plain::Cluster &cluster)
        : graph_(make_graph(graph)), cluster_(make_cluster(cluster)) {}

    // "" for a valid plan, or else the message; regal_plan_measure reads no claims, _check all.
    std::string measure(const plain::Plan &plan);
    std::string check(const plain::Plan &plan) { return check(make_plan(plan).get()); }
    std::string check(const regal_plan *plan);

    // What the last call found. A failing call leaves zeros.
    const regal_measure &found() const { return found_; }
    // The same as a plan's figures, with the given plan's placement, starts and transfers.
    plain::Plan with_found_figures(plain::Plan plan) const;

    const regal_graph *graph() const { return graph_.get(); }
    const regal_cluster *cluster() const { return cluster_.get(); }

  private:
    GraphPtr graph_;
    ClusterPtr cluster_;
    regal_measure found_{};
};

#endif
