#include "policy/propose.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/propose_devices.h"
#include "regal/core/placement.h"
#include "regal/core/proposal.h"
#include "search/encode.h"

/* Of keys that follow the lead: the middle of their range. */
static const double FOLLOWING_MEAN = REGAL_INHERIT_BELOW / 65536.0 / 2;

typedef struct proposing {
    const regal_problem_view *view;
    const regal_policy_settings *settings;
    const regal_rollouts *rollouts;
    regal_encoding encoding;
    uint64_t alike[REGAL_MAX_DEVICES];
    double least_score, score_range;
    uint8_t *device; /* [op] of the roll-out at hand, renamed */
    uint16_t *keys;  /* [2][op] for inherit */
} proposing;

/* The nearest mean of the table. */
static uint16_t proposal_of(double mean, int64_t concentration) {
    const double first = 0.02, step = 0.024;
    const double place = (mean - first) / step + 0.5;
    const int bin = place < 0 ? 0 : place >= REGAL_MEAN_BINS ? REGAL_MEAN_BINS - 1 : (int)place;
    return (uint16_t)(1 + bin * REGAL_CONCENTRATION_BINS + concentration);
}

static const uint8_t *devices_of(const proposing *p, int64_t rollout) {
    return p->rollouts->device + rollout * p->view->op_count;
}

static void propose_priorities(const proposing *p, int64_t rollout, uint16_t *genes) {
    const int64_t n = p->view->op_count, concentration = p->settings->order_concentration;
    if (p->settings->order_from == 1) {
        const regal_id *sequence = p->rollouts->sequence + rollout * n;
        for (int64_t i = 0; i < n; ++i)
            genes[sequence[i]] = proposal_of(1 - ((double)i + 0.5) / (double)n, concentration);
        return;
    }
    for (int64_t op = 0; op < n; ++op) {
        const double above = p->rollouts->score[op] - p->least_score;
        genes[op] = proposal_of(p->score_range > 0 ? above / p->score_range : 0.5, concentration);
    }
}

/* Proposals of one concentration compare as their means do. */
static void propose_transfers(const proposing *p, const uint16_t *priority, uint16_t *genes) {
    const regal_problem_view *view = p->view;
    for (regal_id op = 0; op < view->op_count; ++op) {
        genes[op] = 0;
        for (regal_id i = view->ops[op].output_begin; i < view->ops[op + 1].output_begin; ++i) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[i]];
            for (regal_id e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e)
                if (priority[view->consumer[e]] > genes[op])
                    genes[op] = priority[view->consumer[e]];
        }
    }
}

static void propose_affinities(const proposing *p, uint16_t *genes) {
    const int64_t concentration = p->settings->placement_concentration;
    const double mean = p->settings->chosen_affinity;
    const uint16_t chosen = proposal_of(mean, concentration);
    const uint16_t other = proposal_of(1 - mean, concentration);
    for (regal_id op = 0; op < p->view->op_count; ++op)
        for (int32_t d = 0; d < p->view->device_count; ++d)
            *genes++ = p->device[op] == d ? chosen : other;
}

/* Where the ranges of keys lie is the encoder's to know. */
static void propose_placements(const proposing *p, int64_t rollout, uint16_t *genes) {
    const regal_problem_view *view = p->view;
    const int64_t n = view->op_count;
    const uint16_t follow = proposal_of(FOLLOWING_MEAN, p->settings->placement_concentration);
    regal_encode_genes(view, REGAL_INHERIT, p->device, p->rollouts->sequence + rollout * n,
                       p->keys);
    for (regal_id op = 0; op < n; ++op) {
        const regal_id lead = view->lead[view->leader[op]];
        if (lead >= 0 && p->device[lead] == p->device[op])
            genes[op] = follow;
        else
            genes[op] = proposal_of((p->keys[n + op] + 0.5) / 65536, REGAL_CONCENTRATION_BINS - 1);
    }
}

static void propose_row(const proposing *p, int64_t place, uint16_t *genes) {
    const int64_t n = p->view->op_count, rollout = p->rollouts->best[place];
    memcpy(p->device, devices_of(p, rollout), (size_t)n);
    regal_rename_devices(p->view, p->alike, devices_of(p, p->rollouts->best[0]), p->device);
    propose_priorities(p, rollout, genes);
    if (p->encoding == REGAL_INHERIT) {
        propose_placements(p, rollout, genes + n);
    } else {
        propose_affinities(p, genes + n);
        propose_transfers(p, genes, genes + n * (1 + p->view->device_count));
    }
}

static void find_score_range(proposing *p) {
    const float *score = p->rollouts->score;
    double greatest = p->least_score = score[0];
    for (regal_id op = 1; op < p->view->op_count; ++op) {
        p->least_score = score[op] < p->least_score ? score[op] : p->least_score;
        greatest = score[op] > greatest ? score[op] : greatest;
    }
    p->score_range = greatest - p->least_score;
}

/* Random inherit keys are good ones already: most ops follow their heaviest input. */
static int64_t uniform_rows(const regal_policy_settings *settings, regal_encoding encoding) {
    return encoding == REGAL_INHERIT ? settings->uniform_rows : 0;
}

/* Uniform rows lie evenly among the others, so that any few neighbours have their share. */
static int64_t place_of(const proposing *p, int64_t row) {
    const int64_t rows = p->settings->rows;
    return row + row * uniform_rows(p->settings, p->encoding) / rows;
}

static regal_status propose_rows(proposing *p, int64_t gene_count, uint16_t *genes) {
    const int64_t n = p->view->op_count, count = p->rollouts->count;
    if (n == 0 || count == 0)
        return REGAL_OK;
    p->device = regal_allocate(n, sizeof *p->device);
    p->keys = regal_allocate(n, 2 * sizeof *p->keys);
    REGAL_FAIL_IF(p->device == NULL || p->keys == NULL, REGAL_OUT_OF_MEMORY, "memory ran out");
    regal_alike_devices(p->view, p->alike);
    find_score_range(p);
    const int64_t rows = p->settings->rows, distinct = rows < count ? rows : count;
    for (int64_t row = 0; row < distinct; ++row)
        propose_row(p, row, genes + place_of(p, row) * gene_count);
    for (int64_t row = distinct; row < rows; ++row)
        memcpy(genes + place_of(p, row) * gene_count,
               genes + place_of(p, row - distinct) * gene_count,
               (size_t)gene_count * sizeof *genes);
    return REGAL_OK;
}

regal_status regal_propose(const regal_problem *problem, const regal_policy_settings *settings,
                           const regal_rollouts *rollouts, regal_encoding encoding,
                           uint16_t **genes, int64_t *rows) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    const int64_t gene_count = regal_gene_count(encoding, view->op_count, view->device_count);
    const int64_t row_count = settings->rows + uniform_rows(settings, encoding);
    int64_t all = 0;
    *genes = NULL;
    *rows = 0;
    REGAL_FAIL_IF(gene_count < 0 || __builtin_mul_overflow(row_count, gene_count, &all),
                  REGAL_OUT_OF_MEMORY, "so many proposals overflow");
    uint16_t *made = regal_allocate_zeroed(all, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    proposing p = {view, settings, rollouts, encoding, {0}, 0, 0, NULL, NULL};
    const regal_status status = propose_rows(&p, gene_count, made);
    free(p.device);
    free(p.keys);
    if (status != REGAL_OK) {
        free(made);
        return status;
    }
    *genes = made;
    *rows = row_count;
    return REGAL_OK;
}
