/* regal-proposals 1: Beta proposals for the genes of mutants, as files.
 *
 *   {"format": "regal-proposals", "version": 1, "encoding": "inherit",
 *    "rows": [{"priority": [n], "placement": [n]}, ...]}
 *
 * or, for affinity, rows of "priority" [n], "affinity" [n][D] and "transfer" [n]. Each entry is
 * null (uniform) or [mean bin, concentration bin], and becomes a gene's proposal as core/proposal.h
 * numbers them. */
#ifndef REGAL_IO_PROPOSALS_JSON_H
#define REGAL_IO_PROPOSALS_JSON_H

#include <stddef.h>

#include "regal/chromosome.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads proposals for a search of this shape: *genes (freed with free) is
 * [*row_count][regal_gene_count], at least one row. REGAL_INVALID_INPUT where the file is for
 * another encoding, graph or cluster. */
regal_status regal_proposals_read(const char *path, regal_encoding encoding, int64_t op_count,
                                  int64_t device_count, uint16_t **genes, int64_t *row_count);
regal_status regal_proposals_parse(const char *data, size_t size, const char *name,
                                   regal_encoding encoding, int64_t op_count, int64_t device_count,
                                   uint16_t **genes, int64_t *row_count);
regal_status regal_proposals_write(const char *path, regal_encoding encoding, int64_t op_count,
                                   int64_t device_count, const uint16_t *genes, int64_t row_count);

#ifdef __cplusplus
}
#endif
#endif
