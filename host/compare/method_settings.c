/* The searches of a comparison, each as what it changes of the defaults. */
#include "compare/method.h"

enum { LARGE_GRAPH = 1000 };

void regal_settle_local_search(regal_options *options, regal_objective objective,
                               int64_t op_count) {
    (void)objective, (void)op_count;
    options->search = "local";
    options->seeds = "none";
    options->policy = "none";
    options->evaluations = 5000;
}

static void settle_paper(regal_options *options, const char *policy, int64_t evaluations) {
    options->search = "brkga";
    options->encoding = "affinity";
    options->seeds = "none";
    options->policy = policy;
    options->policy_use = "mutants";
    options->evaluations = evaluations;
}

void regal_settle_brkga_1k(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective, (void)op_count;
    settle_paper(options, "none", 1000);
}

void regal_settle_brkga_5k(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective, (void)op_count;
    settle_paper(options, "none", 5000);
}

void regal_settle_brkga_50k(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective, (void)op_count;
    settle_paper(options, "none", 50000);
}

/* The table of the tuning in models/README.md. */
void regal_settle_brkga_tuned(regal_options *options, regal_objective objective, int64_t op_count) {
    const bool memory = objective == REGAL_MEMORY;
    (void)op_count;
    settle_paper(options, memory ? "beta:0.3,4" : "none", 5000);
    options->population = memory ? 200 : 50;
    options->elites = memory ? 0.1 : 0.2;
    options->mutants = 0.05;
    options->rho = memory ? 0.7 : 0.6;
}

/* All but one of the population are drawn anew each time. */
void regal_settle_policy_random(regal_options *options, regal_objective objective,
                                int64_t op_count) {
    (void)objective, (void)op_count;
    settle_paper(options, "auto", 5000);
    options->policy_use = "mutants,population";
    options->elites = 0.01;
    options->mutants = 0.99;
}

void regal_settle_regal_paper(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective, (void)op_count;
    settle_paper(options, "auto", 5000);
}

void regal_settle_regal_5k(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective, (void)op_count;
    options->evaluations = 5000;
}

void regal_settle_regal(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)options, (void)objective, (void)op_count;
}

void regal_settle_regal_long(regal_options *options, regal_objective objective, int64_t op_count) {
    (void)objective;
    options->evaluations = op_count > LARGE_GRAPH ? 50000 : 500000;
}
