/* What the stages of a search share: settings with every "auto" settled, the budget, the best plan
 * so far, and the caller's ear. */
#ifndef REGAL_SEARCH_SEARCH_STATE_H
#define REGAL_SEARCH_SEARCH_STATE_H

#include "regal/backend/backend.h"
#include "search/budget.h"
#include "search/guide.h"
#include "search/pace.h"
#include "search/seeds.h"

typedef struct regal_search {
    const regal_problem *problem;
    const regal_options *options;
    const regal_backend *backend;
    regal_backend_instance *instance; /* of the stages */
    regal_population_shape shape;
    int64_t stall; /* generations without a gain before an island restarts */
    regal_budget budget;

    regal_guide guide;
    regal_seed_list seeds;
    bool unseeded; /* no keys of heuristics in the first population */
    bool apart;    /* two islands, with and without the seeds, that exchange nothing */

    /* The best so far: a chromosome, or else (best_seed >= 0) a seed's own plan. */
    bool found;
    regal_fitness best;
    uint16_t *best_genes; /* [genes] */
    int64_t best_window;
    int64_t best_seed;
    const char *origin;

    const char *stage;  /* of regal_progress */
    const char *stages; /* of regal_made: search */
    double started;     /* when the first of them began */
    int64_t evaluations;
    int64_t generation;  /* of BRKGA; 0 is the first population */
    int64_t rounds;      /* of the annealing chains */
    const char *stopped; /* why it ended; NULL while it goes on */

    regal_progress_callback *callback;
    void *context;
    double last_report;
    regal_pace pace;
} regal_search;

/* Settles backend, budget and shape from the options. */
regal_status regal_search_settle(regal_search *search);

/* The budget in evaluations. A time limit stands for those that it might allow. */
int64_t regal_expected_evaluations(const regal_search *search);

/* Tells the caller where the search stands (if `improved`, or about ten times a second) and notes
 * whether the search is to stop: search->stopped. */
void regal_search_report(regal_search *search, bool improved);

/* Whether proposals or roll-outs guide what the search draws. */
bool regal_search_is_guided(const regal_search *search);

/* Takes over the best-ranked individual of an island, of that fitness, if it is the best of all;
 * then sets *improved. */
regal_status regal_search_note_best(regal_search *search, int64_t island, regal_fitness fitness,
                                    bool *improved);

/* Another stage begins; `stages`: all that have run then. */
void regal_search_enter(regal_search *search, const char *stage, const char *stages);

/* The first stage: BRKGA until the budget is spent, or the evaluations or the share of the time
 * that are given (INT64_MAX, 1: all). At least the first population is evaluated and ranked. */
regal_status regal_brkga_run(regal_search *search, int64_t evaluations, double share);

/* Roll-outs that the first population had no place for, or was not to get, replace the worst
 * individuals, as far as the budget goes. */
regal_status regal_search_join(regal_search *search);

/* The second stage: annealing chains, from the ranked individuals of the first, until the budget is
 * spent. */
regal_status regal_anneal_run(regal_search *search);

/* The chains of each island that it will have in a search of so many evaluations. */
int64_t regal_anneal_chains(const regal_search *search, int64_t evaluations);

#endif
