/* regal-set 1: a list of problems by file or recipe, for training and evaluation.
 *
 *   {"format": "regal-set", "version": 1, "name": "...", "objective": "memory",
 *    "clusters": [{"devices": 2, "link": "free", "cap": 0.6}],
 *    "graphs": [{"generator": "erdos-renyi", "values": {"cost_unit": 500, "ops": [100, 400]},
 *                "seed": 1000, "count": 12, "family": "erdos-renyi", "weight": 1},
 *               {"file": "graphs/x.json", "family": "resnet"}]}
 *
 * "about" and "made" (any value) are for people.
 *
 * graphs: "generator" with the values of its parameters, "seed" (default 1) of the first of "count"
 * (default 1) graphs, or a "file" of any readable format; "family" (default: the generator's name,
 * or "file"), "weight" in draws (default 1), "unseen" (true: a family that training does not meet),
 * "profiles" (as --profile: a list of names) for costs. clusters: "devices" (a number, or as
 * --devices: "4x16GB") with "link" (as --link, or {"latency", "bytes_per_1000_ticks"}) or "ccr", or
 * "cluster" (a regal-cluster file). "cap": all devices hold this share of the max peak that the
 * plan of HEFT, or of the baseline "cap_of", has without caps (0: no caps). "ccr": the mean
 * transfer of a tensor over the mean cost of an op; links are alike then, without latency, at the
 * rate that gives it; where whole rates are too coarse (by more than 2 %), the graph's costs are
 * scaled instead. An entry of graphs may have "clusters" of its own. Of "values", "cap" and "ccr"
 * each may be [low, high]: drawn for each graph by its seed, evenly (ccr: its logarithm), as whole
 * numbers where both ends are. Files are relative to the set's folder and are read with it. A
 * problem is a graph on a cluster: graphs x their clusters. */
#ifndef REGAL_POLICY_GRAPH_SET_H
#define REGAL_POLICY_GRAPH_SET_H

#include "regal/graph_set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* regal_graph_set_read from memory. */
regal_status regal_graph_set_parse(const char *data, size_t size, const char *name,
                                   regal_graph_set **set);

/* Of the graphs and clusters that the set's files hold. */
uint64_t regal_graph_set_hash(const regal_graph_set *set);

/* A graph drawn for training: the entry by weight, its seed anew, without end, from (seed, number);
 * changed if `augment` (augment.h); then one of its clusters. Seeds so drawn are above 2^62, those
 * of a set below: no graph drawn is one of a set. From any thread. */
regal_status regal_graph_set_draw(const regal_graph_set *set, uint64_t seed, uint64_t number,
                                  bool augment, regal_set_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
