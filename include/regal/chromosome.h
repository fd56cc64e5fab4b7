#ifndef REGAL_CHROMOSOME_H
#define REGAL_CHROMOSOME_H

#include <stdint.h>

#include "regal/plan.h"
#include "regal/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum regal_encoding { REGAL_INHERIT, REGAL_AFFINITY } regal_encoding;

/* "inherit", "affinity". */
const char *regal_encoding_name(regal_encoding encoding);

/* Random keys (DESIGN 3). genes holds, for n ops and D devices,
 *   inherit:  priority [n], placement [n]
 *   affinity: priority [n], affinity [n][D], transfer [n] */
typedef struct regal_chromosome {
    regal_encoding encoding;
    int64_t window; /* 0: event-driven; K >= 1: at most K ranks ahead */
    int64_t op_count, device_count;
    uint16_t *genes; /* [regal_gene_count] */
} regal_chromosome;

/* 2n or (D + 2)n; -1 where it would overflow. */
int64_t regal_gene_count(regal_encoding encoding, int64_t op_count, int64_t device_count);

/* All keys zero. */
regal_status regal_chromosome_create(regal_encoding encoding, int64_t window, int64_t op_count,
                                     int64_t device_count, regal_chromosome **chromosome);
void regal_chromosome_destroy(regal_chromosome *chromosome);

/* The decoder: keys -> the one plan that they stand for, attached to its graph and cluster, with
 * the problem's bounds. */
regal_status regal_chromosome_decode(const regal_problem *problem,
                                     const regal_chromosome *chromosome, regal_plan **plan);

/* The other way: keys whose plan has this plan's placement, and starts ops in the order of its
 * starts as far as 16-bit keys and the decoder allow. */
regal_status regal_chromosome_encode(const regal_problem *problem, const regal_plan *plan,
                                     regal_encoding encoding, int64_t window,
                                     regal_chromosome **chromosome);

#ifdef __cplusplus
}
#endif
#endif
