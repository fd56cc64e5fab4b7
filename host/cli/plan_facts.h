/* What a plan costs, gathered for the summary and for --json. */
#ifndef REGAL_CLI_PLAN_FACTS_H
#define REGAL_CLI_PLAN_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/graph_counts.h"

typedef struct plan_facts {
    graph_counts graph;
    int64_t devices;
    regal_objective objective;
    regal_bounds bounds; /* -1 where unknown */
    int64_t makespan, max_peak, excess;
    int64_t transfers, transfer_bytes;
    int64_t peak[REGAL_MAX_DEVICES], busy[REGAL_MAX_DEVICES], device_ops[REGAL_MAX_DEVICES];
} plan_facts;

/* Everything here comes from the checker's own measure, not from what the plan claims. */
void plan_facts_collect(const regal_graph *graph, const regal_cluster *cluster,
                        const regal_plan *plan, const regal_measure *measure, regal_bounds bounds,
                        plan_facts *facts);

/* True where every device has a cap and some device needs more than the greatest of them. */
bool caps_are_hopeless(const regal_cluster *cluster, regal_bounds bounds);

/* Makespan or greatest peak, whichever is the objective, and its bound. */
int64_t plan_facts_value(const plan_facts *facts);
int64_t plan_facts_bound(const plan_facts *facts);

void plan_facts_print(const plan_facts *facts, const regal_cluster *cluster, FILE *file);
void plan_facts_add_json(const plan_facts *facts, json_t *object);

#endif
