/* Inside a regal_problem. */
#ifndef REGAL_GRAPH_PROBLEM_DATA_H
#define REGAL_GRAPH_PROBLEM_DATA_H

#include "regal/backend/problem_view.h"
#include "regal/problem.h"

struct regal_problem {
    const regal_graph *graph;
    const regal_cluster *cluster;
    regal_problem_view view;
    regal_bounds bounds;
    struct regal_problem_block {
        struct regal_problem_block *next;
        void *data;
    } * blocks; /* the arrays of the view */
};

/* The flat form, for the search and the backends. */
static inline const regal_problem_view *regal_problem_get_view(const regal_problem *problem) {
    return &problem->view;
}

#endif
