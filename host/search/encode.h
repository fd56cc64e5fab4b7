/* A placement and an order -> keys. */
#ifndef REGAL_SEARCH_ENCODE_H
#define REGAL_SEARCH_ENCODE_H

#include "graph/problem_data.h"
#include "regal/chromosome.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys that decode to device [op] (which must respect groups and allowed sets) and order ops as in
 * sequence [op] (every op once, most urgent first). Up to 65,536 ops their priority keys differ;
 * beyond, neighbours in the sequence share a key and fall into the order of their ids. Placement
 * keys lie in the middle of the range that means their device; an op on its lead's device follows
 * the lead. Writes genes [regal_gene_count]. */
void regal_encode_genes(const regal_problem_view *view, regal_encoding encoding,
                        const uint8_t *device, const regal_id *sequence, uint16_t *genes);

/* The same with the priority keys given: the genes decode to exactly these devices and keys, and
 * for affinity their transfer keys are regal_urgency_keys. */
void regal_encode_keys(const regal_problem_view *view, regal_encoding encoding,
                       const uint8_t *device, const uint16_t *priority, uint16_t *genes);

#ifdef __cplusplus
}
#endif
#endif
