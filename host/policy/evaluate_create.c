/* An evaluation before its first search: what is asked for, checked. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "policy/evaluate_data.h"
#include "policy/policy_default.h"

void regal_evaluate_search_init(regal_options *search) {
    regal_options_init(search);
    search->search = "brkga";
    search->encoding = "affinity";
    search->seeds = "none";
    search->policy = "none";
    search->policy_use = "mutants";
}

void regal_evaluate_options_init(regal_evaluate_options *options) {
    static const int64_t budgets[] = {500, 1000, 5000};
    *options = (regal_evaluate_options){
        .budgets = budgets, .budget_count = sizeof budgets / sizeof *budgets, .repeats = 3};
    regal_evaluate_search_init(&options->search);
    regal_evaluate_search_init(&options->reference);
    options->search.policy = "auto";
}

/* ---- what is asked for */

static regal_status check_budgets(const regal_evaluate_options *options) {
    if (options->budget_count == 0) {
        REGAL_FAIL_IF(options->search.time_limit < 0 || options->reference.time_limit < 0,
                      REGAL_INVALID_ARGUMENT,
                      "neither a number of evaluations nor a time limit was given");
        return REGAL_OK;
    }
    REGAL_FAIL_IF(options->search.time_limit >= 0 || options->reference.time_limit >= 0,
                  REGAL_INVALID_ARGUMENT,
                  "searches are limited by evaluations or by time, not by both");
    for (int64_t b = 0; b < options->budget_count; ++b)
        REGAL_FAIL_IF(options->budgets[b] < 1 ||
                          (b > 0 && options->budgets[b] <= options->budgets[b - 1]),
                      REGAL_INVALID_ARGUMENT,
                      "budgets are numbers of evaluations from 1, each above the one before");
    return REGAL_OK;
}

/* The settings of single searches are not a side's to say. */
static regal_status check_side(const regal_options *side) {
    regal_options plain;
    regal_options_init(&plain);
    REGAL_FAIL_IF(side->evaluations != plain.evaluations ||
                      side->generations != plain.generations || side->target != plain.target,
                  REGAL_INVALID_ARGUMENT,
                  "the budgets say how long to search: leave out evaluations, generations and "
                  "target");
    REGAL_FAIL_IF(side->proposals[0] != '\0' || side->dump_proposals[0] != '\0',
                  REGAL_INVALID_ARGUMENT, "files of proposals are of one graph: leave them out");
    return regal_options_validate(side);
}

static regal_status check(const regal_evaluate_options *options) {
    REGAL_FORWARD(check_budgets(options));
    REGAL_FORWARD(check_side(&options->search));
    REGAL_FORWARD(check_side(&options->reference));
    REGAL_FAIL_IF(options->repeats < 1 || options->repeats > 1000000, REGAL_INVALID_ARGUMENT,
                  "%" PRId64 " search seeds are not from 1 to 1000000", options->repeats);
    REGAL_FAIL_IF(options->problems < 0 || options->threads < 0, REGAL_INVALID_ARGUMENT,
                  "numbers of problems and threads are 0 or more");
    return REGAL_OK;
}

/* ---- its parts */

/* Each search reads the policy. */
static regal_status check_rereadable(const char *path) {
    struct stat about;
    REGAL_FAIL_IF(strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode)),
                  REGAL_INVALID_INPUT, "%s: each search reads it: it has to be a regular file",
                  regal_file_label(path));
    return REGAL_OK;
}

/* A policy is read here too, so that what is wrong with it is told before the first search. */
static regal_status name_policy(const char *word, regal_objective objective, char **name) {
    const bool automatic = strcmp(word, "auto") == 0;
    regal_policy *policy = NULL;
    if (automatic) {
        REGAL_FORWARD(regal_policy_default(objective, &policy));
    } else {
        REGAL_FORWARD(check_rereadable(word));
        REGAL_FORWARD(regal_policy_read_word(word, regal_control_word, &policy));
    }
    REGAL_FAIL_IF(policy == NULL, REGAL_UNAVAILABLE,
                  "this build ships no policy for %s: name a file",
                  regal_objective_name(objective));
    regal_policy_warn_of_objective(policy, objective, word, "the search");
    const char *slash = strrchr(word, '/');
    const char *base = automatic       ? regal_objective_name(objective)
                       : slash != NULL ? slash + 1
                                       : word;
    if (asprintf(name, "%s %s", base, policy->digest) < 0)
        *name = NULL;
    regal_policy_destroy(policy);
    return REGAL_OK;
}

static regal_status create_side(const regal_options *options, regal_objective objective,
                                regal_evaluated_side *side) {
    side->options = *options;
    side->options.objective = regal_objective_name(objective);
    side->options.threads = 1;
    REGAL_FORWARD(regal_control_read(options->policy, &side->control));
    side->words = regal_options_json(&side->options);
    REGAL_FAIL_IF_NULL(side->words);
    if (side->control.kind == REGAL_NO_CONTROL)
        REGAL_FORWARD(name_policy(options->policy, objective, &side->name));
    else
        side->name = strdup(options->policy);
    REGAL_FAIL_IF_NULL(side->name);
    if (side->control.kind == REGAL_CONTROL_HEFT_SEED) {
        side->options.encoding = "inherit";
        side->options.seeds = "heuristic";
    }
    return REGAL_OK;
}

static regal_status copy_budgets(const regal_evaluate_options *options,
                                 regal_evaluation *evaluation) {
    evaluation->budget_count = options->budget_count > 0 ? options->budget_count : 1;
    evaluation->budgets =
        regal_allocate_zeroed(evaluation->budget_count, sizeof *evaluation->budgets);
    REGAL_FAIL_IF_NULL(evaluation->budgets);
    for (int64_t b = 0; b < options->budget_count; ++b)
        evaluation->budgets[b] = options->budgets[b];
    return REGAL_OK;
}

/* All results are kept in memory, of which this machine is not to run out after hours. */
static regal_status check_memory(int64_t count, const regal_evaluation *evaluation) {
    const double of_block = 64; /* of an allocation, with the problem's name */
    const double runs =
        REGAL_SIDES * (double)evaluation->budget_count * (double)evaluation->repeats;
    const double each = (double)sizeof(regal_evaluated_problem) + 2 * of_block +
                        runs * (double)sizeof(regal_evaluated_run);
    const double most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / 2;
    REGAL_FAIL_IF((double)count * each > most, REGAL_INVALID_INPUT,
                  "%lld problems of %.0f searches each are too many: their results take %.0f GB, "
                  "but this machine can hold %.0f GB; take some of them (--count)",
                  (long long)count, runs, (double)count * each / 1e9, most / 1e9);
    return REGAL_OK;
}

/* Evenly over the set. */
static regal_status create_problems(const regal_evaluate_options *options,
                                    regal_evaluation *evaluation) {
    __extension__ typedef __int128 int128;
    const int64_t all = regal_graph_set_count(evaluation->set);
    const int64_t count =
        options->problems > 0 && options->problems < all ? options->problems : all;
    REGAL_FORWARD(check_memory(count, evaluation));
    const int64_t runs = evaluation->budget_count * REGAL_SIDES * evaluation->repeats;
    evaluation->problems = regal_allocate_zeroed(count, sizeof *evaluation->problems);
    REGAL_FAIL_IF_NULL(evaluation->problems);
    for (int64_t p = 0; p < count; ++p) {
        regal_evaluated_problem *problem = &evaluation->problems[evaluation->problem_count++];
        problem->index = (int64_t)((int128)p * all / count);
        problem->best = -1;
        problem->runs = regal_allocate_zeroed(runs, sizeof *problem->runs);
        REGAL_FAIL_IF_NULL(problem->runs);
    }
    return REGAL_OK;
}

static regal_status create(const char *set, const regal_evaluate_options *options,
                           regal_evaluation *evaluation) {
    REGAL_FORWARD(check(options));
    REGAL_FORWARD(regal_graph_set_read(set, &evaluation->set));
    evaluation->objective = regal_graph_set_objective(evaluation->set);
    evaluation->repeats = options->repeats;
    REGAL_FORWARD(copy_budgets(options, evaluation));
    REGAL_FORWARD(
        create_side(&options->search, evaluation->objective, &evaluation->side[REGAL_WITH_POLICY]));
    REGAL_FORWARD(create_side(&options->reference, evaluation->objective,
                              &evaluation->side[REGAL_REFERENCE]));
    return create_problems(options, evaluation);
}

regal_status regal_evaluation_create(const char *set, const regal_evaluate_options *options,
                                     regal_evaluation **evaluation) {
    *evaluation = regal_allocate_zeroed(1, sizeof **evaluation);
    REGAL_FAIL_IF_NULL(*evaluation);
    const regal_status status = create(set, options, *evaluation);
    if (status != REGAL_OK) {
        regal_evaluation_destroy(*evaluation);
        *evaluation = NULL;
    }
    return status;
}

void regal_evaluation_destroy(regal_evaluation *evaluation) {
    if (evaluation == NULL)
        return;
    for (int64_t p = 0; p < evaluation->problem_count; ++p) {
        free(evaluation->problems[p].name);
        free(evaluation->problems[p].runs);
    }
    for (int side = 0; side < REGAL_SIDES; ++side) {
        free(evaluation->side[side].name);
        free(evaluation->side[side].words);
    }
    free(evaluation->problems);
    free(evaluation->budgets);
    free(evaluation->rows);
    regal_graph_set_destroy(evaluation->set);
    free(evaluation);
}

regal_evaluation_facts regal_evaluation_describe(const regal_evaluation *evaluation) {
    regal_evaluation_facts facts = {.set = regal_graph_set_name(evaluation->set),
                                    .policy = evaluation->side[REGAL_WITH_POLICY].name,
                                    .reference = evaluation->side[REGAL_REFERENCE].name,
                                    .objective = evaluation->objective,
                                    .problems = evaluation->problem_count,
                                    .repeats = evaluation->repeats,
                                    .capped = evaluation->capped,
                                    .stopped = evaluation->stopped,
                                    .seconds = evaluation->seconds};
    for (int64_t p = 0; p < evaluation->problem_count; ++p)
        facts.finished += regal_evaluated_fully(evaluation, &evaluation->problems[p]);
    return facts;
}
