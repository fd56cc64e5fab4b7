/* The settings of a search with every "auto" settled. */
#include <string.h>

#include "base/error.h"
#include "base/thread_pool.h"
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

int64_t regal_expected_evaluations(const regal_search *search) {
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
    const int64_t evaluations = regal_expected_evaluations(search);
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
                                  : regal_anneal_chains(search, regal_expected_evaluations(search));
    if (search->shape.islands * of_island >= PLANS_A_THREAD * search->shape.threads)
        return REGAL_OK;
    return regal_backend_find("cpu", 0, &search->backend);
}

regal_status regal_search_settle(regal_search *search) {
    const regal_options *options = search->options;
    search->budget = regal_budget_make(options, regal_graph_op_count(search->problem->graph),
                                       search->problem->bounds);
    REGAL_FORWARD(regal_backend_find(options->backend, options->gpu, &search->backend));
    REGAL_FORWARD(settle_shape(search));
    return leave_small_searches(search);
}
