/* regal_optimize: settle the settings, seed, ask the policy, search, decode the best, check it. */
#include "search/optimize_proposed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "regal/check.h"
#include "regal/version.h"
#include "search/search_state.h"

void regal_search_enter(regal_search *search, const char *stage, const char *stages) {
    search->stage = stage;
    search->stages = stages;
    regal_pace_change(&search->pace);
}

/* Seconds, by the speed of late; < 0: unknown. */
static double seconds_left(regal_search *search, double share, double seconds) {
    if (search->instance == NULL)
        return -1;
    regal_pace_note(&search->pace, share, seconds);
    const double left = regal_pace_left(&search->pace), limit = search->budget.seconds;
    return limit >= 0 && left > limit - seconds ? fmax(limit - seconds, 0) : left;
}

void regal_search_report(regal_search *search, bool improved) {
    const double now = regal_clock();
    /* However short the time, there is to be a plan. */
    if (search->found && search->budget.seconds >= 0 &&
        now - search->budget.started >= search->budget.seconds)
        search->stopped = "time-limit";
    if (search->callback == NULL || (!improved && now - search->last_report < 0.1))
        return;
    search->last_report = now;
    const double seconds = now - search->budget.started;
    const double share =
        regal_budget_share(&search->budget, search->evaluations, search->generation);
    const regal_progress progress = {.seconds = seconds,
                                     .evaluations = search->evaluations,
                                     .generation = search->generation,
                                     .rounds = search->rounds,
                                     .stage = search->stage,
                                     .share = share,
                                     .value = search->found ? search->best.value[1] : -1,
                                     .excess = search->found ? search->best.value[0] : 0,
                                     .bound = search->budget.bound.value[1],
                                     .seconds_left = seconds_left(search, share, seconds)};
    if (search->callback(&progress, search->context))
        search->stopped = "interrupt";
}

/* The seeds' own plans are the first candidates. */
static void note_seed_plans(regal_search *search) {
    for (int64_t i = 0; i < search->seeds.count; ++i) {
        const regal_seed *seed = &search->seeds.items[i];
        if (seed->plan == NULL)
            continue;
        const regal_fitness fitness = regal_plan_fitness(seed->plan, search->shape.objective);
        if (search->found && regal_fitness_compare(fitness, search->best) >= 0)
            continue;
        search->found = true;
        search->best = fitness;
        search->best_seed = i;
        search->origin = seed->name;
    }
}

/* Tenths of the budget that the first stage has. Long chains for memory need little of it. */
static int64_t first_stage_tenths(const regal_search *search) {
    const char *how = search->options->search;
    if (strcmp(how, "brkga") == 0)
        return 10;
    if (strcmp(how, "auto") != 0)
        return 0;
    const bool memory = search->shape.objective == REGAL_MEMORY;
    return memory && search->apart && !regal_search_is_guided(search) ? 1 : 3;
}

static int64_t first_stage_evaluations(const regal_search *search, int64_t tenths) {
    const int64_t all = search->budget.evaluations;
    if (tenths == 10 || all == INT64_MAX)
        return tenths > 0 ? INT64_MAX : 0;
    return all / 10 * tenths + all % 10 * tenths / 10;
}

static regal_status run_stages(regal_search *search) {
    const int64_t tenths = first_stage_tenths(search);
    const int64_t evaluations = first_stage_evaluations(search, tenths);
    const char *first = tenths > 0 ? "brkga" : search->options->search;
    const double spent = regal_clock() - search->budget.started;
    search->pace = regal_pace_begin(regal_budget_share(&search->budget, 0, 0), spent);
    regal_search_enter(search, first, first);
    REGAL_FORWARD(regal_brkga_run(search, evaluations, (double)tenths / 10));
    return tenths == 10 ? REGAL_OK : regal_anneal_run(search);
}

/* Who has not asked for the GPU is not refused for what it lacks. */
static regal_status create_instance(regal_search *search, const regal_backend_problem *problem) {
    const regal_options *options = search->options;
    const regal_status status =
        search->backend->create(&search->shape, problem, 1, &search->instance);
    const bool chosen = strcmp(options->backend, "auto") != 0 || options->gpu != 0;
    if (status == REGAL_OK || chosen || strcmp(search->backend->name, "cpu") == 0)
        return status;
    regal_warn("searching on the CPU: %s", regal_error_message());
    REGAL_FORWARD(regal_backend_find("cpu", 0, &search->backend));
    return search->backend->create(&search->shape, problem, 1, &search->instance);
}

/* Of a large graph each takes seconds. */
static bool are_seeds_enough(void *context) {
    regal_search *search = context;
    const regal_budget *budget = &search->budget;
    regal_search_report(search, false);
    return search->stopped != NULL ||
           (budget->seconds >= 0 && regal_clock() - budget->started >= budget->seconds);
}

static regal_status run_search(regal_search *search) {
    REGAL_FORWARD(regal_seeds_create(search->problem, search->options, search->shape.encoding,
                                     search->shape.window, are_seeds_enough, search,
                                     &search->seeds));
    search->best_genes =
        regal_allocate_zeroed(search->seeds.gene_count, sizeof *search->best_genes);
    REGAL_FAIL_IF_NULL(search->best_genes);
    note_seed_plans(search);
    if (search->stopped == NULL)
        regal_search_report(search, search->found);
    if (search->stopped != NULL && search->found)
        return REGAL_OK;
    REGAL_FORWARD(regal_guide_follow(search));
    if (search->stopped != NULL && search->found)
        return REGAL_OK;
    const regal_backend_problem problem = {regal_problem_get_view(search->problem),
                                           search->guide.proposals, search->guide.rows};
    search->started = regal_clock();
    REGAL_FORWARD(create_instance(search, &problem));
    const regal_status status = run_stages(search);
    search->backend->destroy(search->instance);
    search->instance = NULL;
    return status;
}

static regal_status best_chromosome(const regal_search *search, regal_chromosome **chromosome) {
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    REGAL_FORWARD(regal_chromosome_create(search->shape.encoding, search->best_window,
                                          view->op_count, view->device_count, chromosome));
    memcpy((*chromosome)->genes, search->best_genes,
           (size_t)search->seeds.gene_count * sizeof *search->best_genes);
    return REGAL_OK;
}

/* Nothing leaves that the checker does not agree with. */
static regal_status check_plan(const regal_search *search, const regal_plan *plan) {
    regal_measure measure;
    const regal_status status =
        regal_plan_check(search->problem->graph, search->problem->cluster, plan, &measure);
    if (status == REGAL_INVALID_INPUT)
        return regal_error_prefix(REGAL_INTERNAL, "the plan found fails its check");
    REGAL_FORWARD(status);
    REGAL_FAIL_IF(
        regal_fitness_compare(regal_plan_fitness(plan, search->shape.objective), search->best) != 0,
        REGAL_INTERNAL, "the plan found is not worth what the search reported");
    return REGAL_OK;
}

static regal_status set_made(const regal_search *search, regal_plan *plan) {
    char *options = regal_options_json(search->options);
    REGAL_FAIL_IF_NULL(options);
    const regal_made made = {
        .version = REGAL_VERSION,
        .origin = search->origin,
        .search = search->stages,
        .encoding = regal_encoding_name(search->shape.encoding),
        .backend = search->backend->name,
        .policy = search->guide.name,
        .proposals = search->guide.digest[0] != '\0' ? search->guide.digest : NULL,
        .stopped = search->stopped,
        .options = options,
        .window = search->best_seed < 0 ? search->best_window : search->shape.window,
        .seed = search->options->seed,
        .evaluations = search->evaluations,
        .generations = search->generation,
        .rounds = search->rounds,
        .threads = search->shape.threads,
        .seconds = regal_clock() - search->budget.started};
    const regal_status status = regal_plan_set_made(plan, &made);
    free(options);
    return status;
}

static regal_status finish_plan(regal_search *search, regal_plan **plan,
                                regal_chromosome **chromosome) {
    REGAL_FAIL_IF(!search->found, REGAL_INVALID_ARGUMENT,
                  "stopped before the first plan was found");
    if (search->best_seed >= 0) {
        *plan = search->seeds.items[search->best_seed].plan;
        search->seeds.items[search->best_seed].plan = NULL;
    } else {
        REGAL_FORWARD(best_chromosome(search, chromosome));
        REGAL_FORWARD(regal_chromosome_decode(search->problem, *chromosome, plan));
    }
    (*plan)->objective = search->shape.objective;
    REGAL_FORWARD(check_plan(search, *plan));
    return set_made(search, *plan);
}

/* Leaves it to the caller to free what the search holds. */
static regal_status search_for(regal_search *search, const uint16_t *proposals, int64_t rows,
                               regal_plan **plan, regal_chromosome **chromosome) {
    REGAL_FORWARD(regal_options_validate(search->options));
    REGAL_FORWARD(regal_search_settle(search));
    REGAL_FORWARD(regal_guide_open(search, proposals, rows));
    REGAL_FORWARD(run_search(search));
    return finish_plan(search, plan, chromosome);
}

static regal_status optimize(regal_search *search, const uint16_t *proposals, int64_t rows,
                             regal_plan **plan, regal_chromosome **best) {
    regal_chromosome *chromosome = NULL;
    *plan = NULL;
    if (best != NULL)
        *best = NULL;
    const regal_status status = search_for(search, proposals, rows, plan, &chromosome);
    if (status == REGAL_OK && best != NULL) {
        *best = chromosome;
        chromosome = NULL;
    }
    if (status != REGAL_OK) {
        regal_plan_destroy(*plan);
        *plan = NULL;
    }
    regal_chromosome_destroy(chromosome);
    regal_seeds_destroy(&search->seeds);
    regal_guide_close(&search->guide);
    free(search->best_genes);
    return status;
}

static regal_search search_make(const regal_problem *problem, const regal_options *options,
                                regal_progress_callback *callback, void *context) {
    return (regal_search){.problem = problem,
                          .options = options,
                          .callback = callback,
                          .context = context,
                          .best_seed = -1,
                          .stage = "seeds",
                          .stages = "none"};
}

regal_status regal_optimize(const regal_problem *problem, const regal_options *options,
                            regal_progress_callback *callback, void *context, regal_plan **plan,
                            regal_chromosome **best) {
    regal_search search = search_make(problem, options, callback, context);
    return optimize(&search, NULL, 0, plan, best);
}

regal_status regal_optimize_proposed(const regal_problem *problem, const regal_options *options,
                                     const uint16_t *proposals, int64_t rows,
                                     regal_progress_callback *callback, void *context,
                                     regal_plan **plan, regal_chromosome **best) {
    regal_options own = *options;
    own.policy = "none";
    own.proposals = "";
    regal_search search = search_make(problem, &own, callback, context);
    return optimize(&search, proposals, rows, plan, best);
}
