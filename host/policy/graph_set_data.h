/* Inside a regal_graph_set. */
#ifndef REGAL_POLICY_GRAPH_SET_DATA_H
#define REGAL_POLICY_GRAPH_SET_DATA_H

#include "base/memory.h"
#include "io/json_fields.h"
#include "policy/draws.h"
#include "policy/graph_set.h"
#include "regal/baseline.h"
#include "regal/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number, or what it is drawn from. */
typedef struct regal_set_range {
    double low, high;
    bool whole; /* both ends are integers */
} regal_set_range;

typedef struct regal_set_value {
    const char *name;
    regal_set_range range;
} regal_set_value;

typedef struct regal_set_cluster {
    regal_cluster *cluster;   /* without caps; its links are to be set where ccr is given */
    regal_set_range ccr, cap; /* low 0: none */
    regal_baseline cap_of;
    const char *words; /* "2 devices, link free" */
} regal_set_cluster;

typedef struct regal_set_entry {
    const char *family;
    bool unseen;
    const char *generator; /* NULL: a file */
    regal_graph *graph;    /* of a file */
    regal_set_value *values;
    int64_t value_count;
    const char **profiles;
    int64_t profile_count;
    uint64_t seed;
    int64_t count;
    double weight_end;                    /* its weight and those of all entries before */
    int64_t cluster_begin, cluster_count; /* in the set's clusters */
    int64_t problem_begin;                /* problems of the entries before */
} regal_set_entry;

struct regal_graph_set {
    regal_arena strings;
    const char *name;
    regal_objective objective;
    char *folder; /* of its files */
    regal_set_entry *entries;
    int64_t entry_count;
    regal_set_cluster *clusters;
    int64_t cluster_count, cluster_room;
    int64_t problem_count;
};

/* Seeds of a set's graphs are below, those drawn above. */
#define REGAL_SET_SEED_LIMIT ((uint64_t)1 << 62)

/* ---- graph_set_fields.c: JSON in */

/* A copy that lives as long as the set. */
regal_status regal_set_text(regal_graph_set *set, const char *text, const char **copy);
/* A path relative to the set's folder. */
regal_status regal_set_path(regal_graph_set *set, const char *text, const char **path);
/* A number or [low, high], from least to greatest. */
regal_status regal_set_read_range(const regal_json *value, double least, double greatest,
                                  regal_set_range *range);
/* Puts the place of `value` before the message of what the content of the file has caused. */
regal_status regal_set_at(const regal_json *value, regal_status status);

/* ---- graph_set_clusters.c */

/* An array of clusters, appended to the set's. */
regal_status regal_set_read_clusters(const regal_json *list, regal_graph_set *set, int64_t *begin,
                                     int64_t *count);

/* ---- graph_set_problem.c */

/* Draws within the range. */
double regal_set_draw_range(regal_draws *draws, const regal_set_range *range);

/* Completes a problem whose graph is there (owned by it): its cluster with caps and rates, name. On
 * failure the caller destroys it. */
regal_status regal_set_problem_complete(const regal_set_cluster *cluster, regal_draws *draws,
                                        regal_set_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
