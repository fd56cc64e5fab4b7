/* A problem as flat arrays: what decoders and kernels read. Ops, tensors and devices keep their
 * numbers; lists are CSR: the items of i lie at [begin[i], begin[i + 1]).
 *
 * An edge is a pair (tensor, consumer). Edges are numbered tensor by tensor, consumers ascending,
 * so that the edges of a tensor are neighbours. */
#ifndef REGAL_BACKEND_PROBLEM_VIEW_H
#define REGAL_BACKEND_PROBLEM_VIEW_H

#include <stdint.h>

#include "regal/cluster.h"

/* An op, tensor, edge or rank. 32 bits keep the working set of a simulation small; problems of more
 * than 2^31 of them need a build with REGAL_WIDE_IDS. */
#ifdef REGAL_WIDE_IDS
typedef int64_t regal_id;
#define REGAL_ID_MAX INT64_MAX
#else
typedef int32_t regal_id;
#define REGAL_ID_MAX INT32_MAX
#endif

typedef struct regal_problem_view {
    regal_id op_count, tensor_count, edge_count, control_count, parameter_count;
    int32_t device_count, class_count;

    /* Ops. */
    const int64_t *op_ticks;       /* [op][class], at least 1 */
    const int64_t *op_start_bytes; /* [op] taken when it starts: workspace, outputs not aliases */
    const int64_t *workspace;      /* [op] given back when it finishes */
    const regal_id *predecessor_count; /* [op] distinct inputs and control predecessors */
    const regal_id *input_begin;       /* [op + 1] */
    const regal_id *input_tensor;      /* [edge] tensors ascending */
    const regal_id *input_edge;        /* [edge] the edge (input_tensor[i], op) */
    const regal_id *output_begin;      /* [op + 1] */
    const regal_id *output_tensor;     /* [tensor] ascending */
    const regal_id *control_begin;     /* [op + 1] */
    const regal_id *control_successor; /* [control] distinct, ascending */

    /* Tensors. */
    const regal_id *consumer_begin; /* [tensor + 1], in edges */
    const regal_id *consumer;       /* [edge] op */
    const regal_id *edge_tensor;    /* [edge] */
    const regal_id *producer;       /* [tensor] */
    const regal_id *root;           /* [tensor] whose storage it is */
    const int64_t *bytes;           /* [tensor] */
    const uint8_t *kept; /* [tensor] of a root: some tensor of the storage is an output */

    /* Parameters. */
    const regal_id *parameter_begin; /* [parameter + 1] */
    const regal_id *parameter_op;    /* distinct, ascending */
    const int64_t *parameter_bytes;  /* [parameter] */

    /* Placement (DESIGN 3, Leaders). */
    const regal_id *canonical; /* [op] ops in canonical order */
    const regal_id *leader;    /* [op] of its group */
    const regal_id *lead;      /* [op] producer of a leader's heaviest input, or -1 */
    const uint64_t *allowed;   /* [op] of a leader: bit d set if the group may run on device d */

    /* Cluster. */
    const int32_t *device_class; /* [device] */
    const int64_t *capacity;     /* [device] 0: unlimited */
    const regal_link *link;      /* [from][to] */
} regal_problem_view;

#endif
