/* What `inspect` has found out of a graph on a cluster, and the ways to tell it. */
#ifndef REGAL_CLI_INSPECTION_H
#define REGAL_CLI_INSPECTION_H

#include <jansson.h>

#include "cli/graph_facts.h"
#include "cli/options.h"
#include "cli/setting.h"

enum { ODDITIES = 16, ODDITY_TEXT = 240 };

/* What looks odd, one line each. */
typedef struct oddity_list {
    char lines[ODDITIES][ODDITY_TEXT];
    int count;
} oddity_list;

/* Every tensor that is read, sent once over a link as the cluster has in the mean. */
typedef struct communication {
    int64_t tensors, bytes;
    double ticks;
} communication;

typedef struct inspection {
    const cli_options *options;
    const cli_setting *setting;
    const regal_graph *graph;
    graph_facts facts;
    communication sent;
    int64_t homeless_ops, first_homeless; /* may run on no device of the cluster; first: -1: none */
    bool bounded;                         /* else the graph does not fit the cluster */
    regal_bounds bounds;
    oddity_list oddities;
} inspection;

/* Fills what hangs on the cluster, but the bounds. */
void inspection_join_cluster(inspection *seen);

__attribute__((format(printf, 2, 3))) void oddity_add(oddity_list *list, const char *format, ...);
void oddities_find(inspection *seen);

void inspection_print(const inspection *seen);
json_t *inspection_json(const inspection *seen);

#endif
