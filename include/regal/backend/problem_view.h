/* A problem as flat arrays: what decoders and kernels read. Ops, tensors and devices keep their
 * numbers; lists are CSR: the items of i lie at [begin of i, begin of i + 1).
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

/* What a simulation reads of an op or tensor together lies together. Arrays of records end with one
 * more, whose begins close the last lists. */
typedef struct regal_op_facts {
    int64_t start_bytes; /* taken when it starts: workspace, outputs that are not aliases */
    int64_t workspace;   /* given back when it finishes */
    regal_id input_begin, output_begin, control_begin;
    regal_id predecessor_count; /* distinct inputs and control predecessors */
} regal_op_facts;

typedef struct regal_tensor_facts {
    int64_t bytes;
    regal_id consumer_begin; /* in edges */
    regal_id producer;
    regal_id root; /* whose storage it is */
    uint8_t kept;  /* of a root: some tensor of the storage is an output */
} regal_tensor_facts;

typedef struct regal_input {
    regal_id tensor, edge; /* the edge (tensor, op) */
} regal_input;

typedef struct regal_problem_view {
    regal_id op_count, tensor_count, edge_count, control_count, parameter_count;
    int32_t device_count, class_count;

    const regal_op_facts *ops;         /* [op + 1] */
    const regal_tensor_facts *tensors; /* [tensor + 1] */
    const int64_t *op_ticks;           /* [op][class], at least 1 */
    const int64_t *tail;               /* [op] least ticks from its start to the end of the run */
    const regal_input *inputs;         /* [edge] of ops; tensors ascending */
    const regal_id *output_tensor;     /* [tensor] of ops; ascending */
    const regal_id *control_successor; /* [control] of ops; distinct, ascending */
    const regal_id *consumer;          /* [edge] of tensors; ops ascending */
    const regal_id *edge_tensor;       /* [edge] */

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
