/* The second stage: chains of simulated annealing with selection among them (population annealing,
 * Hukushima and Iba 2003). They start from the best individuals of the first stage. Or local search
 * (paper, section 4.2): chains that accept no dearer plan, each from another start. It knows no
 * backend. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "regal/core/anneal.h"
#include "search/cooling.h"
#include "search/encode.h"
#include "search/search_state.h"

/* A call makes about this many ops' worth of moves: some tens of milliseconds. Limits and
 * interrupts are seen between calls. */
static const int64_t CALL_OPS = (int64_t)1 << 20;

typedef struct annealing {
    regal_search *search;
    regal_cooling cooling;
    regal_island_range islands;
    int64_t first_evaluations; /* when the rounds began */
    double first_share;        /* of the budget, when the stage began */
    int64_t call_rounds;
    int64_t round;
    regal_chain_best *best;    /* [islands] */
    regal_fitness *first_best; /* [islands] at the start */
    uint8_t *device;           /* [op] */
    uint16_t *key;             /* [op] */
} annealing;

static bool is_local(const regal_search *search) {
    return strcmp(search->options->search, "local") == 0;
}

static bool is_spent(regal_search *search) {
    if (search->stopped == NULL)
        search->stopped = regal_budget_spent(&search->budget, search->evaluations, 0,
                                             search->found ? &search->best : NULL);
    return search->stopped != NULL;
}

static regal_status take_over(annealing *run, int64_t i) {
    regal_search *search = run->search;
    const regal_chain_best *best = &run->best[i];
    REGAL_FORWARD(search->backend->fetch_chain(search->instance, run->islands.first + i,
                                               best->chain, run->device, run->key,
                                               &search->best_window));
    regal_encode_keys(regal_problem_get_view(search->problem), search->shape.encoding, run->device,
                      run->key, search->best_genes);
    search->found = true;
    search->best = best->fitness;
    search->best_seed = -1;
    search->origin = is_local(search) ? "local search" : "annealing";
    return REGAL_OK;
}

static regal_status note_best(annealing *run) {
    regal_search *search = run->search;
    bool improved = false;
    REGAL_FORWARD(search->backend->fetch_best_chains(search->instance, run->islands, run->best));
    for (int64_t i = 0; i < run->islands.count; ++i) {
        if (search->found && regal_fitness_compare(run->best[i].fitness, search->best) >= 0)
            continue;
        REGAL_FORWARD(take_over(run, i));
        improved = true;
    }
    search->rounds = run->round;
    regal_search_report(search, improved);
    return REGAL_OK;
}

/* 65536ths of the stage that are over. With a time limit it is the clock that tells. */
static int64_t progress_of(const annealing *run) {
    const regal_search *search = run->search;
    if (search->budget.seconds < 0)
        return (int64_t)(regal_ratio(search->evaluations - run->first_evaluations,
                                     search->budget.evaluations - run->first_evaluations) >>
                         16);
    const double share = regal_budget_share(&search->budget, search->evaluations, 0);
    if (share <= run->first_share)
        return 0;
    return (int64_t)((share - run->first_share) / (1 - run->first_share) * 65536);
}

/* Chains [begin, end) of the islands in a range make `count` moves. */
static regal_status move(annealing *run, regal_island_range range, int64_t begin, int64_t end,
                         int64_t count, uint64_t heat) {
    regal_search *search = run->search;
    const regal_chain_rounds rounds = {begin, end, run->round, count, &heat};
    if (range.count == 0 || begin == end)
        return REGAL_OK;
    REGAL_FORWARD(search->backend->move_chains(search->instance, range, &rounds));
    search->evaluations += range.count * (end - begin) * count;
    return REGAL_OK;
}

/* The last evaluations are fewer than a round: chains of low number make one more move. */
static regal_status move_last(annealing *run, int64_t left, uint64_t heat) {
    const int64_t whole = left / run->islands.count, rest = left % run->islands.count;
    REGAL_FORWARD(move(run, run->islands, 0, whole, 1, heat));
    return move(run, (regal_island_range){0, rest}, whole, whole + 1, 1, heat);
}

/* As many rounds as one call makes, up to the next selection or the end of the budget. */
static regal_status move_some(annealing *run, uint64_t heat) {
    const regal_search *search = run->search;
    const int64_t chains = run->cooling.chains;
    const int64_t left = search->budget.evaluations - search->evaluations;
    int64_t count = run->cooling.interval - run->round % run->cooling.interval;
    count = count < run->call_rounds ? count : run->call_rounds;
    const int64_t affordable = left / (chains * run->islands.count);
    if (affordable == 0)
        return move_last(run, left, heat);
    count = count < affordable ? count : affordable;
    REGAL_FORWARD(move(run, run->islands, 0, chains, count, heat));
    run->round += count;
    return REGAL_OK;
}

/* What a line is expected to end at: it gains three quarters more of what it has gained. */
static regal_fitness projected(const annealing *run, int64_t line) {
    regal_fitness fitness = run->best[line].fitness;
    if (fitness.value[0] == run->first_best[line].value[0])
        fitness.value[1] -= (run->first_best[line].value[1] - fitness.value[1]) / 4 * 3;
    return fitness;
}

/* Of lines that have run apart for a third of the stage, the most promising goes on alone. */
static void drop_lines(annealing *run) {
    int64_t best = 0;
    for (int64_t i = 1; i < run->islands.count; ++i)
        if (regal_fitness_compare(projected(run, i), projected(run, best)) < 0)
            best = i;
    run->best[0] = run->best[best];
    run->islands = (regal_island_range){run->islands.first + best, 1};
}

static regal_status select_chains(annealing *run, int64_t progress) {
    const regal_search *search = run->search;
    if (search->apart && run->islands.count > 1 && progress >= 65536 / 3)
        drop_lines(run);
    return search->backend->select_chains(search->instance, run->islands, run->cooling.replaced);
}

static regal_status run_rounds(annealing *run) {
    regal_search *search = run->search;
    uint64_t heat = 0;
    while (!is_spent(search)) {
        if (run->round % run->cooling.interval == 0) {
            const int64_t progress = progress_of(run);
            REGAL_FORWARD(select_chains(run, progress));
            heat = regal_cooling_heat(&run->cooling, progress);
        }
        REGAL_FORWARD(move_some(run, heat));
        REGAL_FORWARD(note_best(run));
    }
    return REGAL_OK;
}

/* What the budget reaches: where time limits it, at the speed so far. */
static int64_t reachable_evaluations(const regal_search *search) {
    const regal_budget *budget = &search->budget;
    if (budget->seconds < 0)
        return budget->evaluations;
    const double now = regal_clock(), spent = now - search->started;
    const double rate = (double)search->evaluations / (spent > 1e-6 ? spent : 1e-6);
    const double more = rate * (budget->seconds - (now - budget->started));
    const double all = (double)search->evaluations + (more > 0 ? more : 0);
    return all < (double)budget->evaluations && all < 1e18 ? (int64_t)all : budget->evaluations;
}

/* What the cooling is planned from, with `left` of so many evaluations for this stage. */
static regal_cooling_question ask_cooling(const regal_search *search, int64_t evaluations,
                                          int64_t left) {
    return (regal_cooling_question){.objective = search->shape.objective,
                                    .op_count = regal_problem_get_view(search->problem)->op_count,
                                    .islands = search->shape.islands,
                                    .evaluations = evaluations,
                                    .left = left,
                                    .greedy = is_local(search),
                                    .seeded = search->seeds.count > 0 && !search->apart &&
                                              !search->unseeded,
                                    .proposed = regal_search_is_guided(search),
                                    .evolved = search->generation > 0};
}

int64_t regal_anneal_chains(const regal_search *search, int64_t evaluations) {
    const regal_cooling_question question = ask_cooling(search, evaluations, evaluations / 10 * 7);
    return regal_cooling_plan(&question).chains;
}

static void plan_cooling(annealing *run) {
    const regal_search *search = run->search;
    const int64_t evaluations = reachable_evaluations(search);
    const regal_cooling_question question =
        ask_cooling(search, evaluations, evaluations - search->evaluations);
    run->cooling = regal_cooling_plan(&question);
    const int64_t ops = question.op_count * run->cooling.chains * run->islands.count;
    run->call_rounds = ops < CALL_OPS ? CALL_OPS / ops : 1;
    run->first_share = regal_budget_share(&search->budget, search->evaluations, 0);
}

static regal_status start_chains(annealing *run) {
    regal_search *search = run->search;
    const int64_t elites = search->shape.elites, islands = run->islands.count;
    const int64_t left = search->budget.evaluations - search->evaluations;
    if (left < islands * run->cooling.chains) {
        run->islands.count = left < islands ? left : islands;
        run->cooling.chains = 1;
    }
    REGAL_FORWARD(
        search->backend->start_chains(search->instance, run->islands, run->cooling.chains, elites));
    search->evaluations += run->islands.count * run->cooling.chains;
    run->first_evaluations = search->evaluations;
    REGAL_FORWARD(note_best(run));
    for (int64_t i = 0; i < run->islands.count; ++i)
        run->first_best[i] = run->best[i].fitness;
    return REGAL_OK;
}

static regal_status run_stage(annealing *run) {
    const regal_search *search = run->search;
    const int64_t n = regal_problem_get_view(search->problem)->op_count;
    run->best = regal_allocate(run->islands.count, sizeof *run->best);
    run->first_best = regal_allocate(run->islands.count, sizeof *run->first_best);
    run->device = regal_allocate(n, sizeof *run->device);
    run->key = regal_allocate(n, sizeof *run->key);
    REGAL_FAIL_IF(run->best == NULL || run->first_best == NULL || run->device == NULL ||
                      run->key == NULL,
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    plan_cooling(run);
    REGAL_FORWARD(start_chains(run));
    return run_rounds(run);
}

regal_status regal_anneal_run(regal_search *search) {
    annealing run = {.search = search, .islands = {0, search->shape.islands}};
    if (is_spent(search))
        return REGAL_OK;
    if (is_local(search))
        regal_search_enter(search, "local", "local");
    else
        regal_search_enter(search, "anneal", search->generation > 0 ? "brkga+anneal" : "anneal");
    REGAL_FORWARD(regal_search_join(search));
    if (is_spent(search))
        return REGAL_OK;
    const regal_status status = run_stage(&run);
    free(run.best);
    free(run.first_best);
    free(run.device);
    free(run.key);
    return status;
}
