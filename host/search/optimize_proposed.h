/* The search with proposals from memory: for training and evaluation. */
#ifndef REGAL_SEARCH_OPTIMIZE_PROPOSED_H
#define REGAL_SEARCH_OPTIMIZE_PROPOSED_H

#include "regal/optimize.h"

#ifdef __cplusplus
extern "C" {
#endif

/* regal_optimize without the options' policy and proposals, but with these,
 * [rows][regal_gene_count] (core/proposal.h); NULL: uniform. What they are used for is
 * options->policy_use. */
regal_status regal_optimize_proposed(const regal_problem *problem, const regal_options *options,
                                     const uint16_t *proposals, int64_t rows,
                                     regal_progress_callback *callback, void *context,
                                     regal_plan **plan, regal_chromosome **best);

#ifdef __cplusplus
}
#endif
#endif
