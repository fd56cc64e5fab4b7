/* A problem of a set: a graph on a cluster whose rates and caps follow from the graph. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "policy/graph_change.h"
#include "policy/graph_set_data.h"
#include "regal/baseline.h"

/* A rate that is rounded further than this changes the graph's costs instead. */
static const double RATE_TOLERANCE = 0.02;

double regal_set_draw_range(regal_draws *draws, const regal_set_range *range) {
    if (range->low == range->high)
        return range->low;
    if (!range->whole)
        return regal_draws_between(draws, range->low, range->high);
    return range->low + (double)regal_draws_below(draws, (int64_t)(range->high - range->low) + 1);
}

static double draw_ratio(regal_draws *draws, const regal_set_range *range) {
    if (range->low == range->high)
        return range->low;
    /* In fixed point, so that no math library decides a bit. */
    const double ln2 = 0x1.62e42fefa39efp-1, share = range->low / range->high;
    const double span = (double)regal_fixed_minus_log2((uint64_t)(share * 0x1p64)) * 0x1p-56 * ln2;
    return range->low * regal_fixed_exp(span * regal_draws_unit(draws));
}

/* ---- rates */

static double mean_cost(const regal_graph *graph) {
    const int64_t ops = regal_graph_op_count(graph), classes = regal_graph_class_count(graph);
    double sum = 0;
    for (int64_t v = 0; v < ops; ++v) {
        const regal_op op = regal_graph_op(graph, v);
        for (int64_t c = 0; c < classes; ++c)
            sum += op.cost[c] > 1 ? (double)op.cost[c] : 1;
    }
    return ops > 0 ? sum / (double)(ops * classes) : 1;
}

/* Of tensors that someone reads. */
static double mean_bytes(const regal_graph *graph) {
    int64_t count = 0;
    double sum = 0;
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t) {
        const regal_tensor tensor = regal_graph_tensor(graph, t);
        if (tensor.consumer_count > 0) {
            sum += (double)tensor.bytes;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

static regal_status scale_costs(regal_set_problem *problem, double factor) {
    const regal_graph_change change = {.all_costs = factor};
    regal_graph *scaled;
    REGAL_FORWARD(regal_graph_apply_change(problem->graph, &change, &scaled));
    regal_graph_destroy(problem->graph);
    problem->graph = scaled;
    return REGAL_OK;
}

/* bytes * 1000 / rate = ratio * cost. */
static regal_status set_rate(regal_set_problem *problem, double ratio) {
    const double wanted = 1000 * mean_bytes(problem->graph) / (ratio * mean_cost(problem->graph));
    if (!(wanted > 0))
        return REGAL_OK;
    const double most = (double)REGAL_NUMBER_MAX;
    const double rate = wanted < 1 ? 1 : wanted > most ? most : round(wanted);
    const regal_link link = {.bytes_per_1000_ticks = (int64_t)rate};
    REGAL_FORWARD(regal_cluster_set_default_link(problem->cluster, link));
    return fabs(rate / wanted - 1) > RATE_TOLERANCE ? scale_costs(problem, wanted / rate)
                                                    : REGAL_OK;
}

/* ---- caps */

static regal_status free_peak(const regal_set_problem *problem, regal_baseline baseline,
                              int64_t *peak) {
    regal_problem *free_problem = NULL;
    regal_plan *plan = NULL;
    regal_status status = regal_problem_create(problem->graph, problem->cluster, &free_problem);
    if (status == REGAL_OK)
        status = regal_baseline_plan(free_problem, baseline, REGAL_TIME, 0, &plan);
    *peak = 0;
    if (status == REGAL_OK)
        for (int64_t d = 0; d < plan->device_count; ++d)
            *peak = plan->peak[d] > *peak ? plan->peak[d] : *peak;
    regal_plan_destroy(plan);
    regal_problem_destroy(free_problem);
    return status;
}

static regal_status copy_links(const regal_cluster *from, regal_cluster *to) {
    const int64_t count = regal_cluster_device_count(from);
    REGAL_FORWARD(regal_cluster_set_default_link(to, regal_cluster_default_link(from)));
    for (int64_t a = 0; a < count; ++a)
        for (int64_t b = 0; b < count; ++b) {
            int listed = 0;
            const regal_link link =
                a != b ? regal_cluster_link(from, a, b, &listed) : (regal_link){0};
            if (listed)
                REGAL_FORWARD(regal_cluster_set_link(to, a, b, link));
        }
    return REGAL_OK;
}

static regal_status cap_devices(regal_set_problem *problem, double share, regal_baseline of) {
    int64_t peak;
    REGAL_FORWARD(free_peak(problem, of, &peak));
    const double cap = floor(share * (double)peak);
    regal_cluster *capped = NULL;
    REGAL_FORWARD(regal_cluster_create(&capped));
    regal_status status = REGAL_OK;
    for (int64_t d = 0; d < regal_cluster_device_count(problem->cluster); ++d) {
        regal_device device = regal_cluster_device(problem->cluster, d);
        device.memory = cap < 1                          ? 1
                        : cap > (double)REGAL_NUMBER_MAX ? REGAL_NUMBER_MAX
                                                         : (int64_t)cap;
        if (status == REGAL_OK)
            status = regal_cluster_add_device(capped, &device);
    }
    if (status == REGAL_OK)
        status = copy_links(problem->cluster, capped);
    if (status != REGAL_OK) {
        regal_cluster_destroy(capped);
        return status;
    }
    regal_cluster_destroy(problem->cluster);
    problem->cluster = capped;
    return REGAL_OK;
}

/* ---- the whole */

static regal_status name_problem(const regal_set_cluster *cluster, double ratio, double cap,
                                 regal_set_problem *problem) {
    char extra[100] = "";
    int used = 0;
    if (ratio > 0)
        used = snprintf(extra, sizeof extra, ", ccr %.4g", ratio);
    if (cap > 0)
        used += snprintf(extra + used, sizeof extra - (size_t)used, ", cap %.4g", cap);
    if (cap > 0 && cluster->cap_of != REGAL_HEFT)
        snprintf(extra + used, sizeof extra - (size_t)used, " of %s",
                 regal_baseline_word(cluster->cap_of));
    problem->name = NULL;
    if (asprintf(&problem->name, "%s, %s%s", regal_graph_name(problem->graph), cluster->words,
                 extra) < 0) {
        problem->name = NULL;
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    return REGAL_OK;
}

regal_status regal_set_problem_complete(const regal_set_cluster *cluster, regal_draws *draws,
                                        regal_set_problem *problem) {
    const double ratio = draw_ratio(draws, &cluster->ccr);
    const double cap = regal_set_draw_range(draws, &cluster->cap);
    REGAL_FORWARD(name_problem(cluster, ratio, cap, problem));
    REGAL_FORWARD(regal_cluster_clone(cluster->cluster, &problem->cluster));
    if (ratio > 0)
        REGAL_FORWARD(set_rate(problem, ratio));
    if (cap > 0)
        REGAL_FORWARD(cap_devices(problem, cap, cluster->cap_of));
    return regal_problem_create(problem->graph, problem->cluster, &problem->problem);
}

void regal_set_problem_destroy(regal_set_problem *problem) {
    regal_problem_destroy(problem->problem);
    regal_cluster_destroy(problem->cluster);
    regal_graph_destroy(problem->graph);
    free(problem->name);
    *problem = (regal_set_problem){0};
}
