#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/judge.h"

/* ---- what is judged ---- */

static regal_status find_class(regal_judge *judge, int64_t index) {
    const regal_device *device = &judge->devices[index];
    const int64_t count = regal_graph_class_count(judge->graph);
    int64_t found = 0;
    if (device->class_name == NULL) {
        found = device->class_index;
        REGAL_FAIL_IF(found < 0 || found >= count, REGAL_INVALID_INPUT,
                      "device '%s' is of class %" PRId64 ", but the graph has %" PRId64
                      " device classes",
                      device->name, found, count);
    } else {
        while (found < count &&
               strcmp(regal_graph_class_name(judge->graph, found), device->class_name) != 0)
            ++found;
        REGAL_FAIL_IF(found == count, REGAL_INVALID_INPUT,
                      "device '%s' is of class '%s', which the graph does not have", device->name,
                      device->class_name);
    }
    judge->classes[index] = found;
    return REGAL_OK;
}

regal_status regal_judge_create(regal_judge *judge, const regal_graph *graph,
                                const regal_cluster *cluster, const regal_plan *plan) {
    memset(judge, 0, sizeof *judge);
    judge->graph = graph;
    judge->cluster = cluster;
    judge->plan = plan;
    judge->op_count = regal_graph_op_count(graph);
    judge->tensor_count = regal_graph_tensor_count(graph);
    judge->device_count = regal_cluster_device_count(cluster);
    REGAL_FORWARD(regal_graph_validate(graph));
    REGAL_FAIL_IF(judge->device_count < 1, REGAL_INVALID_INPUT, "the cluster has no devices");
    for (int64_t d = 0; d < judge->device_count; ++d) {
        judge->devices[d] = regal_cluster_device(cluster, d);
        REGAL_FORWARD(find_class(judge, d));
    }
    REGAL_FAIL_IF(plan->op_count != judge->op_count, REGAL_INVALID_INPUT,
                  "the plan places %" PRId64 " ops, but the graph has %" PRId64, plan->op_count,
                  judge->op_count);
    return REGAL_OK;
}

void regal_judge_destroy(regal_judge *judge) {
    free(judge->finish);
    free(judge->needed);
    free(judge->slot);
    free(judge->sent);
    free(judge->arrived);
}

static regal_status judge_plan(regal_judge *judge, const regal_graph *graph,
                               const regal_cluster *cluster, const regal_plan *plan,
                               regal_measure *measure) {
    REGAL_FORWARD(regal_judge_create(judge, graph, cluster, plan));
    REGAL_FORWARD(regal_judge_placement(judge));
    REGAL_FORWARD(regal_judge_schedule(judge));
    return regal_judge_memory(judge, measure);
}

regal_status regal_plan_measure(const regal_graph *graph, const regal_cluster *cluster,
                                const regal_plan *plan, regal_measure *measure) {
    regal_judge judge;
    memset(measure, 0, sizeof *measure);
    const regal_status status = judge_plan(&judge, graph, cluster, plan, measure);
    regal_judge_destroy(&judge);
    if (status != REGAL_OK)
        memset(measure, 0, sizeof *measure);
    return status;
}

/* ---- what the plan claims ---- */

static regal_status compare(int64_t claimed, int64_t found, const char *what) {
    REGAL_FAIL_IF(claimed != found, REGAL_INVALID_INPUT,
                  "the plan claims %s of %" PRId64 ", but it is %" PRId64, what, claimed, found);
    return REGAL_OK;
}

static regal_status check_graph_claims(const regal_judge *judge) {
    const regal_plan *plan = judge->plan;
    if (plan->graph_digest[0] != '\0') {
        char digest[17];
        regal_graph_digest(judge->graph, digest);
        REGAL_FAIL_IF(strncmp(plan->graph_digest, digest, sizeof digest) != 0, REGAL_INVALID_INPUT,
                      "the plan is for another graph: it names the digest %.16s, but the graph's "
                      "is %s",
                      plan->graph_digest, digest);
    }
    for (int64_t i = 0; plan->op_names != NULL && i < judge->op_count; ++i)
        REGAL_FAIL_IF(plan->op_names[i] == NULL ||
                          strcmp(plan->op_names[i], regal_judge_op_name(judge, i)) != 0,
                      REGAL_INVALID_INPUT,
                      "the plan is for another graph: op %" PRId64 " is '%s' there, but '%s' in "
                      "the graph",
                      i, plan->op_names[i] != NULL ? plan->op_names[i] : "",
                      regal_judge_op_name(judge, i));
    return REGAL_OK;
}

static regal_status check_fitness_claim(const regal_fitness *claimed, const regal_fitness *found,
                                        const char *word) {
    if (claimed->value[0] == -1 && claimed->value[1] == -1 && claimed->value[2] == -1)
        return REGAL_OK; /* the file did not say */
    for (int i = 0; i < 3; ++i)
        REGAL_FAIL_IF(claimed->value[i] != found->value[i], REGAL_INVALID_INPUT,
                      "the plan claims a fitness for %s of [%" PRId64 ", %" PRId64 ", %" PRId64
                      "], but it is [%" PRId64 ", %" PRId64 ", %" PRId64 "]",
                      word, claimed->value[0], claimed->value[1], claimed->value[2],
                      found->value[0], found->value[1], found->value[2]);
    return REGAL_OK;
}

static regal_status check_cost_claims(const regal_judge *judge, const regal_measure *found) {
    const regal_plan *plan = judge->plan;
    for (int64_t i = 0; plan->finish != NULL && i < judge->op_count; ++i)
        REGAL_FAIL_IF(plan->finish[i] != judge->finish[i], REGAL_INVALID_INPUT,
                      "the plan claims that op '%s' finishes at %" PRId64
                      ", but it does at %" PRId64,
                      regal_judge_op_name(judge, i), plan->finish[i], judge->finish[i]);
    REGAL_FORWARD(compare(plan->makespan, found->makespan, "a makespan"));
    REGAL_FAIL_IF(plan->device_count != judge->device_count, REGAL_INVALID_INPUT,
                  "the plan has the peaks of %" PRId64 " devices, but the cluster has %" PRId64,
                  plan->device_count, judge->device_count);
    for (int64_t d = 0; d < judge->device_count; ++d)
        REGAL_FAIL_IF(plan->peak[d] != found->peak[d], REGAL_INVALID_INPUT,
                      "the plan claims a peak on %s of %" PRId64 ", but it is %" PRId64,
                      judge->devices[d].name, plan->peak[d], found->peak[d]);
    REGAL_FORWARD(check_fitness_claim(&plan->time, &found->time, "time"));
    return check_fitness_claim(&plan->memory, &found->memory, "memory");
}

/* A bound is not worked out again, but none can be above what was reached. */
static regal_status check_bound_claims(const regal_plan *plan, const regal_measure *found) {
    REGAL_FAIL_IF(plan->bound_time > found->makespan, REGAL_INVALID_INPUT,
                  "the plan claims that no makespan is below %" PRId64 ", but its own is %" PRId64,
                  plan->bound_time, found->makespan);
    REGAL_FAIL_IF(plan->bound_memory > found->time.value[2], REGAL_INVALID_INPUT,
                  "the plan claims that no greatest peak is below %" PRId64
                  ", but its own is %" PRId64,
                  plan->bound_memory, found->time.value[2]);
    return REGAL_OK;
}

regal_status regal_plan_check(const regal_graph *graph, const regal_cluster *cluster,
                              const regal_plan *plan, regal_measure *measure) {
    regal_judge judge;
    memset(measure, 0, sizeof *measure);
    regal_status status = judge_plan(&judge, graph, cluster, plan, measure);
    if (status == REGAL_OK)
        status = check_graph_claims(&judge);
    if (status == REGAL_OK)
        status = check_cost_claims(&judge, measure);
    if (status == REGAL_OK)
        status = check_bound_claims(plan, measure);
    regal_judge_destroy(&judge);
    if (status != REGAL_OK)
        memset(measure, 0, sizeof *measure);
    return status;
}
