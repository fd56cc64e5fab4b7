/* Roll-outs -> Beta proposals (core/proposal.h) for the genes of a search (DESIGN 5). */
#ifndef REGAL_POLICY_PROPOSE_H
#define REGAL_POLICY_PROPOSE_H

#include "policy/rollout.h"
#include "regal/chromosome.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *genes (freed with free) is [*rows][regal_gene_count]: the settings.rows best roll-outs, over and
 * over where they are fewer, with devices that are alike renamed so that they agree with the best
 * one; among them, for inherit keys, settings.uniform_rows of zeros.
 *
 * Priorities: means of the score between its least and greatest value, or of the roll-out's own
 * order (settings.order_from). A transfer's mean is the greatest of the op's consumers. Devices,
 * for affinity: settings.chosen_affinity for the one drawn, 1 less this for the others; for
 * inherit: wide around keys that follow the lead where the op is on the lead's device, else as
 * narrow as can be around keys that mean the device. */
regal_status regal_propose(const regal_problem *problem, const regal_policy_settings *settings,
                           const regal_rollouts *rollouts, regal_encoding encoding,
                           uint16_t **genes, int64_t *rows);

#ifdef __cplusplus
}
#endif
#endif
