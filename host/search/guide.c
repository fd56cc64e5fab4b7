#include "search/guide.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu_backend.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/proposals_json.h"
#include "policy/policy_default.h"
#include "policy/propose.h"
#include "policy/propose_devices.h"
#include "search/encode.h"
#include "search/search_state.h"

static bool is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

static regal_status set_name(regal_guide *guide, const char *name, const char *digest) {
    free(guide->name);
    guide->name = NULL;
    if (asprintf(&guide->name, "%s%s%s", name, digest[0] != '\0' ? " " : "", digest) < 0)
        guide->name = NULL;
    REGAL_FAIL_IF_NULL(guide->name);
    return REGAL_OK;
}

static void drop_policy(regal_guide *guide) {
    regal_policy_destroy(guide->policy);
    guide->policy = NULL;
}

void regal_guide_close(regal_guide *guide) {
    drop_policy(guide);
    free(guide->owned);
    free(guide->name);
    *guide = (regal_guide){0};
}

/* ---- what is asked for */

static const char *policy_word(size_t index, void *context) {
    static const char *const words[] = {"auto", "none"};
    (void)context;
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

static regal_status read_policy(regal_search *search) {
    regal_guide *guide = &search->guide;
    const char *path = search->options->policy;
    const regal_objective objective = search->shape.objective;
    if (guide->is_automatic)
        return regal_policy_default(objective, &guide->policy);
    REGAL_FORWARD(regal_policy_read_word(path, policy_word, &guide->policy));
    regal_policy_warn_of_objective(guide->policy, objective, path, "the search");
    return REGAL_OK;
}

static regal_status open_policy(regal_search *search) {
    regal_guide *guide = &search->guide;
    const regal_options *options = search->options;
    guide->is_automatic = is_word(options->policy, "auto");
    if (is_word(options->policy, "none"))
        return REGAL_OK;
    REGAL_FORWARD(read_policy(search));
    const bool useless = guide->uses == 0 && options->dump_proposals[0] == '\0';
    if (useless || regal_problem_get_view(search->problem)->op_count == 0)
        drop_policy(guide);
    if (guide->policy == NULL)
        return REGAL_OK;
    const char *slash = strrchr(options->policy, '/');
    return set_name(guide,
                    guide->is_automatic ? regal_objective_name(search->shape.objective)
                    : slash != NULL     ? slash + 1
                                        : options->policy,
                    guide->policy->digest);
}

regal_status regal_guide_open(regal_search *search, const uint16_t *given, int64_t rows) {
    regal_guide *guide = &search->guide;
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    const char *path = search->options->proposals;
    REGAL_FORWARD(regal_guide_uses_read(search->options->policy_use, &guide->uses));
    search->shape.uniform_start = (guide->uses & REGAL_USE_POPULATION) == 0;
    search->shape.uniform_mutants = (guide->uses & REGAL_USE_MUTANTS) == 0;
    REGAL_FORWARD(set_name(guide, "none", ""));
    if (given != NULL && rows > 0) {
        guide->proposals = given;
        guide->rows = rows;
        return set_name(guide, "proposals", "");
    }
    if (path[0] == '\0')
        return open_policy(search);
    REGAL_FORWARD(regal_proposals_read(path, search->shape.encoding, view->op_count,
                                       view->device_count, &guide->owned, &guide->rows));
    guide->proposals = guide->owned;
    return set_name(guide, "proposals", "");
}

/* ---- what the policy says */

static bool is_new(const regal_seed_list *seeds, int64_t first, const uint16_t *genes) {
    for (int64_t i = first; i < seeds->count; ++i)
        if (memcmp(seeds->items[i].genes, genes, (size_t)seeds->gene_count * sizeof *genes) == 0)
            return false;
    return true;
}

/* The best roll-outs that differ, with devices that are alike named as in the best one. */
static regal_status add_seeds(regal_search *search, const regal_rollouts *rollouts, uint8_t *device,
                              uint16_t *genes) {
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    const int64_t n = view->op_count, first = search->seeds.count;
    const int64_t wanted = search->guide.policy->settings.seeds;
    const int64_t most = wanted < search->shape.population ? wanted : search->shape.population;
    uint64_t alike[REGAL_MAX_DEVICES];
    regal_alike_devices(view, alike);
    for (int64_t i = 0; i < rollouts->count && search->seeds.count - first < most; ++i) {
        const int64_t rollout = rollouts->best[i];
        memcpy(device, rollouts->device + rollout * n, (size_t)n);
        regal_rename_devices(view, alike, rollouts->device + rollouts->best[0] * n, device);
        regal_encode_genes(view, search->shape.encoding, device, rollouts->sequence + rollout * n,
                           genes);
        if (is_new(&search->seeds, first, genes))
            REGAL_FORWARD(regal_seeds_add_policy(&search->seeds, genes, search->shape.window));
    }
    return REGAL_OK;
}

static regal_status use_rollouts(regal_search *search, const regal_rollouts *rollouts) {
    regal_guide *guide = &search->guide;
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    REGAL_FORWARD(regal_propose(search->problem, &guide->policy->settings, rollouts,
                                search->shape.encoding, &guide->owned, &guide->rows));
    guide->proposals = guide->owned;
    if ((guide->uses & (REGAL_USE_SEEDS | REGAL_USE_CHAINS)) == 0)
        return REGAL_OK;
    uint8_t *device = regal_allocate(view->op_count, sizeof *device);
    uint16_t *genes = regal_allocate(search->seeds.gene_count, sizeof *genes);
    const regal_status status =
        device != NULL && genes != NULL
            ? add_seeds(search, rollouts, device, genes)
            : regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    free(device);
    free(genes);
    return status;
}

/* However short the time, there is to be a plan: without one yet, the first population's. */
static bool is_to_stop(void *context) {
    regal_search *search = context;
    const regal_budget *budget = &search->budget;
    regal_search_report(search, false);
    return search->stopped != NULL ||
           (budget->seconds >= 0 && regal_clock() - budget->started >= budget->seconds);
}

/* Who has not asked for a policy is not refused for what it lacks; who reads warnings is told,
 * once. */
static regal_status go_without(const regal_search *search, regal_status status) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!search->guide.is_automatic)
        return regal_error_prefix(status, "%s", regal_file_label(search->options->policy));
    if (status != REGAL_UNAVAILABLE && status != REGAL_OUT_OF_MEMORY &&
        status != REGAL_INVALID_ARGUMENT)
        return status;
    if (!atomic_flag_test_and_set(&told))
        regal_warn("searching without the policy: %s", regal_error_message());
    return REGAL_OK;
}

/* A plan drawn takes as long as some ten evaluations: a short search has a few of them. */
static int64_t rollout_count(const regal_search *search) {
    const regal_policy_settings *settings = &search->guide.policy->settings;
    const int64_t affordable = regal_expected_evaluations(search) / 64;
    const int64_t least = settings->rows < settings->rollouts ? settings->rows : settings->rollouts;
    return affordable < least                ? least
           : affordable < settings->rollouts ? affordable
                                             : settings->rollouts;
}

static regal_status roll_out_with(regal_search *search, const regal_math *math,
                                  regal_rollouts *rollouts) {
    const regal_population_shape *shape = &search->shape;
    return regal_policy_roll_out_until(search->guide.policy, search->problem, math, shape->threads,
                                       shape->gpu, rollout_count(search), shape->seed, is_to_stop,
                                       search, rollouts);
}

/* None where the search is to stop or goes on without. The network runs on the CPU where that can
 * be, so that a search on another backend gives the same plan. */
static regal_status roll_out(regal_search *search, regal_rollouts *rollouts) {
    const regal_math *cpu = regal_cpu_backend.math, *own = search->backend->math;
    *rollouts = (regal_rollouts){0};
    search->stage = "policy";
    if (is_to_stop(search))
        return REGAL_OK;
    regal_status status = roll_out_with(search, cpu, rollouts);
    if (status == REGAL_UNAVAILABLE && own != NULL && own != cpu)
        status = roll_out_with(search, own, rollouts);
    return status == REGAL_OK ? status : go_without(search, status);
}

static regal_status ask_policy(regal_search *search) {
    regal_rollouts rollouts;
    REGAL_FORWARD(roll_out(search, &rollouts));
    const regal_status status =
        rollouts.count > 0 ? use_rollouts(search, &rollouts) : set_name(&search->guide, "none", "");
    regal_rollouts_destroy(&rollouts);
    return status;
}

/* ---- what comes of it */

static bool is_uniform(const uint16_t *proposals, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        if (proposals[i] != 0)
            return false;
    return true;
}

static void set_digest(regal_guide *guide, int64_t gene_count) {
    uint64_t hash = REGAL_FNV_START;
    for (int64_t i = 0; i < guide->rows * gene_count; ++i) {
        const uint8_t bytes[] = {(uint8_t)guide->proposals[i], (uint8_t)(guide->proposals[i] >> 8)};
        hash = regal_fnv_bytes(hash, bytes, sizeof bytes);
    }
    regal_fnv_print(hash, guide->digest);
}

static regal_status dump(const regal_search *search) {
    const regal_guide *guide = &search->guide;
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    const char *path = search->options->dump_proposals;
    const regal_encoding encoding = search->shape.encoding;
    if (guide->proposals != NULL)
        return regal_proposals_write(path, encoding, view->op_count, view->device_count,
                                     guide->proposals, guide->rows);
    uint16_t *uniform = regal_allocate_zeroed(search->seeds.gene_count, sizeof *uniform);
    REGAL_FAIL_IF_NULL(uniform);
    const regal_status status =
        regal_proposals_write(path, encoding, view->op_count, view->device_count, uniform, 1);
    free(uniform);
    return status;
}

regal_status regal_guide_follow(regal_search *search) {
    regal_guide *guide = &search->guide;
    const int64_t gene_count = search->seeds.gene_count;
    if (guide->policy != NULL) {
        const regal_status status = ask_policy(search);
        drop_policy(guide);
        REGAL_FORWARD(status);
    }
    if (search->stopped != NULL)
        return REGAL_OK;
    if (guide->proposals != NULL)
        set_digest(guide, gene_count);
    if (search->options->dump_proposals[0] != '\0')
        REGAL_FORWARD(dump(search));
    const bool unused = (guide->uses & (REGAL_USE_MUTANTS | REGAL_USE_POPULATION)) == 0;
    if (guide->proposals != NULL &&
        (unused || is_uniform(guide->proposals, guide->rows * gene_count)))
        guide->proposals = NULL;
    return REGAL_OK;
}

bool regal_search_is_guided(const regal_search *search) {
    for (int64_t i = 0; i < search->seeds.count; ++i)
        if (search->seeds.items[i].is_of_policy)
            return true;
    return search->guide.proposals != NULL;
}
