/* The generation loop of the biased random-key genetic algorithm (Goncalves, Resende 2011; paper,
 * section on BRKGA): islands that evolve apart, exchange elites, and restart when they stall. It
 * knows no backend. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "search/search_state.h"

/* An evaluation call is kept to about this long, so that limits and interrupts are seen in time. */
static const double SLICE_SECONDS = 0.03;

typedef struct brkga {
    regal_search *search;
    int64_t stage_evaluations;  /* after which the stage ends */
    double stage_share;         /* of the time, likewise */
    int64_t slice;              /* slots of each island for one call */
    int64_t least_slice;        /* that gives every thread something to do */
    regal_fitness *island_best; /* [islands] since the island's last restart */
    int64_t *last_gain;         /* [islands] generation of its last gain */
} brkga;

static regal_island_range all_islands(const brkga *run) {
    return (regal_island_range){0, run->search->shape.islands};
}

/* In the first population the best may be a seed as it was given. */
static const char *origin_of(const regal_search *search) {
    if (search->generation > 0)
        return "brkga";
    for (int64_t i = 0; i < search->seeds.count; ++i)
        if (search->seeds.items[i].genes != NULL &&
            memcmp(search->seeds.items[i].genes, search->best_genes,
                   (size_t)search->seeds.gene_count * sizeof *search->best_genes) == 0)
            return search->seeds.items[i].name;
    return "first population";
}

regal_status regal_search_note_best(regal_search *search, int64_t island, regal_fitness fitness,
                                    bool *improved) {
    if (search->found && regal_fitness_compare(fitness, search->best) >= 0)
        return REGAL_OK;
    REGAL_FORWARD(search->backend->fetch_individual(search->instance, island, 0, search->best_genes,
                                                    &search->best_window, NULL));
    search->found = true;
    search->best = fitness;
    search->best_seed = -1;
    search->origin = origin_of(search);
    *improved = true;
    return REGAL_OK;
}

/* Ranks the first `count` slots of each island in a range and takes note of gains. */
static regal_status rank_islands(brkga *run, regal_island_range range, int64_t count) {
    regal_search *search = run->search;
    REGAL_FORWARD(search->backend->rank(search->instance, range, count));
    bool improved = false;
    for (int64_t i = range.first; i < range.first + range.count; ++i) {
        regal_fitness fitness;
        REGAL_FORWARD(
            search->backend->fetch_best(search->instance, (regal_island_range){i, 1}, &fitness));
        if (run->last_gain[i] < 0 || regal_fitness_compare(fitness, run->island_best[i]) < 0) {
            run->island_best[i] = fitness;
            run->last_gain[i] = search->generation;
        }
        REGAL_FORWARD(regal_search_note_best(search, i, fitness, &improved));
    }
    regal_search_report(search, improved);
    return REGAL_OK;
}

static void adapt_slice(brkga *run, int64_t evaluated, double seconds) {
    if (seconds <= 0)
        return;
    const double rate = (double)evaluated / seconds / (double)run->search->shape.islands;
    const double wanted = rate * SLICE_SECONDS, least = (double)run->least_slice;
    run->slice = (int64_t)(wanted < least ? least : wanted > 1e9 ? 1e9 : wanted);
}

/* What has been evaluated is about to be ranked: there is a plan, and the time may be over. */
static void report_slice(regal_search *search) {
    const regal_budget *budget = &search->budget;
    if (budget->seconds >= 0 && regal_clock() - budget->started >= budget->seconds)
        search->stopped = "time-limit";
    regal_search_report(search, false);
}

/* Individuals that are drawn just before they are evaluated, and some that are given. */
typedef struct drawing {
    const regal_seed_individual *given;
    int64_t given_count;
} drawing;

/* Evaluates slots from `begin` on of the islands in a range, as far as the budget goes, and ranks
 * what has been evaluated. drawn: NULL where the individuals are there. All islands advance side by
 * side; where the budget ends among them, those of lower number are one slot ahead. So the size of
 * a slice changes nothing. */
static regal_status evaluate_islands(brkga *run, regal_island_range range, int64_t begin,
                                     const drawing *drawn) {
    regal_search *search = run->search;
    const int64_t population = search->shape.population;
    int64_t ahead = 0; /* islands that are one slot ahead */
    while (begin < population && ahead == 0 && search->stopped == NULL) {
        const int64_t left = search->budget.evaluations - search->evaluations;
        if (left <= 0)
            break;
        int64_t length = population - begin < run->slice ? population - begin : run->slice;
        length = left / range.count < length ? left / range.count : length;
        regal_island_range part = range;
        if (length == 0) {
            part.count = ahead = left;
            length = 1;
        }
        const double started = regal_clock();
        if (drawn != NULL)
            REGAL_FORWARD(search->backend->seed(search->instance, part,
                                                (uint32_t)search->generation, begin, begin + length,
                                                drawn->given, drawn->given_count));
        REGAL_FORWARD(search->backend->evaluate(search->instance, part, begin, begin + length));
        adapt_slice(run, part.count * length, regal_clock() - started);
        search->evaluations += part.count * length;
        begin += ahead > 0 ? 0 : length;
        if (begin < population)
            report_slice(search);
    }
    if (begin > 0)
        REGAL_FORWARD(rank_islands(run, range, begin));
    if (ahead > 0)
        REGAL_FORWARD(rank_islands(run, (regal_island_range){range.first, ahead}, begin + 1));
    return REGAL_OK;
}

static regal_status restart_stalled(brkga *run) {
    regal_search *search = run->search;
    for (int64_t i = 0; i < search->shape.islands && search->stopped == NULL; ++i) {
        if (search->generation - run->last_gain[i] < search->stall)
            continue;
        const regal_island_range island = {i, 1};
        REGAL_FORWARD(search->backend->keep(search->instance, island, 1));
        run->last_gain[i] = search->generation;
        REGAL_FORWARD(evaluate_islands(run, island, 1, &(drawing){NULL, 0}));
    }
    return REGAL_OK;
}

static regal_status exchange_elites(brkga *run) {
    regal_search *search = run->search;
    const int64_t elites = search->shape.elites, population = search->shape.population;
    if (search->shape.islands == 1 || search->apart ||
        search->generation % search->options->exchange != 0)
        return REGAL_OK;
    int64_t count = elites < 2 ? elites : 2;
    count = count < population / 2 ? count : population / 2;
    REGAL_FORWARD(search->backend->exchange(search->instance, all_islands(run), count));
    return rank_islands(run, all_islands(run), population);
}

static bool is_spent(regal_search *search) {
    if (search->stopped == NULL)
        search->stopped =
            regal_budget_spent(&search->budget, search->evaluations, search->generation + 1,
                               search->found ? &search->best : NULL);
    return search->stopped != NULL;
}

static bool is_over(const brkga *run) {
    const regal_search *search = run->search;
    const regal_budget *budget = &search->budget;
    return search->evaluations >= run->stage_evaluations ||
           (budget->seconds >= 0 &&
            regal_clock() - budget->started >= run->stage_share * budget->seconds);
}

static regal_status evolve_islands(brkga *run) {
    regal_search *search = run->search;
    while (!is_spent(search) && !is_over(run)) {
        ++search->generation;
        REGAL_FORWARD(search->backend->evolve(search->instance, all_islands(run),
                                              (uint32_t)search->generation));
        REGAL_FORWARD(evaluate_islands(run, all_islands(run), search->shape.elites, NULL));
        if (is_spent(search))
            break;
        REGAL_FORWARD(exchange_elites(run));
        REGAL_FORWARD(restart_stalled(run));
    }
    return REGAL_OK;
}

static bool is_start(const regal_search *search, const regal_seed *seed) {
    const bool wanted =
        seed->is_of_policy ? (search->guide.uses & REGAL_USE_SEEDS) != 0 : !search->unseeded;
    return wanted && seed->genes != NULL;
}

/* The seeds go to the first slots of island 0, and by the exchange to the others. */
static regal_status first_population(brkga *run) {
    regal_search *search = run->search;
    regal_seed_list *seeds = &search->seeds;
    regal_seed_individual *given = regal_allocate(seeds->count, sizeof *given);
    REGAL_FAIL_IF_NULL(given);
    int64_t count = 0;
    for (int64_t i = 0; i < seeds->count && count < search->shape.population; ++i) {
        regal_seed *seed = &seeds->items[i];
        if (!is_start(search, seed))
            continue;
        given[count] =
            (regal_seed_individual){.slot = count, .window = seed->window, .genes = seed->genes};
        seed->is_placed = true;
        ++count;
    }
    const regal_status status =
        evaluate_islands(run, all_islands(run), 0, &(drawing){given, count});
    free(given);
    return status;
}

static regal_status run_islands(brkga *run) {
    const int64_t islands = run->search->shape.islands;
    run->island_best = regal_allocate(islands, sizeof *run->island_best);
    run->last_gain = regal_allocate(islands, sizeof *run->last_gain);
    REGAL_FAIL_IF(run->island_best == NULL || run->last_gain == NULL, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t i = 0; i < islands; ++i)
        run->last_gain[i] = -1;
    REGAL_FORWARD(first_population(run));
    return evolve_islands(run);
}

regal_status regal_brkga_run(regal_search *search, int64_t evaluations, double share) {
    brkga run = {.search = search,
                 .stage_evaluations = evaluations,
                 .stage_share = share,
                 .least_slice = (search->shape.threads - 1) / search->shape.islands + 1};
    run.slice = run.least_slice;
    const regal_status status = run_islands(&run);
    free(run.island_best);
    free(run.last_gain);
    return status;
}
