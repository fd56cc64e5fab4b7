/* The problem as the fast simulation reads it: ids of 16 or 32 bits (REGAL_COMPACT_ID_BITS), ops in
 * canonical order and tensors in the order of their producers, so that what a simulation reads
 * together lies together. What it relies on is checked by regal_compact_covers. */
#ifndef REGAL_SIMD_COMPACT_TYPES_H
#define REGAL_SIMD_COMPACT_TYPES_H

#include <stdbool.h>

#include "regal/backend/problem_view.h"

/* A hint to fetch what will be read. It pays where a problem is larger than the near caches; then
 * ids of 32 bits are used. */
#if REGAL_COMPACT_ID_BITS == 16
#define COMPACT_PREFETCH(place) ((void)sizeof(place))
#else
#define COMPACT_PREFETCH(place) __builtin_prefetch(place)
#endif

#ifdef REGAL_COMPACT_CALLS /* where errors are looked for: compiled in a fraction of the time */
#define COMPACT_INLINE static inline
#else
#define COMPACT_INLINE static inline __attribute__((always_inline))
#endif

/* All that changes of an op in a simulation: its rank, its device, and above them the number of
 * inputs and control predecessors that are still to come. */
#if REGAL_COMPACT_ID_BITS == 16
typedef uint16_t compact_id;
typedef uint32_t compact_state;
enum { DEVICE_SHIFT = 16, MISSING_SHIFT = 24 };
#define COMPACT_MOST_PREDECESSORS 255
#define COMPACT_MOST_IDS          65535
enum { READY_LEVELS = 2 };
#else
typedef uint32_t compact_id;
typedef uint64_t compact_state;
enum { DEVICE_SHIFT = 32, MISSING_SHIFT = 40 };
#define COMPACT_MOST_PREDECESSORS 16777215
#define COMPACT_MOST_IDS          16777216
enum { READY_LEVELS = 3 };
#endif
#define COMPACT_NONE       ((compact_id)-1)
#define COMPACT_MOST_TICKS ((int64_t)1 << 30) /* of an op or transfer */
enum { COMPACT_MOST_DEVICES = 8, COMPACT_MOST_LINK_KINDS = 16 };

typedef struct compact_op {
    int64_t start_bytes, workspace; /* as in regal_op_facts */
    uint32_t input_begin, output_begin, control_begin;
    int32_t ticks; /* on the first device class */
} compact_op;

typedef struct compact_tensor {
    int64_t bytes;
    uint32_t consumer_begin;
    uint32_t number; /* in the graph: decides between transfers of one rank */
} compact_tensor;

typedef struct compact_problem {
    const regal_problem_view *view;
    uint32_t op_count, tensor_count, edge_count, control_count, source_count;
    int32_t device_count, class_count;
    int32_t pitch;              /* devices rounded up: 1, 2, 4 or 8 */
    bool has_aliases;           /* some root is not the tensor itself */
    bool is_free;               /* no groups, and every op may run on every device */
    compact_id *number;         /* [op] in the graph */
    compact_id *op_at;          /* [op number] */
    compact_state *fresh;       /* [op] before the run: rank and device 0 */
    compact_op *ops;            /* [op + 1] */
    int32_t *op_ticks;          /* [class][op] */
    int64_t *tail;              /* [op] */
    compact_id *input;          /* [edge] tensors of ops */
    compact_id *control;        /* [control] successors of ops */
    compact_tensor *tensors;    /* [tensor + 1] */
    compact_id *root;           /* [tensor] */
    compact_id *producer;       /* [tensor] */
    uint8_t *kept;              /* [tensor] */
    compact_id *consumer;       /* [edge] of tensors */
    compact_id *tensor_at;      /* [tensor number] */
    compact_id *source;         /* [source] ops without predecessors */
    compact_id *leader;         /* [op] */
    compact_id *lead;           /* [op] of leaders; op_count: none */
    uint64_t *allowed;          /* [op] of leaders */
    int32_t *transfer_ticks;    /* [link kind][tensor] */
    const int32_t **slot_ticks; /* [from][to], pitch apart: of ops on a device, tensors on a link */
    void *memory;
} compact_problem;

#endif
