#ifndef REGAL_GRAPH_SET_H
#define REGAL_GRAPH_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Problems by file or recipe: a regal-set file (DESIGN, File formats), for training, evaluation and
 * comparison. */
typedef struct regal_graph_set regal_graph_set;

regal_status regal_graph_set_read(const char *path, regal_graph_set **set);
void regal_graph_set_destroy(regal_graph_set *set);

const char *regal_graph_set_name(const regal_graph_set *set);
regal_objective regal_graph_set_objective(const regal_graph_set *set);

/* Problems, graph by graph; an entry with `count` seeds counts as so many graphs. Memory does not
 * grow with their number. */
int64_t regal_graph_set_count(const regal_graph_set *set);

/* One problem with all that it stands on. */
typedef struct regal_set_problem {
    char *name;         /* "erdos-renyi ops=90 seed=7, 4 devices ..." or the file */
    const char *family; /* the set's: lives as long */
    bool unseen;
    regal_graph *graph;
    regal_cluster *cluster;
    regal_problem *problem;
} regal_set_problem;
regal_status regal_graph_set_problem(const regal_graph_set *set, int64_t index,
                                     regal_set_problem *problem);
void regal_set_problem_destroy(regal_set_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
