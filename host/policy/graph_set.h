/* regal-set 1: a list of problems by file or recipe, for training and evaluation.
 *
 *   {"format": "regal-set", "version": 1, "name": "...", "objective": "memory",
 *    "clusters": [{"devices": 2, "link": "free", "cap": 0.6}],
 *    "graphs": [{"generator": "erdos-renyi", "values": {"cost_unit": 500}, "seed": 1000, "count":
 * 12, "family": "erdos-renyi", "weight": 1},
 *               {"file": "graphs/x.json", "family": "resnet"}]}
 *
 * clusters: "devices" (a number, or as --devices: "4x16GB"), "link" (as --link, or {"latency",
 * "bytes_per_1000_ticks"}), "cap" (share of the max peak of HEFT's plan; 0 or left out: none), or
 * "cluster" (a regal-cluster file). An entry of graphs may have "clusters" of its own. Files are
 * relative to the set's folder. A problem is a graph on a cluster: graphs x their clusters. */
#ifndef REGAL_POLICY_GRAPH_SET_H
#define REGAL_POLICY_GRAPH_SET_H

#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_graph_set regal_graph_set;

regal_status regal_graph_set_read(const char *path, regal_graph_set **set);
regal_status regal_graph_set_parse(const char *data, size_t size, const char *name,
                                   regal_graph_set **set);
void regal_graph_set_destroy(regal_graph_set *set);

const char *regal_graph_set_name(const regal_graph_set *set);
regal_objective regal_graph_set_objective(const regal_graph_set *set);

/* Problems, graph by graph; an entry with `count` seeds counts as so many graphs. Memory does not
 * grow with their number. */
int64_t regal_graph_set_count(const regal_graph_set *set);

/* One problem with all that it stands on. */
typedef struct regal_set_problem {
    char *name;         /* "erdos-renyi ops=90 seed=7, 4 devices ..." or the file */
    const char *family; /* the set's */
    regal_graph *graph;
    regal_cluster *cluster;
    regal_problem *problem;
} regal_set_problem;
regal_status regal_graph_set_problem(const regal_graph_set *set, int64_t index,
                                     regal_set_problem *problem);

/* A graph drawn for training: the entry by weight, its seed anew, without end, from (seed, number);
 * changed if `augment` (augment.h): costs and bytes rescaled, edges and ops left out, ops
 * renumbered; then one of its clusters. */
regal_status regal_graph_set_draw(const regal_graph_set *set, uint64_t seed, uint64_t number,
                                  bool augment, regal_set_problem *problem);
void regal_set_problem_destroy(regal_set_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
