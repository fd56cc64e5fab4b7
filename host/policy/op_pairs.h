/* Ops that a tensor or a control edge joins, each pair once. */
#ifndef REGAL_POLICY_OP_PAIRS_H
#define REGAL_POLICY_OP_PAIRS_H

#include "graph/problem_data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs ordered by (target, source): those into op v are [in_begin[v], in_begin[v + 1]). */
typedef struct regal_op_pairs {
    int64_t op_count, pair_count;
    int32_t *source, *target; /* [pair] */
    int64_t *bytes;           /* [pair] of all tensors that join them; -1: a control edge alone */
    int32_t *in_begin;        /* [op + 1] */
    int32_t *out_begin;       /* [op + 1] places in out_pair */
    int32_t *out_pair;        /* [pair] pairs ordered by (source, target) */
    void *memory;             /* of all of them */
} regal_op_pairs;

/* REGAL_INVALID_ARGUMENT beyond 2^31 - 1 ops or edges. Linear. */
regal_status regal_op_pairs_create(const regal_problem_view *view, regal_op_pairs *pairs);
void regal_op_pairs_destroy(regal_op_pairs *pairs);

#ifdef __cplusplus
}
#endif
#endif
