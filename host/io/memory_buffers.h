/* What lies in the memory of each device, and for how long (DESIGN 2, Memory). */
#ifndef REGAL_IO_MEMORY_BUFFERS_H
#define REGAL_IO_MEMORY_BUFFERS_H

#include "regal/graph.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum regal_buffer_kind {
    REGAL_BUFFER_TENSOR,    /* of a tensor that is no alias, with all its aliases */
    REGAL_BUFFER_COPY,      /* of a tensor that was sent there */
    REGAL_BUFFER_WORKSPACE, /* of an op */
    REGAL_BUFFER_PARAMETER  /* there from tick 0 to the makespan */
} regal_buffer_kind;

/* Bytes in [from, to), never none and never for no time. */
typedef struct regal_buffer {
    regal_buffer_kind kind;
    int64_t item; /* tensor, op or parameter */
    int64_t device;
    int64_t from, to, bytes;
} regal_buffer;

typedef struct regal_buffers {
    regal_buffer *items; /* [count] by kind, then item; copies as the plan's transfers */
    int64_t count, capacity;
} regal_buffers;

/* "tensor", ... */
const char *regal_buffer_kind_name(regal_buffer_kind kind);

/* The plan is valid and attached to this graph; transfer_finish: [transfer_count]. */
regal_status regal_buffers_create(const regal_graph *graph, const regal_plan *plan,
                                  const int64_t *transfer_finish, regal_buffers *buffers);
void regal_buffers_destroy(regal_buffers *buffers);

/* When each transfer of an attached plan is over: [transfer_count], freed with free. NULL: memory
 * ran out. */
int64_t *regal_transfer_finishes(const regal_graph *graph, const regal_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
