#include "policy/controls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu_math.h"
#include "base/error.h"
#include "base/memory.h"
#include "baselines/upward_rank.h"
#include "policy/propose.h"
#include "regal/core/proposal.h"

static const double CONCENTRATION = 10;

/* ---- which */

static regal_status read_beta(const char *numbers, regal_control *control) {
    char rest;
    const int found = sscanf(numbers, "%lf,%lf%c", &control->mean, &control->concentration, &rest);
    REGAL_FAIL_IF(found != 2 || !(control->mean >= 0 && control->mean <= 1) ||
                      !(control->concentration >= 1 && control->concentration <= 1000),
                  REGAL_INVALID_ARGUMENT,
                  "'beta:%s': expected a mean from 0 to 1 and a concentration from 1 to 1000, such "
                  "as beta:0.5,10",
                  numbers);
    control->kind = REGAL_CONTROL_BETA;
    return REGAL_OK;
}

/* By kind; that of a policy stands for the one that ships. */
static const char *const words[] = {"auto",
#define REGAL_CONTROL_WORD(name, word, text) [REGAL_CONTROL_##name] = word,
                                    REGAL_CONTROL_LIST(REGAL_CONTROL_WORD)
#undef REGAL_CONTROL_WORD
};

const char *regal_control_word(size_t index, void *context) {
    (void)context;
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

regal_status regal_control_read(const char *word, regal_control *control) {
    static const char beta[] = "beta:";
    *control = (regal_control){.kind = REGAL_NO_CONTROL};
    if (strncmp(word, beta, sizeof beta - 1) == 0)
        return read_beta(word + sizeof beta - 1, control);
    for (size_t i = 1; i < sizeof words / sizeof *words; ++i)
        if (strcmp(words[i], word) == 0)
            control->kind = (regal_control_kind)i;
    return REGAL_OK;
}

/* ---- what it proposes */

static uint16_t proposal_of(double mean, double concentration) {
    const double first = 0.02, step = 0.024;
    const double place = (mean - first) / step + 0.5, bin = round(3 * log10(concentration));
    const int mean_bin = place < 0                  ? 0
                         : place >= REGAL_MEAN_BINS ? REGAL_MEAN_BINS - 1
                                                    : (int)place;
    const int concentration_bin = bin < 0                           ? 0
                                  : bin >= REGAL_CONCENTRATION_BINS ? REGAL_CONCENTRATION_BINS - 1
                                                                    : (int)bin;
    return (uint16_t)(1 + mean_bin * REGAL_CONCENTRATION_BINS + concentration_bin);
}

/* Means from the least worth to the greatest; of equal ones the middle. */
static void propose_priorities(const double *worth, int64_t count, uint16_t *genes) {
    double least = INFINITY, greatest = -INFINITY;
    for (int64_t v = 0; v < count; ++v) {
        least = fmin(least, worth[v]);
        greatest = fmax(greatest, worth[v]);
    }
    for (int64_t v = 0; v < count; ++v) {
        const double share = greatest > least ? (worth[v] - least) / (greatest - least) : 0.5;
        genes[v] = proposal_of(share, CONCENTRATION);
    }
}

/* As urgent as the most urgent consumer; proposals of one concentration compare as their means. */
static void propose_transfers(const regal_problem_view *view, const uint16_t *priority,
                              uint16_t *genes) {
    for (regal_id v = 0; v < view->op_count; ++v)
        for (regal_id i = view->ops[v].output_begin; i < view->ops[v + 1].output_begin; ++i) {
            const regal_tensor_facts *tensor = &view->tensors[view->output_tensor[i]];
            for (regal_id e = tensor[0].consumer_begin; e < tensor[1].consumer_begin; ++e)
                if (priority[view->consumer[e]] > genes[v])
                    genes[v] = priority[view->consumer[e]];
        }
}

static regal_status upward_ranks(const regal_problem_view *view, double *worth) {
    regal_mean_ticks mean;
    int64_t *rank = regal_allocate(view->op_count, sizeof *rank);
    REGAL_FAIL_IF_NULL(rank);
    const regal_status status = regal_mean_ticks_create(view, &mean);
    if (status == REGAL_OK) {
        regal_upward_rank(view, &mean, rank);
        for (regal_id v = 0; v < view->op_count; ++v)
            worth[v] = (double)rank[v];
        regal_mean_ticks_destroy(&mean);
    }
    free(rank);
    return status;
}

/* Of each input its share: only the last of its consumers frees it. */
static regal_status bytes_freed(const regal_problem_view *view, double *worth) {
    for (regal_id v = 0; v < view->op_count; ++v) {
        worth[v] = -(double)(view->ops[v].start_bytes - view->ops[v].workspace);
        for (regal_id i = view->ops[v].input_begin; i < view->ops[v + 1].input_begin; ++i) {
            const regal_tensor_facts *tensor = &view->tensors[view->inputs[i].tensor];
            worth[v] += (double)tensor[0].bytes /
                        (double)(tensor[1].consumer_begin - tensor[0].consumer_begin);
        }
    }
    return REGAL_OK;
}

static regal_status propose_by_worth(const regal_control *control, const regal_problem_view *view,
                                     regal_encoding encoding, uint16_t *genes) {
    const int64_t n = view->op_count;
    double *worth = regal_allocate(n, sizeof *worth);
    REGAL_FAIL_IF_NULL(worth);
    const regal_status status = control->kind == REGAL_CONTROL_UPWARD_RANK
                                    ? upward_ranks(view, worth)
                                    : bytes_freed(view, worth);
    if (status == REGAL_OK) {
        propose_priorities(worth, n, genes);
        if (encoding == REGAL_AFFINITY)
            propose_transfers(view, genes, genes + n * (1 + view->device_count));
    }
    free(worth);
    return status;
}

/* Every part that learns says nothing: what is left is the upward rank and the head's first rule.
 */
static regal_status propose_untrained(const regal_problem *problem, regal_objective objective,
                                      regal_encoding encoding, uint64_t seed, uint16_t **genes,
                                      int64_t *rows) {
    regal_policy_settings settings;
    regal_policy *policy = NULL;
    regal_rollouts rollouts = {0};
    regal_policy_settings_init(objective, &settings);
    REGAL_FORWARD(regal_policy_create(&settings, 1, &policy));
    const regal_network_shape shape = regal_policy_network(&settings);
    memset(policy->parameters, 0,
           (size_t)regal_network_parameter_count(&shape) * sizeof *policy->parameters);
    regal_policy_update_digest(policy);
    regal_status status = regal_policy_roll_out(policy, problem, &regal_cpu_math, 1, 0,
                                                settings.rollouts, seed, &rollouts);
    if (status == REGAL_OK)
        status = regal_propose(problem, &settings, &rollouts, encoding, genes, rows);
    regal_rollouts_destroy(&rollouts);
    regal_policy_destroy(policy);
    return status;
}

static regal_status propose_row(const regal_control *control, const regal_problem_view *view,
                                regal_encoding encoding, uint16_t *genes, int64_t gene_count) {
    if (control->kind != REGAL_CONTROL_BETA)
        return propose_by_worth(control, view, encoding, genes);
    for (int64_t g = 0; g < gene_count; ++g)
        genes[g] = proposal_of(control->mean, control->concentration);
    return REGAL_OK;
}

regal_status regal_control_propose(const regal_control *control, const regal_problem *problem,
                                   regal_objective objective, regal_encoding encoding,
                                   uint64_t seed, uint16_t **genes, int64_t *rows) {
    *genes = NULL;
    *rows = 0;
    const regal_problem_view *view = regal_problem_get_view(problem);
    switch (control->kind) {
    case REGAL_NO_CONTROL:
    case REGAL_CONTROL_NONE:
    case REGAL_CONTROL_HEFT_SEED:
        return REGAL_OK;
    case REGAL_CONTROL_UNTRAINED:
        return view->op_count == 0
                   ? REGAL_OK
                   : propose_untrained(problem, objective, encoding, seed, genes, rows);
    default:
        break;
    }
    const int64_t gene_count = regal_gene_count(encoding, view->op_count, view->device_count);
    *genes = regal_allocate_zeroed(gene_count, sizeof **genes);
    REGAL_FAIL_IF_NULL(*genes);
    const regal_status status = propose_row(control, view, encoding, *genes, gene_count);
    if (status == REGAL_OK) {
        *rows = 1;
        return REGAL_OK;
    }
    free(*genes);
    *genes = NULL;
    return status;
}
