/* Which ops of a random graph are joined; directions are given to the edges later. All run in time
 * linear in ops and edges. */
#ifndef REGAL_GRAPH_GENERATE_PAIRS_H
#define REGAL_GRAPH_GENERATE_PAIRS_H

#include "graph/generate_edges.h"
#include "graph/generate_random.h"

/* Each pair of the ops first..first+count-1 with this probability. */
regal_status regal_join_within(regal_edge_list *edges, regal_random *random, int64_t first,
                               int64_t count, double probability);

/* Each pair of one of the ops first.. and one of the ops other.. with this probability. */
regal_status regal_join_between(regal_edge_list *edges, regal_random *random, int64_t first,
                                int64_t count, int64_t other, int64_t other_count,
                                double probability);

/* Each op with each of the next `band` ones with this probability. */
regal_status regal_join_band(regal_edge_list *edges, regal_random *random, int64_t count,
                             int64_t band, double probability);

/* A ring of count ops, each joined to `reach` on each side, then rewired. */
regal_status regal_join_small_world(regal_edge_list *edges, regal_random *random, int64_t count,
                                    int64_t reach, double rewiring);

/* Each op joined to `links` earlier ones (to all where there are fewer), by their degree. */
regal_status regal_join_preferentially(regal_edge_list *edges, regal_random *random, int64_t count,
                                       int64_t links);

#endif
