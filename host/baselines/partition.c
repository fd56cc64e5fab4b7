/* Graph partitioning, then depth first ("GP+DFS" of Paliwal et al. 2020, section 4): METIS cuts the
 * graph into one part for each device, with as few bytes between the parts as it can, by recursive
 * bisection (Karypis, Kumar 1998). Parts are balanced by ticks for time and by bytes for memory;
 * for time under caps by both. Groups are vertices; a group whose part's device it may not use goes
 * to the lightest device that it may. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/bisection.h"
#include "baselines/methods.h"
#include "baselines/resident.h"
#include "baselines/upward_rank.h"
#include "regal/core/placement.h"

typedef struct link {
    int64_t from, to, bytes; /* vertices */
} link;

typedef struct contraction {
    const regal_problem_view *view;
    regal_bisection *graph;
    int64_t *vertex;  /* [op] of its group */
    regal_id *leader; /* [vertex] */
    link *links;      /* [2 edge] */
    int64_t link_count;
} contraction;

static void number_groups(contraction *c) {
    const regal_problem_view *view = c->view;
    c->graph->vertex_count = 0;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i];
        if (view->leader[op] == op) {
            c->leader[c->graph->vertex_count] = op;
            c->vertex[op] = c->graph->vertex_count++;
        }
        c->vertex[op] = c->vertex[view->leader[op]];
    }
}

static void weigh(contraction *c, regal_objective objective) {
    const regal_problem_view *view = c->view;
    const bool capped = regal_is_capped(view), by_ticks = objective == REGAL_TIME;
    const int32_t weights = by_ticks && capped ? 2 : 1;
    c->graph->weight_count = weights;
    for (regal_id op = 0; op < view->op_count; ++op) {
        int64_t *weight = &c->graph->weight[c->vertex[op] * weights];
        if (by_ticks)
            weight[0] += regal_mean_op_ticks(view, op);
        if (!by_ticks || capped)
            weight[weights - 1] += view->ops[op].start_bytes;
    }
    for (regal_id p = 0; p < view->parameter_count && (!by_ticks || capped); ++p)
        if (view->parameter_begin[p + 1] > view->parameter_begin[p]) {
            const int64_t v = c->vertex[view->parameter_op[view->parameter_begin[p]]];
            c->graph->weight[v * weights + weights - 1] += view->parameter_bytes[p];
        }
}

static int compare_links(const void *a, const void *b) {
    const link *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void collect_links(contraction *c) {
    const regal_problem_view *view = c->view;
    for (regal_id e = 0; e < view->edge_count; ++e) {
        const regal_tensor_facts *tensor = &view->tensors[view->edge_tensor[e]];
        const int64_t from = c->vertex[tensor->producer], to = c->vertex[view->consumer[e]];
        if (from == to)
            continue;
        c->links[c->link_count++] = (link){from, to, tensor->bytes};
        c->links[c->link_count++] = (link){to, from, tensor->bytes};
    }
    qsort(c->links, (size_t)c->link_count, sizeof *c->links, compare_links);
}

/* Parallel links become one. */
static void fill_neighbours(contraction *c) {
    regal_bisection *graph = c->graph;
    int64_t count = 0, vertex = 0;
    for (int64_t i = 0; i < c->link_count; ++i) {
        const link *l = &c->links[i];
        if (i > 0 && compare_links(l, l - 1) == 0) {
            graph->neighbour_bytes[count - 1] += l->bytes;
            continue;
        }
        while (vertex <= l->from)
            graph->begin[vertex++] = count;
        graph->neighbour[count] = l->to;
        graph->neighbour_bytes[count++] = l->bytes;
    }
    while (vertex <= graph->vertex_count)
        graph->begin[vertex++] = count;
}

/* Groups take the devices of their parts where they may. */
static void place_parts(const contraction *c, regal_heuristic *heuristic) {
    const regal_problem_view *view = c->view;
    const regal_bisection *graph = c->graph;
    int64_t load[REGAL_MAX_DEVICES] = {0};
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t v = 0; v < graph->vertex_count; ++v) {
            const regal_id leader = c->leader[v];
            const uint64_t devices = view->allowed[leader];
            int32_t device = graph->part[v];
            const bool fits = (devices >> device & 1) != 0;
            if (fits != (pass == 0))
                continue;
            for (uint64_t set = fits ? 0 : devices; set != 0; set &= set - 1)
                if ((devices >> device & 1) == 0 || load[regal_set_first(set)] < load[device])
                    device = regal_set_first(set);
            load[device] += graph->weight[v * graph->weight_count];
            heuristic->device[leader] = (uint8_t)device;
        }
    for (regal_id op = 0; op < view->op_count; ++op)
        heuristic->device[op] = heuristic->device[view->leader[op]];
}

static regal_status partition(contraction *c, regal_objective objective,
                              regal_heuristic *heuristic) {
    number_groups(c);
    weigh(c, objective);
    collect_links(c);
    fill_neighbours(c);
    REGAL_FORWARD(regal_bisection_run(c->graph, c->view->device_count));
    place_parts(c, heuristic);
    return REGAL_OK;
}

REGAL_MAKE(partition) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    const int64_t n = view->op_count, edges = 2 * (int64_t)view->edge_count;
    REGAL_FORWARD(regal_heuristic_create(view, "partition", heuristic));
    heuristic->window = objective == REGAL_TIME ? 0 : 1;
    REGAL_FORWARD(regal_depth_first_order(view, heuristic->sequence));
    regal_bisection graph;
    contraction c = {.view = view,
                     .graph = &graph,
                     .vertex = regal_allocate(n, sizeof *c.vertex),
                     .leader = regal_allocate(n, sizeof *c.leader),
                     .links = regal_allocate(edges, sizeof *c.links)};
    regal_status status = regal_bisection_create(n, edges, &graph);
    if (status == REGAL_OK && (c.vertex == NULL || c.leader == NULL || c.links == NULL))
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        status = partition(&c, objective, heuristic);
    regal_bisection_destroy(&graph);
    free(c.vertex);
    free(c.leader);
    free(c.links);
    return status;
}
