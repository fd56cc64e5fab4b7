/* From the searches to the figures of a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "policy/evaluate_data.h"
#include "policy/evaluate_statistics.h"

/* The searches of one problem that are compared. */
typedef struct comparison {
    const regal_evaluated_run *with, *reference; /* [count] */
    int64_t count;
    int64_t feasible, reference_feasible;
    int64_t pairs;                    /* seeds for which both are feasible */
    double with_mean, reference_mean; /* over the pairs */
} comparison;

static comparison compare(const regal_evaluation *evaluation,
                          const regal_evaluated_problem *problem, int64_t budget,
                          int64_t reference_budget) {
    comparison c = {
        .with = regal_evaluated_runs(evaluation, problem, REGAL_WITH_POLICY, budget),
        .reference = regal_evaluated_runs(evaluation, problem, REGAL_REFERENCE, reference_budget),
        .count = evaluation->repeats};
    for (int64_t i = 0; i < c.count; ++i) {
        const bool with = c.with[i].excess == 0, reference = c.reference[i].excess == 0;
        c.feasible += with;
        c.reference_feasible += reference;
        if (!with || !reference)
            continue;
        c.pairs++;
        c.with_mean += (double)c.with[i].value;
        c.reference_mean += (double)c.reference[i].value;
    }
    if (c.pairs > 0) {
        c.with_mean /= (double)c.pairs;
        c.reference_mean /= (double)c.pairs;
    }
    return c;
}

static double mean_excess(const regal_evaluated_run *runs, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
        sum += (double)runs[i].excess;
    return sum / (double)count;
}

static bool is_won(const comparison *c) {
    if (c->feasible != c->reference_feasible)
        return c->feasible > c->reference_feasible;
    if (c->pairs > 0)
        return c->with_mean < c->reference_mean;
    return mean_excess(c->with, c->count) < mean_excess(c->reference, c->count);
}

static double share_below(double value, double of) {
    return of > 0 ? 1 - value / of : 0;
}

/* ---- a row */

typedef struct row_sums {
    int64_t feasible, reference_feasible, won;
    double seconds, reference_seconds;
    double known_gain, known_room; /* where a best plan is known */
} row_sums;

static double seconds_of(const regal_evaluated_run *runs, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
        sum += runs[i].seconds;
    return sum;
}

/* Told from families of these names by where they lie. */
static const char ALL[] = "all", SEEN[] = "seen", UNSEEN[] = "unseen";

static bool is_of_group(const regal_evaluated_problem *problem, const char *group) {
    if (group == ALL)
        return true;
    if (group == SEEN || group == UNSEEN)
        return problem->unseen == (group == UNSEEN);
    return strcmp(problem->family, group) == 0;
}

/* gains: room for one of each problem. */
static void fill_row(const regal_evaluation *evaluation, int64_t budget, int64_t reference_budget,
                     double *gains, regal_evaluation_row *row) {
    row_sums sums = {0};
    for (int64_t p = 0; p < evaluation->problem_count; ++p) {
        const regal_evaluated_problem *problem = &evaluation->problems[p];
        if (!regal_evaluated_fully(evaluation, problem) || !is_of_group(problem, row->group))
            continue;
        const comparison c = compare(evaluation, problem, budget, reference_budget);
        row->problems++;
        sums.feasible += c.feasible;
        sums.reference_feasible += c.reference_feasible;
        sums.won += is_won(&c);
        sums.seconds += seconds_of(c.with, c.count);
        sums.reference_seconds += seconds_of(c.reference, c.count);
        if (c.pairs == 0)
            continue;
        const double gain = share_below(c.with_mean, c.reference_mean);
        gains[row->compared++] = 100 * gain;
        if (problem->best >= 0) {
            sums.known_gain += gain;
            sums.known_room += share_below((double)problem->best, c.reference_mean);
        }
    }
    regal_sample sample;
    regal_sample_describe(gains, row->compared, &sample);
    const double searches = (double)(row->problems * evaluation->repeats);
    row->gain = sample.mean;
    row->error = sample.error;
    row->low = sample.low;
    row->high = sample.high;
    row->feasible = (double)sums.feasible / searches;
    row->reference_feasible = (double)sums.reference_feasible / searches;
    row->won = (double)sums.won / (double)row->problems;
    row->seconds = sums.seconds / searches;
    row->reference_seconds = sums.reference_seconds / searches;
    row->captured = sums.known_room > 0 ? sums.known_gain / sums.known_room : NAN;
}

/* ---- all rows */

/* Names of groups, "all" first. */
typedef struct group_list {
    const char **names;
    int64_t count, sums; /* the first `sums` are no families */
} group_list;

/* Families in the order of their problems; none of those that stand for all. */
static regal_status add_families(const regal_evaluation *evaluation, group_list *groups) {
    regal_name_table known;
    REGAL_FAIL_IF(!regal_name_table_create(&known, evaluation->problem_count), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t p = 0; p < evaluation->problem_count; ++p) {
        const regal_evaluated_problem *problem = &evaluation->problems[p];
        if (regal_evaluated_fully(evaluation, problem) &&
            regal_name_table_add(&known, problem->family, p) == p)
            groups->names[groups->count++] = problem->family;
    }
    regal_name_table_destroy(&known);
    if (groups->count == groups->sums + 1)
        groups->count = groups->sums;
    return REGAL_OK;
}

static regal_status list_groups(const regal_evaluation *evaluation, group_list *groups) {
    int64_t finished = 0, unseen = 0;
    groups->names = regal_allocate(evaluation->problem_count + 3, sizeof *groups->names);
    REGAL_FAIL_IF_NULL(groups->names);
    for (int64_t p = 0; p < evaluation->problem_count; ++p) {
        const regal_evaluated_problem *problem = &evaluation->problems[p];
        finished += regal_evaluated_fully(evaluation, problem);
        unseen += regal_evaluated_fully(evaluation, problem) && problem->unseen;
    }
    if (finished > 0)
        groups->names[groups->count++] = ALL;
    if (unseen > 0 && unseen < finished) {
        groups->names[groups->count++] = SEEN;
        groups->names[groups->count++] = UNSEEN;
    }
    groups->sums = groups->count;
    return add_families(evaluation, groups);
}

static void add_rows(regal_evaluation *evaluation, const group_list *groups, int64_t group_count,
                     int64_t budget, int64_t reference_budget, double *gains) {
    for (int64_t g = 0; g < group_count; ++g) {
        regal_evaluation_row *row = &evaluation->rows[evaluation->row_count++];
        *row = (regal_evaluation_row){.group = groups->names[g],
                                      .budget = evaluation->budgets[budget],
                                      .reference_budget = evaluation->budgets[reference_budget]};
        fill_row(evaluation, budget, reference_budget, gains, row);
    }
}

regal_status regal_evaluation_summarize(regal_evaluation *evaluation) {
    group_list groups = {0};
    const int64_t budgets = evaluation->budget_count;
    regal_status status = list_groups(evaluation, &groups);
    const int64_t most = budgets * (groups.count + groups.sums);
    double *gains = regal_allocate(evaluation->problem_count, sizeof *gains);
    evaluation->rows = regal_allocate(most, sizeof *evaluation->rows);
    if (status == REGAL_OK && (gains == NULL || evaluation->rows == NULL))
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK) {
        for (int64_t b = 0; b < budgets; ++b)
            add_rows(evaluation, &groups, groups.count, b, b, gains);
        for (int64_t b = 0; b + 1 < budgets; ++b)
            add_rows(evaluation, &groups, groups.sums, b, budgets - 1, gains);
    }
    free(gains);
    free(groups.names);
    return status;
}

bool regal_evaluation_summary(const regal_evaluation *evaluation, int64_t index,
                              regal_evaluation_row *row) {
    *row = (regal_evaluation_row){0};
    if (index < 0 || index >= evaluation->row_count)
        return false;
    *row = evaluation->rows[index];
    return true;
}
