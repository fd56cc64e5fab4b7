/* regal_optimize: settle the settings, seed, search, decode the best, check it. */
#include "regal/optimize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/proposals_json.h"
#include "regal/check.h"
#include "regal/version.h"
#include "search/search_state.h"

static int64_t share_of(int64_t population, double share) {
    return (int64_t)((double)population * share + 0.5);
}

static bool is_capped(const regal_search *search) {
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    bool capped = false;
    for (int32_t d = 0; d < view->device_count; ++d)
        capped |= view->capacity[d] > 0;
    return capped;
}

/* The budget in evaluations. A time limit stands for those that it might allow. */
static int64_t expected_evaluations(const regal_search *search) {
    const int64_t n = regal_graph_op_count(search->problem->graph);
    const int64_t evaluations = search->budget.evaluations;
    const double by_time = search->budget.seconds * 1e7 / (double)(n + 1);
    const bool timed = search->budget.seconds >= 0 && by_time < (double)evaluations;
    return timed ? (int64_t)by_time : evaluations;
}

/* Heuristics make a short run better, but what grows from them is hard to leave. So a long run of
 * the default search follows two lines, with and without them; for memory a shorter one does
 * without, unless there are caps to keep. Their plans count in any case. The limits were measured.
 */
static void settle_lines(regal_search *search) {
    const regal_options *options = search->options;
    const int64_t n = regal_graph_op_count(search->problem->graph);
    const int64_t evaluations = expected_evaluations(search);
    if (strcmp(options->search, "auto") != 0 || strcmp(options->seeds, "heuristic") != 0)
        return;
    search->apart =
        options->islands == -1 && options->generations < 0 && evaluations - 10000 >= 32 * n;
    search->unseeded = !search->apart && strcmp(options->objective, "memory") == 0 &&
                       evaluations >= 24 * n && !is_capped(search);
}

static regal_status settle_shape(regal_search *search) {
    const regal_options *options = search->options;
    const bool time = strcmp(options->objective, "time") == 0;
    regal_population_shape *shape = &search->shape;
    /* Islands and individuals that the budget never reaches need not be there. */
    const int64_t budget = search->budget.evaluations;
    settle_lines(search);
    const int64_t asked = options->islands > 0 ? options->islands : search->apart ? 2 : 1;
    const int64_t islands = asked < budget ? asked : budget;
    const int64_t reached = (budget - 1) / islands + 1;
    int64_t population = options->population > 0 ? options->population : 100;
    population = population < reached ? population : reached < 4 ? 4 : reached;
    int64_t elites = share_of(population, options->elites);
    elites = elites < 1 ? 1 : elites > population - 1 ? population - 1 : elites;
    int64_t mutants = share_of(population, options->mutants);
    mutants = mutants < population - elites ? mutants : population - elites;
    *shape = (regal_population_shape){
        .encoding = strcmp(options->encoding, "inherit") == 0 ? REGAL_INHERIT : REGAL_AFFINITY,
        .objective = time ? REGAL_TIME : REGAL_MEMORY,
        .seed = options->seed,
        .islands = islands,
        .population = population,
        .elites = elites,
        .mutants = mutants,
        .rho = (uint32_t)(options->rho * 256 + 0.5),
        .window = options->window >= 0 ? options->window
                  : time               ? 0
                                       : 1,
        .threads = options->threads > 0 ? options->threads : regal_processor_count(),
        .gpu = options->gpu};
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    const int64_t genes = regal_gene_count(shape->encoding, view->op_count, view->device_count);
    REGAL_FAIL_IF(genes < 0 || genes / 8 >= UINT32_MAX, REGAL_OUT_OF_MEMORY,
                  "a chromosome of this problem would have more than 2^35 keys");
    search->stall = options->stall > 0 ? options->stall : 100;
    if (strcmp(options->search, "brkga") != 0)
        regal_budget_count_generations(&search->budget, islands, population, elites);
    return REGAL_OK;
}

/* A warp of a GPU is expected to be some ten times slower than a thread of a processor. */
enum { PLANS_A_THREAD = 16 };

/* The same plan comes from every backend: `auto` takes the GPU where the search evaluates enough
 * plans at a time to be faster there. */
static regal_status leave_small_searches(regal_search *search) {
    const regal_options *options = search->options;
    if (strcmp(options->backend, "auto") != 0 || options->gpu != 0 ||
        regal_graph_op_count(search->problem->graph) == 0)
        return REGAL_OK;
    const int64_t of_island = strcmp(options->search, "brkga") == 0
                                  ? search->shape.population
                                  : regal_anneal_chains(search, expected_evaluations(search));
    if (search->shape.islands * of_island >= PLANS_A_THREAD * search->shape.threads)
        return REGAL_OK;
    return regal_backend_find("cpu", 0, &search->backend);
}

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

static regal_status read_proposals(regal_search *search, uint16_t **owned) {
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    if (search->options->proposals[0] == '\0')
        return REGAL_OK;
    REGAL_FORWARD(regal_proposals_read(search->options->proposals, search->shape.encoding,
                                       view->op_count, view->device_count, owned,
                                       &search->proposal_rows));
    search->proposals = *owned;
    return REGAL_OK;
}

/* Tenths of the budget that the first stage has. Long chains for memory need little of it. */
static int64_t first_stage_tenths(const regal_search *search) {
    if (strcmp(search->options->search, "brkga") == 0)
        return 10;
    if (strcmp(search->options->search, "anneal") == 0)
        return 0;
    const bool memory = search->shape.objective == REGAL_MEMORY;
    return memory && search->apart && search->proposals == NULL ? 1 : 3;
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
    const char *first = strcmp(search->options->search, "anneal") == 0 ? "anneal" : "brkga";
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

static regal_status run_search(regal_search *search) {
    REGAL_FORWARD(regal_seeds_create(search->problem, search->options, search->shape.encoding,
                                     search->shape.window, &search->seeds));
    search->best_genes =
        regal_allocate_zeroed(search->seeds.gene_count, sizeof *search->best_genes);
    REGAL_FAIL_IF_NULL(search->best_genes);
    note_seed_plans(search);
    regal_search_report(search, search->found);
    if (search->stopped != NULL && search->found)
        return REGAL_OK;
    const regal_problem_view *view = regal_problem_get_view(search->problem);
    const regal_backend_problem problem = {view, search->proposals, search->proposal_rows};
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
    const regal_made made = {.version = REGAL_VERSION,
                             .origin = search->origin,
                             .search = search->stages,
                             .encoding = regal_encoding_name(search->shape.encoding),
                             .backend = search->backend->name,
                             .policy = search->proposals != NULL ? "proposals" : "none",
                             .stopped = search->stopped,
                             .options = options,
                             .window =
                                 search->best_seed < 0 ? search->best_window : search->shape.window,
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

regal_status regal_optimize(const regal_problem *problem, const regal_options *options,
                            regal_progress_callback *callback, void *context, regal_plan **plan,
                            regal_chromosome **best) {
    regal_search search = {.problem = problem,
                           .options = options,
                           .callback = callback,
                           .context = context,
                           .best_seed = -1};
    regal_chromosome *chromosome = NULL;
    uint16_t *proposals = NULL;
    search.stage = "seeds";
    search.stages = "none";
    *plan = NULL;
    if (best != NULL)
        *best = NULL;
    REGAL_FORWARD(regal_options_validate(options));
    search.budget =
        regal_budget_make(options, regal_graph_op_count(problem->graph), problem->bounds);
    regal_status status = regal_backend_find(options->backend, options->gpu, &search.backend);
    if (status == REGAL_OK)
        status = settle_shape(&search);
    if (status == REGAL_OK)
        status = leave_small_searches(&search);
    if (status == REGAL_OK)
        status = read_proposals(&search, &proposals);
    if (status == REGAL_OK)
        status = run_search(&search);
    if (status == REGAL_OK)
        status = finish_plan(&search, plan, &chromosome);
    if (status == REGAL_OK && best != NULL) {
        *best = chromosome;
        chromosome = NULL;
    }
    if (status != REGAL_OK) {
        regal_plan_destroy(*plan);
        *plan = NULL;
    }
    regal_chromosome_destroy(chromosome);
    regal_seeds_destroy(&search.seeds);
    free(search.best_genes);
    free(proposals);
    return status;
}
