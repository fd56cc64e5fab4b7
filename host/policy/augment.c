#include "policy/augment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph_limits.h"
#include "policy/draws.h"
#include "policy/graph_change.h"

/* Thin edges decide whether what is learned transfers. */
static const double SCALE_CHANCE = 0.5, SCALE_DEVIATION = 0.4;
static const double SPREAD_CHANCE = 0.5, SPREAD_GREATEST = 0.4;
static const double THIN_CHANCE = 0.7, THIN_GREATEST = 0.6;
static const double DROP_CHANCE = 0.3, DROP_GREATEST = 0.2;
static const int64_t SUM_THAT_GROWS = (int64_t)1 << 50;

enum { NAME_ROOM = 512 };

typedef struct augmentation {
    regal_draws draws;
    int64_t op_count, edge_count, control_count;
    bool grows;
    regal_graph_change change;
    int64_t *number, *place;
    double *cost_factor, *bytes_factor;
    bool *keep_edge, *keep_control;
    char name[NAME_ROOM];
} augmentation;

static bool sums_may_grow(const regal_graph *graph) {
    int64_t ticks = 0, bytes = 0;
    for (int64_t v = 0; v < regal_graph_op_count(graph); ++v) {
        const regal_op op = regal_graph_op(graph, v);
        int64_t longest = 0;
        for (int64_t c = 0; c < regal_graph_class_count(graph); ++c)
            longest = op.cost[c] > longest ? op.cost[c] : longest;
        if (!regal_sum_add(&ticks, 1, longest) || !regal_sum_add(&bytes, 1, op.workspace))
            return false;
    }
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t)
        if (!regal_sum_add(&bytes, 1, regal_graph_tensor(graph, t).bytes))
            return false;
    for (int64_t p = 0; p < regal_graph_parameter_count(graph); ++p)
        if (!regal_sum_add(&bytes, 1, regal_graph_parameter(graph, p).bytes))
            return false;
    return ticks <= SUM_THAT_GROWS && bytes <= SUM_THAT_GROWS;
}

static double draw_factor(augmentation *work, double deviation) {
    const double factor = regal_draws_factor(&work->draws, deviation);
    return work->grows || factor <= 1 ? factor : 1 / factor;
}

static regal_status allocate(augmentation *work, const regal_graph *graph) {
    work->op_count = regal_graph_op_count(graph);
    work->control_count = regal_graph_control_count(graph);
    for (int64_t t = 0; t < regal_graph_tensor_count(graph); ++t)
        work->edge_count += regal_graph_tensor(graph, t).consumer_count;
    work->number = regal_allocate(work->op_count, sizeof *work->number);
    work->place = regal_allocate(work->op_count, sizeof *work->place);
    work->cost_factor = regal_allocate(work->op_count, sizeof *work->cost_factor);
    work->bytes_factor = regal_allocate(work->op_count, sizeof *work->bytes_factor);
    work->keep_edge = regal_allocate(work->edge_count, sizeof *work->keep_edge);
    work->keep_control = regal_allocate(work->control_count, sizeof *work->keep_control);
    REGAL_FAIL_IF(work->number == NULL || work->place == NULL || work->cost_factor == NULL ||
                      work->bytes_factor == NULL || work->keep_edge == NULL ||
                      work->keep_control == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

static void scale(augmentation *work) {
    const bool all = regal_draws_chance(&work->draws, SCALE_CHANCE);
    const double costs = draw_factor(work, SCALE_DEVIATION);
    const double bytes = draw_factor(work, SCALE_DEVIATION);
    if (all) {
        work->change.all_costs = costs;
        work->change.all_bytes = bytes;
    }
    if (!regal_draws_chance(&work->draws, SPREAD_CHANCE))
        return;
    const double spread = regal_draws_between(&work->draws, 0, SPREAD_GREATEST);
    for (int64_t v = 0; v < work->op_count; ++v) {
        work->cost_factor[v] = draw_factor(work, spread);
        work->bytes_factor[v] = draw_factor(work, spread);
    }
    work->change.cost_factor = work->cost_factor;
    work->change.bytes_factor = work->bytes_factor;
}

static void thin(augmentation *work) {
    if (!regal_draws_chance(&work->draws, THIN_CHANCE))
        return;
    const double probability = regal_draws_between(&work->draws, 0, THIN_GREATEST);
    for (int64_t i = 0; i < work->edge_count; ++i)
        work->keep_edge[i] = !regal_draws_chance(&work->draws, probability);
    for (int64_t i = 0; i < work->control_count; ++i)
        work->keep_control[i] = !regal_draws_chance(&work->draws, probability);
    work->change.keep_edge = work->keep_edge;
    work->change.keep_control = work->keep_control;
}

/* Numbers the ops that are kept, at least one, in a random order. */
static void renumber(augmentation *work) {
    const bool drop = regal_draws_chance(&work->draws, DROP_CHANCE);
    const double probability = drop ? regal_draws_between(&work->draws, 0, DROP_GREATEST) : 0;
    int64_t kept = 0;
    for (int64_t v = 0; v < work->op_count; ++v) {
        const bool leave = drop && regal_draws_chance(&work->draws, probability);
        const bool last = v == work->op_count - 1 && kept == 0;
        work->number[v] = leave && !last ? -1 : kept++;
    }
    /* Fisher and Yates; place holds the numbers still to be given. */
    for (int64_t i = 0; i < kept; ++i)
        work->place[i] = i;
    for (int64_t v = 0, left = kept; v < work->op_count; ++v) {
        if (work->number[v] < 0)
            continue;
        const int64_t pick = regal_draws_below(&work->draws, left--);
        work->number[v] = work->place[pick];
        work->place[pick] = work->place[left];
    }
    work->change.number = work->number;
}

static void name_change(augmentation *work, const regal_graph *graph, uint64_t number) {
    snprintf(work->name, sizeof work->name, "%.400s, change %" PRIu64, regal_graph_name(graph),
             number);
    work->change.name = work->name;
}

regal_status regal_graph_augment(const regal_graph *graph, uint64_t seed, uint64_t number,
                                 regal_graph **changed) {
    *changed = NULL;
    augmentation work = {.draws = regal_draws_make(seed, REGAL_STAGE_AUGMENT, number)};
    regal_status status = allocate(&work, graph);
    if (status == REGAL_OK) {
        work.grows = sums_may_grow(graph);
        scale(&work);
        thin(&work);
        renumber(&work);
        name_change(&work, graph, number);
        status = regal_graph_apply_change(graph, &work.change, changed);
    }
    free(work.number);
    free(work.place);
    free(work.cost_factor);
    free(work.bytes_factor);
    free(work.keep_edge);
    free(work.keep_control);
    return status;
}
